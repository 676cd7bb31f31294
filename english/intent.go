package english

import (
	"regexp"
	"strings"
)

// Intent is what a text is after.
type Intent uint8

// The intents. Rows answer questions; they do nothing, know no reasons that
// nobody wrote down, and no future.
const (
	Question  Intent = iota
	Deed             // delete all cancelled orders
	Reason           // why did sales fall?
	Guess            // predict next month's sales
	Judgement        // which is better? what shall we do?
	Half             // what's the average?
)

// RowNouns stand for the rows of any table: items, entries, records.
var RowNouns = marked("rows.txt")

// whether asks whether something will be so, and whenEver when: no number that was planned
// answers the one, and none but a time the other.
var (
	whether  = regexp.MustCompile(`(?i)` + politely + `will\b`)
	whenEver = regexp.MustCompile(`(?i)` + politely + `when\s+will\b`)
)

// GuessedBy returns the names of columns that answer a guess where rows have one: plans and
// estimates, or times that are to come where it asks when. None answers whether something
// will be so.
func GuessedBy(text string) Set {
	switch {
	case whether.MatchString(text):
		return Set{}
	case whenEver.MatchString(text):
		return Upcoming
	}
	return Guesses
}

// Reasons and Guesses are names of columns that hold reasons, and guesses or plans.
var (
	Reasons = marked("intents.txt", "reasons")
	// Praise says of things that they are good, and not by what: nice (intents.txt).
	Praise  = marked("intents.txt", "praise")
	Guesses = marked("intents.txt", "guesses")
	// Upcoming are words of the names of columns of times that are to come: due.
	Upcoming = marked("intents.txt", "upcoming")
)

