package amount

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// overAverageTotal compares what things of a kind have done, or have, with the average of that
	// kind: who has paid more than the average client.
	overAverageTotal = regexp.MustCompile(`(?i)\b(?:more|less|fewer)\b[^?.!]{0,30}?\bthan (?:what )?(?:the|an|our|a) (?:average|typical) (?P<kind>\w+)(?: (?:has|have|had|does|did|spends?|spent|pays?|paid|gives?|gave|do)\b|(?: on \w+)?\W*$)`)
	// ofEachRow says that single rows are meant.
	ofEachRow = regexp.MustCompile(`(?i)\b(?:per|each|every|single|once|one|on average|an average)\b`)
)

// AverageTotal compares totals with the average total of a kind where the text does so and a
// reading compares single rows with the average row: who paid more than the average client has
// paid more in all than a client pays in all.
func (g Rules) AverageTotal(q *tree.Query) {
	m, ok := english.Groups(overAverageTotal, g.Text)
	s := q.Select
	if !ok || s == nil || ofEachRow.MatchString(g.Text) || len(s.Group) > 0 || s.Having != nil || q.Limit != nil || len(s.Items) != 1 {
		return
	}
	all := tree.Conjuncts(s.Where)
	at, measure, ok := g.averageCompared(s, all)
	if !ok {
		return
	}
	by, ok := g.kindShown(s, measure, m.Text("kind"))
	if !ok {
		return
	}
	over := all[at].(tree.Compare)
	nested := over.Right.(tree.Subquery)
	rest := slices.Delete(slices.Clone(all), at, at+1)
	if nested.Query.Select.Where != nil || g.testsOther(s.From, rest, by, measure) {
		return
	}
	sum := tree.Aggregate{Func: tree.Sum, Arg: measure}
	average := tree.Arith{Op: '/', Left: sum, Right: tree.Aggregate{Func: tree.Count, Distinct: true, Arg: by}}
	inner := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: average}}, From: slices.Clone(s.From)}}
	over.Left, over.Right = sum, tree.Subquery{Query: inner}
	item := s.Items[0].Expr
	s.Group = []tree.Expr{by}
	if column, isColumn := item.(tree.Column); isColumn && column != by {
		s.Items[0].Expr = tree.Aggregate{Func: tree.Any, Arg: item}
	}
	s.Distinct, s.Where, s.Having = false, tree.All(rest...), over
}

// averageCompared returns the one condition of a query that compares a column of amounts with its
// average over all rows, and the column.
func (g Rules) averageCompared(s *tree.Select, all []tree.Cond) (at int, measure tree.Column, ok bool) {
	at = slices.IndexFunc(all, func(c tree.Cond) bool {
		over, isCompare := c.(tree.Compare)
		return isCompare && IsAverageFound(over.Right) && (over.Op == tree.Greater || over.Op == tree.Less)
	})
	if at < 0 {
		return at, measure, false
	}
	over := all[at].(tree.Compare)
	measure, isColumn := over.Left.(tree.Column)
	a, isAverage := over.Right.(tree.Subquery).Query.Select.Items[0].Expr.(tree.Aggregate)
	of, isOf := a.Arg.(tree.Column)
	id, known := g.View.ColumnOf(s.From, measure)
	ok = isColumn && isAverage && isOf && known && of.Name == measure.Name && g.IsMoney(id) && ground.IsAdditive(g.View.Columns[id])
	return at, measure, ok
}

// kindShown returns what tells the things of a kind apart that a query shows, where several rows of
// a measure are of each: their key, or the one column of the rows that is called so.
func (g Rules) kindShown(s *tree.Select, measure tree.Column, kind string) (by tree.Column, ok bool) {
	item, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, item)
	of, knownOf := g.View.ColumnOf(s.From, measure)
	if !isColumn || !known || !knownOf {
		return by, false
	}
	c, table := g.View.Columns[id], g.View.Columns[of].Table
	if c.Table == table {
		isKind := slices.Contains(english.Stems(c.Words), english.Stem(strings.ToLower(kind)))
		return item, isKind && !c.Key() && !c.Type.Numeric()
	}
	key, hasKey := g.KeyOf(s.From, c.Table)
	by, isColumn = key.(tree.Column)
	return by, hasKey && isColumn && g.Asked.Whole.Mention(kind, c.Table) >= 0
}

// testsOther reports whether conditions are of other things than those that a column tells apart:
// of the rows that are added up, which the average would have to be of as well.
func (g Rules) testsOther(from []tree.Source, conds []tree.Cond, by, measure tree.Column) (other bool) {
	if by.Source == measure.Source {
		return len(conds) > 0
	}
	of := &tree.Query{Select: &tree.Select{From: from, Where: tree.All(conds...)}}
	id, _ := g.View.ColumnOf(from, by)
	tree.EachColumn(of, func(c tree.Column) {
		at, known := g.View.ColumnOf(from, c)
		other = other || !known || g.View.Columns[at].Table != g.View.Columns[id].Table
	})
	return other
}

// isAveragePerGroup reports whether a value is a total by the number of different things that it is of.
func isAveragePerGroup(e tree.Expr) bool {
	ratio, ok := e.(tree.Arith)
	sum, isSum := ratio.Left.(tree.Aggregate)
	by, isCount := ratio.Right.(tree.Aggregate)
	return ok && ratio.Op == '/' && isSum && isCount && sum.Func == tree.Sum && by.Func == tree.Count && by.Distinct
}

// IsAverageFound reports whether a value is an average that a query finds.
func IsAverageFound(e tree.Expr) bool {
	inner, ok := e.(tree.Subquery)
	if !ok || inner.Query.Select == nil || len(inner.Query.Select.Items) != 1 {
		return false
	}
	item := inner.Query.Select.Items[0].Expr
	a, ok := item.(tree.Aggregate)
	return ok && a.Func == tree.Avg || isAveragePerGroup(item)
}
