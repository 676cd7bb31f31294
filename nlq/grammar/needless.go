package grammar

import (
	"slices"

	"quern/tree"
)

// withoutNeedless leaves out of a path the tables of which a select uses nothing but
// the key that every row of another refers to: that row has the same value itself, and
// is read once instead of twice.
func (b *builder) withoutNeedless(p *part, w joinPath) joinPath {
	for i := range w.on {
		x, y := w.join(i)
		for _, ends := range [][2]pathEnd{{x, y}, {y, x}} {
			many, one := ends[0], ends[1]
			if !b.isNeedless(p, w, many, one) {
				continue
			}
			b.replaceColumn(p, columnOf(b.schema, one.column), columnOf(b.schema, many.column))
			rest := slices.DeleteFunc(slices.Clone(w.tables), func(t int) bool { return t == one.table })
			return b.withoutNeedless(p, w.part(rest, rest[0]))
		}
	}
	return w
}

// isNeedless reports whether a select needs a table, which another refers to, for its
// key alone.
func (b *builder) isNeedless(p *part, w joinPath, many, one pathEnd) bool {
	key, refers := b.schema.Columns[one.column], b.schema.Columns[many.column]
	isWhole := refers.Rows >= b.schema.Tables[many.table].Rows // every row refers to one
	if !key.Key() || refers.Key() || !isWhole || w.neighbours(one.table, w.tables) != 1 {
		return false
	}
	only := true
	b.eachOwnValue(p, func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Column:
			only = only && (e.Source != b.schema.Tables[one.table].Path.Dataset || e == columnOf(b.schema, one.column))
		case tree.Aggregate: // what is counted is what the answer is about
			only = only && e.Arg != tree.Expr(columnOf(b.schema, one.column))
		case tree.Star:
			only = only && e.Source != b.schema.Tables[one.table].Path.Dataset
		}
		return e
	})
	return only
}

// replaceColumn makes a select use another column that has the same values.
func (b *builder) replaceColumn(p *part, from, to tree.Column) {
	b.eachOwnValue(p, func(e tree.Expr) tree.Expr {
		if e == tree.Expr(from) {
			return to
		}
		return e
	})
}

// eachOwnValue replaces the values of a select and of its conditions, inner ones first.
func (b *builder) eachOwnValue(p *part, fn func(tree.Expr) tree.Expr) {
	q := &tree.Query{Select: &p.Select, Order: p.order}
	tree.ReplaceValues(q, fn)
}