var (
	politely = `^\W*(?:(?:` + marked("intents.txt", "polite").Pattern() + `|` + Openers.Pattern() + `)\W+)*`
	deeds    = regexp.MustCompile(`(?i)` + politely + `(?:` + marked("intents.txt", "deed").Pattern() + `\b|` +
		marked("intents.txt", "doing").Pattern() + `\s+` + marked("intents.txt", "pointing").Pattern() + `\b)`)
	reasons = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "reason").Pattern() + `\b`)
	// turned is a deed by what something is made: mark order 7 as paid.
	turned = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "turning").Pattern() + `\s[^?]*\s(?:as|to)\s+\S+[.!\s]*$`)
	// moved is one by where something goes: put hive 35 back on the list, take Peel off stop.
	moved = regexp.MustCompile(`(?i)` + politely + `(?:put|take)\s+\S.*\s(?:off|down\s+as|down\s+for|back|through\s+to)\b`)
	// given is one by who gets something: give plot A6 to Stuart.
	given = regexp.MustCompile(`(?i)` + politely + `(?:give|hand|pass|lend|sell)\s+(?P<whom>\S+)\s.*\bto\s+(?-i:\p{Lu})`)
	// written is one by whom or what somebody is to write: write Brightline Law a second reminder, note down that Karl has paid.
	written = regexp.MustCompile(`(?i)` + politely + `(?:write\s+(?:(?-i:\p{Lu})|(?:to|him|her|them|everybody|everyone|all)\b)|(?:write|note)\s+down\s+(?:that|an?)\b)`)
	// entered is one by who is put down for something: book Luna in for Friday.
	entered = regexp.MustCompile(`(?i)` + politely + `(?:book|sign|pencil|squeeze|fit)\s+(?:(?-i:\p{Lu})\S*\s+)+(?:in|up|for|on|onto)\b`)
	// numbered is one to a thing that has a number: close ticket 5079.
	numbered = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "handling").Pattern() + `\s+[a-z]+[^s\s]\s+(?:no\.?\s+|#)?[a-z]{0,4}[-/]?\d[\w/-]*[.!\s]*$`)
	// told is one by what somebody is to hear: text Umar that his phone is ready.
	told    = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "telling").Pattern() + `\s+(?P<whom>\S+)(?:\s+\S+)?\s+(?:that|know)\b`)
	guesses = regexp.MustCompile(`(?i)` + politely + `(?:` + marked("intents.txt", "guess").Pattern() + `\b|` +
		`how\s+` + marked("intents.txt", "howfar").Pattern() + `\s+will\b|how\s+(?:many|much)\b.*\sshall\s+(?:we|i|they)\b|` +
		`(?:how\s+(?:many|much)\b.*\s)?will\s+` + marked("intents.txt", "future").Pattern() + `\b|will\s+(?:the|our|my|this|that|it)\b|will\s+(?-i:\p{Lu})|when\s+will\b|(?:who|(?:which|what)\s+\S+)\s+will\s+` + marked("intents.txt", "outcome").Pattern() + `\b|` +
		`(?:(?:what|when|where|who|which|how\s+(?:many|much))\b.*\s)?(?:am|is|are)\s+` + marked("intents.txt", "future").Pattern() + `\s+(?:\w+\s+)?going\s+to\b)`)
	// judged asks what is good and names nothing that is.
	judged = regexp.MustCompile(`(?i)` + politely + `(?:(?:which|what|who)(?:\s+ones?)?(?:'s|s|\s+is|\s+are|\s+would\s+be)|is|are)\s+` +
		`(?:(?:it|that|this|these|those|they)\s+(?:ones?\s+)?)?(?:the\s+|a\s+|any\s+|our\s+|my\s+)?` + marked("intents.txt", "judged").Pattern() +
		`(?:\s+ones?)?(?:\s+than\s+(?:the\s+)?(?:others?|that|this|it|those|these)(?:\s+ones?)?)?\W*$|` +
		politely + `(?:show|list|give|find|see)\s+(?:(?:me|us|only|just)\s+)*the\s+` + marked("intents.txt", "judged").Pattern() + `\s+ones?\W*$`)
	// fares asks how somebody or something does, and not by what that is to be seen.
	fares = regexp.MustCompile(`(?i)` + politely + `how(?:(?:'s|s|\s+is|\s+are|\s+was|\s+were)\s+.*\S\s+` + marked("intents.txt", "faring").Pattern() +
		`|\s+(?:did|does|do)\s+.*\S\s+` + marked("intents.txt", "fare").Pattern() + `)\W*$|` +
		politely + `how(?:'re|\s+are)\s+(?:we|things|they|you)\s+doing\s+(?:with|on|for|in)\s+(?:\S+\s+){0,2}\S+\W*$`)
	// advised asks what to do.
	advised = regexp.MustCompile(`(?i)` + politely + `(?:what|where|who|whom|when|how|which(?:\s+\w+)?)\s+(?:shall\s+(?:we|i)\b|should\s+(?:we|i)\s+` + marked("intents.txt", "advice").Pattern() + `\b)`)
	// half asks for a measure and does not say of what.
	half = regexp.MustCompile(`(?i)` + politely + `(?:(?:what|which|how\s+much)(?:'s|s|\s+is|\s+are|\s+was)\s+)?(?:the\s+)?` +
		marked("intents.txt", "half").Pattern() + `\W*$`)
	// judgedOf asks which of some things are good.
	judgedOf = regexp.MustCompile(`(?i)` + politely + `(?:(?:which|what)\s+(?P<asked>\w+)\s+(?:is|are|was|were)|(?:which|what|who)(?:'s|s|\s+(?:is|are|was|were)))\s+` +
		`(?:the\s+|our\s+|my\s+)?` + marked("intents.txt", "judged").Pattern() + `(?:\s+(?:ones?|(?P<named>\w+)))?\W*$`)
	// praised asks for the good ones of some things: our best customers.
	praised = regexp.MustCompile(`(?i)` + politely + `(?:(?:show|list|give|find|see|name|tell)\s+(?:(?:me|us|all|only|just|about)\s+)*)?(?:(?:who|which|what)(?:'s|\s+is|\s+are)\s+|how\s+many\s+|which\s+)?` +
		`(?:the\s+|our\s+|my\s+|any\s+)?(?P<praise>` + Praise.Pattern() + `)\s+(?P<noun>\w+)(?:\s+(?:do|have)\s+(?:we|i|you)(?:\s+(?:have|got))?)?\W*$`)
	// noDeed begins like a deed and asks for what is called so: the email of Ann.
	noDeed = regexp.MustCompile(`(?i)` + politely + `(?:e-?mail|mail|text|phone|call|message|order|book)s?\s+(?:of|for|address(?:es)?|numbers?|from)\b`)
	addUp  = regexp.MustCompile(`(?i)` + politely + `(?:add\s+(?:\w+\s+)*up|order\s+(?:\w+\s+)+by|make\s+(?:a|the)\s+sum)\b`)
	// inWriting asks to see rows in writing.
	inWriting = regexp.MustCompile(`(?i)` + politely + `(?:(?:make|write|create|prepare|compile|draw\s+up|put\s+together)\s+(?:(?:me|us|down|out|up)\s+)*(?:an?|the)\s+(?:list|table|report|overview)(?:\s+of)?\s+|` +
		`write\s+(?:down|out)\s+(?P<which>(?:all|the|every|each|which|who|how)\b))`)
)

