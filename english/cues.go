package english

import (
	"slices"
	"strings"
)

// Questions that go on from the one before (followups.txt).
var (
	// Suggestions ask the same of other rows: what about.
	Suggestions = marked("followups.txt", "suggestion")
	// FilterCues begin follow-ups that narrow the rows before, or ask of others.
	FilterCues = marked("followups.txt", "cue")
	// Fragments begin follow-ups that are no question without the one before: only.
	Fragments = marked("followups.txt", "fragment")
	// GroupCues stand before what rows are grouped by: per, split by.
	GroupCues = marked("followups.txt", "group")
	// Remainders are the rows that a condition left out: the others.
	Remainders = marked("followups.txt", "remainder")
	// RowNames are the rows before as a thing: the list.
	RowNames = marked("followups.txt", "rows")
	// Totals say that a number is of all rows: altogether.
	Totals = marked("followups.txt", "total")
	// Wider ask for more rows beside those before: also.
	Wider = marked("followups.txt", "widen")
	// Forgetting stands before what is to be asked about no more: never mind.
	Forgetting = marked("followups.txt", "forget")
	// Wholes ask the same of all rows: overall.
	Wholes = marked("followups.txt", "whole")
	// Earlier says that the stretch of time before is meant.
	Earlier = marked("followups.txt", "earlier")
	// Later says that the stretch of time after is meant.
	Later = marked("followups.txt", "later")
	// HowOften ask how many rows there are: how often.
	HowOften = marked("followups.txt", "times")
	// Totalling ask what numbers are together: add up to.
	Totalling = marked("followups.txt", "adds")
	// Asides say nothing behind a question: anyway.
	Asides = marked("followups.txt", "aside")
	// People stand for rows that are persons.
	People = marked("followups.txt", "people")
	// Linking say nothing but what stands beside them, most of them verbs: live, back.
	Linking = marked("followups.txt", "linking")
	// Leaving ask to leave rows out: skip.
	Leaving = marked("followups.txt", "leave")
	// Fillers say nothing of rows: ones, please.
	Fillers = marked("followups.txt", "filler")
)

// Bounds of numbers (bounds.txt).
var (
	// Above ask for more than a number: over.
	Above = marked("bounds.txt", "above")
	// AtLeast ask for a number or more.
	AtLeast = marked("bounds.txt", "atleast")
	// Below ask for less than a number: under.
	Below = marked("bounds.txt", "below")
	// AtMost ask for a number or less: up to.
	AtMost = marked("bounds.txt", "atmost")
)

// Periods (periods.txt).
var (
	// OwnStretches begin when those who speak of them say: season.
	OwnStretches = marked("periods.txt", "ownstretch")
	// NearPeriods stand before a stretch of time that is near: this.
	NearPeriods = marked("periods.txt", "near")
	// PeriodUnits are nouns for stretches of time: year, month.
	PeriodUnits = marked("periods.txt", "unit")
	// PeriodAdverbs stand for one: monthly.
	PeriodAdverbs = marked("periods.txt", "adverb")
	// BeforeYears are words after which four digits are a year. The networks have
	// learnt from them.
	BeforeYears = marked("periods.txt", "beforeyear")

	adverbUnits = paired("periods.txt", "adverb")
)

// PeriodOf returns the unit of time that an adverb stands for: month for monthly;
// empty when it stands for none.
func PeriodOf(adverb string) (unit string) { return adverbUnits[adverb] }

// Functions (functions.txt).
var (
	// Functions ask for what is made of many numbers: average.
	Functions = marked("functions.txt", "asks")

	functionsAsked = paired("functions.txt", "asks")
	functionsNamed = paired("functions.txt", "names")
	functionNames  = marked("functions.txt", "names")
)

// FunctionOf returns the function that a word asks for (avg, sum, min or max);
// empty when it asks for none.
func FunctionOf(word string) (function string) { return functionsAsked[word] }

// FunctionNames returns the words and phrases that name the value of a function
// (count, avg, sum, min or max).
func FunctionNames(function string) []string {
	var all []string
	for _, w := range functionNames.words {
		if functionsNamed[w] == function {
			all = append(all, w)
		}
	}
	return all
}

// Agents returns the nouns for who does what a verb says, where they are no forms of it
// (agents.txt).
func Agents(verb string) []string { return agents[verb] }

// Sibling returns the sort of thing that a word is one of, and which of them: a phone is
// no e-mail, though both are ways to reach somebody (siblings.txt). ok is false for other
// words.
func Sibling(word string) (sort, kind string, ok bool) {
	fields := siblings[word]
	if len(fields) != 2 {
		return "", "", false
	}
	return fields[0], fields[1], true
}

