package file

import (
	"fmt"
	"strings"

	"quern/knowledge"
	"quern/tree"
)

// metric reads an aggregate over the rows of one dataset as a measure. dataset is
// the one that columns without a source are of; empty: they need one.
func metric(name, expression, dataset string) (knowledge.Measure, error) {
	m := knowledge.Measure{Name: name, Dataset: dataset}
	item, err := value(expression)
	if err != nil {
		return m, err
	}
	a, ok := item.(tree.Aggregate)
	if !ok || a.Distinct || a.Where != nil {
		return m, fmt.Errorf("%q is no aggregate of one value", expression)
	}
	if _, star := a.Arg.(tree.Star); star {
		return m, fmt.Errorf("%q counts rows", expression)
	}
	if m.Dataset, err = sourceOf(a.Arg, dataset); err != nil {
		return m, err
	}
	m.Aggregate = string(a.Func)
	m.Expression, err = printed(a.Arg)
	return m, err
}

// value reads one value.
func value(expression string) (tree.Expr, error) {
	q, err := tree.Parse("SELECT " + expression + " FROM t")
	if err != nil {
		return nil, fmt.Errorf("%q is not one of our query language: %w", expression, err)
	}
	if q.Select == nil || len(q.Select.Items) != 1 || len(q.Select.From) != 1 || q.Select.Where != nil {
		return nil, fmt.Errorf("%q is not one value", expression)
	}
	return q.Select.Items[0].Expr, nil
}

// sourceOf returns the one dataset that the columns of a value are of.
func sourceOf(e tree.Expr, dataset string) (string, error) {
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: e}}}}
	found, several := "", false
	tree.EachColumn(q, func(c tree.Column) {
		source := c.Source
		if source == "" {
			source = dataset
		}
		several = several || found != "" && !tree.SameName(found, source)
		found = source
	})
	switch {
	case several:
		return "", fmt.Errorf("it reads several datasets")
	case found == "":
		return "", fmt.Errorf("it does not say which dataset it reads")
	}
	return found, nil
}

// printed writes a value with its columns bare.
func printed(e tree.Expr) (string, error) {
	q := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.CloneExpr(e), Alias: "v"}}, From: []tree.Source{{Dataset: tree.Name{Dataset: "t"}}}}}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if c, ok := e.(tree.Column); ok {
			return tree.Column{Name: c.Name}
		}
		return e
	})
	return onlyItem(q)
}

// onlyItem writes the one item of a query, which is named v.
func onlyItem(q *tree.Query) (string, error) {
	text, err := tree.Print(q)
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "SELECT "), ` AS "v" FROM`)
	return text, err
}

// bareColumn returns the column that an expression is, if it is nothing else.
func bareColumn(expression string) (name string, ok bool) {
	e, err := value(expression)
	if err != nil {
		return "", false
	}
	c, ok := e.(tree.Column)
	return c.Name, ok
}
