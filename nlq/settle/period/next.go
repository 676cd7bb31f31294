package period

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// nextOne asks for the first of some rows that is still to come: the next event.
	nextOne = regexp.MustCompile(`(?i)\bnext (?P<what>[a-z]{3,})\b`)
	// whenNext asks when something is next: when is she coming next, next visit of Ada.
	whenNext = regexp.MustCompile(`(?i)^\W*(?:(?:when|what (?:day|date))\b.*\bnext(?:[?.!\s]*$| (?:\w+ing|\w+s|visit|booking|appointment|job|lesson|session|shift|delivery|game|match|event|stay|arrival|turn|meeting|day)\b)|next (?:visit|booking|appointment|job|lesson|session|shift|delivery|game|match|event|stay|arrival|meeting|date) (?:of|for|by|with|at)\b)`)
	// dueNext says of what has a time that it is the first to come: whose MOT is due next?
	dueNext = regexp.MustCompile(`(?i)\b(?:due|(?:expires?|expiring|ends?|ending|lapses?|renews?|runs? out|running out|(?:comes?|coming) up|starts?|leaves?|arrives?|up|on|plays?)(?: for \w+)?) next(?:\W*$|, | and\b)`)
	// asksWhen asks for a time.
	asksWhen = regexp.MustCompile(`(?i)^\W*(?:and |so )?(?:when|what (?:day|date))(?:['’]?s| is| are| was| were| do| does| did)\b`)
)

// Next passes over what is past where the text asks for the next of something and the
// reading takes the first of all, or asks when that is and the reading lists its times.
func (g Rules) Next(q *tree.Query) {
	if q.Select == nil {
		return
	}
	when, ok := g.firstTime(q)
	id, known := g.View.ColumnOf(q.Select.From, when)
	if !ok || !known || !g.View.Columns[id].Type.Temporal() || ground.Tests(q.Select.Where, when) {
		return
	}
	today := dayOf(g.Asked.Question.Now.UTC())
	if g.View.Columns[id].Max < today.Text {
		return // there is nothing to come
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.GreaterEq, Left: when, Right: today})...)
}

// ShowWhen shows the time by which a query takes the first row, where the text asks when that is and
// the reading shows what it is called.
func (g Rules) ShowWhen(q *tree.Query) {
	s := q.Select
	if s == nil || !asksWhen.MatchString(g.Asked.Question.Text) || q.Limit == nil || *q.Limit != 1 || len(q.Order) == 0 || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	by, ok := q.Order[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, by)
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	at, isKnown := g.View.ColumnOf(s.From, shown)
	if ok && known && isColumn && isKnown && g.View.Columns[id].Type.Temporal() && !g.View.Columns[at].Type.Temporal() {
		s.Items, s.Distinct = []tree.Item{{Expr: by}}, false
	}
}

// firstTime returns the time whose first a query takes, or all of which it lists, where the text
// asks for the next of something; when it lists them, it takes the first instead.
func (g Rules) firstTime(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	if m, isNext := english.Groups(nextOne, g.Text); isNext && q.Limit != nil && len(q.Order) == 1 && !q.Order[0].Desc &&
		(g.Asked.Whole.MentionsTable(m.Text("what")) || g.Asked.Whole.HasValue(m.Text("what"))) {
		when, ok = q.Order[0].Expr.(tree.Column)
		return when, ok
	}
	if when, ok = g.dueFirst(q); ok {
		return when, true
	}
	if !whenNext.MatchString(g.Text) || len(s.Items) != 1 || len(s.Group) > 0 {
		return when, false
	}
	return g.earliest(q)
}

// earliest returns the time whose first a query of one value gives, or all of which it lists: then it
// gives the first instead.
func (g Rules) earliest(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	switch e := s.Items[0].Expr.(type) {
	case tree.Aggregate:
		when, ok = e.Arg.(tree.Column)
		return when, ok && e.Func == tree.Min && e.Where == nil
	case tree.Column:
		if id, known := g.View.ColumnOf(s.From, e); !known || !g.View.Columns[id].Type.Temporal() || q.Limit != nil && (len(q.Order) != 1 || q.Order[0].Desc || q.Order[0].Expr != tree.Expr(e)) {
			return when, false
		}
		q.Order, q.Limit, s.Distinct = nil, nil, false
		s.Items[0] = tree.Item{Expr: tree.Aggregate{Func: tree.Min, Arg: e}}
		return e, true
	}
	return when, false
}

// dueFirst returns the one time that a query of plain rows shows, or else the one by which something
// has to be done or ends, where the text asks what is first by it, and takes the first row by it.
func (g Rules) dueFirst(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	if !dueNext.MatchString(g.Text) || len(s.Group) > 0 || q.Limit != nil && *q.Limit != 1 {
		return when, false
	}
	var shown, due []tree.Column
	for _, source := range s.From {
		for _, t := range g.Asked.Whole.TimesOf(source) {
			if slices.ContainsFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(t.Column) }) {
				shown = append(shown, t.Column)
			}
			if slices.ContainsFunc(t.Of.Words, func(w string) bool { return english.Dues.Has(w) || english.Limits.Has(w) }) {
				due = append(due, t.Column)
			}
		}
	}
	if len(shown) == 0 {
		shown = due
	}
	if len(shown) != 1 || slices.ContainsFunc(s.Items, func(i tree.Item) bool { return !ground.IsPlain(i.Expr) }) {
		return when, false
	}
	q.Order, q.Limit, s.Distinct = []tree.Order{{Expr: shown[0], Nulls: tree.NullsLast}}, new(int64(1)), false
	return shown[0], true
}
