package structure

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// shape is what a piece of text looks like, whatever it means.
type shape uint8

// The shapes. word and mark are what is left: words, and signs that stand alone.
const (
	word shape = iota
	mark
	instant // a day with a time
	day
	clock
	money
	percent
	number
	email
	url
	phone
	ip
	uuid
	level // of a log: INFO, WARN
	path
	code // letters and digits: INV-2031, SW1A
	quoted
	bracketed
	shapeCount
)

// shapeNames are what columns of a shape are called where nothing better is known.
var shapeNames = [shapeCount]string{
	word: "text", mark: "text", instant: "time", day: "date", clock: "time", money: "amount", percent: "percent", number: "number",
	email: "email", url: "url", phone: "phone", ip: "ip", uuid: "id", level: "level", path: "path", code: "code",
	quoted: "text", bracketed: "text",
}

// fixed reports whether text of the shape is recognised by itself, so that records
// can be held together by it.
func (s shape) fixed() bool { return s != word && s != code && s != path }

const (
	monthText   = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	weekdayText = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*`
	clockText   = `\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[AaPp]\.?[Mm]\b\.?)?`
	zoneText    = `(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?`
	dayText     = `(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|` +
		`\d{1,2}(?:st|nd|rd|th)?[ -]` + monthText + `\.?,?[ -](?:\d{4}|\d{2})|` + monthText + `\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})`
	currency  = `(?:[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|CNY)`
	digits    = `(?:\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?)`
	moneyText = `(?:-?\(?[-+]?` + currency + `\s?[-+]?` + digits + `[kKmM]?\)?|[-+]?` + digits + `\s?` + currency + `)`
)

// recogniser finds a shape at the beginning of a text.
type recogniser struct {
	shape shape
	re    *regexp.Regexp
}

func at(s shape, text string) recogniser {
	return recogniser{s, regexp.MustCompile(`^(?:` + text + `)`)}
}

// end returns where the shape ends that a text begins with; 0 when it does not.
func (r recogniser) end(text string) int {
	const longest = 96 // bytes of any shape but addresses, so that long lines cost no more
	if r.shape != url && r.shape != email {
		text = text[:min(len(text), longest)]
	}
	if m := r.re.FindStringIndex(text); m != nil {
		return m[1]
	}
	return 0
}

// The recognisers by the character that text of the shape begins with, in the order
// in which they are tried.
var (
	onDigit = []recogniser{
		at(uuid, `[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b`),
		at(instant, `\d{1,2}/`+monthText+`/\d{4}:\d{2}:\d{2}:\d{2}`+zoneText),
		at(instant, `(?:`+dayText+`)(?:[T ]|,? (?:at )?)`+clockText+zoneText),
		at(day, dayText+`\b`),
		at(clock, clockText),
		at(ip, `(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?\b`),
		at(phone, phoneText),
		at(money, moneyText),
		at(percent, `[-+]?`+digits+`\s?%`),
		at(email, emailText),
		at(code, `\d+(?:[-/]?[A-Za-z]+[-\w/]*|-\d[-\w]*)`),
		at(number, `\d{1,3}(?:,\d{3})+(?:\.\d+)?\b`),
		at(number, `\d+(?:[.,]\d+)?`),
	}
	onHash = []recogniser{at(code, `#\d[\w-]*`)}
	onSign = []recogniser{
		at(money, moneyText),
		at(percent, `[-+]`+digits+`\s?%`),
		at(phone, phoneText),
		at(number, `[-+]\d+(?:[.,]\d+)?\b`),
	}
	onLetter = []recogniser{
		at(uuid, `[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b`),
		at(instant, weekdayText+`,? \d{1,2} `+monthText+` \d{4} `+clockText+zoneText),
		at(instant, weekdayText+` `+monthText+` +\d{1,2} `+clockText+`(?: [A-Z]{3,4})? \d{4}`),
		at(instant, monthText+`\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4},? (?:at )?`+clockText+zoneText),
		at(instant, monthText+` {1,2}\d{1,2} `+clockText+`\b`),
		at(day, monthText+`\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b`),
		at(level, `(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|CRIT(?:ICAL)?|FATAL|PANIC|ALERT|EMERG|SEVERE)\b`),
		at(money, currency+`\s?[-+]?`+digits),
		at(url, `(?:(?:https?|ftp|s3|wss?)://|www\.)[^\s"'<>)\]]*[^\s"'<>)\].,;:!?]`),
		at(email, emailText),
		at(code, `[A-Za-z]{1,6}[-/#]?\d[-\w/]*`),
	}
)

const (
	emailText = `[\w.+%-]+@[\w-]+(?:\.[\w-]+)+`
	phoneText = `\+\d{1,3}(?:[ .-]?\d{2,8}){2,5}\b|(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){2,4}\b|\+\d{7,15}\b|\(\d{2,5}\) ?\d{3,5}[ -]?\d{3,5}\b`
)

// token is a piece of a line that has a shape.
type token struct {
	shape      shape
	start, end int // of what it says, without quotes or brackets
	from, till int // of all of it
}

// tokens takes a line apart.
func tokens(line string) []token {
	var all []token
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' {
			i++
			continue
		}
		t := tokenAt(line, i)
		all = append(all, t)
		i = t.till
	}
	return all
}

