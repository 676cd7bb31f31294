package push_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/auth/authtest"
	"quern/push"
	"quern/store"
	"quern/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// news is a source of numbered messages.
type news struct {
	mu    sync.Mutex
	said  int
	ended bool
	gone  bool
}

func (n *news) Behind(_ context.Context, _ quern.PushConfig, cursor string) (push.Batch, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.gone {
		return push.Batch{}, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	after, _ := strconv.Atoi(cursor)
	var b push.Batch
	for i := after + 1; i <= n.said; i++ {
		b.Messages = append(b.Messages, push.Message{Body: []byte(strconv.Itoa(i)), Cursor: strconv.Itoa(i)})
	}
	if !n.ended {
		b.Pause = time.Second
	}
	return b, nil
}

func (n *news) say(count int, ended bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said, n.ended = n.said+count, ended
}

// receiver is an address that remembers what it was sent.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	bodies   []string
	headers  []http.Header
	statuses []int // answered first, one each
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bodies, r.headers = append(r.bodies, string(body)), append(r.headers, req.Header)
		if len(r.statuses) > 0 {
			status := r.statuses[0]
			r.statuses = r.statuses[1:]
			w.Header().Set("Retry-After", "7")
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(status)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.bodies)
}

// bench is a service on its store with a clock, a user's run and a source.
type bench struct {
	*push.Service
	t     *testing.T
	store *store.Store
	clock *authtest.Clock
	news  *news
	user  quern.UserID
	run   quern.RunID
}

func each(t *testing.T, fn func(*testing.T, *bench)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { fn(t, newBench(t, s, push.Options{Private: true})) })
}

func newBench(t *testing.T, s *store.Store, o push.Options) *bench {
	t.Helper()
	b := &bench{t: t, store: s, clock: authtest.StoppedClock(), news: &news{}}
	o.Store, o.Now, o.Agent, o.Log = s, b.clock.Now, "quern/test", slog.New(slog.DiscardHandler)
	b.Service = push.New(o)
	t.Cleanup(b.Close)
	b.user, b.run = quern.NewID[quern.UserID](), quern.NewID[quern.RunID]()
	ctx := t.Context()
	err := s.Update(ctx, func(tx *store.Tx) error {
		now := b.clock.Now()
		if err := tx.InsertUser(ctx, quern.User{ID: b.user, Username: "ada", CreatedAt: now}, ""); err != nil {
			return err
		}
		c := quern.Conversation{ID: quern.NewID[quern.ConversationID](), Owner: b.user, In: quern.NamespacePath{Owner: "ada", Namespace: "n"}, Title: "t", CreatedAt: now, UpdatedAt: now}
		if err := tx.InsertConversation(ctx, c); err != nil {
			return err
		}
		return tx.InsertRun(ctx, quern.Run{ID: b.run, Conversation: c.ID, Actor: b.user, Agent: quern.AgentNL2QL, In: c.In, Status: quern.RunRunning, CreatedAt: now, UpdatedAt: now}, quern.Lease{Until: now}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) put(c quern.PushConfig) quern.PushConfig {
	b.t.Helper()
	c.Run, c.Owner = b.run, b.user
	made, err := b.Put(b.t.Context(), c)
	if err != nil {
		b.t.Fatalf("Put(%+v) = %v, want a configuration", c, err)
	}
	return made
}

// once tells what is due and reports whether anything was.
func (b *bench) once() bool {
	b.t.Helper()
	return b.Once(b.t.Context(), b.news)
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestToldInOrderAndOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		b.put(quern.PushConfig{URL: r.URL, Token: "mine", Scheme: "bearer", Credentials: "hush"})
		b.news.say(3, false)
		want(t, "the first round", b.once(), true)
		want(t, "a round before the pause is over", b.once(), false)
		b.news.say(2, true)
		b.clock.Add(time.Second)
		want(t, "the round after the pause", b.once(), true)
		b.clock.Add(time.Hour)
		want(t, "a round after the end", b.once(), false)
		want(t, "what the receiver got", r.got(), []string{"1", "2", "3", "4", "5"})
		h := r.headers[4]
		for name, value := range map[string]string{
			"Authorization": "Bearer hush", "X-A2A-Notification-Token": "mine", "A2A-Notification-Token": "mine",
			"Content-Type": "application/json", "User-Agent": "quern/test", push.SignatureHeader: "",
		} {
			want(t, name, h.Get(name), value)
		}
	})
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Open(t, storetest.SQLite(t)), push.Options{Private: true})
	r := newReceiver(t)
	b.put(quern.PushConfig{URL: r.URL, Scheme: "hmac-sha256", Credentials: "key"})
	b.news.say(1, true)
	b.once()
	got := r.headers[0].Get(push.SignatureHeader)
	want(t, "the signature", got, push.Signature("key", b.clock.Now(), []byte("1")))
	want(t, "the header of another scheme", r.headers[0].Get("Authorization"), "")
	// Worked out elsewhere: printf '1700000000.hello' | openssl dgst -sha256 -hmac key
	want(t, "a known signature", push.Signature("key", time.Unix(1_700_000_000, 0), []byte("hello")),
		"t=1700000000,v1=4d583a269f4f276a3fa80ff31b5a01879a848096983222a17893d198418939aa")
}

func TestFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		r.statuses = []int{503, 500, 429}
		b.put(quern.PushConfig{URL: r.URL})
		b.news.say(2, true)
		for i := range 3 {
			want(t, fmt.Sprintf("try %d", i+1), b.once(), true)
			b.clock.Add(6 * time.Second)
			want(t, fmt.Sprintf("sooner than the receiver wants after try %d", i+1), b.once(), false)
			b.clock.Add(4 * time.Second)
		}
		want(t, "the last try", b.once(), true)
		want(t, "what the receiver got", r.got(), []string{"1", "1", "1", "1", "2"})
	})
}

func TestGivenUp(t *testing.T) {
	t.Parallel()
	for name, statuses := range map[string][]int{
		"refused":    {404},
		"redirected": {302},
		"never well": slices.Repeat([]int{500}, 100),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, storetest.Open(t, storetest.SQLite(t)), push.Options{Private: true})
			r := newReceiver(t)
			r.statuses = statuses
			b.put(quern.PushConfig{URL: r.URL})
			b.news.say(1, true)
			tries := 0
			for b.once() {
				tries++
				b.clock.Add(10 * time.Minute)
			}
			if tries != min(len(statuses), 12) || len(r.got()) != tries {
				t.Errorf("%d tries, %d requests, want %d of both", tries, len(r.got()), min(len(statuses), 12))
			}
		})
	}
}

func TestAServerThatDiesLosesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		b.put(quern.PushConfig{URL: r.URL})
		b.news.say(2, false)
		b.once()
		b.news.say(1, true)
		b.clock.Add(time.Second)
		want(t, "taking it", b.Take(t.Context()), true) // and no more is heard of the taker
		want(t, "a round while it is held", b.once(), false)
		b.clock.Add(time.Minute)
		want(t, "a round when the lease is over", b.once(), true)
		want(t, "what the receiver got", r.got(), []string{"1", "2", "3"})
	})
}

func TestWakeEndsAPause(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		r := newReceiver(t)
		b.put(quern.PushConfig{URL: r.URL})
		b.once()
		want(t, "a round in the pause", b.once(), false)
		b.news.say(1, true)
		if err := b.Wake(t.Context(), b.run); err != nil {
			t.Fatal(err)
		}
		want(t, "a round after waking", b.once(), true)
		want(t, "what the receiver got", r.got(), []string{"1"})
	})
}

func TestConfigurations(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		for i := range push.MaxConfigs {
			b.put(quern.PushConfig{ID: fmt.Sprint(i), URL: "http://127.0.0.1:1/"})
		}
		if _, err := b.Put(ctx, quern.PushConfig{Run: b.run, Owner: b.user, URL: "http://127.0.0.1:1/"}); !quern.Is(err, quern.Conflict) {
			t.Errorf("Put() of one too many = %v, want Conflict", err)
		}
		b.put(quern.PushConfig{ID: "3", URL: "http://127.0.0.1:1/again"})
		c, err := b.Config(ctx, b.run, "3")
		if err != nil || c.URL != "http://127.0.0.1:1/again" {
			t.Errorf("Config() of one that was put twice = %+v, %v, want the second", c, err)
		}
		for range 2 {
			if err := b.Delete(ctx, b.run, "3"); err != nil {
				t.Errorf("Delete() = %v, want nil", err)
			}
		}
		if _, err := b.Config(ctx, b.run, "3"); !quern.Is(err, quern.NotFound) {
			t.Errorf("Config() of a deleted one = %v, want NotFound", err)
		}
		b.news.gone = true
		for b.once() {
		}
		if all, err := b.Configs(ctx, b.run); err != nil || len(all) != 0 {
			t.Errorf("Configs() when there is nobody to tell = %v, %v, want none", all, err)
		}
	})
}

