package ground

import (
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// IsLabel reports whether people call rows by a column.
func (g *Grounding) IsLabel(c schema.Column) bool {
	return slices.ContainsFunc(g.View.LabelsOf(c.Table), func(id int) bool { return g.View.Columns[id].Name == c.Name })
}

// IsLinked reports whether a link begins or ends at a column.
func (g *Grounding) IsLinked(column int) bool {
	return slices.ContainsFunc(g.View.Links, func(l schema.Link) bool { return l.From == column || l.To == column })
}

// KeyOf returns the column that tells the rows of a table apart.
func (g *Grounding) KeyOf(from []tree.Source, table int) (key tree.Expr, ok bool) {
	for _, source := range from {
		for _, i := range g.View.ColumnsOf(source) {
			if c := g.View.Columns[i]; key == nil && c.Table == table && c.Key() {
				key = tree.Column{Source: source.Ref(), Name: c.Name}
			}
		}
	}
	return key, key != nil
}
