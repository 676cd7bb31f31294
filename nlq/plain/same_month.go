package plain

import (
	"regexp"
	"strconv"
	"strings"

	"quern/english"
)

var (
	// monthOfYear is a month of this year, the one before or the one after: October last year.
	monthOfYear = regexp.MustCompile(`(?i)\b(?P<month>january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec),? (?:of |in )?(?P<which>this|last|next) year\b`)
	// endsMonths is such a month behind another that it is to be of one year with.
	endsMonths = regexp.MustCompile(`(?i)(?:\b(?:to|until|till|through|and|or)|[-–&,]) ?(?:the )?(?:end of )?` + strings.TrimPrefix(monthOfYear.String(), `(?i)\b`))
	// monthOf is a month that is this one or the last one of its name.
	monthOf = regexp.MustCompile(`(?i)\b(?P<which>this|last) (?P<month>january|february|march|april|may|june|july|august|september|october|november|december)\b`)
)

// withYears returns a text in which a month of this year, the last or the next has the digits of its
// year, as have two months of one name of which the
// text says that one is this year's and one the last.
func (r Rules) withYears(text string) string {
	isAlone := len(monthOfYear.FindAllString(text, -1)) < 2
	if isAlone && endsMonths.MatchString(text) {
		return text // of both months
	}
	text = monthOfYear.ReplaceAllStringFunc(text, func(said string) string {
		m, _ := english.Groups(monthOfYear, said)
		return m.Text("month") + " " + strconv.Itoa(r.Question.Now.UTC().Year()+yearsAway(m.Text("which")))
	})
	return r.withYearsOfMonths(text)
}

// withYearsOfMonths gives this March and last March, where they are compared, the digits of their
// years.
func (r Rules) withYearsOfMonths(text string) string {
	if !comparesMonth(text) {
		return text
	}
	return monthOf.ReplaceAllStringFunc(text, func(said string) string {
		m, _ := english.Groups(monthOf, said)
		return m.Text("month") + " " + strconv.Itoa(r.Question.Now.UTC().Year()+yearsAway(m.Text("which")))
	})
}

// yearsAway is how many years after this one another is.
func yearsAway(which string) int {
	return map[string]int{"last": -1, "next": 1}[strings.ToLower(which)]
}

// comparesMonth reports whether a text names one month twice, once as this and once as the last:
// this March against last March.
func comparesMonth(text string) bool {
	found := monthOf.FindAllString(text, -1)
	if len(found) != 2 {
		return false
	}
	one, two := strings.Fields(strings.ToLower(found[0])), strings.Fields(strings.ToLower(found[1]))
	return one[0] != two[0] && one[1] == two[1]
}