// tokenAt returns the token that begins at i, where there is no blank.
func tokenAt(line string, i int) token {
	if t, ok := enclosed(line, i); ok {
		return t
	}
	rest := line[i:]
	for _, r := range recognisers(rest) {
		if end := r.end(rest); end > 0 && bounded(rest, end) {
			return token{r.shape, i, i + end, i, i + end}
		}
	}
	n := wordEnd(rest)
	t := token{word, i, i + n, i, i + n}
	switch text := rest[:n]; {
	case n > 1 && strings.ContainsAny(text[:1], "/~") || strings.Contains(text, `\`) && n > 3:
		t.shape = path
	case strings.Trim(text, "-–—|:;,.=*#>·•/") == "":
		t.shape = mark
	}
	return t
}

// recognisers are those that may know what a text begins with. Most words are plain
// ones, which none has to look at.
func recognisers(text string) []recogniser {
	switch c := text[0]; {
	case c >= '0' && c <= '9':
		return onDigit
	case c == '#':
		return onHash
	case c == '-' || c == '+' || c == '(' || c == '$' || c >= utf8.RuneSelf:
		return onSign
	case (c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') && !isPlain(text):
		return onLetter
	}
	return nil
}

// isPlain reports whether the word that a text begins with can be nothing but a word:
// it has letters alone, and begins as no month, day of the week, currency or level.
func isPlain(text string) bool {
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	if strings.ContainsAny(text[:end], "0123456789@:/#.") {
		return false
	}
	const long = 3
	return end < long || text[0] >= 'a' && text[0] <= 'z' || !starts[text[:long]]
}

// starts are how the words begin that a date, an amount or a level of a log may begin
// with.
var starts = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(`Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun
		USD EUR GBP CHF JPY CAD AUD SEK NOK DKK PLN CZK INR CNY TRA DEB INF NOT WAR ERR CRI FAT PAN ALE EME SEV`) {
		all[w] = true
	}
	return all
}()

// bounded reports whether a word could end after n bytes.
func bounded(text string, n int) bool {
	if n >= len(text) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[n:])
	last := text[n-1]
	letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && r != '–' && r != '—' && r != '·'
	digit := r >= '0' && r <= '9'
	return !letter && !digit || !(last >= '0' && last <= '9' || last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z')
}

// enclosed returns the token in quotes or brackets that begins at i.
func enclosed(line string, i int) (token, bool) {
	var closing byte
	s := quoted
	switch line[i] {
	case '"':
		closing = '"'
	case '[':
		closing, s = ']', bracketed
	default:
		return token{}, false
	}
	n := strings.IndexByte(line[i+1:], closing)
	if n < 0 || n == 0 && s == bracketed {
		return token{}, false
	}
	t := token{s, i + 1, i + 1 + n, i, i + n + 2}
	if inner := strings.TrimSpace(line[t.start:t.end]); inner != "" {
		one := tokenAt(inner, 0)
		known := one.shape == instant || one.shape == day || one.shape == level || one.shape == ip
		if known && one.till == len(inner) {
			t.shape = one.shape
		}
	}
	return t, true
}

// wordEnd returns where the word at the beginning of a text ends: before a blank,
// or a sign that parts words.
func wordEnd(text string) int {
	for i, r := range text {
		switch r {
		case ' ', '\t', '"':
			if i > 0 {
				return i
			}
			return 1
		case '[', '=', '|', ';', ',':
			if i > 0 {
				return i
			}
			return utf8.RuneLen(r)
		case ':':
			if i == 0 {
				return 1
			}
			if i+1 == len(text) || text[i+1] == ' ' {
				return i
			}
		}
	}
	return len(text)
}

// shapeOf returns the shape of a whole value; word when it has none of its own.
func shapeOf(value string) shape {
	value = strings.TrimSpace(value)
	if value == "" {
		return word
	}
	if t := tokenAt(value, 0); t.till == len(value) && t.shape != quoted && t.shape != bracketed && t.shape != mark {
		return t.shape
	}
	return word
}

// layouts are those of instants that only logs and messages write.
var layouts = []string{
	"02/Jan/2006:15:04:05 -0700", "02/Jan/2006:15:04:05", "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST",
	"Mon 2 Jan 2006 15:04:05 -0700", "Mon Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 MST 2006", "Mon, 2 Jan 2006 15:04:05",
	"2006-01-02 15:04:05 -0700", "2006-01-02T15:04:05-0700",
}

// canonical returns text as it is stored: instants as logs and messages write them
// as everybody does, everything else as it stands.
func canonical(s shape, text string) string {
	if s != instant {
		return text
	}
	text = strings.TrimSpace(text)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Format(time.RFC3339)
		}
	}
	comma := strings.LastIndexByte(text, ',')
	if comma < 0 || strings.Count(text[:comma], ":") != 2 || strings.Trim(text[comma+1:], "0123456789") != "" {
		return text
	}
	return text[:comma] + "." + text[comma+1:] // seconds with a decimal comma
}
