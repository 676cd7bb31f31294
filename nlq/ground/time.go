package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// SpeaksOfTimes reports whether a text speaks of other times than of now.
func (r *Asked) SpeaksOfTimes(text string) bool {
	tokens := lex.Tokens(text)
	return slices.ContainsFunc(lex.Periods(tokens, r.Question.Now), func(p lex.Period) bool {
		word := strings.ToLower(tokens[p.First].Text)
		return p.First != p.Last || word != "today" && word != "now"
	})
}

var (
	// AsksBirthday asks for the day in the year on which somebody was born.
	AsksBirthday = regexp.MustCompile(`(?i)\b(?:birth|b-?)days?\b`)
	// PartyOf is a word behind birthdays that they belong to: a birthday party.
	PartyOf = regexp.MustCompile(`(?i)\bbirthdays? (?:part(?:y|ies)|cakes?|bookings?|events?|cards?|gifts?|presents?|treats?|celebrations?|dinners?|lunch(?:es)?|teas?|outings?|trips?|packages?)\b`)
)

// IsYear reports whether a column of whole numbers holds years.
func IsYear(c schema.Column) bool {
	const first, last = "1000", "2999" // as long as the bounds, so that text compares
	return c.Type == quern.Integer && len(c.Min) == len(first) && c.Min >= first && len(c.Max) == len(last) && c.Max <= last
}

// IsAgreed reports whether a column says when something was booked; what was booked in was brought.
func IsAgreed(c schema.Column) bool {
	return slices.ContainsFunc(c.Words, english.Agreed.Has) && !slices.Contains(c.Words, "in")
}

// NewestOfAll shows a value of the newest row.
func (g *Grounding) NewestOfAll(q *tree.Query, at int, when, value tree.Column) {
	q.Select.Items[at] = tree.Item{Expr: value}
	q.Order, q.Limit = []tree.Order{{Expr: when, Desc: true, Nulls: tree.NullsLast}}, new(int64(1))
	known := tree.Not{Cond: tree.IsNull{Expr: value}}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), known)...)
}

// CountsMinutes reports whether a column's numbers are minutes, by its unit or its name.
func CountsMinutes(c schema.Column) bool {
	isMinutes := func(word string) bool { return english.Stem(word) == "minut" || word == "mins" }
	return c.Type.Numeric() && (c.Unit == "min" || slices.ContainsFunc(c.Words, isMinutes))
}

// OnePeriod returns the period that the text names, if it names one. The name of a
// column is none: q1.
func (g *Grounding) OnePeriod() (lex.Period, bool) {
	periods := slices.DeleteFunc(lex.Periods(g.Features.Tokens, g.Asked.Question.Now), func(p lex.Period) bool {
		return p.First == p.Last && slices.ContainsFunc(g.Features.Columns[p.First], IsWholeName)
	})
	if len(periods) != 1 {
		return lex.Period{}, false
	}
	return periods[0], true
}

// Tomorrow is the day before which all is that was so far.
func (r *Asked) Tomorrow() tree.Literal {
	return tree.Literal{Kind: tree.Date, Text: r.Question.Now.UTC().AddDate(0, 0, 1).Format(time.DateOnly)}
}
