package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"quern/client"
)

// upload sends files of rows; most are ingested, and some stay files.
func (l *Load) upload(ctx context.Context, random *rand.Rand) {
	next := 1
	for n := 0; l.rest(ctx, random); n++ {
		b := batch{first: next, count: 20 + random.IntN(400)}
		next += b.count
		text := csvOf(b)
		name := fmt.Sprintf("rows-%d.csv", n)
		sent, err := l.client.Upload(context.Background(), []client.File{{Name: name, Size: int64(len(text)), Content: strings.NewReader(text)}}, client.UploadOptions{})
		if err != nil {
			l.model.fault("uploading %s = %v", name, err)
			continue
		}
		if random.IntN(4) == 0 {
			l.model.update(func() { l.model.files = append(l.model.files, file{sent.ID, name, int64(len(text))}) })
			continue
		}
		l.ingest(sent.ID, b)
	}
}

func csvOf(b batch) string {
	var text strings.Builder
	text.WriteString("id,text\n")
	for id := b.first; id < b.first+b.count; id++ {
		fmt.Fprintf(&text, "%d,%s\n", id, textOf(id))
	}
	return text.String()
}

// ingest makes rows of an uploaded file and follows that to its end.
func (l *Load) ingest(upload string, b batch) {
	ctx := context.Background()
	id, err := l.client.Ingest(ctx, client.Dataset{Namespace: namespace, Name: fileSet}, client.IngestRequest{Session: upload})
	if err != nil {
		l.model.fault("starting an ingestion = %v", err)
		return
	}
	began := time.Now()
	end, err := l.client.Follow(ctx, id, nil)
	took := time.Since(began)
	if err != nil || end.Status != "completed" || end.ProcessedRows != int64(b.count) {
		l.model.fault("ingestion %s ended as %s %q with %d rows after %v (%v), want it completed with %d",
			id, end.Status, end.Message, end.ProcessedRows, took, err, b.count)
		return
	}
	b.acked = true
	l.model.addBatch(fileSet, b)
	l.model.update(func() { l.model.longest = max(l.model.longest, took) })
}

// ask asks how many ships there are and follows the run over every cut.
func (l *Load) ask(ctx context.Context, random *rand.Rand) {
	for l.rest(ctx, random) {
		r, began, heard := &run{}, time.Now(), time.Now()
		answer, err := l.client.Ask(context.Background(), client.Question{Namespace: "harbour", Text: "How many ships are there?"}, func(e client.Event) error {
			silence := time.Since(heard)
			heard = time.Now()
			r.events = append(r.events, eventText(e))
			l.model.update(func() { l.model.slowest = max(l.model.slowest, silence) })
			return nil
		})
		if r.id = answer.RunID; r.id == "" {
			l.model.update(func() { l.model.unknown++ })
			continue // it was lost before the server said that it took it
		}
		switch {
		case err != nil:
			if r.refused = l.mayFail(err, began); !r.refused {
				l.model.fault("run %s failed: %v after %v", r.id, err, r.events)
			}
		case len(answer.Steps) != 1 || !strings.Contains(answer.Response, fmt.Sprint(ships)):
			l.model.fault("run %s answers %q, want %d ships", r.id, answer.Response, ships)
		default:
			l.rate(r, random)
		}
		l.model.update(func() { l.model.runs = append(l.model.runs, r) })
	}
}

// mayFail reports whether a run that began at a time may end with an error: for a disk
// that fails under the only server, or for a clock by which it is past its life.
func (l *Load) mayFail(err error, began time.Time) bool {
	failed, ended := errors.AsType[*client.Error](err)
	if !ended {
		return false
	}
	return failed.Code == "UNAVAILABLE" && l.o.RunsMayFail && l.fleet.troubled(began) || failed.Code == "TIMEOUT" && l.fleet.clockJumped(began)
}

func eventText(e client.Event) string { return fmt.Sprintf("%d %s %s", e.ID, e.Type, e.Data) }

// rate rates a run, up to three times.
func (l *Load) rate(r *run, random *rand.Rand) {
	for range random.IntN(4) {
		up := random.IntN(2) == 0
		a, err := l.call(l.o.Token, http.MethodPost, "/query/runs/"+r.id+"/feedback", "", fmt.Sprintf(`{"thumbsUp":%t}`, up))
		switch {
		case err != nil:
			// A server that stood still may store it later than any that follows.
			r.ratings = append(r.ratings, up)
			l.model.update(func() { l.model.unknown++ })
			return
		case a.status != http.StatusNoContent:
			l.model.fault("rating run %s = %d %s, want 204", r.id, a.status, a.body)
			return
		}
		r.ratings, r.rated = []bool{up}, true
	}
}

