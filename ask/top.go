package ask

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"quern"
	"quern/ask/prose"
	"quern/nlq"
	"quern/query"
	"quern/tree"
)

// mostTies is how many rows beyond a limit are looked at.
const mostTies = 50

// isTop reports whether a query returns the first rows by some value.
func isTop(q *tree.Query) bool {
	return q != nil && q.Select != nil && q.Limit != nil && *q.Limit > 0 && len(q.Order) > 0 && !q.Select.Distinct
}

// showMeasure returns a reading of the first rows by some value with that value
// beside what names them, so that an answer can tell it. Every other reading stays.
func showMeasure(t nlq.Translation) nlq.Translation {
	if !isTop(t.Query) || len(t.Query.Select.Items) != 1 {
		return t
	}
	by := t.Query.Order[0].Expr
	if _, star := t.Query.Select.Items[0].Expr.(tree.Star); star || reflect.DeepEqual(t.Query.Select.Items[0].Expr, by) {
		return t
	}
	ran, err := tree.Parse(t.SQL) // with the order of rows that are equal
	if err != nil || !isTop(ran) {
		return t
	}
	shown := tree.Clone(t.Query)
	for _, q := range []*tree.Query{ran, shown} {
		q.Select.Items = append(q.Select.Items, tree.Item{Expr: by})
	}
	sql, err := tree.SQL(ran)
	if err != nil {
		return t
	}
	t.Query, t.SQL, t.Result = shown, sql, nil
	return t
}

// ties says how many rows a limit cuts off that are equal to the last one kept in
// what they are sorted by; empty when there are none.
func (q *Querier) ties(ctx context.Context, w Work, t nlq.Translation, step quern.Step) (string, error) {
	kept := step.TotalCount
	if !isTop(t.Query) || kept != *t.Query.Limit {
		return "", nil
	}
	beyond := tree.Clone(t.Query)
	limit := kept + mostTies
	beyond.Limit = &limit
	for _, o := range beyond.Order {
		beyond.Select.Items = append(beyond.Select.Items, tree.Item{Expr: o.Expr})
	}
	sql, err := tree.SQL(beyond)
	if err != nil {
		return "", nil // a query that cannot be written has no ties to tell of
	}
	rows, err := q.o.Query.SQL(ctx, w.Principal, query.Request{In: w.In, SQL: sql, Tree: beyond, MaxRows: int(limit)})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var last []any
	equal := int64(0)
	for n := int64(1); rows.Next(); n++ {
		row := rows.Row()
		by := row[len(row)-len(beyond.Order):]
		switch {
		case n == kept:
			last = slices.Clone(by)
		case n > kept && reflect.DeepEqual(by, last):
			equal++
		}
	}
	if err := rows.Err(); err != nil || equal == 0 {
		return "", err
	}
	return tieNote(t.Query, equal), nil
}

// tieNote words how many more rows have the same value.
func tieNote(q *tree.Query, equal int64) string {
	have, more := "have", prose.Count(equal)
	if equal == 1 {
		have = "has"
	}
	if equal == mostTies {
		more = "at least " + more
	}
	said, _ := tree.Describe(q)
	return fmt.Sprintf("%s more %s the same %s", more, have, said.Order)
}
