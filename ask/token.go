package ask

import (
	"math/big"
	"regexp"
	"strings"
	"time"
)

// tokens finds what has digits, or stands for a number, in a text: moments,
// clocks, names such as Q1, numbers, and numbers in words.
var tokens = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`(?P<iso>\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?(?:Z\b|UTC\b|[+-]\d{2}:?\d{2}))?)?)`,
	`(?P<long>\b\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}(?:,? \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: UTC\b)?)?)`,
	`(?P<us>\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4})`,
	`(?P<clock>\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\b)`,
	`(?P<name>[\p{L}_][\p{L}_]*\d[\p{L}\p{N}_]*)`,
	`(?P<number>[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)(?P<unit> ?%|[\p{L}]*)`,
	`\b(?P<word>two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|dozen)\b`,
}, "|"))

var numberWords = map[string]int64{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
	"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "dozen": 12}

// scales are the words behind a number that make it larger.
var scales = map[string]int64{"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12, "%": 1, "percent": 1}

// following finds the word behind a number that may be a scale.
var following = regexp.MustCompile(`^ (?i:thousand|million|mn|billion|bn|trillion|percent)\b`)

// token is one such place in a text.
type token struct {
	text       string   // in small letters
	start, end int      // in the text
	day, clock string   // of a moment
	number     *big.Rat // of a number
	step       *big.Rat // what the last digit written is worth
	percent    bool
}

// tokenize finds the tokens of a text that clean has cleaned.
func tokenize(text string) []token {
	var all []token
	for _, m := range tokens.FindAllStringSubmatchIndex(text, -1) {
		group := func(name string) string {
			i := tokens.SubexpIndex(name)
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		t := token{text: strings.ToLower(text[m[0]:m[1]]), start: m[0], end: m[1]}
		switch {
		case group("iso") != "" || group("long") != "" || group("us") != "":
			t.day, t.clock = moment(text[m[0]:m[1]])
		case group("clock") != "":
			t.clock = clockKey(group("clock"))
		case group("word") != "":
			t.number, t.step = big.NewRat(numberWords[t.text], 1), big.NewRat(1, 1)
		case group("number") != "":
			t.read(text, m[0], group("number"), group("unit"))
		}
		all = append(all, t)
	}
	return all
}

// read takes a number with what stands around it.
func (t *token) read(text string, start int, digits, unit string) {
	digits = strings.ReplaceAll(strings.ReplaceAll(digits, ",", ""), "−", "-")
	if strings.HasPrefix(digits, "-") && start > 0 && !strings.ContainsRune(" (|:", rune(text[start-1])) {
		digits = digits[1:] // a hyphen
	}
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		return
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(digits), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	t.number, t.step = n, power(-len(fraction))
	if unit == "" {
		unit = following.FindString(text[t.end:])
	}
	unit = strings.ToLower(strings.TrimSpace(unit))
	t.percent = unit == "%" || unit == "percent"
	if scale := scales[unit]; scale > 1 {
		by := big.NewRat(scale, 1)
		t.number, t.step = new(big.Rat).Mul(n, by), new(big.Rat).Mul(t.step, by)
	}
}

func power(digits int) *big.Rat {
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(digits, -digits))), nil)
	if digits < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), ten)
	}
	return new(big.Rat).SetInt(ten)
}

// moment reads a date with or without a time.
func moment(text string) (day, clock string) {
	text = strings.ReplaceAll(trimZone(text), ",", "")
	if len(text) > 10 && (text[10] == 'T' || text[10] == 't') {
		text = text[:10] + " " + text[11:]
	}
	for _, layout := range []string{time.DateOnly, "2 January 2006", "January 2 2006", "2 January 2006 15:04", "2 January 2006 15:04:05.999999999",
		"2006-01-02 15:04", "2006-01-02 15:04:05.999999999"} {
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
