package format

import (
	"strings"
)

// shown is how a workbook shows a number: what is written around it.
type shown struct {
	percent bool
	unit    string // a currency; empty when there is none
}

// shownUnits are the currencies that are kept with numbers.
var shownUnits = func() map[string]bool {
	all := map[string]bool{}
	for unit := range strings.FieldsSeq("$ € £ ¥ ₹ ₩ ₺ ₽ ₪ ฿ USD EUR GBP CHF JPY CNY INR AUD CAD SEK NOK DKK PLN CZK HUF") {
		all[unit] = true
	}
	return all
}()

// shownBy reads how a format shows numbers, given its code or, where it has none, its
// number.
func shownBy(id int, code string) (s shown) {
	if code == "" {
		return shown{percent: id == 9 || id == 10}
	}
	code, _, _ = strings.Cut(code, ";")
	s.percent = strings.Contains(bareFormat(code), "%")
	if at := strings.Index(code, "[$"); at >= 0 {
		unit, _, _ := strings.Cut(code[at+2:], "]")
		unit, _, _ = strings.Cut(unit, "-")
		s.keep(unit)
	}
	for _, part := range strings.Split(code, `"`) {
		s.keep(strings.TrimSpace(part))
	}
	for _, sign := range bareFormat(code) {
		s.keep(string(sign))
	}
	return s
}

func (s *shown) keep(unit string) {
	if s.unit == "" && shownUnits[unit] {
		s.unit = unit
	}
}

// write writes a number as it is shown, with all of its digits.
func (s shown) write(number string) string {
	switch {
	case number == "" || strings.ContainsAny(number, "eE"):
	case s.percent:
		return shiftSigned(number, 2) + "%"
	case s.unit != "":
		return number + " " + s.unit
	}
	return number
}

func shiftSigned(number string, power int) string {
	if rest, ok := strings.CutPrefix(number, "-"); ok {
		return "-" + ShiftPoint(rest, power)
	}
	return ShiftPoint(number, power)
}

// ShiftPoint multiplies a number in decimal digits, without a sign, by a power of ten,
// to the digit.
func ShiftPoint(number string, power int) string {
	if power == 0 {
		return number
	}
	whole, fraction, _ := strings.Cut(number, ".")
	if missing := power - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	whole, fraction = strings.TrimLeft(whole+fraction[:power], "0"), strings.TrimRight(fraction[power:], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
