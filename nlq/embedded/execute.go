package embedded

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"runtime/debug"
	"slices"
	"sync"

	"quern"
	"quern/engine"
	"quern/query"
	"quern/tree"
)

// How much is run, so that one question is a few queries. Set by hand
// (docs/translator.md, Thresholds).
const (
	// mostRun is how many readings are run, and mostLong how many of tables with
	// manyRows.
	mostRun  = 5
	mostLong = 3
	manyRows = 1_000_000
	// leastShare is the share of the likeliest reading's probability that one
	// must have to be run.
	leastShare = 0.02
	// certain is the probability beside which others are not run.
	certain = 0.9
	// mostCompared is how many rows of a result are compared.
	mostCompared = 500
	// mostKept is how many bytes of a result are kept for the answer.
	mostKept = 1 << 20
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
	var tasks sync.WaitGroup
	gate := make(chan struct{}, atOnce)
	for _, c := range r.likelier(all) {
		tasks.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.outcome, c.result = r.run(ctx, c)
		})
	}
	tasks.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return engineFailure(all)
}

// likelier returns the candidates that are worth running.
func (r *reader) likelier(all []*candidate) (run []*candidate) {
	shares, long := probabilities(all), 0
	for i, c := range all {
		settled := i > 0 && shares[0] > certain
		if settled || i >= mostRun || shares[i] < leastShare*shares[0] {
			break
		}
		if r.rowsRead(c.query) >= manyRows {
			if long++; long > mostLong {
				continue
			}
		}
		run = append(run, c)
	}
	return run
}

// rowsRead returns how many rows the tables of a query have.
func (r *reader) rowsRead(q *tree.Query) (rows int64) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, s := range q.Select.From {
			if t, ok := r.Whole.TableOf(s); ok {
				rows += r.Whole.Tables[t].Rows
			}
		}
	})
	return rows
}

// engineFailure returns the error of an engine that ran none of the candidates,
// for reasons that are not theirs: it failed, or no engine has room for the data.
func engineFailure(all []*candidate) error {
	var first error
	for _, c := range all {
		switch {
		case c.outcome == nil:
		case c.outcome.failed == nil:
			return nil
		case first == nil && !isOwnFault(c.outcome.failed):
			first = c.outcome.failed
		}
	}
	return first
}

// isOwnFault reports whether a reading failed because of what it asks for.
func isOwnFault(failed error) bool {
	_, unmapped := errors.AsType[*engine.Unmapped](failed)
	return quern.Is(failed, quern.Invalid) && !unmapped
}

var seed = maphash.MakeSeed()

// run runs one reading, and returns its rows when they are few enough to be kept.
// A panic fails this reading, not the server.
func (r *reader) run(ctx context.Context, c *candidate) (o *outcome, found *query.Result) {
	defer func() {
		if p := recover(); p != nil {
			found = nil
			o = &outcome{failed: fmt.Errorf("running a reading panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	rows, err := r.Query.SQL(ctx, r.principal, query.Request{In: r.Question.In, SQL: c.sql, Tree: c.query})
	if err != nil {
		return &outcome{failed: err}, nil
	}
	defer rows.Close()
	found = query.NewResult(rows)
	var whole bool
	size := 0
	o = &outcome{columns: len(rows.Columns()), onlyNulls: true}
	seen := map[uint64]bool{}
	for {
		if whole = !rows.Next(); whole || o.rows >= mostCompared {
			break
		}
		o.rows++
		row, bytes := query.CopyRow(rows.Row())
		if size += bytes; size <= mostKept {
			found.Keep(rows, row)
		}
		cells := make([]string, 0, o.columns)
		for _, v := range row {
			o.onlyNulls = o.onlyNulls && v == nil
			cells = append(cells, fmt.Sprint(v))
		}
		slices.Sort(cells)
		hash := maphash.Comparable(seed, fmt.Sprint(cells))
		o.hash += hash
		o.repeats = o.repeats || seen[hash]
		seen[hash] = true
		o.onlyZero = o.rows == 1 && len(cells) == 1 && cells[0] == "0"
	}
	if o.failed = rows.Err(); o.failed != nil || !whole || size > mostKept {
		return o, nil
	}
	found.Total, found.Datasets = rows.Total(), query.Datasets(rows)
	return o, found
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
	if a == b {
		return true
	}
	return a.ran() && b.ran() && *a.outcome == *b.outcome
}
