package plain

import (
	"regexp"

	"quern/english"
)

// edges are ways to say that something is open on one side, which the networks know in fewer words:
// by the end of March is until March.
var edges = []struct {
	said  *regexp.Regexp
	plain string
}{
	{edge(`(?:(?:un)?till?|up (?:to|until)|by|before|(?:no|not) later than)\s+(?:the\s+)?(?:very\s+)?(?:end|close|last day)\s+of`), "until"},
	{edge(`up (?:to|until) and including`), "until"},
	{edge(`(?:from|since|after|starting(?:\s+(?:from|at|with))?)\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|first day)\s+of`), "since"},
	{edge(`before\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|first day)\s+of`), "before"},
}

// months are the names of months.
const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// toTheEnd finds a range from one month to the end of another, which is in it as a whole anyway.
var toTheEnd = regexp.MustCompile(`(?i)\b(?P<from>(?:from|between) ` + months + `(?: \d{4})? (?:and|to)) (?:the )?(?:very )?end of (?P<to>` + months + `)\b`)

// edge finds an opening before a stretch of time, and what goes on from it.
func edge(opening string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b` + opening + `\s+(?:the\s+year\s+)?(?P<stretch>` + months + `(?:,?\s+(?:of\s+|in\s+)?\d{4})?|(?:19|20)\d\d|` +
		`(?:this|last|next)\s+(?:week|month|quarter|year))\b(?:\s+on(?:wards?)?\b)?(?P<range>\s*(?:[-–]|(?:to|till?|until|through)\b))?`)
}

// plainEdges returns a text whose openings of stretches of time are said in few words. What is a
// range is left as it is.
func plainEdges(text string) string {
	text = toTheEnd.ReplaceAllString(text, "$from $to")
	for _, e := range edges {
		text = e.said.ReplaceAllStringFunc(text, func(said string) string {
			m, _ := english.Groups(e.said, said)
			if m.Text("range") != "" {
				return said
			}
			return e.plain + " " + m.Text("stretch")
		})
	}
	return text
}