var (
	// toCome speaks of what is to come.
	toCome = regexp.MustCompile(`\b(?:will|won't|gonna)\b|(?i)\b(?:is|are|am)\s+(?:\w+\s+)?going\s+to\s+(?-i:\p{Ll})`)
	// willDo is what somebody is asked to do, what is enough, or a last will.
	willDo = regexp.MustCompile(`(?i)\b(?:will|won't)\s+you\b|\bwill\s+(?:do|suffice|be\s+(?:enough|fine|great|good))\b|\b(?:an?|the|his|her|their|my|our|your|no|any|last|living|valid|without)\s+will\b`)
)

// Ahead reports whether a text names a stretch of time that is to come, or what is going to be.
func Ahead(text string) bool { return ahead.MatchString(text) }

var ahead = regexp.MustCompile(`(?i)\b(?:is|are|am)\s+(?:\w+\s+)?going\s+to\s+(?-i:\p{Ll})|\bnext\s+(?:time|day|week|month|quarter|year|season|spring|summer|autumn|fall|winter)\b|\btomorrow\b`)

// Foresees reports whether a text asks for what is to come.
func Foresees(text string) bool { return toCome.MatchString(willDo.ReplaceAllString(text, "")) }

// JudgedOf returns what a text asks for the good or the bad ones of, where it names nothing
// that they are judged by: the best members. ok is false for other texts.
func JudgedOf(text string) (noun string, ok bool) {
	m, ok := Groups(judgedOf, text)
	if !ok {
		return "", false
	}
	asked, named := m.Text("asked"), m.Text("named")
	if asked != "" && named != "" || asked == "" && named == "" {
		return "", false
	}
	return strings.ToLower(asked + named), true
}

// PraisedOf returns what a text asks for the good ones of, in few words, and by which word it
// says so: our nicest room. ok is false for other texts.
func PraisedOf(text string) (praise, noun string, ok bool) {
	m, ok := Groups(praised, text)
	if !ok {
		return "", "", false
	}
	return strings.ToLower(m.Text("praise")), strings.ToLower(m.Text("noun")), true
}

// InList returns a text that asks for a list in writing as one that asks for it.
func InList(text string) string { return inWriting.ReplaceAllString(text, "List ${which}") }

// isDeed reports whether a text tells somebody to do something.
func isDeed(text string) bool {
	if deeds.MatchString(text) || turned.MatchString(text) || moved.MatchString(text) || numbered.MatchString(text) || written.MatchString(text) || entered.MatchString(text) {
		return true
	}
	for _, pattern := range []*regexp.Regexp{told, given} {
		if m, ok := Groups(pattern, text); ok && !tellsUs.Has(strings.ToLower(m.Text("whom"))) {
			return true
		}
	}
	return false
}

// tellsUs are those who ask: to tell them is to answer.
var tellsUs = marked("intents.txt", "us")

// IntentOf returns what a text is after, judged by how it begins.
func IntentOf(text string) Intent {
	switch {
	case isDeed(text) && !addUp.MatchString(text) && !noDeed.MatchString(text) && !inWriting.MatchString(text):
		return Deed
	case reasons.MatchString(text):
		return Reason
	case guesses.MatchString(text):
		return Guess
	case judged.MatchString(text), fares.MatchString(text), advised.MatchString(text):
		return Judgement
	case half.MatchString(text):
		return Half
	}
	return Question
}
