package absence

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// lastAgo says when somebody or something was last there: clients who were last here more than six
// months ago, patients whose last appointment was over a year ago.
var lastAgo = regexp.MustCompile(`(?i)\b(?:whose (?:last|latest|most recent) (?P<event>\w+) (?:was|is|were|took place|has been)|` +
	`(?:were |was |been |we )?last (?:here|in|seen|saw|came(?: in)?|come(?: in)?|visited|been(?: here| in)?|had an? (?P<had>\w+)|bought(?: anything| something)?|ordered(?: anything| something)?|booked(?: anything| in)?)) ` +
	`(?:more than|over|longer than|at least) (?P<ago>(?:\w+ ){1,3}?(?:days?|weeks?|months?|years?) ago)\b`)

// LastAgo lists those whose newest row of what happens with them is before a day, where the text says
// that they were last there longer ago: a reading takes any time of their own for it, as that since which
// they are known.
func (g Rules) LastAgo(q *tree.Query) {
	m, ok := english.Groups(lastAgo, g.Text)
	s := q.Select
	if !ok || s == nil || q.Limit != nil || len(s.Group) > 0 || g.ownsEvent() {
		return
	}
	at, _ := m.Span("")
	table, ok := g.spokenOf(g.Text[:at])
	if !ok {
		return
	}
	happening, ok := g.lastHappening(table, strings.ToLower(m.Text("event")+m.Text("had")))
	if !ok {
		return
	}
	before, ok := g.dayAgo(m.Text("ago"))
	if !ok {
		return
	}
	path := g.View.Tables[table].Path
	source := tree.Source{Dataset: path}
	kept, ok := g.keptOf(s, source, before.Text)
	if !ok || !g.listsOnly(s, table) {
		return
	}
	newest := tree.Aggregate{Func: tree.Max, Arg: happening.when}
	*s = tree.Select{
		From:   []tree.Source{source, happening.source},
		Where:  tree.All(append(kept, g.haveBeen(happening)...)...),
		Having: tree.Compare{Op: tree.Less, Left: newest, Right: happening.at(before)},
	}
	for _, id := range g.View.LabelsOf(table) {
		s.Items = append(s.Items, tree.Item{Expr: tree.Column{Source: source.Ref(), Name: g.View.Columns[id].Name}})
	}
	for _, i := range s.Items {
		s.Group = append(s.Group, i.Expr)
	}
	if key, ok := g.KeyOf(s.From, table); ok && !slices.Contains(s.Group, key) {
		s.Group = append(s.Group, key)
	}
	q.Order = nil
}

// ownsEvent reports whether what was last is named like a column of times: last service, last tested.
func (g Rules) ownsEvent() bool {
	said := lex.Lower(lex.Tokens(lastAgo.FindString(g.Text)))
	return slices.ContainsFunc(g.View.Columns, func(c schema.Column) bool {
		return c.Type.Temporal() && slices.Contains(c.Words, "last") && slices.ContainsFunc(c.Words, func(w string) bool { return w != "last" && slices.Contains(said, w) })
	})
}

// spokenOf returns the table that a text speaks of last; that of people where it asks who.
func (g Rules) spokenOf(text string) (table int, ok bool) {
	words := lex.Lower(lex.Tokens(text))
	for _, w := range slices.Backward(words) {
		for i := range g.View.Tables {
			if g.View.Mention(w, i) == 0 {
				return i, true
			}
		}
	}
	if !slices.Contains(words, "who") && len(words) > 0 {
		return 0, false
	}
	n := 0
	for i := range g.View.Tables {
		if _, has := g.lastHappening(i, ""); has && g.View.IsOfPeople(i) {
			table, n = i, n+1
		}
	}
	return table, n == 1
}

// happening is a dataset whose rows happen with those of another.
type happening struct {
	source    tree.Source
	when      tree.Column
	isInstant bool
}

// haveBeen returns the conditions that what happens has happened: until today, and it took place.
func (g Rules) haveBeen(h happening) []tree.Cond {
	been := []tree.Cond{tree.Compare{Op: tree.Less, Left: h.when, Right: h.at(g.Asked.Tomorrow())}}
	if column, there, ok := g.kindsOf(h.source, presentIn); ok {
		return append(been, IsOneOf(column, there))
	}
	if column, took, ok := g.kindsOf(h.source, tookPlaceIn); ok {
		return append(been, IsOneOf(column, took))
	}
	return been
}

