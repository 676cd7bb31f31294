package schema

import (
	"cmp"

	"quern/english"
	"quern/tree"
)

// Units returns what the numbers of columns of a query are in, where that is taught, was
// read with them, or is said by the description of a column; by the column as the query
// names it.
func (v View) Units(q *tree.Query) map[string]string {
	if q == nil || q.Select == nil {
		return nil
	}
	var units map[string]string
	tree.EachColumn(tree.Clone(q), func(c tree.Column) {
		id, ok := v.ColumnOf(q.Select.From, c)
		if !ok || !v.Columns[id].Type.Numeric() {
			return
		}
		if unit := cmp.Or(v.Columns[id].Unit, english.UnitIn(v.Columns[id].Description)); unit != "" {
			if units == nil {
				units = map[string]string{}
			}
			units[c.Source+"."+c.Name] = unit
		}
	})
	return units
}
