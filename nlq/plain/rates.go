package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// paidPerHour is how one compares what somebody gets for an hour.
var paidPerHour = regexp.MustCompile(`(?i)\b(?:earns?|makes?|gets? paid|gets?|(?:is|are) paid) (?P<how>more|less) (?:money )?(?:per|an|by the|each|every) hour than\b`)

// inRates returns the words of a text by which somebody earns more in an hour than others, as what
// they say of the one column that has what an hour is paid.
func (r Rules) inRates(text string) []english.Change {
	m, ok := english.Groups(paidPerHour, text)
	if !ok {
		return nil
	}
	var found []schema.Column
	for _, c := range r.Whole.Columns {
		if c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return w == "rate" || w == "wage" || w == "pay" }) {
			found = append(found, c)
		}
	}
	isHourly := func(w string) bool { return slices.Contains([]string{"h", "hr", "hour", "hourly"}, w) }
	if len(found) != 1 || !slices.ContainsFunc(found[0].Words, isHourly) {
		return nil
	}
	higher := "higher"
	if strings.EqualFold(m.Text("how"), "less") {
		higher = "lower"
	}
	start, end := m.Span("")
	return []english.Change{{Start: start, End: end, By: "has a " + higher + " " + strings.Join(found[0].Words, " ") + " than"}}
}
