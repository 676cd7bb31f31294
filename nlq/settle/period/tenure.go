package period

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// howLongSo asks how long something has been so, until now.
var howLongSo = regexp.MustCompile(`(?i)\bhow (?:long|many years|many months) (?:has|have)\b[^?.]*?\b(?:been|worked|lived|belonged|had|known|played|rented|stayed|served)\b`)

// sinceWhen are words of the names of columns since when something is so, beside those at which
// something begins.
var sinceWhen = []string{"joined", "since", "hired", "employed", "engaged", "bought", "member"}

// Tenure reckons from when something began until now where the text asks how long it has been so and
// the reading lists a number of it: how long somebody has worked here is not their hours a week.
func (g Rules) Tenure(q *tree.Query) {
	column, ok := ground.Listed(q)
	if !ok || !howLongSo.MatchString(g.Text) {
		return
	}
	id, known := g.View.ColumnOf(q.Select.From, column)
	at := slices.IndexFunc(q.Select.From, func(s tree.Source) bool { return s.Ref() == column.Source })
	isLength := func(w string) bool { return w == "years" || w == "months" || w == "tenure" }
	if !known || at < 0 || !g.View.Columns[id].Type.Numeric() || slices.ContainsFunc(g.View.Columns[id].Words, isLength) {
		return
	}
	begins := slices.DeleteFunc(g.View.TimesOf(q.Select.From[at]), func(t schema.TimeColumn) bool {
		return !hasWord(t, english.TimeStarts) && !slices.ContainsFunc(t.Of.Words, func(w string) bool { return slices.Contains(sinceWhen, w) })
	})
	if len(begins) != 1 {
		return
	}
	now := grammar.MomentLiteral(g.Asked.Question.Now, begins[0].Of.Type)
	q.Select.Items[0] = tree.Item{Expr: tree.Duration{Unit: tree.Years, From: begins[0].Column, Until: now}}
	q.Select.Distinct = false
}
