package plain

import (
	"regexp"

	"quern/english"
)

// daysOfMonth are several days of one month, which stands behind the last: 4 and 5 November.
var daysOfMonth = regexp.MustCompile(`(?i)\b(?P<first>\d{1,2}(?:st|nd|rd|th)?) (?P<and>and|or|to) (?:the )?(?P<second>\d{1,2}(?:st|nd|rd|th)?) (?:of )?` +
	`(?P<month>(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?: \d{4}\b)?)`)

// inDays returns days of one month with the month behind each: 4 is no time of day.
func (r Rules) inDays(text string) []english.Change {
	m, ok := english.Groups(daysOfMonth, text)
	if !ok {
		return nil
	}
	start, end := m.Span("")
	return []english.Change{{Start: start, End: end, By: m.Expand("${first} ${month} ${and} ${second} ${month}")}}
}