// Opposed reports whether one word names a kind that another is no other word for (opposites.txt).
func Opposed(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	one, other := Singular(a), Singular(b)
	return slices.Contains(opposites[a], b) || slices.Contains(opposites[b], a) || slices.Contains(opposites[one], other) || slices.Contains(opposites[other], one)
}

// PartOf returns of what a word before a noun names a part: home goals are those of one side
// (parts.txt); empty for other words.
func PartOf(word string) string {
	fields := partFields[word]
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// EndWords are superlatives of what columns measure (ends.txt).
var EndWords = marked("ends.txt")

// End returns which end of an order a superlative names and the words of the names of
// columns that it is about: heaviest is the upper end of weights. ok is false for
// other words.
func End(superlative string) (up bool, names []string, ok bool) {
	fields := endFields[superlative]
	if len(fields) == 0 {
		return false, nil, false
	}
	return fields[0] == "up", fields[1:], true
}

var agents, endFields, siblings, partFields = fieldsOf("agents.txt"), fieldsOf("ends.txt"), fieldsOf("siblings.txt"), fieldsOf("parts.txt")

var opposites = fieldsOf("opposites.txt")

// fieldsOf returns the fields of a file's words.
func fieldsOf(file string) map[string][]string {
	all := map[string][]string{}
	for _, e := range read(file) {
		all[e.word] = e.fields
	}
	return all
}

// Columns (columns.txt).
var (
	// Shares ask which part of some rows are such: percentage.
	Shares = marked("columns.txt", "share")
	// Framing are words of a column's name that do not say what happened: is, date.
	Framing = marked("columns.txt", "framing")
	// Numbering are words of the names of columns that number rows: id.
	Numbering = marked("columns.txt", "numbering")
	// Serial are last words of the names of columns that say which in a row of such it is: round.
	Serial = marked("columns.txt", "serial")
	// Means are words of the names of columns that say by which means something was done (columns.txt).
	Means = marked("columns.txt", "means")
	// KeyNames are words of the names of columns that tell rows apart.
	KeyNames = marked("columns.txt", "keys")
	// AskNumber ask for what rows are numbered by: codes.
	AskNumber = marked("columns.txt", "asksnumber")
	// Moments are names of columns that say when rows were: date.
	Moments = marked("columns.txt", "moment")
	// Yes are values by which a column says yes: yes, true.
	Yes = marked("columns.txt", "yes")
	// No are values by which a column says no: no, false.
	No = marked("columns.txt", "no")
	// TextNames end names of columns that nearly always hold text: country.
	TextNames = marked("columns.txt", "text")
	// Labels are names of columns by which people call rows: title.
	Labels = marked("columns.txt", "label")
	// Makes are names of columns that say who made a thing: make.
	Makes = marked("columns.txt", "make")
	// WholeNames stand before name or title and say that it is all of it: full.
	WholeNames = marked("columns.txt", "wholename")
	// WholeRows ask for all that is known of rows: details.
	WholeRows = marked("columns.txt", "wholerow")
	// About are names of columns that say what a row is of, in one word: what for.
	About = marked("columns.txt", "about")
	// PaidPer are what something is paid for: night.
	PaidPer = marked("columns.txt", "paidper")
	// NoLabels are words of the names of columns by which nobody calls rows: phone.
	NoLabels = marked("columns.txt", "nolabel")
	// remarks end the names of columns that hold what somebody remarked: notes.
	remarks = marked("columns.txt", "remark")
	// PlaceNames name columns that say where something is: town.
	PlaceNames = marked("columns.txt", "place")
	// WhenNames end the names of columns that say when something is: weekday.
	WhenNames = marked("columns.txt", "when")
	// Details stand behind the name of a column and say nothing: address.
	Details = marked("columns.txt", "detail")
	// Unknown are words for what nobody filled in, or somebody did: missing.
	Unknown = marked("columns.txt", "unknown")
	// Roles are names of columns that say who had a part in a row: taken by, driver.
	Roles = marked("columns.txt", "role")
	// Patrons are names of tables of people for whom others do something: customer.
	Patrons = marked("columns.txt", "patron")
	// NegativePrefixes begin words that mean the opposite of the rest: un.
	NegativePrefixes = marked("columns.txt", "negativeprefix")
)

// paired returns the words of a section, each with the one field behind it.
func paired(file, section string) map[string]string {
	all := map[string]string{}
	for _, e := range read(file) {
		if e.section == section && len(e.fields) == 1 {
			all[e.word] = e.fields[0]
		}
	}
	return all
}
