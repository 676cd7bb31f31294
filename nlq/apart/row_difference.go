package apart

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// dearer are how one asks how far two rows are from each other in what they measure: how much dearer is
// Silk 350 than Silk 170, by how much is it heavier.
var dearer = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:` +
	`how much (?P<more>more \w+|less \w+|\w+er) (?:is|was|are|were) (?P<one>.+?) than (?P<two>[^?.!]+?)` +
	`|by how much (?:is|was|are|were) (?P<first>.+?) (?P<than>more \w+|less \w+|\w+er) than (?P<second>[^?.!]+?)` +
	`)[\s?.!]*$`)

// onAverage says that many rows are compared by what is usual.
var onAverage = regexp.MustCompile(`(?i),?\s*\b(?:on average|usually|normally|typically|generally)\b`)

// readRowsApart reads a text that asks how far two rows, which it names, are from each other in the one
// number that its comparative is about: as the text about that number of the first, from which that of
// the other is then taken. ok is false when it is no such text.
func (r Reader) readRowsApart(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	m, ok := english.Groups(dearer, w.Text)
	if !ok {
		return t, false, nil
	}
	one, two := m.Text("one")+m.Text("first"), m.Text("two")+m.Text("second")
	up, measures, ok := english.End(superlativeOf(strings.ToLower(m.Text("more") + m.Text("than"))))
	if !ok || len(measures) == 0 {
		return t, false, nil
	}
	for _, c := range r.Whole.Columns {
		isOne := c.Distinct >= c.Rows
		if c.Type != quern.Text || c.Values == nil || !isOne && (!c.Category() || !onAverage.MatchString(w.Text)) {
			continue
		}
		first, okFirst := valueIn(c, one)
		second, okSecond := valueIn(c, two)
		number, ok := r.measureOf(c.Table, measures)
		if !okFirst || !okSecond || first.value == second.value || !ok {
			continue
		}
		as := "What is the " + number.Name + " of " + one + two[second.end:] + "?"
		if !isOne {
			as = "What is the average " + number.Name + " of " + one + onAverage.ReplaceAllString(two[second.end:], "") + "?"
		}
		return r.reread(ctx, w, as, func(q *tree.Query) bool { return r.subtractKind(q, two[:second.end], !up) })
	}
	return t, false, nil
}

// superlativeOf returns the superlative of a comparative: dearest of dearer.
func superlativeOf(comparative string) string {
	if rest, ok := strings.CutPrefix(comparative, "more "); ok {
		return "most " + rest
	}
	if rest, ok := strings.CutPrefix(comparative, "less "); ok {
		return "least " + rest
	}
	return strings.TrimSuffix(comparative, "r") + "st"
}

// measureOf returns the one number of a table whose name has one of some words.
func (r Reader) measureOf(table int, words []string) (of schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		if c.Table == table && c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(words, w) }) {
			of, n = c, n+1
		}
	}
	return of, n == 1
}
