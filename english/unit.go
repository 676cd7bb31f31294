package english

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	unitNames   = paired("units.txt", "units")
	unitCodes   = paired("units.txt", "capitals")
	unitLetters = paired("units.txt", "letters")
	measured    = marked("units.txt", "measured")
	unitAtEnd   = regexp.MustCompile(`^(?P<name>.*\pL)[ (\[]+(?:in )?(?P<unit>[\pL%]+)[)\]]?$`)
)

// inUnit finds what a description says that numbers are in: "in EUR", "(kg)".
var inUnit = regexp.MustCompile(`(?i)(?:\bin\s+|[(\[])(?:the |whole |full )?(?P<unit>[\pL%€$£]+)(?:[)\],.;]|\s|$)`)

// UnitIn returns the unit that a description says the numbers of a column are in, as it
// is written behind a number: EUR of "revenue of the order in euros"; empty when it
// names none, or several.
func UnitIn(description string) string {
	found := ""
	for _, at := range inUnit.FindAllStringSubmatch(description, -1) {
		word := strings.ToLower(at[1])
		unit := unitNames[word]
		if code := unitCodes[word]; code != "" {
			unit = strings.ToUpper(code)
		}
		if unit == "" {
			unit = unitLetters[word]
		}
		if unit != "" && found != "" && unit != found {
			return ""
		}
		if unit != "" {
			found = unit
		}
	}
	return found
}

// WithoutUnit returns the name of a column, as Spaced returns it, without the unit
// that it ends in, and the unit as it is written behind a number: "fee eur" is fee
// in EUR. The unit is empty when there is none.
func WithoutUnit(name string) (bare, unit string) {
	m, ok := Groups(unitAtEnd, name)
	if !ok {
		return name, ""
	}
	bare, word := m.Text("name"), strings.ToLower(m.Text("unit"))
	words := strings.Fields(strings.ToLower(bare))
	switch {
	case unitCodes[word] != "":
		unit = strings.ToUpper(unitCodes[word])
	case unitNames[word] != "":
		unit = unitNames[word]
	case measured.Has(words[len(words)-1]):
		unit = unitLetters[word]
	}
	if unit == "" {
		return name, ""
	}
	return strings.TrimSuffix(bare, " in"), unit
}

// IsCurrency reports whether a word is the name or the code of a currency.
func IsCurrency(word string) bool { return IsMoney(strings.ToUpper(unitCodes[strings.ToLower(word)])) }

// IsMoney reports whether a unit is that of money: a sign such as €, or a code of three
// capitals.
func IsMoney(unit string) bool {
	letters := []rune(unit)
	if len(letters) == 1 {
		return unicode.Is(unicode.Sc, letters[0])
	}
	return len(letters) == 3 && strings.Trim(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
