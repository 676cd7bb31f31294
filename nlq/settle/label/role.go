package label

import (
	"reflect"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Role takes the column by which rows belong to others in the part that the text speaks of, where two
// columns lead there and the reading takes one of which it says nothing: who scored is the scorer, not
// who assisted. Where it says no more than that there are such rows, it is the one that more of them have.
func (g Rules) Role(q *tree.Query) {
	tree.EachQuery(q, func(own *tree.Query) {
		if own.Select == nil {
			return
		}
		for _, source := range own.Select.From {
			for _, id := range g.View.ColumnsOf(source) {
				if meant, ok := g.roleMeant(id); ok && !g.joinsBy(own, source, meant) {
					g.takeRole(own, source, id, meant)
				}
			}
		}
	})
}

// roleMeant returns the column that leads to the same rows as another and is meant in its place.
func (g Rules) roleMeant(column int) (meant int, ok bool) {
	link, leads := g.linkFrom(column)
	if !leads || g.saysRole(link) {
		return 0, false
	}
	most, said := column, 0
	for _, l := range g.View.Links {
		if l.To != link.To || l.From == column || g.View.Columns[l.From].Table != g.View.Columns[column].Table {
			continue
		}
		if g.saysRole(l) {
			meant, said = l.From, said+1
		}
		if g.View.Columns[l.From].Rows > g.View.Columns[most].Rows {
			most = l.From
		}
	}
	switch {
	case said == 1:
		return meant, true
	case said == 0 && most != column && hasRows.MatchString(g.Text) && g.SaysTable(g.View.Columns[column].Table):
		return most, true
	}
	return 0, false
}

// hasRows says of somebody that there are rows of theirs, or none, and not what they did there.
var hasRows = regexp.MustCompile(`(?i)\b(?:with|without|have|has|had)\b`)

func (g Rules) linkFrom(column int) (link schema.Link, ok bool) {
	at := slices.IndexFunc(g.View.Links, func(l schema.Link) bool { return l.From == column })
	if at < 0 {
		return link, false
	}
	return g.View.Links[at], true
}

// saysRole reports whether the text has a word of the name of a linking column that is none of what
// it leads to.
func (g Rules) saysRole(l schema.Link) bool {
	words := lex.Lower(g.Features.Tokens)
	to := g.View.Tables[g.View.Columns[l.To].Table].Words
	return slices.ContainsFunc(g.View.Columns[l.From].Words, func(own string) bool {
		if english.Numbering.Has(own) || english.KeyNames.Has(own) || slices.Contains(english.Stems(to), english.Stem(own)) {
			return false
		}
		return slices.ContainsFunc(words, func(w string) bool { return schema.Related(own, w) })
	})
}

// joinsBy reports whether a query joins a source by a column already.
func (g Rules) joinsBy(q *tree.Query, source tree.Source, column int) bool {
	by := tree.Column{Source: source.Ref(), Name: g.View.Columns[column].Name}
	return slices.ContainsFunc(q.Select.From, func(s tree.Source) bool {
		return slices.ContainsFunc(s.On, func(p tree.Pair) bool { return p.Left == by || p.Right == by })
	})
}

// takeRole joins, shows and tests one column of a source in the place of another.
func (g Rules) takeRole(q *tree.Query, source tree.Source, from, to int) {
	old := tree.Column{Source: source.Ref(), Name: g.View.Columns[from].Name}
	meant := tree.Column{Source: source.Ref(), Name: g.View.Columns[to].Name}
	linksNow := false
	for i := range q.Select.From {
		for j, on := range q.Select.From[i].On {
			linksNow = linksNow || on.Left == old || on.Right == old
			if on.Left == old {
				on.Left = meant
			}
			if on.Right == old {
				on.Right = meant
			}
			q.Select.From[i].On[j] = on
		}
	}
	if isKeys := len(q.Select.Items) == 1 && q.Select.Items[0].Expr == tree.Expr(old); !linksNow && !isKeys {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if e == tree.Expr(old) {
			return meant
		}
		return e
	})
	var conds []tree.Cond // of both columns before
	for _, c := range tree.Conjuncts(q.Select.Where) {
		if !slices.ContainsFunc(conds, func(k tree.Cond) bool { return reflect.DeepEqual(k, c) }) {
			conds = append(conds, c)
		}
	}
	q.Select.Where = tree.All(conds...)
}
