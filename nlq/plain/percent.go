package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
)

// partOff is how one names a discount by a part: a fifth off.
var partOff = regexp.MustCompile(`(?i)\b(?:an?|one) (?P<part>half|third|quarter|fifth|tenth) (?P<off>off|discount|rebate)\b`)

// partsInPercent are parts of a whole in percent.
var partsInPercent = map[string]string{"half": "50", "third": "33", "quarter": "25", "fifth": "20", "tenth": "10"}

// inPercent returns a text whose discounts are written in percent where the data have a
// column of percents: a fifth off is 20 percent off.
func (r Rules) inPercent(text string) string {
	if !slices.ContainsFunc(r.Whole.Columns, ground.IsPercentNamed) {
		return text
	}
	m, ok := english.Groups(partOff, text)
	if !ok {
		return text
	}
	start, end := m.Span("")
	return text[:start] + partsInPercent[strings.ToLower(m.Text("part"))] + " percent " + m.Text("off") + text[end:]
}
