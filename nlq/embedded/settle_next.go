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
	// nextAlone asks for nothing else: next event, when is the next event.
	nextAlone = regexp.MustCompile(`(?i)^\W*(?P<ask>(?:when|what|which|where)(?:'?s| is| are)? )?(?:the |our |my )?next (?P<what>[a-z]{3,}(?: [a-z]{3,})?)\W*$`)
)

// settleNext passes over what is past where the text asks for the next of something and the
// reading takes the first of all.
func (g *grounding) settleNext(q *tree.Query) {
	m, ok := english.Groups(nextOne, g.text)
	if !ok || q.Select == nil || q.Limit == nil || len(q.Order) != 1 || q.Order[0].Desc || !g.whole.MentionsTable(m.Text("what")) && !g.whole.HasValue(m.Text("what")) {
		return
	}
	when, ok := q.Order[0].Expr.(tree.Column)
	id, known := g.view.ColumnOf(q.Select.From, when)
	if !ok || !known || !g.view.Columns[id].Type.Temporal() || tests(q.Select.Where, when) {
		return
	}
	today := tree.Literal{Kind: tree.Date, Text: g.question.Now.UTC().Format(time.DateOnly)}
	if g.view.Columns[id].Max < today.Text {
		return // there is nothing to come
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.GreaterEq, Left: when, Right: today})...)
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
