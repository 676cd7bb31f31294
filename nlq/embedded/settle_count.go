package embedded

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// settleCounted makes a count of the known values of a column a sum of them where the
// text asks how many of what the column counts there are: how many adults came is the
// sum of adults, not the number of rows that have one.
func (g *grounding) settleCounted(q *tree.Query) {
	if q.Select == nil {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		if !ok || !isColumn || a.Func != tree.Count || a.Distinct {
			return e
		}
		id, known := g.view.ColumnOf(q.Select.From, c)
		if !known || !isAdditive(g.view.Columns[id]) || !g.countsThings(g.view.Columns[id]) {
			return e
		}
		a.Func = tree.Sum
		return a
	})
}

// settleAmounts makes a list of the values of a column their sum where the text asks how
// many there are of what the column counts: how many crew are on the ships in Oslo is one
// number. That of a row that is told by its name is left as it stands there.
func (g *grounding) settleAmounts(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) != 1 || len(s.Items) != 1 || len(s.Group) > 0 || len(q.Order) > 0 || q.Limit != nil {
		return
	}
	c, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(s.From, c)
	if !isColumn || !known || g.tellsOneRow(s) {
		return
	}
	of := g.view.Columns[id]
	table := g.view.Tables[of.Table]
	nouns := g.counted(1)
	if of.Type != quern.Integer || !addsUp(of) || id == table.First || len(nouns) == 0 || !isNamedBy(nouns[0], of.Words) || isNamedBy(nouns[0], table.Words) {
		return
	}
	s.Distinct = false
	s.Items[0].Expr = tree.Aggregate{Func: tree.Sum, Arg: c}
}

// tellsOneRow reports whether a condition is on what tells rows apart.
func (g *grounding) tellsOneRow(s *tree.Select) bool {
	return slices.ContainsFunc(tree.Conjuncts(s.Where), func(cond tree.Cond) bool {
		compare, isCompare := cond.(tree.Compare)
		c, isColumn := compare.Left.(tree.Column)
		id, known := g.view.ColumnOf(s.From, c)
		return isCompare && isColumn && known && compare.Op == tree.Equal && g.view.Columns[id].Distinct == g.view.Columns[id].Rows
	})
}

// countsThings reports whether the text asks how many there are of what a column is
// named by, as of many: how many adults.
func (g *grounding) countsThings(c schema.Column) bool {
	const reach = 3 // words from "how many" to the noun
	for _, noun := range g.counted(reach) {
		if isMany(noun, c.Words) {
			return true
		}
	}
	return false
}

// counted returns the words, at most so many, behind "how many".
func (g *grounding) counted(most int) []string {
	words := lex.Lower(lex.Tokens(g.text))
	for i, word := range words {
		if i > 0 && (word == "many" && words[i-1] == "how" || word == "of" && words[i-1] == "number") {
			return words[i+1 : min(i+1+most, len(words))]
		}
	}
	return nil
}

// isMany reports whether a noun stands for many of what a name's last word is.
func isMany(noun string, name []string) bool {
	return isNamedBy(noun, name) && english.Singular(noun) != noun
}

// isNamedBy reports whether a noun is a name's last word, as of one or of many.
func isNamedBy(noun string, name []string) bool {
	return len(name) > 0 && english.Stem(noun) == english.Stem(name[len(name)-1])
}

// settleThings makes a count of rows one of the things that the text asks how many there
// are of, where these are another dataset's and the rows point to them: how many ships
// carried grain are not the arrivals with grain. Each is counted once.
func (g *grounding) settleThings(q *tree.Query) {
	const reach = 2 // words from "how many" to the noun
	s := q.Select
	if s == nil || len(s.From) != 1 || q.Limit != nil {
		return
	}
	table, known := g.view.TableOf(s.From[0])
	nouns := g.counted(reach + 1)
	for i, noun := range nouns {
		if !known || isMany(noun, g.view.Tables[table].Words) {
			return
		}
		next := i+1 < len(nouns) && isMany(nouns[i+1], g.view.Tables[table].Words)
		for _, l := range g.view.Links {
			from, to := g.view.Columns[l.From], g.view.Columns[l.To]
			if i < reach && !next && from.Table == table && to.Table != table && to.Key() && isMany(noun, g.view.Tables[to.Table].Words) {
				countOnce(s, tree.Column{Source: s.From[0].Ref(), Name: from.Name})
				return
			}
		}
	}
}