func TestWorkTellsUntilItIsStopped(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Open(t, storetest.SQLite(t)), push.Options{Private: true})
	b.news.say(1, true)
	told := make(chan string, 100)
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.URL.Path }))
	defer r.Close()
	ctx, stop := context.WithCancel(t.Context())
	var working sync.WaitGroup
	working.Go(func() { b.Work(ctx, b.news) })
	paths := map[string]bool{}
	for i := range push.MaxConfigs {
		b.put(quern.PushConfig{URL: r.URL + "/" + strconv.Itoa(i)})
	}
	for range push.MaxConfigs {
		paths[<-told] = true
	}
	stop()
	working.Wait()
	want(t, "receivers that were told", len(paths), push.MaxConfigs)
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for address, public := range map[string]bool{
		"8.8.8.8": true, "1.1.1.1": true, "2606:4700::1111": true, "172.32.0.1": true, "100.128.0.1": true,
		"127.0.0.1": false, "127.8.8.8": false, "10.1.2.3": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false,
		"169.254.169.254": false, "0.0.0.0": false, "0.1.2.3": false, "100.64.0.1": false, "198.18.0.1": false, "192.0.2.7": false,
		"224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "ff02::1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:8.8.8.8": true, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001::1": false, "2001:db8::1": false, "fec0::1": false,
	} {
		if got := push.Public(netip.MustParseAddr(address)); got != public {
			t.Errorf("Public(%s) = %v, want %v", address, got, public)
		}
	}
}

func TestAddressesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	s := push.New(push.Options{})
	for address, taken := range map[string]bool{
		"https://hooks.example.com/a?b=c": true, "https://8.8.8.8:8443/": true, "https://[2606:4700::1111]/": true,
		"": false, "hooks.example.com": false, "https://": false, "https:///a": false, "mailto:a@example.com": false,
		"http://hooks.example.com/": false, "ftp://hooks.example.com/": false, "https://ada:pw@hooks.example.com/": false,
		"https://127.0.0.1/": false, "https://[::1]/": false, "https://[::ffff:127.0.0.1]/": false, "https://169.254.169.254/latest": false,
		"https://localhost/": false, "https://a.localhost./": false, "https://db.internal/": false, "https://printer.local/": false, "https://intranet/": false,
		"https://hooks.example.com/" + strings.Repeat("x", 2048): false, "https://a b.example.com/": false,
	} {
		err := s.Check(quern.PushConfig{URL: address})
		if (err == nil) != taken {
			t.Errorf("Check(%.60s) = %v, want taken: %v", address, err, taken)
		}
	}
}

// A name may point anywhere, and elsewhere at the next question: what counts is
// the address that is dialled.
func TestNamesThatPointInside(t *testing.T) {
	t.Parallel()
	r := newReceiver(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), ":")
	for name, ips := range map[string][]netip.Addr{
		"inside":     {netip.MustParseAddr("127.0.0.1")},
		"mapped":     {netip.MustParseAddr("::ffff:127.0.0.1")},
		"half of it": {netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("127.0.0.1")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			b := newBench(t, storetest.Open(t, storetest.SQLite(t)), push.Options{Resolve: func(context.Context, string) ([]netip.Addr, error) {
				asked++
				return ips, nil
			}})
			b.put(quern.PushConfig{URL: (&url.URL{Scheme: "https", Host: "hooks.example.com:" + port, Path: "/"}).String()})
			b.news.say(1, true)
			want(t, "the only try", b.once(), true)
			b.clock.Add(time.Hour)
			want(t, "another try", b.once(), false)
			want(t, "how often the name was looked up", asked, 1)
		})
	}
	t.Cleanup(func() {
		if got := r.got(); len(got) != 0 {
			t.Errorf("the inside was told %v, want nothing", got)
		}
	})
}
