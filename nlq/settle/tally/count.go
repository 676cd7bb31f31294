package tally

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Counted makes a count of the known values of a column a sum of them where the
// text asks how many of what the column counts there are: how many adults came is the
// sum of adults, not the number of rows that have one.
func (g Rules) Counted(q *tree.Query) {
	if q.Select == nil {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		if !ok || !isColumn || a.Func != tree.Count || a.Distinct {
			return e
		}
		id, known := g.View.ColumnOf(q.Select.From, c)
		if !known || !ground.IsAdditive(g.View.Columns[id]) || !g.countsThings(g.View.Columns[id]) {
			return e
		}
		a.Func = tree.Sum
		return a
	})
}

// Amounts makes a list of the values of a column their sum where the text asks how
// many there are of what the column counts: how many crew are on the ships in Oslo is one
// number. That of a row that is told by its name is left as it stands there.
func (g Rules) Amounts(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) != 1 || len(s.Items) != 1 || len(s.Group) > 0 || len(q.Order) > 0 || q.Limit != nil {
		return
	}
	c, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, c)
	if !isColumn || !known || g.tellsOneRow(s) {
		return
	}
	of := g.View.Columns[id]
	table := g.View.Tables[of.Table]
	nouns := g.CountedWords(1)
	if of.Type != quern.Integer || !ground.AddsUp(of) || id == table.First || len(nouns) == 0 || !isNamedBy(nouns[0], of.Words) || isNamedBy(nouns[0], table.Words) {
		return
	}
	s.Distinct = false
	s.Items[0].Expr = tree.Aggregate{Func: tree.Sum, Arg: c}
}

// tellsOneRow reports whether a condition is on what tells rows apart.
func (g Rules) tellsOneRow(s *tree.Select) bool {
	return slices.ContainsFunc(tree.Conjuncts(s.Where), func(cond tree.Cond) bool {
		compare, isCompare := cond.(tree.Compare)
		c, isColumn := compare.Left.(tree.Column)
		id, known := g.View.ColumnOf(s.From, c)
		return isCompare && isColumn && known && compare.Op == tree.Equal && g.View.Columns[id].Distinct == g.View.Columns[id].Rows
	})
}

// countsThings reports whether the text asks how many there are of what a column is
// named by, as of many: how many adults.
func (g Rules) countsThings(c schema.Column) bool {
	const reach = 3 // words from "how many" to the noun
	for _, noun := range g.CountedWords(reach) {
		if isMany(noun, c.Words) {
			return true
		}
	}
	return false
}

// CountedWords returns the words, at most so many, behind "how many".
func (g Rules) CountedWords(most int) []string {
	words := lex.Lower(lex.Tokens(g.Text))
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

// Things makes a count of rows one of the things that the text asks how many there
// are of, where these are another dataset's and the rows point to them: how many ships
// carried grain are not the arrivals with grain. Each is counted once.
func (g Rules) Things(q *tree.Query) {
	const reach = 2 // words from "how many" to the noun
	s := q.Select
	if s == nil || len(s.From) != 1 || q.Limit != nil {
		return
	}
	table, known := g.View.TableOf(s.From[0])
	nouns := g.CountedWords(reach + 1)
	for i, noun := range nouns {
		if !known || isMany(noun, g.View.Tables[table].Words) {
			return
		}
		if column, ok := g.peopleIn(s.From[0], noun); ok && i < reach {
			CountOnce(s, column)
			return
		}
		next := i+1 < len(nouns) && isMany(nouns[i+1], g.View.Tables[table].Words)
		for _, l := range g.View.Links {
			from, to := g.View.Columns[l.From], g.View.Columns[l.To]
			if i < reach && !next && from.Table == table && to.Table != table && to.Key() && isMany(noun, g.View.Tables[to.Table].Words) {
				CountOnce(s, tree.Column{Source: s.From[0].Ref(), Name: from.Name})
				return
			}
		}
	}
}

// peopleIn returns the one column of rows, which are no people, that says who they have to do with, where a
// noun is for people, whoever they are: how many people worked yesterday are not the shifts.
func (g Rules) peopleIn(source tree.Source, noun string) (column tree.Column, ok bool) {
	table, known := g.View.TableOf(source)
	if noun != "people" && noun != "persons" || !known || g.View.IsOfPeople(table) {
		return column, false
	}
	n := 0
	for _, id := range g.View.ColumnsOf(source) {
		c := g.View.Columns[id]
		isWho := c.Type == quern.Text && len(c.Words) == 1 && c.Words[0] == "who"
		isLinked := slices.ContainsFunc(g.View.Links, func(l schema.Link) bool { return l.From == id && g.View.IsOfPeople(g.View.Columns[l.To].Table) })
		if !c.Key() && (isWho || c.HoldsPeople() || isLinked) {
			column, n = tree.Column{Source: source.Ref(), Name: c.Name}, n+1
		}
	}
	return column, n == 1
}

// AsksForNumber is how a question begins that asks for one number.
var AsksForNumber = regexp.MustCompile(`(?i)^\W*(?:and |so |roughly |about )*how many\b`)

// Number makes a list of the groups that a condition holds for their number, where
// the text asks how many there are: how many ships came more than five times is no list.
func (g Rules) Number(q *tree.Query) {
	s := q.Select
	if s != nil && AsksForNumber.MatchString(g.Text) && g.listsOwn(q) {
		s.Items, s.Distinct, q.Order = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}, false, nil
		return
	}
	if s == nil || s.Having == nil || len(s.Items) != 1 || len(s.Group) != 1 || q.Limit != nil || !AsksForNumber.MatchString(g.Text) {
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
func (g Rules) listsOwn(q *tree.Query) bool {
	s := q.Select
	if len(s.From) != 1 || len(s.Items) == 0 || len(s.Group) > 0 || q.Limit != nil {
		return false
	}
	table, known := g.View.TableOf(s.From[0])
	nouns := g.CountedWords(1)
	if !known || len(nouns) == 0 || !isNamedBy(nouns[0], g.View.Tables[table].Words) {
		return false
	}
	labels := g.View.LabelsOf(table)
	return !slices.ContainsFunc(s.Items, func(i tree.Item) bool {
		column, _ := i.Expr.(tree.Column)
		id, isColumn := g.View.ColumnOf(s.From, column)
		return !isColumn || !slices.Contains(labels, id) && !g.View.Columns[id].Key()
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

// Often holds a count of things to those that there are as many rows of as the text
// says: how many ships came more than once are not all that came.
func (g Rules) Often(q *tree.Query) {
	s := q.Select
	m, said := english.Groups(often, g.Text)
	if s == nil || !said || s.Having != nil || len(s.Items) != 1 || len(s.Group) > 0 || q.Limit != nil || !AsksForNumber.MatchString(g.Text) {
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

// Shown shows what the text asks which of, where that is a column and the reading
// shows another one of the same rows that nobody named: in which issue is not when it was
// published.
func (g Rules) Shown(q *tree.Query) {
	s := q.Select
	m, ok := english.Groups(ground.WhichAsked, g.Text)
	if s == nil || !ok || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, shown)
	if !isColumn || !known || g.TimesNamed(id) > 0 {
		return
	}
	t := g.View.Tables[g.View.Columns[id].Table]
	for i := t.First; i < t.First+t.Len; i++ {
		c := g.View.Columns[i]
		if ground.IsSaid(s.Where, tree.Column{Source: shown.Source, Name: c.Name}) {
			continue // which level 3 courses asks for courses
		}
		if len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(strings.ToLower(m.Text("what"))) {
			s.Items[0].Expr = tree.Column{Source: shown.Source, Name: c.Name}
		}
	}
}
