package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
)

var (
	// ownList is where askers have written down all that the data are of: in the stock list,
	// on our books.
	ownList = regexp.MustCompile(`(?i)\s+(?:in|on|from) (?:the|our|my|its|your|this) (?:(?P<kind>\w+) )?(?P<list>lists?|register|books|records|files?|system|database|catalogue|inventory|ledger)\b`)
	// partLists are lists that not all that the data are of is on.
	partLists = []string{"waiting", "wait", "mailing", "emailing", "newsletter", "black", "wish", "short", "watch", "reserve", "standby", "shopping", "cancellation"}
	// weOwn says of all that the data are of that it is the asker's.
	weOwn = regexp.MustCompile(`(?i)\b(?P<we>we|i) own\b`)
	// entryIn names a row by the dataset that it is in: no entry in the log.
	entryIn = regexp.MustCompile(`(?i)\b(?P<none>no|any|an?|without(?: an?| any)?) (?:entry|entries|records?|rows?) (?:in|on) (?:the |our |my )?(?P<rows>[a-z_]+)\b`)
	// allYears is how one says that no year is meant rather than others.
	allYears = regexp.MustCompile(`(?i)\s+over (?:all )?(?:the|these|those) years\b`)
	// partOfYear finds parts of a year: which month is the best over the years is asked of any.
	partOfYear = regexp.MustCompile(`(?i)\b(?:months?|quarters?|weeks?|weekdays?|days?|seasons?)\b`)
	// comingUp says of what has a time that it is to come.
	comingUp = regexp.MustCompile(`(?i)\b(?:coming up|lined up|(?:still|yet) (?:got )?to come)(?: soon)?\b`)
	// upcoming stands before what is to come.
	upcoming = regexp.MustCompile(`(?i)\b(?:upcoming|future) (?P<thing>[a-z]+)\b`)
	// sinceSeason is a season since which something is so, without the digits of its year.
	sinceSeason = regexp.MustCompile(`(?i)\b(?P<edge>since) (?P<season>spring|summer|autumn)(?P<which> (?:of )?(?:this|last) year)?(?P<end>$|\W*$|\W+[a-z])`)
	// outOf is how one denies that something is in something: out of service.
	outOf = regexp.MustCompile(`(?i)\bout of (?P<what>\w+)\b`)
)

// withoutPlaces returns a text without what says where all of the data are from, or whose they
// are, unless not all are there, or the data have something of that name: the mailing list, the
// price list, where a column says price.
func (r Rules) withoutPlaces(text string) string {
	if !partOfYear.MatchString(text) {
		text = allYears.ReplaceAllString(text, "")
	}
	if !r.IsOfData("own") {
		text = weOwn.ReplaceAllString(text, "$we have")
	}
	if m, ok := english.Groups(entryIn, text); ok && r.Whole.MentionsTable(m.Text("rows")) {
		start, end := m.Span("")
		text = text[:start] + m.Text("none") + " " + m.Text("rows") + text[end:]
	}
	m, ok := english.Groups(ownList, text)
	if !ok {
		return text
	}
	kind, list := strings.ToLower(m.Text("kind")), strings.ToLower(m.Text("list"))
	isNamed := func(c schema.Column) bool { return len(c.Words) == 1 && c.Words[0] == kind }
	if slices.Contains(partLists, kind) || r.IsOfData(list) || r.Whole.HasValue(kind+" "+list) || slices.ContainsFunc(r.Whole.Columns, isNamed) {
		return text
	}
	start, end := m.Span("")
	return text[:start] + text[end:]
}

// spoken returns a text with what is said in few or in roundabout words in plain ones, unless the
// data have numbers or counts of their own.
func (r Rules) spoken(text string) string {
	isAsked := func(c schema.Column) bool {
		return strings.EqualFold(c.Name, "number") || strings.EqualFold(c.Name, "count")
	}
	if slices.ContainsFunc(r.Whole.Columns, isAsked) {
		return text
	}
	return english.Spoken(withoutInclusions(text))
}

// inTimes returns a text in which what is coming up is from today on, where the data have times
// that are to come.
func (r Rules) inTimes(text string) string {
	today := r.Question.Now.UTC().Format(time.DateOnly)
	if ground.AsksBirthday.MatchString(text) || ground.MoneyToCome.MatchString(text) {
		return text
	}
	if r.speaksOfAhead(text) {
		return strings.Join(strings.Fields(comingUp.ReplaceAllString(text, "")), " ") // package period takes what is left of that time
	}
	if !comingUp.MatchString(text) && !upcoming.MatchString(text) || !slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool { return c.Type.Temporal() && c.Max >= today }) {
		return text
	}
	if !r.IsOfData("upcoming") && !r.IsOfData("future") {
		text = upcoming.ReplaceAllString(text, "$thing from today on")
	}
	return comingUp.ReplaceAllString(text, "from today on")
}

// inSeasons returns a text in which a season since which something is so has its year: that of the
// last one that has begun.
func (r Rules) inSeasons(text string) string {
	m, ok := english.Groups(sinceSeason, text)
	if !ok {
		return text
	}
	now := r.Question.Now
	year := now.Year()
	begins := map[string]time.Month{"spring": time.March, "summer": time.June, "autumn": time.September}[strings.ToLower(m.Text("season"))]
	switch which := strings.ToLower(m.Text("which")); {
	case strings.Contains(which, "last"), which == "" && now.Month() < begins:
		year--
	}
	start, _ := m.Span("")
	end, _ := m.Span("end")
	return text[:start] + m.Text("edge") + " " + m.Text("season") + " " + strconv.Itoa(year) + text[end:]
}

// inOpposites returns a text in which out of service is not in service, where a column says
// what is in it.
func (r Rules) inOpposites(text string) string {
	return outOf.ReplaceAllStringFunc(text, func(said string) string {
		what := strings.ToLower(strings.Fields(said)[2])
		for _, c := range r.Whole.Columns {
			if len(c.Words) == 2 && c.Words[0] == "in" && c.Words[1] == what {
				return "not in " + what
			}
		}
		return said
	})
}
