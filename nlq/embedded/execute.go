package embedded

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"runtime/debug"
	"slices"
	"sync"

	"quern"
	"quern/query"
)

// How much is run, so that one question is a few queries. Set by hand
// (docs/translator.md, Thresholds).
const (
	// mostRun is how many readings are run.
	mostRun = 5
	// leastShare is the share of the likeliest reading's probability that one
	// must have to be run.
	leastShare = 0.02
	// certain is the probability beside which others are not run.
	certain = 0.9
	// mostCompared is how many rows of a result are compared.
	mostCompared = 500
	// atOnce is how many readings run at the same time.
	atOnce = 2
)

// outcome is what running a reading showed, in short.
type outcome struct {
	failed    error
	rows      int
	columns   int
	onlyNulls bool
	onlyZero  bool   // nothing but the number 0
	repeats   bool   // a row more than once
	hash      uint64 // of the rows, whatever their order
}

// execute runs the likelier of the candidates as the asker, and notes what each
// showed. It fails when the engine could run none, for reasons that are not the
// readings'.
func (r *reader) execute(ctx context.Context, all []*candidate) error {
	shares := probabilities(all)
	var tasks sync.WaitGroup
	gate := make(chan struct{}, atOnce)
	for i, c := range all {
		if i >= mostRun || shares[i] < leastShare*shares[0] || i > 0 && shares[0] > certain {
			break
		}
		tasks.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.outcome = r.run(ctx, c.sql)
		})
	}
	tasks.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return engineFailure(all)
}

// engineFailure returns the error of an engine that ran none of the candidates,
// for reasons that are not theirs.
func engineFailure(all []*candidate) error {
	var first error
	for _, c := range all {
		switch {
		case c.outcome == nil:
		case c.outcome.failed == nil:
			return nil
		case first == nil && !quern.Is(c.outcome.failed, quern.Invalid):
			first = c.outcome.failed
		}
	}
	return first
}

var seed = maphash.MakeSeed()

// run runs one reading. A panic fails this reading, not the server.
func (r *reader) run(ctx context.Context, sql string) (o *outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = &outcome{failed: fmt.Errorf("running a reading panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	rows, err := r.Query.SQL(ctx, r.principal, query.Request{In: r.question.In, SQL: sql})
	if err != nil {
		return &outcome{failed: err}
	}
	defer rows.Close()
	o = &outcome{columns: len(rows.Columns()), onlyNulls: true}
	seen := map[uint64]bool{}
	for rows.Next() && o.rows < mostCompared {
		o.rows++
		cells := make([]string, 0, o.columns)
		for _, v := range rows.Row() {
			o.onlyNulls = o.onlyNulls && v == nil
			cells = append(cells, fmt.Sprint(v))
		}
		slices.Sort(cells)
		row := maphash.Comparable(seed, fmt.Sprint(cells))
		o.hash += row
		o.repeats = o.repeats || seen[row]
		seen[row] = true
		o.onlyZero = o.rows == 1 && len(cells) == 1 && cells[0] == "0"
	}
	o.failed = rows.Err()
	return o
}

// probabilities shares out what the networks gave to the candidates.
func probabilities(all []*candidate) []float64 {
	shares := make([]float64, len(all))
	total := 0.0
	for i, c := range all {
		shares[i] = math.Exp(c.logProb)
		total += shares[i]
	}
	for i := range shares {
		shares[i] /= total
	}
	return shares
}

// ran reports whether a candidate was run and did not fail.
func (c *candidate) ran() bool { return c.outcome != nil && c.outcome.failed == nil }

// sameRows reports whether two candidates were run and found the same.
func sameRows(a, b *candidate) bool {
	return a == b || a.ran() && b.ran() && *a.outcome == *b.outcome
}