// share makes datasets, shares them, revokes that and deletes them, and looks at every
// server whether it holds.
func (l *Load) share(ctx context.Context, random *rand.Rand) {
	for n := 0; l.rest(ctx, random); n++ {
		g := &grant{dataset: fmt.Sprintf("shared-%d", n)}
		a, err := l.sure(l.o.Token, http.MethodPost, "/ingest/"+namespace+"/"+g.dataset, fmt.Sprintf("share-%d-%d", l.o.Seed, n), `{"data":[{"secret":1}]}`)
		if err != nil || a.status != http.StatusOK {
			l.model.fault("making %s = %d %s %v, want 200", g.dataset, a.status, a.body, err)
			continue
		}
		if l.change(g, http.MethodPost, true) && l.seen(g, true) && random.IntN(3) > 0 && l.change(g, http.MethodDelete, false) && l.seen(g, false) &&
			random.IntN(2) == 0 {
			l.delete(g)
		}
		l.model.update(func() { l.model.grants = append(l.model.grants, g) })
	}
}

// change shares or revokes. It reports whether that was acknowledged.
func (l *Load) change(g *grant, method string, shared bool) bool {
	path := "/permissions/datasets/" + l.o.Owner + "/" + namespace + "/" + g.dataset + "/shares"
	a, err := l.call(l.o.Token, method, path, "", fmt.Sprintf(`{"username":%q,"role":"viewer"}`, l.o.Reader))
	if err != nil {
		g.unsure = true
		l.model.update(func() { l.model.unknown++ })
		return false
	}
	if a.status != http.StatusOK {
		l.model.fault("%s %s = %d %s, want 200", method, path, a.status, a.body)
		return false
	}
	g.shared = shared
	return true
}

func (l *Load) delete(g *grant) {
	a, err := l.call(l.o.Token, http.MethodDelete, "/data/"+l.o.Owner+"/"+namespace+"/"+g.dataset+"/balefire", "", "")
	switch {
	case err != nil:
		g.unsure = true
		l.model.update(func() { l.model.unknown++ })
	case a.status != http.StatusOK:
		l.model.fault("deleting %s = %d %s, want 200", g.dataset, a.status, a.body)
	default:
		g.deleted = true
		l.seen(g, false)
	}
}

// seen looks at as many servers as there are whether the reader sees a dataset, as they
// must, or must not. It reports whether it is so.
func (l *Load) seen(g *grant, want bool) bool {
	right := true
	for range l.fleet.Servers() {
		a, err := l.call(l.o.Reading, http.MethodPost, "/query", "", fmt.Sprintf(
			`{"username":%q,"namespace":%q,"includeMetadata":false,"query":"select secret from \"%s/%s/%s\""}`, l.o.Owner, namespace, l.o.Owner, namespace, g.dataset))
		if err != nil {
			l.model.update(func() { l.model.unknown++ })
			continue
		}
		described, err := l.call(l.o.Reading, http.MethodGet, "/data/"+l.o.Owner+"/"+namespace+"/"+g.dataset, "", "")
		if err != nil {
			described.status = map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[want]
		}
		if (a.status == http.StatusOK) != want || (described.status == http.StatusOK) != want {
			l.model.fault("%s, shared = %v, was answered with %d %s and %d %s", g.dataset, want, a.status, a.body, described.status, described.body)
			right = false
		}
		l.model.update(func() { l.model.readBack++ })
	}
	return right
}

// token makes API tokens and revokes them: no server may take one any more then.
func (l *Load) token(ctx context.Context, random *rand.Rand) {
	for n := 0; l.rest(ctx, random); n++ {
		a, err := l.call(l.o.Token, http.MethodPost, "/user/token", "", fmt.Sprintf(`{"name":"chaos %d"}`, n))
		var made struct{ ID, Token string }
		if err != nil {
			l.model.update(func() { l.model.unknown++ })
			continue
		}
		if json.Unmarshal([]byte(a.body), &made) != nil || made.Token == "" {
			l.model.fault("making a token = %d %s", a.status, a.body)
			continue
		}
		l.tokenIs(made.Token, http.StatusOK)
		if a, err = l.call(l.o.Token, http.MethodDelete, "/user/token/"+made.ID, "", ""); err != nil {
			l.model.update(func() { l.model.unknown++ })
			continue
		}
		if a.status >= http.StatusMultipleChoices {
			l.model.fault("revoking a token = %d %s", a.status, a.body)
			continue
		}
		l.tokenIs(made.Token, http.StatusUnauthorized)
		l.model.update(func() { l.model.tokens = append(l.model.tokens, made.Token) })
	}
}

// tokenIs asks as many servers as there are with a token.
func (l *Load) tokenIs(token string, want int) {
	for range l.fleet.Servers() {
		a, err := l.call(token, http.MethodGet, "/data", "", "")
		if err == nil && a.status != want {
			l.model.fault("a token was answered with %d %s, want %d", a.status, a.body, want)
		}
	}
}