// asksForNumber is how a question begins that asks for one number.
var asksForNumber = regexp.MustCompile(`(?i)^\W*(?:and |so |roughly |about )*how many\b`)

// settleNumber makes a list of the groups that a condition holds for their number, where
// the text asks how many there are: how many ships came more than five times is no list.
func (g *grounding) settleNumber(q *tree.Query) {
	s := q.Select
	if s != nil && asksForNumber.MatchString(g.text) && g.listsOwn(q) {
		s.Items, s.Distinct, q.Order = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}, false, nil
		return
	}
	if s == nil || s.Having == nil || len(s.Items) != 1 || len(s.Group) != 1 || q.Limit != nil || !asksForNumber.MatchString(g.text) {
		return
	}
	column, ok := s.Group[0].(tree.Column)
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	if a, isCount := s.Items[0].Expr.(tree.Aggregate); isCount && a.Func == tree.Count && a.Distinct {
		shown, isColumn = a.Arg.(tree.Column) // one of each group
		isColumn = isColumn && shown == column
	}
	if !ok || !isColumn || shown.Source != column.Source {
		return
	}
	countGroups(q, column)
}

// listsOwn reports whether a query lists rows of one dataset by what they are called, where the
// text counts just these: how many tenants paid more than Jack.
func (g *grounding) listsOwn(q *tree.Query) bool {
	s := q.Select
	if len(s.From) != 1 || len(s.Items) == 0 || len(s.Group) > 0 || q.Limit != nil {
		return false
	}
	table, known := g.view.TableOf(s.From[0])
	nouns := g.counted(1)
	if !known || len(nouns) == 0 || !isNamedBy(nouns[0], g.view.Tables[table].Words) {
		return false
	}
	labels := g.view.LabelsOf(table)
	return !slices.ContainsFunc(s.Items, func(i tree.Item) bool {
		column, _ := i.Expr.(tree.Column)
		id, isColumn := g.view.ColumnOf(s.From, column)
		return !isColumn || !slices.Contains(labels, id) && !g.view.Columns[id].Key()
	})
}

// countGroups makes a list of groups by a column their number.
func countGroups(q *tree.Query, column tree.Column) {
	s := q.Select
	inner := tree.Clone(q)
	inner.Select.Items = []tree.Item{{Expr: column}}
	inner.Order = nil
	source := slices.IndexFunc(s.From, func(f tree.Source) bool { return f.Ref() == column.Source })
	if source < 0 {
		return
	}
	s.From = []tree.Source{{Dataset: s.From[source].Dataset, Alias: s.From[source].Alias}}
	s.Items[0].Expr = tree.Aggregate{Func: tree.Count, Distinct: true, Arg: column}
	s.Where, s.Group, s.Having, q.Order = tree.In{Expr: column, Query: inner}, nil, nil, nil
}

var (
	// often finds how often something must have been: more than once, at least three times.
	often = regexp.MustCompile(`(?i)\b(?P<how>more than|over|at least|at most|less than|fewer than|only|just|exactly) ` +
		`(?P<number>once|twice|(?P<times>\w+) times)\b`)
	oftenOps = map[string]tree.CompareOp{"more than": tree.Greater, "over": tree.Greater, "at least": tree.GreaterEq, "at most": tree.LessEq,
		"less than": tree.Less, "fewer than": tree.Less, "only": tree.Equal, "just": tree.Equal, "exactly": tree.Equal}
)

// settleOften holds a count of things to those that there are as many rows of as the text
// says: how many ships came more than once are not all that came.
func (g *grounding) settleOften(q *tree.Query) {
	s := q.Select
	m, said := english.Groups(often, g.text)
	if s == nil || !said || s.Having != nil || len(s.Items) != 1 || len(s.Group) > 0 || q.Limit != nil || !asksForNumber.MatchString(g.text) {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	number, known := timesSaid(m.Text("number"), m.Text("times"))
	if !ok || !isColumn || a.Func != tree.Count || !a.Distinct || !known {
		return
	}
	s.Items[0].Expr, s.Group = column, []tree.Expr{column}
	s.Having = tree.Compare{Op: oftenOps[strings.ToLower(m.Text("how"))], Left: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}},
		Right: tree.Literal{Kind: tree.Number, Text: number}}
	countGroups(q, column)
}

