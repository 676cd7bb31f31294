package embedded

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/schema"
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
	// nextAlone asks for nothing else: next event, when is the next event.
	nextAlone = regexp.MustCompile(`(?i)^\W*(?P<ask>(?:when|what|which|where)(?:'?s| is| are)? )?(?:the |our |my )?next (?P<what>[a-z]{3,}(?: [a-z]{3,})?)\W*$`)
)

// settleNext passes over what is past where the text asks for the next of something and the
// reading takes the first of all, or asks when that is and the reading lists its times.
func (g *grounding) settleNext(q *tree.Query) {
	if q.Select == nil {
		return
	}
	when, ok := g.firstTime(q)
	id, known := g.view.ColumnOf(q.Select.From, when)
	if !ok || !known || !g.view.Columns[id].Type.Temporal() || tests(q.Select.Where, when) {
		return
	}
	today := dayOf(g.question.Now.UTC())
	if g.view.Columns[id].Max < today.Text {
		return // there is nothing to come
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.GreaterEq, Left: when, Right: today})...)
}

// showWhen shows the time by which a query takes the first row, where the text asks when that is and
// the reading shows what it is called.
func (g *grounding) showWhen(q *tree.Query) {
	s := q.Select
	if s == nil || !asksWhen.MatchString(g.question.Text) || q.Limit == nil || *q.Limit != 1 || len(q.Order) == 0 || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	by, ok := q.Order[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(s.From, by)
	shown, isColumn := s.Items[0].Expr.(tree.Column)
	at, isKnown := g.view.ColumnOf(s.From, shown)
	if ok && known && isColumn && isKnown && g.view.Columns[id].Type.Temporal() && !g.view.Columns[at].Type.Temporal() {
		s.Items, s.Distinct = []tree.Item{{Expr: by}}, false
	}
}

// firstTime returns the time whose first a query takes, or all of which it lists, where the text
// asks for the next of something; when it lists them, it takes the first instead.
func (g *grounding) firstTime(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	if m, isNext := english.Groups(nextOne, g.text); isNext && q.Limit != nil && len(q.Order) == 1 && !q.Order[0].Desc &&
		(g.whole.MentionsTable(m.Text("what")) || g.whole.HasValue(m.Text("what"))) {
		when, ok = q.Order[0].Expr.(tree.Column)
		return when, ok
	}
	if when, ok = g.dueFirst(q); ok {
		return when, true
	}
	if !whenNext.MatchString(g.text) || len(s.Items) != 1 || len(s.Group) > 0 {
		return when, false
	}
	return g.earliest(q)
}

// earliest returns the time whose first a query of one value gives, or all of which it lists: then it
// gives the first instead.
func (g *grounding) earliest(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	switch e := s.Items[0].Expr.(type) {
	case tree.Aggregate:
		when, ok = e.Arg.(tree.Column)
		return when, ok && e.Func == tree.Min && e.Where == nil
	case tree.Column:
		if id, known := g.view.ColumnOf(s.From, e); !known || !g.view.Columns[id].Type.Temporal() || q.Limit != nil && (len(q.Order) != 1 || q.Order[0].Desc || q.Order[0].Expr != tree.Expr(e)) {
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
func (g *grounding) dueFirst(q *tree.Query) (when tree.Column, ok bool) {
	s := q.Select
	if !dueNext.MatchString(g.text) || len(s.Group) > 0 || q.Limit != nil && *q.Limit != 1 {
		return when, false
	}
	var shown, due []tree.Column
	for _, source := range s.From {
		for _, t := range g.whole.TimesOf(source) {
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
	if len(shown) != 1 || slices.ContainsFunc(s.Items, func(i tree.Item) bool { return !isPlain(i.Expr) }) {
		return when, false
	}
	q.Order, q.Limit, s.Distinct = []tree.Order{{Expr: shown[0], Nulls: tree.NullsLast}}, new(int64(1)), false
	return shown[0], true
}

// inNext returns a text that asks for the next of something alone as one that asks for the first
// from today on, where that has one time at all that is to come.
func (r *reader) inNext(text string) string {
	m, ok := english.Groups(nextAlone, text)
	if !ok || r.whole.ColumnNamed("next") || !r.isComing(strings.ToLower(m.Text("what"))) {
		return text
	}
	ask := strings.TrimSpace(m.Text("ask"))
	if ask == "" {
		ask = "what is"
	}
	return ask + " the first " + m.Text("what") + " from today on?"
}

// isComing reports whether some words name one dataset whose rows are to come, or are a kind of
// its rows.
func (r *reader) isComing(what string) bool {
	words := strings.Fields(what)
	last := words[len(words)-1]
	if english.Singular(last) != last {
		return false
	}
	today := r.question.Now.UTC().Format(time.DateOnly)
	coming := 0
	for i, t := range r.whole.Tables {
		isKind := slices.ContainsFunc(r.whole.Columns[t.First:t.First+t.Len], func(c schema.Column) bool {
			if c.Values == nil || !c.Category() {
				return false
			}
			_, ok := c.Values.Exact(what)
			return ok
		})
		if !isKind && r.whole.Mention(last, i) < 0 {
			continue
		}
		reaches := 0
		for _, c := range r.whole.Columns[t.First : t.First+t.Len] {
			if c.Type.Temporal() && c.Max >= today && !slices.ContainsFunc(c.Words, func(w string) bool { return english.TimeEnds.Has(w) || english.Limits.Has(w) || w == "to" }) {
				reaches++
			}
		}
		if reaches != 1 {
			return false
		}
		coming++
	}
	return coming == 1
}
