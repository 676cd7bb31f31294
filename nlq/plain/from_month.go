package plain

import (
	"regexp"

	"quern/english"
	"quern/nlq/lex"
)

var (
	// fromMonth finds rows that are from a month that is named.
	fromMonth = regexp.MustCompile(`(?i)\b(?P<rows>[a-z]{3,}s) (?:that (?:are|were) )?(?P<from>from) (?P<month>(?:last |this )?(?:` +
		`jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?: \d{4})?)\b(?P<rest>[^?!]*)`)
	// goesOn says that a month is where something begins.
	goesOn = regexp.MustCompile(`(?i)\b(?:to|until|till|through|on|onwards?|forwards?|and (?:later|after)|up|-|–)\b`)
)

// inMonths returns the words of a text by which some rows are from a month that is over, as what is
// meant: orders from October are those of that month, and not all since. From October on, from
// October to December and what is from no rows are left as they stand there.
func (r Rules) inMonths(text string) []english.Change {
	m, ok := english.Groups(fromMonth, text)
	if !ok || goesOn.MatchString(m.Text("rest")) || !r.Whole.MentionsTable(m.Text("rows")) {
		return nil
	}
	_, until, isPeriod := lex.ReadPeriod(m.Text("month"), r.Question.Now)
	if !isPeriod || until.IsZero() || until.After(r.Question.Now) {
		return nil
	}
	start, _ := m.Span("from")
	_, end := m.Span("month")
	return []english.Change{{Start: start, End: end, By: "in " + m.Text("month")}}
}
