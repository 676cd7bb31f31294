package check

import (
	"math/big"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"quern/english"
)

const months = `(?:January|February|March|April|May|June|July|August|September|October|November|December)`

// moments are the forms of dates and times, at the beginning of a text.
var moments = regexp.MustCompile(`^(?i:` + strings.Join([]string{
	`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z\b|UTC\b|[+-]\d{2}:?\d{2}))?)?`,
	`\d{1,2} ` + months + ` \d{4}(?:,? \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: UTC\b)?)?`,
	months + ` \d{1,2}, \d{4}`,
	`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`,
}, "|") + `)\b`)

// longestMoment bounds how much of a text is looked at for one.
const longestMoment = 64

// following finds the word behind a number that may be a scale. Nobody writes a
// single letter with a space before it.
var following = func() *regexp.Regexp {
	words := []string{"percent"}
	for word, scale := range english.Scales {
		if scale >= 1_000 && len(word) > 1 {
			words = append(words, word)
		}
	}
	return regexp.MustCompile(`^ (?i:` + strings.Join(words, "|") + `)\b`)
}()

// numberIn returns the number that a word stands for; 0 for none. One and zero are
// words of sentences about anything.
func numberIn(word string) int64 {
	if n := english.Cardinals[word]; n > 1 {
		return n
	}
	if word == "hundred" {
		return english.Scales[word]
	}
	return 0
}

// token is a place in a text that has digits, or stands for a number: a moment,
// a name such as Q1, a number, or a number in words.
type token struct {
	text       string   // in small letters
	start, end int      // in the text
	day, clock string   // of a moment
	digits     string   // of a number as it is written
	fraction   int      // how many of them are behind the point
	unit       string   // what stands behind the number
	number     *big.Rat // the number, once value has read it
	plain      *big.Rat // the number without its scale
	step       *big.Rat // what the last digit written is worth
	percent    bool
	glued      bool // whether the scale may be a unit: 5m, 5k
}

// tokenize finds the tokens of a text. It reads each byte about once, for rows
// can hold megabytes.
func tokenize(text string) []token {
	var all []token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isDigit(text, i) || isSign(text, i):
			t := numberAt(text, i)
			all, i = append(all, t), t.end
		case unicode.IsLetter(r) || r == '_' || unicode.IsDigit(r):
			t, isToken := wordAt(text, i)
			if isToken {
				all = append(all, t)
			}
			i = t.end
		default:
			i += size
		}
	}
	return all
}

func isDigit(text string, i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }

// isSign reports whether a minus stands at i, and no hyphen.
func isSign(text string, i int) bool {
	return text[i] == '-' && isDigit(text, i+1) && (i == 0 || strings.ContainsRune(" (|:\n", rune(text[i-1])))
}

// wordAt takes the word at i, which is a token if it has digits or stands for a
// number.
func wordAt(text string, i int) (t token, isToken bool) {
	end, digits := i, false
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		digits = digits || unicode.IsDigit(r)
		end += size
	}
	word := text[i:end]
	t = token{text: strings.ToLower(word), start: i, end: end}
	if digits {
		return t, true
	}
	if n := numberIn(t.text); n > 0 {
		t.number, t.step = big.NewRat(n, 1), big.NewRat(1, 1)
		t.plain = t.number
		return t, true
	}
	if end < len(text)-1 && text[end] == ' ' && isDigit(text, end+1) {
		if t, ok := momentAt(text, i); ok {
			return t, true
		}
	}
	return t, false
}

func momentAt(text string, i int) (token, bool) {
	found := moments.FindString(text[i:min(len(text), i+longestMoment)])
	if found == "" {
		return token{}, false
	}
	t := token{text: strings.ToLower(found), start: i, end: i + len(found)}
	if !strings.Contains(found, "-") && !strings.Contains(found, " ") {
		t.clock = clockKey(found)
		return t, true
	}
	t.day, t.clock = moment(found)
	return t, true
}

