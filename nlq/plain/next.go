package plain

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/schema"
)

var (
	// nextAlone asks for nothing else: next event, when is the next event.
	nextAlone = regexp.MustCompile(`(?i)^\W*(?P<ask>(?:when|what|which|where)(?:'?s| is| are)? )?(?:the |our |my )?next (?P<what>[a-z]{3,}(?: [a-z]{3,})?)\W*$`)
)

// inNext returns a text that asks for the next of something alone as one that asks for the first
// from today on, where that has one time at all that is to come.
func (r Rules) inNext(text string) string {
	m, ok := english.Groups(nextAlone, text)
	if !ok || r.Whole.ColumnNamed("next") || !r.isComing(strings.ToLower(m.Text("what"))) {
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
func (r Rules) isComing(what string) bool {
	words := strings.Fields(what)
	last := words[len(words)-1]
	if english.Singular(last) != last {
		return false
	}
	today := r.Question.Now.UTC().Format(time.DateOnly)
	coming := 0
	for i, t := range r.Whole.Tables {
		isKind := slices.ContainsFunc(r.Whole.Columns[t.First:t.First+t.Len], func(c schema.Column) bool {
			if c.Values == nil || !c.Category() {
				return false
			}
			_, ok := c.Values.Exact(what)
			return ok
		})
		if !isKind && r.Whole.Mention(last, i) < 0 {
			continue
		}
		reaches := 0
		for _, c := range r.Whole.Columns[t.First : t.First+t.Len] {
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