// at returns a day as what it is compared with: its beginning where there are instants.
func (h happening) at(day tree.Literal) tree.Literal {
	if day.Kind == tree.Date && h.isInstant {
		return tree.Literal{Kind: tree.Timestamp, Text: day.Text + "T00:00:00Z"}
	}
	return day
}

// listsOnly reports whether a select shows rows, or what those of a table are called, and nothing else.
func (g Rules) listsOnly(s *tree.Select, table int) bool {
	labels := g.View.LabelsOf(table)
	return !slices.ContainsFunc(s.Items, func(i tree.Item) bool {
		if _, isStar := i.Expr.(tree.Star); isStar {
			return false
		}
		column, isColumn := i.Expr.(tree.Column)
		id, known := g.View.ColumnOf(s.From, column)
		return !isColumn || !known || !slices.Contains(labels, id)
	})
}

// beingThere are what people call having been there, whatever the data call it.
var beingThere = []string{"visit", "time", "appearance", "contact"}

// lastHappening returns the one dataset whose rows happen with those of a table: that which a word
// names, the only one there is, or the only one that says who came.
func (g Rules) lastHappening(table int, event string) (found happening, ok bool) {
	var all, cames []happening
	for _, l := range g.View.Links {
		from, to := g.View.Columns[l.From], g.View.Columns[l.To]
		if to.Table != table || from.Table == table || !g.HasTimes(from.Table) {
			continue
		}
		path := g.View.Tables[from.Table].Path
		source := tree.Source{Dataset: path, On: []tree.Pair{{
			Left:  tree.Column{Source: g.View.Tables[table].Path.Dataset, Name: to.Name},
			Right: tree.Column{Source: path.Dataset, Name: from.Name},
		}}}
		times := slices.DeleteFunc(g.View.TimesOf(source), func(t schema.TimeColumn) bool { return ground.IsAgreed(t.Of) })
		if len(times) == 0 {
			continue
		}
		h := happening{source, times[0].Column, times[0].Of.Type == quern.Timestamp}
		if event != "" && g.View.Mention(event, from.Table) == 0 {
			return h, true
		}
		if _, _, isCame := g.kindsOf(source, presentIn); isCame {
			cames = append(cames, h)
		}
		all = append(all, h)
	}
	switch {
	case event != "" && !slices.Contains(beingThere, event):
	case len(all) == 1:
		return all[0], true
	case len(cames) == 1:
		return cames[0], true
	}
	return found, false
}

// dayAgo returns the day that some words say is so long ago.
func (g Rules) dayAgo(ago string) (day tree.Literal, ok bool) {
	if rest, isOne := strings.CutPrefix(ago, "a "); isOne {
		ago = "1 " + rest
	}
	periods := lex.Periods(lex.Tokens(ago), g.Asked.Question.Now)
	if len(periods) != 1 || periods[0].From.IsZero() {
		return day, false
	}
	return tree.Literal{Kind: tree.Date, Text: periods[0].From.Format(time.DateOnly)}, true
}

// keptOf returns the conditions of a select on a source but that which says how long ago something was,
// by a day or a duration; ok is false where it holds other rows, or times, to anything.
func (g Rules) keptOf(s *tree.Select, source tree.Source, day string) (kept []tree.Cond, ok bool) {
	for _, c := range tree.Conjuncts(s.Where) {
		if saysAgo(c, day) {
			continue
		}
		column, isCompared := ground.TimeCompared(c)
		id, known := g.View.ColumnOf(s.From, column)
		isTime := isCompared && known && g.View.Columns[id].Type.Temporal()
		if isTime || len(s.From) != 1 || s.From[0].Dataset != source.Dataset {
			return nil, false
		}
		kept = append(kept, c)
	}
	return kept, true
}

// saysAgo reports whether a condition is on how long ago something was, or on the day that was so long ago.
func saysAgo(c tree.Cond, day string) bool {
	switch c := c.(type) {
	case tree.Period:
		return strings.HasPrefix(c.From.Text, day) || strings.HasPrefix(c.Until.Text, day)
	case tree.Compare:
		_, isDuration := c.Left.(tree.Duration)
		k, isLiteral := c.Right.(tree.Literal)
		return isDuration || isLiteral && strings.HasPrefix(k.Text, day)
	}
	return false
}
