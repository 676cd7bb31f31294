package embedded

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// whatsOn asks what there is at a time, and names nothing but that.
var whatsOn = regexp.MustCompile(`(?i)^\W*(?:what(?: is|'s|s)|(?:is )?anything|what have we(?: got)?|what do we have|what(?: is|'s|s) there) (?:going )?on (?P<when>(?:(?:in|on|at|over|for|during) )?[^?!]+?)[\s?.!]*$`)

// asksWhatIsOn reports whether a text asks what is on at a time, and the rows of one dataset have a
// time that reaches beyond today.
func (r *reader) asksWhatIsOn(text string) bool {
	m, ok := english.Groups(whatsOn, text)
	if !ok || !isAllTime(m.Text("when"), r.Question.Now) {
		return false
	}
	n := 0
	today := r.Question.Now.UTC().Format(time.DateOnly)
	for _, t := range r.Whole.Tables {
		if slices.ContainsFunc(r.Whole.Columns[t.First:t.First+t.Len], func(c schema.Column) bool {
			isLimit := slices.ContainsFunc(c.Words, func(w string) bool { return english.Limits.Has(w) || english.Dues.Has(w) || english.TimeEnds.Has(w) })
			return c.Type.Temporal() && c.Max >= today && !isLimit
		}) {
			n++
		}
	}
	return n == 1
}

// isAllTime reports whether some words name a stretch of time and nothing else.
func isAllTime(text string, now time.Time) bool {
	tokens := lex.Tokens(text)
	taken := map[int]bool{}
	for _, p := range lex.Periods(tokens, now) {
		for i := p.First; i <= p.Last; i++ {
			taken[i] = true
		}
	}
	return len(taken) > 0 && !slices.ContainsFunc(lex.Lower(tokens), func(w string) bool {
		i := slices.IndexFunc(tokens, func(t lex.Token) bool { return strings.EqualFold(t.Text, w) })
		return !taken[i] && !lex.Function(w)
	})
}