// timesSaid returns how many times a text says: once, three times, 3 times.
func timesSaid(number, times string) (string, bool) {
	switch times = strings.ToLower(times); {
	case times == "":
		n, known := map[string]string{"once": "1", "twice": "2"}[strings.ToLower(number)]
		return n, known
	case english.Cardinals[times] > 0:
		return strconv.FormatInt(english.Cardinals[times], 10), true
	default:
		_, err := strconv.ParseUint(times, 10, 32)
		return times, err == nil
	}
}

// addsUpForNumber reports whether a reading adds up what no word names and what has parts,
// where the text asks how many there are: that is no number of things.
func (g *grounding) addsUpForNumber(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || !asksForNumber.MatchString(g.text) {
		return false
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	id, known := g.view.ColumnOf(s.From, column)
	return ok && isColumn && known && a.Func == tree.Sum && g.view.Columns[id].Type != quern.Integer && g.timesNamed(id) == 0
}

// contradicts reports whether no row can be what a reading asks for: one column that has
// two values at once, is more than itself, or is missing and yet has a value.
func contradicts(q *tree.Query) (never bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		said := map[tree.Column]string{}
		all := tree.Conjuncts(q.Select.Where)
		for i, c := range all {
			if column, ok := nullColumn(c); ok {
				never = never || slices.ContainsFunc(slices.Delete(slices.Clone(all), i, i+1), func(c tree.Cond) bool { return testsValue(c, column) })
			}
			compare, ok := c.(tree.Compare)
			column, isColumn := compare.Left.(tree.Column)
			if !ok || !isColumn {
				continue
			}
			never = never || compare.Right == tree.Expr(column)
			k, isLiteral := compare.Right.(tree.Literal)
			if !isLiteral || compare.Op != tree.Equal {
				continue
			}
			before, twice := said[column]
			never = never || twice && before != k.Text
			said[column] = k.Text
		}
	})
	return never
}

// nullColumn returns the column that a condition wants to be missing.
func nullColumn(c tree.Cond) (column tree.Column, ok bool) {
	if null, is := c.(tree.IsNull); is {
		column, ok = null.Expr.(tree.Column)
	}
	return column, ok
}

// testsValue reports whether a condition holds only where a column has a value.
func testsValue(c tree.Cond, column tree.Column) bool {
	e := tree.Expr(column)
	switch c := c.(type) {
	case tree.Compare:
		return c.Left == e
	case tree.Between:
		return c.Expr == e
	case tree.Period:
		return c.Expr == e
	}
	return false
}

// asksWhich is how a question begins that asks for what nobody named.
var asksWhich = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:who|whom|which|what)\b`)

// asksWhether is how a question begins that asks whether something is so.
var asksWhether = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:is|are|was|were|do|does|did|has|have|had|can|any)\b`)

// showsWhatIsSaid reports whether a reading shows nothing but the value that the text
// gives: who has been to the Harbour is not the Harbour.
func (g *grounding) showsWhatIsSaid(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 || asksWhether.MatchString(g.text) {
		return false
	}
	shown, ok := s.Items[0].Expr.(tree.Column)
	return ok && isSaid(s.Where, shown)
}

// whichAsked finds what a text asks which of.
var whichAsked = regexp.MustCompile(`(?i)\b(?:which|what) (?P<what>\w+)`)

// settleShown shows what the text asks which of, where that is a column and the reading
// shows another one of the same rows that nobody named: in which issue is not when it was
// published.
func (g *grounding) settleShown(q *tree.Query) {
	s := q.Select
	m, ok := english.Groups(whichAsked, g.text)
	if s == nil || !ok || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(s.From, shown)
	if !isColumn || !known || g.timesNamed(id) > 0 {
		return
	}
	t := g.view.Tables[g.view.Columns[id].Table]
	for i := t.First; i < t.First+t.Len; i++ {
		c := g.view.Columns[i]
		if isSaid(s.Where, tree.Column{Source: shown.Source, Name: c.Name}) {
			continue // which level 3 courses asks for courses
		}
		if len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(strings.ToLower(m.Text("what"))) {
			s.Items[0].Expr = tree.Column{Source: shown.Source, Name: c.Name}
		}
	}
}
