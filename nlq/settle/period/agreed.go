package period

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// agreedThen says when something was agreed, not when it is: booked in May, the bookings that came in.
	agreedThen = regexp.MustCompile(`(?i)\b(?:book|booked|reserve|reserved)\s+(?:\w+\s+){0,2}?(?:during|since|before|after|between|from|last|yesterday|earliest|latest|first|most)\b|` +
		`\b(?:booked|reserved) (?:in|on) (?P<when>\w+)|\b(?:when|how (?:long|far|early|soon|many \w+))\b[^?.]*?\b(?:book|booked|reserve|reserved|ahead|in advance)\b|` +
		`\b(?:booking|reservation)s?\b[^?.]*?\b(?:made|make|placed|taken|took|take|received?|came in|come in|coming in|got|get|gotten)\b|` +
		`\b(?:take|took|taken|make|made|received?|get|got|new)\b[^?.]*?\b(?:booking|reservation)s?\b`)
	// bookedIn goes on with the time of what is booked: booked in today, booked on for Monday.
	bookedIn = regexp.MustCompile(`(?i)^(?:today|tomorrow|tonight|next|this|for|on|at|with|to|it|them)$`)
)

// Agreed moves times from the column that says when something was booked to that which says when it is,
// where the text does not speak of booking: the bookings of next week are not those that come in then.
func (g Rules) Agreed(q *tree.Query) {
	if SpeaksOfAgreeing(g.Text) {
		return
	}
	tree.EachQuery(q, func(own *tree.Query) {
		if own.Select == nil {
			return
		}
		for _, source := range own.Select.From {
			if agreed, is, ok := g.agreedBeside(source); ok && !ground.UsesColumn(own, is) {
				tree.ReplaceValues(own, func(e tree.Expr) tree.Expr {
					if e == tree.Expr(agreed) {
						return is
					}
					return e
				})
			}
		}
	})
}

// SpeaksOfAgreeing reports whether a text speaks of when something was booked.
func SpeaksOfAgreeing(text string) bool {
	m, ok := english.Groups(agreedThen, text)
	return ok && !bookedIn.MatchString(m.Text("when"))
}

// IsAgreed reports whether a column says when something was booked; what was booked in was brought.
func IsAgreed(c schema.Column) bool {
	return slices.ContainsFunc(c.Words, english.Agreed.Has) && !slices.Contains(c.Words, "in")
}

// agreedBeside returns the time at which rows of a source were booked, and the time that they are of:
// the only other, of the same type, by which nothing ends or has to be done.
func (g Rules) agreedBeside(source tree.Source) (agreed, is tree.Column, ok bool) {
	var agreeds, others []schema.TimeColumn
	for _, t := range g.Asked.Whole.TimesOf(source) {
		if IsAgreed(t.Of) {
			agreeds = append(agreeds, t)
			continue
		}
		such := func(w string) bool {
			return english.Dues.Has(w) || english.Limits.Has(w) || english.TimeEnds.Has(w) || english.Dones.Has(w) || english.Stops.Has(w)
		}
		if !slices.ContainsFunc(t.Of.Words, such) {
			others = append(others, t)
		}
	}
	if len(agreeds) != 1 || len(others) != 1 || agreeds[0].Of.Type != others[0].Of.Type {
		return agreed, is, false
	}
	return agreeds[0].Column, others[0].Column, true
}
