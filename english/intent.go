package english

import "regexp"

// Intent is what a text is after.
type Intent uint8

// The intents. Rows answer questions; they do nothing, know no reasons that
// nobody wrote down, and no future.
const (
	Question  Intent = iota
	Deed             // delete all cancelled orders
	Reason           // why did sales fall?
	Guess            // predict next month's sales
	Judgement        // which is better?
)

// RowNouns stand for the rows of any table: items, entries, records.
var RowNouns = marked("rows.txt")

// Reasons and Guesses are names of columns that hold reasons, and guesses or plans.
var (
	Reasons = marked("intents.txt", "reasons")
	Guesses = marked("intents.txt", "guesses")
)

var (
	politely = `^\W*(?:(?:` + marked("intents.txt", "polite").Pattern() + `|` + Openers.Pattern() + `)\W+)*`
	deeds    = regexp.MustCompile(`(?i)` + politely + `(?:` + marked("intents.txt", "deed").Pattern() + `\b|` +
		marked("intents.txt", "doing").Pattern() + `\s+` + marked("intents.txt", "pointing").Pattern() + `\b)`)
	reasons = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "reason").Pattern() + `\b`)
	// turned is a deed by what something is made: mark order 7 as paid.
	turned  = regexp.MustCompile(`(?i)` + politely + marked("intents.txt", "turning").Pattern() + `\s[^?]*\s(?:as|to)\s+\S+[.!\s]*$`)
	guesses = regexp.MustCompile(`(?i)` + politely + `(?:` + marked("intents.txt", "guess").Pattern() + `\b|` +
		`(?:how\s+(?:many|much)\b.*\s)?will\s+` + marked("intents.txt", "future").Pattern() + `\b|will\s+(?:the|our|my|this|that|it)\b|` +
		`(?:(?:what|when|where|who|which|how\s+(?:many|much))\b.*\s)?(?:am|is|are)\s+` + marked("intents.txt", "future").Pattern() + `\s+(?:\w+\s+)?going\s+to\b)`)
	// judged asks what is good and names nothing that is.
	judged = regexp.MustCompile(`(?i)` + politely + `(?:(?:which|what|who)(?:\s+ones?)?(?:'s|s|\s+is|\s+are|\s+would\s+be)|is|are)\s+` +
		`(?:(?:it|that|this|these|those|they)\s+)?(?:the\s+|a\s+)?` + marked("intents.txt", "judged").Pattern() + `(?:\s+ones?)?\W*$`)
	addUp = regexp.MustCompile(`(?i)` + politely + `(?:add\s+(?:\w+\s+)*up|order\s+(?:\w+\s+)+by|make\s+(?:a|the)\s+(?:list|table|sum)|create\s+(?:a|the)\s+(?:list|table|report))\b`)
)

// IntentOf returns what a text is after, judged by how it begins.
func IntentOf(text string) Intent {
	switch {
	case (deeds.MatchString(text) || turned.MatchString(text)) && !addUp.MatchString(text):
		return Deed
	case reasons.MatchString(text):
		return Reason
	case guesses.MatchString(text):
		return Guess
	case judged.MatchString(text):
		return Judgement
	}
	return Question
}
