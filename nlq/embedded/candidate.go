package embedded

import (
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"
	"slices"
	"sync"

	"quern"
	"quern/nlq/grammar"
	"quern/query"
	"quern/tree"
)

// candidate is one reading of a question.
type candidate struct {
	query   *tree.Query
	tokens  []grammar.Token
	sql     string
	score   float64 // how well its constants match values
	logProb float64
	// found is what running it showed.
	found *found
}

// add adds the probability of another derivation of the same query.
func (c *candidate) add(logProb float64) {
	c.logProb = math.Log(math.Exp(c.logProb) + math.Exp(logProb))
}

// found is what a query gives, in short.
type found struct {
	failed  error
	rows    int
	columns int
	nulls   bool   // nothing but nulls
	zero    bool   // nothing but the number 0
	repeats bool   // a row more than once
	hash    uint64 // of the rows, whatever their order
}

// candidate holds a query against the schema; ok is false when it does not fit.
func (r *reader) candidate(q *tree.Query, score float64) (c *candidate, ok bool) {
	if err := tree.Validate(q, r.tables()); err != nil {
		return nil, false
	}
	sql, err := grammar.SQL(r.schema, q)
	if err != nil {
		return nil, false
	}
	return &candidate{query: q, sql: sql, score: score}, true
}

// once leaves out of a result the columns that it has already.
func once(q *tree.Query) {
	if q.Select == nil {
		return
	}
	var kept []tree.Item
	for _, i := range q.Select.Items {
		_, column := i.Expr.(tree.Column)
		if !slices.ContainsFunc(kept, func(k tree.Item) bool {
			star, all := k.Expr.(tree.Star)
			return reflect.DeepEqual(k, i) || column && all && star.Source == "" && len(q.Select.From) == 1
		}) {
			kept = append(kept, i)
		}
	}
	q.Select.Items = kept
}

const (
	// mostRun is how many readings are run.
	mostRun = 5
	// leastShare is the share of the likeliest reading's probability that one
	// must have to be run.
	leastShare = 0.02
	// certain is the probability beside which others are not run.
	certain = 0.9
	// mostRows is how many rows of a result are compared.
	mostRows = 500
)

// run runs the likelier of the candidates, as the asker, two at a time.
func (r *reader) run(ctx context.Context, all []*candidate) error {
	shares := probabilities(all)
	var tasks sync.WaitGroup
	gate := make(chan struct{}, 2)
	for i, c := range all {
		if i >= mostRun || shares[i] < leastShare*shares[0] || i > 0 && shares[0] > certain {
			break
		}
		tasks.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			c.found = r.find(ctx, c.sql)
		})
	}
	tasks.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return broken(all)
}

// broken gives the error of an engine that ran nothing, for reasons that are not
// the readings'.
func broken(all []*candidate) error {
	var first error
	for _, c := range all {
		switch {
		case c.found == nil:
		case c.found.failed == nil:
			return nil
		case first == nil && !quern.Is(c.found.failed, quern.Invalid):
			first = c.found.failed
		}
	}
	return first
}

var seed = maphash.MakeSeed()

func (r *reader) find(ctx context.Context, sql string) *found {
	rows, err := r.translator.Query.SQL(ctx, r.principal, query.Request{In: r.question.In, SQL: sql})
	if err != nil {
		return &found{failed: err}
	}
	defer rows.Close()
	f := &found{columns: len(rows.Columns()), nulls: true}
	seen := map[uint64]bool{}
	for rows.Next() && f.rows < mostRows {
		f.rows++
		cells := make([]string, 0, f.columns)
		for _, v := range rows.Row() {
			f.nulls = f.nulls && v == nil
			cells = append(cells, fmt.Sprint(v))
		}
		slices.Sort(cells)
		row := maphash.Comparable(seed, fmt.Sprint(cells))
		f.hash += row
		f.repeats = f.repeats || seen[row]
		seen[row] = true
		f.zero = f.rows == 1 && len(cells) == 1 && cells[0] == "0"
	}
	f.failed = rows.Err()
	return f
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

// same reports whether two candidates were run and gave the same.
func same(a, b *candidate) bool {
	return a == b || a.found != nil && b.found != nil && a.found.failed == nil && b.found.failed == nil && *a.found == *b.found
}
