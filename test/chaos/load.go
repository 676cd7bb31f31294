package chaos

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"quern/client"
)

const (
	namespace = "chaos"
	// answerTime is how long a client waits for an answer before it knows nothing.
	answerTime = 30 * time.Second
	// ships is how many rows the dataset has that questions are about.
	ships = 7
)

// sets are the datasets that rows are appended to; fileSet is made of files.
var sets = []string{"odd", "even"}

const fileSet = "files"

// LoadOptions says how much load there is, and who makes it.
type LoadOptions struct {
	Seed    uint64
	Owner   string // a user, and tokens of them and of somebody else
	Token   string
	Reader  string
	Reading string // the token of Reader
	Writers int
	Askers  int
	// Pause is how long a client rests between two requests, on average.
	Pause time.Duration
	// RunsMayFail says that a run may fail, in words, while what the servers stand on
	// does: where that is the disk of the only server, nobody else can go on with it.
	RunsMayFail bool
}

// Load is clients of a fleet.
type Load struct {
	o      LoadOptions
	fleet  *Fleet
	model  *Model
	http   *http.Client
	client *client.Client
	began  time.Time
	gate   sync.RWMutex // clients pass it before each request
}

// NewLoad makes the clients, and what they need to begin with.
func NewLoad(ctx context.Context, f *Fleet, o LoadOptions) (*Load, error) {
	l := &Load{o: o, fleet: f, model: newModel(), began: time.Now(), http: &http.Client{Timeout: answerTime, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	var err error
	l.client, err = client.New(client.Options{Server: f.URL(), Token: o.Token, Patience: 2 * time.Minute})
	if err != nil {
		return nil, err
	}
	for _, set := range append([]string{fileSet}, sets...) {
		if _, err := l.client.Create(ctx, client.Dataset{Namespace: namespace, Name: set}); err != nil {
			return nil, fmt.Errorf("chaos: create %s: %w", set, err)
		}
	}
	rows := make([]map[string]any, ships)
	for i := range rows {
		rows[i] = map[string]any{"ship": fmt.Sprintf("ship %d", i), "length": 100 + i}
	}
	if _, err := l.client.Append(ctx, client.Dataset{Namespace: "harbour", Name: "ships"}, rows); err != nil {
		return nil, fmt.Errorf("chaos: ships: %w", err)
	}
	return l, nil
}

// Model is what the clients know.
func (l *Load) Model() *Model { return l.model }

// Run lets the clients work until ctx ends and they are done with what they began.
func (l *Load) Run(ctx context.Context) {
	var all sync.WaitGroup
	stream := uint64(0)
	begin := func(life func(context.Context, *rand.Rand)) {
		stream++
		random := rand.New(rand.NewPCG(l.o.Seed, stream))
		all.Go(func() { life(ctx, random) })
	}
	for n := range l.o.Writers {
		begin(func(ctx context.Context, random *rand.Rand) { l.write(ctx, n, random) })
	}
	for range l.o.Askers {
		begin(l.ask)
	}
	begin(l.upload)
	begin(l.share)
	begin(l.token)
	begin(l.read)
	all.Wait()
}

// rest waits a while. It reports whether to go on.
func (l *Load) rest(ctx context.Context, random *rand.Rand) bool {
	if l.o.Pause > 0 {
		select {
		case <-ctx.Done():
		case <-time.After(upTo(random, 2*l.o.Pause)):
		}
	}
	l.gate.RLock()
	defer l.gate.RUnlock()
	return ctx.Err() == nil
}

// Hold keeps the clients from beginning anything new until release. What they have begun
// goes on.
func (l *Load) Hold() (release func()) {
	l.gate.Lock()
	return l.gate.Unlock
}

// answer is an answer that was read to its end.
type answer struct {
	status int
	body   string
}

// call sends one request once. What got no answer is an error.
func (l *Load) call(token, method, path, key, body string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, l.fleet.URL()+"/api/v1"+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := l.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= http.StatusInternalServerError {
		err = fmt.Errorf("status %d: %s", res.StatusCode, text)
	}
	return answer{res.StatusCode, string(text)}, err
}

// sure sends a request that may be repeated until it is answered, while patience lasts.
func (l *Load) sure(token, method, path, key, body string) (answer, error) {
	var err error
	for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(100 * time.Millisecond) {
		var a answer
		if a, err = l.call(token, method, path, key, body); err == nil && a.status != http.StatusTooManyRequests {
			return a, nil
		}
		l.model.update(func() { l.model.unknown++ })
	}
	l.model.fault("%s %s was not answered for two minutes: %v", method, path, err)
	return answer{}, err
}

// write appends rows again and again. A request with a key is sent until it is
// answered; one without is sent once.
func (l *Load) write(ctx context.Context, writer int, random *rand.Rand) {
	next := (writer + 1) * 10_000_000
	for n := 0; l.rest(ctx, random); n++ {
		set, b := sets[random.IntN(len(sets))], batch{first: next, count: 1 + random.IntN(10)}
		next += b.count
		path, body := "/ingest/"+namespace+"/"+set, rowsOf(b)
		var a answer
		var err error
		if random.IntN(4) > 0 {
			a, err = l.sure(l.o.Token, http.MethodPost, path, fmt.Sprintf("writer-%d-%d-%d", l.o.Seed, writer, n), body)
		} else if a, err = l.call(l.o.Token, http.MethodPost, path, "", body); err != nil {
			l.model.update(func() { l.model.unknown++ })
		}
		b.acked = err == nil && a.status == http.StatusOK
		if err == nil && !b.acked {
			l.model.fault("POST %s = %d %s, want 200", path, a.status, a.body)
		}
		l.model.addBatch(set, b)
	}
}

// rowsOf writes the body of an ingest. A row's text follows from its id.
func rowsOf(b batch) string {
	rows := make([]string, b.count)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":%d,"text":%q}`, b.first+i, textOf(b.first+i))
	}
	return `{"data":[` + strings.Join(rows, ",") + `]}`
}

func textOf(id int) string { return fmt.Sprintf("row %d", id) }

// read counts rows: whatever was acknowledged before it asks has to be there.
func (l *Load) read(ctx context.Context, random *rand.Rand) {
	for l.rest(ctx, random) {
		set := sets[random.IntN(len(sets))]
		atLeast := l.model.acked(set)
		a, err := l.call(l.o.Token, http.MethodPost, "/query", "", fmt.Sprintf(`{"username":"self","namespace":%q,"includeMetadata":false,
			"query":"select count(*) as n, count(distinct id) as ids from %s"}`, namespace, set))
		if err != nil {
			l.model.update(func() { l.model.unknown++ })
			continue
		}
		var found struct{ Data []struct{ N, IDs int } }
		if a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &found) != nil || len(found.Data) != 1 {
			if atLeast > 0 || a.status != http.StatusUnprocessableEntity { // a dataset without rows has no column id
				l.model.fault("counting %s = %d %s, want a count", set, a.status, a.body)
			}
			continue
		}
		if n := found.Data[0]; n.N < atLeast || n.N != n.IDs {
			l.model.fault("%s has %d rows, %d of them different, when %d were acknowledged", set, n.N, n.IDs, atLeast)
		}
		l.model.update(func() { l.model.readBack++ })
	}
}
