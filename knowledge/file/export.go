package file

import (
	"quern/knowledge"
	"quern/tree"
)

// qualified writes the usual aggregate of a measure with the dataset before every
// column.
func qualified(m knowledge.Measure) (string, error) {
	e, err := value(m.Expression)
	if err != nil {
		return "", err
	}
	q := &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: tree.Func(m.Aggregate), Arg: e}, Alias: "v"}},
		From:  []tree.Source{{Dataset: tree.Name{Dataset: m.Dataset}}},
	}}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if c, ok := e.(tree.Column); ok {
			return tree.Column{Source: m.Dataset, Name: c.Name}
		}
		return e
	})
	return onlyItem(q)
}
