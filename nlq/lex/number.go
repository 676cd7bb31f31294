package lex

import (
	"math/big"
	"slices"
	"strings"

	"quern/english"
)

// IsNumberWord reports whether a word is a number or scales one.
func IsNumberWord(word string) bool {
	w := strings.ToLower(word)
	_, isSmall := english.NumberWords[w]
	_, isScale := english.Scales[w]
	if isScale && len(w) <= 2 {
		isScale = false // k and mn are rarely meant
	}
	return isSmall || isScale
}

// IsOrdinal reports whether a word is a place: third, 3rd.
func IsOrdinal(word string) bool {
	w := strings.ToLower(word)
	if _, ok := english.Ordinals[w]; ok {
		return true
	}
	_, ok := ordinalDigits(w)
	return ok
}

// Number reads a number: digits in any of the usual groupings, with a sign, a
// currency, a scale (3k, 1.5 million) or a unit (20%, 5 km), words (two thousand
// and five) or a place (third, 3rd). It returns a decimal without exponent. A
// percentage is the number before the sign.
func Number(text string) (decimal string, ok bool) {
	if len(text) > maxNumber {
		return "", false
	}
	words := Lower(Tokens(text))
	negative := len(words) > 1 && slices.Contains([]string{"-", "−", "minus", "negative"}, words[0])
	if negative {
		words = words[1:]
	}
	for len(words) > 1 && english.Currencies.Has(words[0]) {
		words = words[1:]
	}
	for len(words) > 1 && (isUnit(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	value, ok := compose(words)
	if !ok {
		return "", false
	}
	if negative {
		value.Neg(value)
	}
	return decimalText(value), true
}

func isUnit(word string) bool { return english.Units.Has(word) || english.Currencies.Has(word) }

// maxNumber is the longest text that is read as a number.
const maxNumber = 100

// compose adds up the words of a number: scales multiply what was before them,
// the larger ones all of it.
func compose(words []string) (*big.Rat, bool) {
	s := sum{total: new(big.Rat), part: new(big.Rat)}
	for i, w := range words {
		if scale, ok := english.Scales[w]; ok {
			s.scale(scale)
			continue
		}
		if i < len(words)-1 && s.skips(w, i == 0) {
			continue
		}
		value, isDigits, ok := simple(w)
		if !ok || !s.add(value, isDigits) {
			return nil, false
		}
	}
	return s.total.Add(s.total, s.part), s.seen
}

// sum is a number on its way.
type sum struct {
	total *big.Rat // what larger scales made of the words before
	part  *big.Rat // what no scale of a thousand or more multiplied yet
	seen  bool
}

func (s *sum) scale(by int64) {
	if !s.seen {
		s.part.SetInt64(1)
	}
	s.part.Mul(s.part, new(big.Rat).SetInt64(by))
	if by >= 1e3 {
		s.total.Add(s.total, s.part)
		s.part = new(big.Rat)
	}
	s.seen = true
}

// skips reports whether a word before another says nothing of the number: the a
// of "a hundred", the hyphen of "twenty-five", the and of "two hundred and five".
func (s *sum) skips(w string, first bool) bool {
	switch w {
	case "a":
		return first
	case "-":
		return s.seen
	case "and":
		afterThousands := s.part.Sign() == 0 && s.total.Sign() > 0
		return afterThousands || s.part.Cmp(new(big.Rat).SetInt64(100)) >= 0
	}
	return false
}

// add adds a word's value, if it can follow what was before. Digits only begin.
func (s *sum) add(value *big.Rat, digits bool) bool {
	if digits && s.seen {
		return false
	}
	if s.part.Sign() != 0 && !joins(s.part, value) {
		return false
	}
	s.part.Add(s.part, value)
	s.seen = true
	return true
}

// joins reports whether a word's value can follow part: twenty five, hundred
// five, but not five twenty.
func joins(part, value *big.Rat) bool {
	hundred := new(big.Rat).SetInt64(100)
	if part.Cmp(hundred) >= 0 {
		return value.Cmp(hundred) < 0
	}
	ten := new(big.Rat).SetInt64(10)
	twenty := new(big.Rat).SetInt64(20)
	return part.Cmp(twenty) >= 0 && value.Cmp(ten) < 0
}

// simple reads one word.
func simple(w string) (value *big.Rat, digits, ok bool) {
	if n, ok := english.NumberWords[w]; ok {
		return new(big.Rat).SetInt64(n), false, true
	}
	if n, ok := english.Ordinals[w]; ok {
		return new(big.Rat).SetInt64(n), false, true
	}
	if rest, ok := ordinalDigits(w); ok {
		w = rest
	}
	end := len(w)
	for end > 0 && (w[end-1] < '0' || w[end-1] > '9') {
		end--
	}
	scale, scaled := english.AttachedScales[w[end:]]
	if end == 0 || strings.Trim(w[:end], "0123456789.,") != "" {
		return nil, false, false
	}
	if end < len(w) && !scaled && !english.Units.Has(w[end:]) {
		return nil, false, false
	}
	value, ok = new(big.Rat).SetString(ungrouped(w[:end]))
	if ok && scaled {
		value.Mul(value, new(big.Rat).SetInt64(scale))
	}
	return value, true, ok
}

// ordinalDigits returns the digits of 1st, 22nd, 103rd, 40th.
func ordinalDigits(w string) (string, bool) {
	if len(w) < 3 {
		return "", false
	}
	rest, ending := w[:len(w)-2], w[len(w)-2:]
	if ending != "st" && ending != "nd" && ending != "rd" && ending != "th" {
		return "", false
	}
	for i := range len(rest) {
		if rest[i] < '0' || rest[i] > '9' {
			return "", false
		}
	}
	return rest, true
}

// ungrouped writes digits with a point at most: of a point and a comma the last
// is the decimal one; one kind alone groups when it stands before three digits
// each time (for a point: more than once).
func ungrouped(w string) string {
	point, comma := strings.LastIndexByte(w, '.'), strings.LastIndexByte(w, ',')
	switch {
	case comma < 0 && strings.Count(w, ".") <= 1:
		return w
	case point >= 0 && comma > point:
		return strings.Replace(strings.ReplaceAll(w, ".", ""), ",", ".", 1)
	case point >= 0 && comma >= 0:
		return strings.ReplaceAll(w, ",", "")
	case comma < 0:
		return strings.ReplaceAll(w, ".", "")
	case grouped(w):
		return strings.ReplaceAll(w, ",", "")
	}
	return strings.Replace(w, ",", ".", 1)
}

func grouped(w string) bool {
	for i, part := range strings.Split(w, ",") {
		if i > 0 && len(part) != 3 {
			return strings.Count(w, ",") > 1
		}
	}
	return true
}

func decimalText(value *big.Rat) string {
	if value.IsInt() {
		return value.Num().String()
	}
	places, exact := value.FloatPrec()
	if !exact || places > maxNumber {
		places = 12
	}
	return strings.TrimSuffix(strings.TrimRight(value.FloatString(places), "0"), ".")
}
