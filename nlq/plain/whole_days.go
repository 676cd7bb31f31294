package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

const (
	// numberSaid is a number of weeks.
	numberSaid = `an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,2}`
	// weeksSaid is a length of time in weeks.
	weeksSaid = `(?P<length>(?P<number>` + numberSaid + `)[ -](?:whole |full |entire )?(?P<unit>weeks?|fortnights?))`
	// orMore is a bound behind a length.
	orMore = ` (?:or|and) (?:more|less|longer|shorter|over|under|fewer)`
)

var (
	// lengths are the ways to say how long something is, and whether what it is said of stands before it.
	lengths = []struct {
		said    *regexp.Regexp
		isOfOne bool
	}{
		{sayingWeeks(`(?:longer|shorter|more|less|greater|fewer) than|at least|at most|up to|exactly|precisely|under|below|above|exceed(?:s|ed|ing)?|(?:min|max)imum of`), false},
		{sayingWeeks(`(?:last(?:s|ed|ing)?|took|takes?|taking|taken|ran|runs?|running)(?: for)?(?: over)?`), false},
		{sayingWeeks(`(?:is|are|was|were|been)(?: for)?(?: over)?`), false},
		{sayingWeeks(`(?:of|for)(?: over)?|over`), true},
		{regexp.MustCompile(`(?i)\b(?P<before>[a-z]+)? ?\b` + weeksSaid + orMore + `\b`), false},
	}
	// fromWeeks is a length between two numbers of weeks, with the first of them.
	fromWeeks = regexp.MustCompile(`(?i)\b(?:(?P<before>[a-z]+) )?\b(?:of |for )?(?:between|from) (?P<first>` + numberSaid + `)(?: weeks?)? (?P<and>and|to) ` + weeksSaid + `\b`)
	// isATime is what goes on behind weeks that are no length: more than a week ago, a week of leave.
	isATime = regexp.MustCompile(`(?i)^(?:` + orMore + `)?(?:['’-]| (?:ago|before|after|from|since|earlier|later|late|early|back|hence|old|older|of|in advance|ahead|beforehand|prior|` +
		`overdue|until|till|left|remaining|to go|away|apart|and a half|per|each|every|an?|in a row|running|with|where|when|that|which|without|notice)\b)`)
	// untilNow says that something has gone on until now, or has not been for so long.
	untilNow = regexp.MustCompile(`(?i)\b(?:waiting|waited|stuck|ow(?:ed?|ing)|overdue|late|out|here|there|with us|open|unpaid|outstanding|away|not|no|never|\w+n['’]t|(?:is|are|was|were|has|have|had|does|did|do)nt)\b[^.?!,;]*$`)
	// withinIt are words before a bound by which weeks are when something is: in at least two weeks.
	withinIt = []string{"in", "within", "on", "during", "every", "each", "by"}
	// noWeekLong are words of columns of days of which a week has not seven.
	noWeekLong = []string{"holiday", "leave", "vacation", "sick", "sickness", "work", "working", "worked", "business", "school", "open", "absence", "per", "week", "weekly"}
)

// sayingWeeks finds weeks behind some words, with the word before these.
func sayingWeeks(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:(?P<before>[a-z]+) )?\b(?:` + words + `) (?:(?:exactly|precisely|just|only) )?` + weeksSaid + `\b`)
}

// inWholeDays returns a text whose lengths in weeks are written in days, or nights, where the data
// count these, or say from when until when something was, and count no weeks: longer than a week is
// longer than 7 days. When something is, or was, is no length: more than a week ago.
func (r Rules) inWholeDays(text string) string {
	unit, ok := r.countedDays()
	if !ok {
		return text
	}
	if m, ok := english.Groups(fromWeeks, text); ok && r.isLength(text, m, false) {
		start, _ := m.Span("first")
		_, end := m.Span("length")
		first, last := daysIn(m.Text("first"), m.Text("unit")), daysIn(m.Text("number"), m.Text("unit"))
		text = text[:start] + strconv.Itoa(first) + " " + m.Text("and") + " " + strconv.Itoa(last) + " " + unit + text[end:]
	}
	for _, form := range lengths {
		for m, ok := english.Groups(form.said, text); ok && r.isLength(text, m, form.isOfOne); m, ok = english.Groups(form.said, text) {
			start, end := m.Span("length")
			text = text[:start] + strconv.Itoa(daysIn(m.Text("number"), m.Text("unit"))) + " " + unit + text[end:]
		}
	}
	return text
}

// isLength reports whether weeks of a text say how long something is: what goes before and behind
// makes no time of them, and the data have no value called so. What they are to be said of is a
// dataset, or was done for so long.
func (r Rules) isLength(text string, m english.Match, isOfOne bool) bool {
	start, end := m.Span("")
	if isATime.MatchString(text[end:]) || untilNow.MatchString(text[:start]) || r.Whole.HasValue(strings.ToLower(m.Text("length"))) {
		return false
	}
	before := strings.ToLower(m.Text("before"))
	if isOfOne {
		return before != "" && (r.Whole.MentionsTable(before) || strings.HasSuffix(before, "ed"))
	}
	return !slices.Contains(withinIt, before)
}

// daysIn returns the days of a number of weeks or fortnights.
func daysIn(number, unit string) int {
	days := 7
	if strings.HasPrefix(strings.ToLower(unit), "fortnight") {
		days = 14
	}
	decimal, _ := lex.Number(number)
	if n, err := strconv.Atoi(decimal); err == nil {
		return n * days
	}
	return days // a week
}

// countedDays returns what the data count lengths in: days, or nights where they count these alone;
// ok is false where they count weeks, or none.
func (r Rules) countedDays() (unit string, ok bool) {
	for _, c := range r.Whole.Columns {
		says := func(word string) bool { return slices.Contains(c.Words, word) }
		switch {
		case !c.Type.Numeric() || slices.ContainsFunc(noWeekLong, says):
		case says("weeks") || says("wks"):
			return "", false
		case says("days") || c.Unit == "d" || c.Unit == "days":
			unit = "days"
		case says("nights") && unit == "":
			unit = "nights"
		}
	}
	if unit == "" && slices.ContainsFunc(r.Whole.Tables, r.hasStretch) {
		unit = "days"
	}
	return unit, unit != ""
}

// hasStretch reports whether two columns of a table are times of its rows, and none a birth.
func (r Rules) hasStretch(t schema.Table) bool {
	times := 0
	for _, c := range r.Whole.Columns[t.First : t.First+t.Len] {
		if c.Type.Temporal() && !slices.ContainsFunc(c.Words, english.Births.Has) {
			times++
		}
	}
	return times > 1
}
