package chaos

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"quern/client"
)

// endsWithin is how long a run may take when nothing is done to the servers any more.
const endsWithin = 90 * time.Second

// Check holds all that was acknowledged against the servers, which nothing is done to any
// more, and reports.
func (l *Load) Check(ctx context.Context) Report {
	r := Report{Seed: l.o.Seed, Deaths: l.fleet.Deaths(), Took: time.Since(l.began)}
	for _, set := range append([]string{fileSet}, sets...) {
		r.Rows += l.checkRows(ctx, set)
	}
	l.checkFiles(ctx, &r)
	l.checkRuns(ctx, &r)
	l.checkGrants(&r)
	for _, token := range l.model.tokens {
		l.tokenIs(token, http.StatusUnauthorized)
		r.Tokens++
	}
	for _, name := range l.fleet.Ended() {
		l.model.fault("%s ended by itself", name)
	}
	p := l.fleet.proxy
	p.mu.Lock()
	for _, how := range p.broken {
		l.model.fault("nothing was wrong with the server: %s", how)
	}
	r.Failed = p.failed + p.refused
	p.mu.Unlock()
	r.Reads, r.Unknown, r.Silence, r.Ingestion = l.model.readBack, l.model.unknown, l.model.slowest, l.model.longest
	r.Faults = l.model.Faults()
	return r
}

// checkRows reads a dataset and returns how many of its rows were acknowledged.
func (l *Load) checkRows(ctx context.Context, set string) (rows int) {
	var out bytes.Buffer
	d := client.Dataset{Owner: l.o.Owner, Namespace: namespace, Name: set}
	if _, err := l.client.Export(ctx, d, client.ExportOptions{Format: "ndjson"}, &out); err != nil {
		l.model.fault("export of %s = %v", set, err)
		return 0
	}
	seen := map[int]int{}
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		var row struct {
			ID   int
			Text string
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil || row.Text != textOf(row.ID) {
			l.model.fault("%s has the row %s (%v), which nobody sent", set, lines.Text(), err)
			continue
		}
		seen[row.ID]++
	}
	for _, b := range l.model.batches[set] {
		there := 0
		for id := b.first; id < b.first+b.count; id++ {
			if seen[id] > 1 {
				l.model.fault("%s has row %d %d times, want it once", set, id, seen[id])
			}
			there += min(seen[id], 1)
			delete(seen, id)
		}
		if there != b.count && (b.acked || there != 0) {
			l.model.fault("%s has %d of %d rows from %d on, acknowledged = %v", set, there, b.count, b.first, b.acked)
		}
		if b.acked {
			rows += b.count
		}
	}
	if len(seen) > 0 {
		l.model.fault("%s has %d rows of requests that nobody is done with", set, len(seen))
	}
	return rows
}

// checkFiles looks for uploads that stayed files, and counts those that were ingested.
func (l *Load) checkFiles(ctx context.Context, r *Report) {
	r.Ingestions = len(l.model.batches[fileSet])
	for _, f := range l.model.files {
		stored, err := l.client.Files(ctx, f.session)
		if err != nil || len(stored) != 1 || stored[0].Filename != f.name || stored[0].Size != f.size {
			l.model.fault("upload %s holds %+v (%v), want %s with %d bytes", f.session, stored, err, f.name, f.size)
			continue
		}
		r.Files++
	}
}

// checkRuns follows every run there is to its end: what was read of it in pieces is what
// is stored, and it ended once.
func (l *Load) checkRuns(ctx context.Context, r *Report) {
	known := map[string]*run{}
	for _, one := range l.model.runs {
		known[one.id] = one
		r.Runs++
	}
	talks, err := l.client.Conversations(ctx, "self", "", 100_000)
	if err != nil {
		l.model.fault("conversations = %v", err)
	}
	for _, talk := range talks {
		told, err := l.client.Conversation(ctx, talk.ID)
		if err != nil {
			l.model.fault("conversation %s = %v", talk.ID, err)
			continue
		}
		for _, turn := range told.Turns {
			l.checkRun(ctx, turn.RunID, known[turn.RunID])
			delete(known, turn.RunID)
		}
	}
	for id := range known {
		l.model.fault("run %s was acknowledged and is gone", id)
	}
	for _, one := range l.model.runs {
		if one.rated && l.checkRating(one) {
			r.Ratings++
		}
	}
}

// checkRun follows a run. A nil one is of a question whose asker heard nothing.
func (l *Load) checkRun(ctx context.Context, id string, read *run) {
	ctx, cancel := context.WithTimeout(ctx, endsWithin)
	defer cancel()
	var stored []string
	ends := 0
	_, err := l.client.FollowRun(ctx, id, func(e client.Event) error {
		if e.ID != int64(len(stored)+1) {
			l.model.fault("run %s has event %d after %d", id, e.ID, len(stored))
		}
		stored = append(stored, eventText(e))
		if e.Type == "answer" || e.Type == "error" {
			ends++
		}
		return nil
	})
	state, stateErr := l.client.Run(ctx, id)
	refused := read != nil && read.refused && (state.Status == "failed" || state.Status == "expired")
	if !refused && (err != nil || state.Status != "completed") || stateErr != nil || ends != 1 {
		l.model.fault("run %s is %q %q with %d ends (%v, %v): %v", id, state.Status, state.Message, ends, err, stateErr, stored)
	}
	if read != nil && !slices.Equal(read.events, stored) {
		l.model.fault("run %s was read as\n%s\nand is stored as\n%s", id, strings.Join(read.events, "\n"), strings.Join(stored, "\n"))
	}
}

func (l *Load) checkRating(one *run) bool {
	a, err := l.sure(l.o.Token, http.MethodGet, "/query/runs/"+one.id+"/feedback", "", "")
	var rating struct{ ThumbsUp bool }
	if err != nil || a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &rating) != nil || !slices.Contains(one.ratings, rating.ThumbsUp) {
		l.model.fault("the rating of run %s is %d %s (%v), want one of %v", one.id, a.status, a.body, err, one.ratings)
		return false
	}
	return true
}

// checkGrants lists who sees each shared dataset.
func (l *Load) checkGrants(r *Report) {
	for _, g := range l.model.grants {
		if g.unsure {
			continue
		}
		r.Grants++
		a, err := l.sure(l.o.Token, http.MethodGet, "/permissions/datasets/"+l.o.Owner+"/"+namespace+"/"+g.dataset+"/shares", "", "")
		var shares []struct{ Username, Role string }
		switch {
		case err != nil:
		case g.deleted && a.status != http.StatusNotFound:
			l.model.fault("%s was deleted and its shares are %d %s", g.dataset, a.status, a.body)
		case g.deleted:
		case a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &shares) != nil || (len(shares) == 1) != g.shared:
			l.model.fault("the shares of %s are %d %s, want shared = %v", g.dataset, a.status, a.body, g.shared)
		}
		l.seen(g, g.shared && !g.deleted)
	}
}

// Told is the first faults as a text, for a test to fail with.
func (r Report) Told() string {
	shown := r.Faults[:min(len(r.Faults), 20)]
	return fmt.Sprintf("%v\n  %s", r, strings.Join(shown, "\n  "))
}
