package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/query"
	"quern/tree"
)

// beyondData says that a step found nothing because the data have nothing of the
// period that was asked about: that they end before it, or begin after it. It is
// empty when something was found, or when the period is one that the data reach.
func (q *Querier) beyondData(ctx context.Context, w Work, t nlq.Translation, step quern.Step) (string, error) {
	if t.Query == nil || !foundNothing(step) {
		return "", nil
	}
	var selects []*tree.Query
	tree.EachQuery(t.Query, func(of *tree.Query) {
		if of.Select != nil {
			selects = append(selects, of)
		}
	})
	for _, of := range selects {
		if note, err := q.beyondTimes(ctx, w, of); note != "" || err != nil {
			return note, err
		}
	}
	return "", nil
}

// beyondTimes says that the data have nothing of a period that a select itself asks
// about.
func (q *Querier) beyondTimes(ctx context.Context, w Work, of *tree.Query) (string, error) {
	for _, c := range tree.Conjuncts(of.Select.Where) {
		asked, ok := askedPeriod(c)
		if !ok {
			continue
		}
		first, last, err := q.extent(ctx, w, of, asked.column)
		switch {
		case err != nil:
			return "", err
		case first == "":
		case asked.from != "" && asked.from > last:
			return fmt.Sprintf("the data have nothing that late: the last %s is %s", english.Spaced(asked.column.Name), last), nil
		case asked.until != "" && asked.until <= first:
			return fmt.Sprintf("the data have nothing that early: the first %s is %s", english.Spaced(asked.column.Name), first), nil
		}
	}
	return "", nil
}

// foundNothing reports whether a step has no rows, or one of zeros and nulls, as a
// count or a sum of nothing has.
func foundNothing(s quern.Step) bool {
	if s.TotalCount != 1 || len(s.Data) != 1 {
		return s.TotalCount == 0
	}
	var row map[string]any
	if json.Unmarshal(s.Data[0], &row) != nil {
		return false
	}
	for _, c := range s.Columns {
		if value, ok := row[c.Name]; ok && value != nil && value != 0.0 {
			return false
		}
	}
	return true
}

// boundedTime is a column of times and the days that a condition keeps of it, from
// one on and before another; either may be empty.
type boundedTime struct {
	column      tree.Column
	from, until string
}

// askedPeriod reads a condition that bounds a column of times.
func askedPeriod(c tree.Cond) (b boundedTime, ok bool) {
	switch c := c.(type) {
	case tree.Period:
		b.column, ok = c.Expr.(tree.Column)
		b.from, b.until = day(c.From.Text), day(c.Until.Text)
	case tree.Compare:
		bound, isConstant := c.Right.(tree.Literal)
		if !isConstant || bound.Kind != tree.Date && bound.Kind != tree.Timestamp {
			return b, false
		}
		b.column, ok = c.Left.(tree.Column)
		switch c.Op {
		case tree.Greater, tree.GreaterEq, tree.Equal:
			b.from = day(bound.Text)
		case tree.Less:
			b.until = day(bound.Text)
		default:
			ok = false
		}
	}
	return b, ok
}

// day is the day of a date or a time, as text.
func day(text string) string { return text[:min(len(text), len("2006-01-02"))] }

// extent returns the first and the last day in a column of times, as the asker sees
// it; empty when there is none.
func (q *Querier) extent(ctx context.Context, w Work, of *tree.Query, c tree.Column) (first, last string, err error) {
	asked, ok := extentQuery(of.Select.From, c)
	sql, err := tree.SQL(asked)
	if !ok || err != nil {
		return "", "", nil // a query that cannot be written has no bounds to tell of
	}
	rows, err := q.o.Query.SQL(ctx, w.Principal, query.Request{In: w.In, SQL: sql, Tree: asked, MaxRows: 1})
	if err != nil {
		return "", "", err
	}
	defer rows.Close()
	encoder := query.NewEncoder(rows.Columns())
	var found struct{ First, Last string }
	for rows.Next() {
		if json.Unmarshal(encoder.Append(nil, rows.Row()), &found) != nil {
			return "", "", rows.Err() // what is no time
		}
	}
	return day(found.First), day(found.Last), rows.Err()
}

// extentQuery asks for the first and the last value of a column of one of the
// sources.
func extentQuery(from []tree.Source, c tree.Column) (*tree.Query, bool) {
	at := slices.IndexFunc(from, func(s tree.Source) bool { return s.Ref() == c.Source || len(from) == 1 })
	if at < 0 {
		return &tree.Query{}, false
	}
	source := tree.Source{Dataset: from[at].Dataset, Alias: from[at].Alias}
	column := tree.Column{Source: source.Ref(), Name: c.Name}
	return &tree.Query{Select: &tree.Select{From: []tree.Source{source}, Items: []tree.Item{
		{Expr: tree.Aggregate{Func: tree.Min, Arg: column}, Alias: "first"},
		{Expr: tree.Aggregate{Func: tree.Max, Arg: column}, Alias: "last"},
	}}}, true
}