// numberAt takes the number, or the moment, at i.
func numberAt(text string, i int) token {
	end := i + 1
	for isDigit(text, end) {
		end++
	}
	if end-i <= 4 && text[i] != '-' && mayBeMoment(text, end) {
		if t, ok := momentAt(text, i); ok {
			return t
		}
	}
	for digits := end - i; digits <= 4 && thousand(text, end); {
		end += len(",000")
	}
	fraction := 0
	if end < len(text) && text[end] == '.' && isDigit(text, end+1) {
		for end++; isDigit(text, end); end++ {
			fraction++
		}
	}
	end = exponent(text, end)
	t := token{start: i, end: end, digits: text[i:end], fraction: fraction}
	if t.unit = scaleAt(text, end); t.unit == "" {
		t.unit, t.glued = glued(text, end), true
		t.end += len(t.unit)
	}
	t.text = strings.ToLower(text[i:t.end])
	return t
}

// scaleAt returns the word behind a number that makes it larger, if there is one.
func scaleAt(text string, i int) string {
	if i+2 > len(text) || text[i] != ' ' || strings.IndexByte("tmbpTMBP", text[i+1]) < 0 {
		return ""
	}
	return following.FindString(text[i:min(len(text), i+longestMoment)])
}

// mayBeMoment reports whether what stands behind digits can go on as a date or a
// time.
func mayBeMoment(text string, i int) bool {
	if i+1 >= len(text) {
		return false
	}
	switch text[i] {
	case '-', ':':
		return isDigit(text, i+1)
	case ' ':
		return strings.IndexByte("JFMASONDjfmasond", text[i+1]) >= 0
	}
	return false
}

// thousand reports whether a comma and a group of three digits stand at i.
func thousand(text string, i int) bool {
	return i < len(text) && text[i] == ',' && isDigit(text, i+1) && isDigit(text, i+2) && isDigit(text, i+3) && !isDigit(text, i+4)
}

// exponent returns the end of the exponent at i, or i.
func exponent(text string, i int) int {
	if i >= len(text) || strings.IndexByte("eE", text[i]) < 0 {
		return i
	}
	end := i + 1
	if end < len(text) && strings.IndexByte("+-", text[end]) >= 0 {
		end++
	}
	if !isDigit(text, end) {
		return i
	}
	for isDigit(text, end) {
		end++
	}
	return end
}

// longestNumber bounds the digits that are taken for a number: longer ones are
// names, and exponents beyond reason are nothing.
const longestNumber = 60

// value reads the number that the token is written as.
func (t *token) value() {
	digits := strings.ReplaceAll(t.digits, ",", "")
	mantissa, power, _ := strings.Cut(strings.ToLower(digits), "e")
	if t.number != nil || digits == "" || len(mantissa) > longestNumber || len(power) > 4 {
		return
	}
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		return
	}
	t.number, t.plain, t.step = n, n, tenth(t.fraction)
	unit := strings.ToLower(strings.TrimSpace(t.unit))
	t.percent = unit == "%" || unit == "percent"
	if scale := max(english.Scales[unit], english.AttachedScales[unit]); scale > 1 {
		by := big.NewRat(scale, 1)
		t.number, t.step = new(big.Rat).Mul(n, by), new(big.Rat).Mul(t.step, by)
	}
}

// glued returns the unit that is written onto a number, or a percent sign.
func glued(text string, i int) string {
	rest := text[i:]
	switch {
	case strings.HasPrefix(rest, "%"):
		return "%"
	case strings.HasPrefix(rest, " %"):
		return " %"
	}
	end := 0
	for end < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		end += size
	}
	return rest[:end]
}

// tenth is what the last of some digits behind the point is worth.
func tenth(digits int) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
}

// moment reads a date with or without a time.
func moment(text string) (day, clock string) {
	text = strings.ReplaceAll(trimZone(text), ",", "")
	if len(text) > 10 && strings.IndexByte("Tt", text[10]) >= 0 {
		text = text[:10] + " " + text[11:]
	}
	for _, layout := range []string{
		time.DateOnly, "2 January 2006", "January 2 2006",
		"2 January 2006 15:04", "2 January 2006 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02 15:04:05.999999999",
	} {
		at, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if strings.Contains(layout, "15") {
			clock = at.Format("15:04:05.999999999")
		}
		return at.Format(time.DateOnly), clock
	}
	return text, ""
}

func trimZone(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "Z"), "z")
	return strings.TrimSpace(strings.TrimSuffix(text, "UTC"))
}

func clockKey(text string) string {
	for _, layout := range []string{"15:04", "15:04:05.999999999"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format("15:04:05.999999999")
		}
	}
	return text
}
