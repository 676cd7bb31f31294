package english

import (
	"regexp"
	"strings"
)

var (
	unitNames   = paired("units.txt", "units")
	unitCodes   = paired("units.txt", "capitals")
	unitLetters = paired("units.txt", "letters")
	measured    = marked("units.txt", "measured")
	unitAtEnd   = regexp.MustCompile(`^(?P<name>.*\pL)[ (\[]+(?:in )?(?P<unit>[\pL%]+)[)\]]?$`)
)

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
