package label

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/lex"
	"quern/tree"
)

// Nearer takes the kinds of the rows that a query is about for a value that only rows of rows refer to, where
// the text says nothing of those and the value is how these kinds begin: all our violins are the instruments
// of the kinds violin 1/2 and violin 4/4, not those of pupils whose teacher teaches it.
func (g Rules) Nearer(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) < 3 {
		return
	}
	own := s.From[0]
	conds := slices.Clone(tree.Conjuncts(s.Where))
	for i, c := range conds {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		k, isLiteral := compare.Right.(tree.Literal)
		id, known := g.View.ColumnOf(s.From, column)
		if !ok || !isColumn || !isLiteral || !known || compare.Op != tree.Equal || k.Kind != tree.Text || g.TimesNamed(id) > 0 {
			continue
		}
		if far := g.View.Columns[id].Table; g.SaysTable(far) || isJoined(s.From, own.Ref(), column.Source) || usedTwice(q, column.Source) {
			continue
		}
		if nearer, found := g.kindsBeginning(own, k.Text); found {
			conds[i] = nearer
			s.Where = tree.All(conds...)
			return
		}
	}
}

// isJoined reports whether one source of a query is joined to another.
func isJoined(from []tree.Source, a, b string) bool {
	return slices.ContainsFunc(from, func(s tree.Source) bool {
		return slices.ContainsFunc(s.On, func(p tree.Pair) bool {
			return p.Left.Source == a && p.Right.Source == b || p.Left.Source == b && p.Right.Source == a
		})
	})
}

// usedTwice reports whether a query has to do with a source beside one condition.
func usedTwice(q *tree.Query, ref string) bool {
	n := 0
	tree.EachColumn(&tree.Query{Select: &tree.Select{Items: q.Select.Items, Where: q.Select.Where, Group: q.Select.Group, Having: q.Select.Having}, Order: q.Order},
		func(c tree.Column) {
			if c.Source == ref {
				n++
			}
		})
	return n > 1
}

// kindsBeginning returns the condition that rows of a source are of the kinds that begin with a text, of its
// one column that has such.
func (g Rules) kindsBeginning(source tree.Source, text string) (c tree.Cond, ok bool) {
	said, n := lex.Fold(text), 0
	for _, id := range g.View.ColumnsOf(source) {
		of := g.View.Columns[id]
		if of.Type != quern.Text || of.Values == nil || of.Key() {
			continue
		}
		var kinds []tree.Literal
		for _, v := range of.Values.With(text) {
			if strings.HasPrefix(lex.Fold(v), said+" ") {
				kinds = append(kinds, tree.Literal{Kind: tree.Text, Text: v})
			}
		}
		if len(kinds) > 0 {
			c, n = tree.In{Expr: tree.Column{Source: source.Ref(), Name: of.Name}, List: kinds}, n+1
		}
	}
	return c, n == 1
}
