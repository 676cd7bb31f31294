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
		`\b(?:booking|reservation) (?:date|day|time)s?\b|\b(?:booked|reserved) at\b|\b(?:entered|created|recorded|logged)\b|` +
		`\b(?:who|we|they|i|you|people|guests?|customers?|clients?|members?|anyone|anybody|everyone|nobody)(?: (?:has|have|had|did|do|does))? (?:book|booked|books|reserve|reserved)\b(?P<for> (?:for|in (?:today|tomorrow|tonight|next|this))\b)?|` +
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
			if agreed, is, ok := g.agreedBeside(source); ok && !ground.UsesColumn(own, is) && !shows(own.Select, agreed) {
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

// shows reports whether a select shows a column as it is.
func shows(s *tree.Select, column tree.Column) bool {
	return slices.ContainsFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(column) })
}

// SpeaksOfAgreeing reports whether a text speaks of when something was booked.
func SpeaksOfAgreeing(text string) bool {
	m, ok := english.Groups(agreedThen, text)
	return ok && !bookedIn.MatchString(m.Text("when")) && m.Text("for") == ""
}

// agreedBeside returns the time at which rows of a source were booked, and the time that they are of:
// the only other, of the same type, by which nothing ends or has to be done.
func (g Rules) agreedBeside(source tree.Source) (agreed, is tree.Column, ok bool) {
	var agreeds, others []schema.TimeColumn
	for _, t := range g.Asked.Whole.TimesOf(source) {
		if ground.IsAgreed(t.Of) {
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
