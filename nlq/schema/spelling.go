package schema

import "quern/tree"

// AllSpellings makes the conditions of a query that a column has a value ones that it
// has it in any spelling that the data have: Yes beside yes.
func (v View) AllSpellings(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		q.Select.Where = tree.MapConds(q.Select.Where, func(c tree.Cond) tree.Cond {
			compare, ok := c.(tree.Compare)
			if !ok || compare.Op != tree.Equal && compare.Op != tree.NotEqual {
				return c
			}
			column, isColumn := compare.Left.(tree.Column)
			said, isLiteral := compare.Right.(tree.Literal)
			id, known := v.ColumnOf(q.Select.From, column)
			if !isColumn || !isLiteral || !known || said.Kind != tree.Text || v.Columns[id].Values == nil {
				return c
			}
			all := v.Columns[id].Spellings(said.Text)
			if len(all) == 0 {
				return c
			}
			in := tree.In{Expr: column}
			for _, text := range all {
				in.List = append(in.List, tree.Literal{Kind: tree.Text, Text: text})
			}
			if compare.Op == tree.NotEqual {
				return tree.Not{Cond: in}
			}
			return in
		})
	})
}
