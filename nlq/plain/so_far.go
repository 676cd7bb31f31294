package plain

import (
	"regexp"
	"slices"

	"quern/nlq/lex"
)

var (
	// upToToday says the same with a day that is easily taken for all that is meant.
	upToToday = regexp.MustCompile(`(?i)\b(?:up (?:to|until|till)|until|till) (?:and including )?today\b`)
	// fromThen says that something began at a time, or how long it holds.
	fromThen = regexp.MustCompile(`(?i)\b(?:from|since|between|after|starting|valid|holds?|open|runs?|lasts?|good|due|paid|insured|booked)\b`)
)

// speaksOfAhead reports whether a text names a stretch of time that is not over: this month, in December.
func (r Rules) speaksOfAhead(text string) bool {
	now := r.Question.Now
	return slices.ContainsFunc(lex.Periods(lex.Tokens(text), now), func(p lex.Period) bool {
		return !p.From.IsZero() && p.Until.After(now)
	})
}

// upToNow returns a text in which up to today is so far.
func upToNow(text string) string {
	if fromThen.MatchString(text) {
		return text
	}
	return upToToday.ReplaceAllString(text, "so far")
}
