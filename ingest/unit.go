package ingest

import (
	"bytes"
	"strings"

	"quern/ingest/format"
)

// measured is a number with what is written around it.
type measured struct {
	unit     string // as it is kept with the column; empty when there is none
	number   []byte // without its sign
	negative bool
	plus     bool // it has a plus, as telephone numbers do that have no unit
	shift    int  // the power of ten that the number stands before
}

// currencies are the signs and codes of money, and the code that each is kept as.
var currencies = spellings(map[string]string{
	"$": "$", "US$": "USD", "A$": "AUD", "C$": "CAD", "HK$": "HKD", "NZ$": "NZD", "R$": "BRL", "S$": "SGD",
	"€": "€", "£": "£", "¥": "¥", "₹": "₹", "₩": "₩", "₺": "₺", "₽": "₽", "₫": "₫", "₴": "₴", "₪": "₪", "฿": "฿", "₱": "₱",
	"kr": "kr", "Kč": "Kč", "zł": "zł", "Ft": "Ft", "Fr.": "CHF", "SFr.": "CHF",
}, `AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR JPY KRW MAD MXN MYR NOK NZD PHP PLN
	QAR RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR`)

// units are what else may stand behind a number.
var units = spellings(map[string]string{"%": "%", "‰": "‰", "°": "°", "°C": "°C", "°F": "°F", "m²": "m²", "m³": "m³", "m2": "m²", "m3": "m³",
	"µm": "µm", "µg": "µg", "l/100km": "l/100km", "km/h": "km/h", "m/s": "m/s", "sq ft": "sq ft", "g/km": "g/km", "µs": "µs"},
	`kg g mg t lb lbs oz km m cm mm mi ft yd in l ml cl dl gal h min s ms W kW MW GW Wh kWh MWh GWh V A mA Ah mAh Hz kHz MHz
	GHz B kB KB MB GB TB PB KiB MiB GiB TiB bit px dpi pt mph rpm bar hPa kPa Pa psi ha km² km2 cm² cm³ cc kcal kJ J N Nm dB lm pcs Stk`)

// spellings joins a map of spellings with words that are kept as they are.
func spellings(given map[string]string, words string) map[string]string {
	for w := range strings.FieldsSeq(words) {
		given[w] = w
	}
	return given
}

// powers are what stands behind a number for a power of ten.
var powers = map[string]int{"k": 3, "K": 3, "M": 6, "mn": 6, "bn": 9}

// moneyPowers are those that stand behind money alone, whose sign stands before it: $845.2B.
var moneyPowers = map[string]int{"m": 6, "MM": 6, "b": 9, "B": 9, "T": 12}

// maxUnit is the most bytes of a unit.
const maxUnit = 8

// cutMeasured takes a number and what is written around it apart; ok is false for text
// that is no such thing. Money has its sign or code before or behind the number, other
// units stand behind it, and brackets around it all make it negative.
func cutMeasured(text []byte) (m measured, ok bool) {
	if len(text) < 2 || len(text) > 40 {
		return m, false
	}
	if text[0] == '(' && text[len(text)-1] == ')' {
		m.negative = true
		text = bytes.TrimSpace(text[1 : len(text)-1])
	}
	text = m.cutSign(text)
	if text = m.cutBefore(text); m.unit != "" {
		text = m.cutSign(text)
	}
	if len(text) == 0 || text[0] < '0' && text[0] != '.' && text[0] != ',' || text[0] > '9' {
		return m, false
	}
	if text, ok = m.cutBehind(text); !ok {
		return m, false
	}
	m.number = text
	return m, len(text) > 0 && (!m.plus || m.unit != "")
}

// cutSign takes a sign off, of which there may be one.
func (m *measured) cutSign(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte("+")); ok && !m.negative && !m.plus {
		m.plus = true
		return trimSpaces(rest)
	}
	for _, sign := range []string{"-", "\u2212"} {
		if rest, ok := bytes.CutPrefix(text, []byte(sign)); ok && !m.negative && !m.plus {
			m.negative = true
			return trimSpaces(rest)
		}
	}
	return text
}

// cutBefore takes the sign or code of money off the beginning.
func (m *measured) cutBefore(text []byte) []byte {
	end := bytes.IndexAny(text, "0123456789.,+-\u2212 \u00a0\u202f")
	if end <= 0 || end > maxUnit {
		return text
	}
	if bytes.HasPrefix(text[end:], []byte(".")) && !digitAt(text, end+1) { // as in Fr. 5
		end++
	}
	kept, ok := currencies[string(text[:end])]
	if !ok {
		return text
	}
	m.unit = kept
	return trimSpaces(text[end:])
}

func digitAt(text []byte, at int) bool { return at < len(text) && digit(text[at]) }

// cutBehind takes a power of ten and a unit off the end.
func (m *measured) cutBehind(text []byte) (number []byte, ok bool) {
	end := len(text)
	for end > 0 && !digit(text[end-1]) {
		end--
	}
	word := text[end:]
	if len(word) == 0 {
		return text, true
	}
	if word[0] == '.' || word[0] == ',' { // 5.- and the like are no numbers of ours
		return nil, false
	}
	bare := trimSpaces(word)
	apart := len(bare) < len(word)
	number = text[:end]
	power, rest := cutPower(bare, apart)
	if m.unit != "" && power == 0 && moneyPowers[string(bare)] > 0 {
		power, rest = moneyPowers[string(bare)], nil
	}
	if power > 0 {
		m.shift, bare = power, rest
	}
	if len(bare) == 0 {
		return number, m.shift > 0
	}
	if m.unit != "" || len(bare) > maxUnit {
		return nil, false
	}
	if m.unit, ok = currencies[string(bare)]; ok {
		return number, true
	}
	// A letter at a number is rather a part of a code: 5A, 12m.
	letter := len(bare) == 1 && bare[0] != '%'
	if m.unit, ok = units[string(bare)]; !ok || letter && !apart {
		return nil, false
	}
	return number, true
}

// cutPower takes a power of ten off the beginning of what stands behind a number, at
// which it stands. More than money may not follow: kg is no thousand grams here.
func cutPower(text []byte, apart bool) (power int, rest []byte) {
	word := text
	if i := bytes.IndexAny(text, " \u00a0\u202f"); i > 0 {
		word = text[:i]
	}
	power = powers[string(word)]
	if power == 0 || apart && len(word) == 1 {
		for sign := range currencies { // 1.2k€
			if p, ok := strings.CutSuffix(string(word), sign); ok && powers[p] > 0 && !apart {
				return powers[p], []byte(sign)
			}
		}
		return 0, text
	}
	return power, trimSpaces(text[len(word):])
}

func trimSpaces(text []byte) []byte { return bytes.Trim(text, " \u00a0\u202f") }

// forms returns the number forms that a measured number has.
func (m *measured) forms() forms {
	if m.number[0] == '-' {
		return 0
	}
	return numberForms(m.number) & anyNumber
}

// canonical writes a measured number of a form as JSON does.
func (m *measured) canonical(f form) (number string, ok bool) {
	if number, ok = canonicalNumber(m.number, f); !ok || strings.ContainsAny(number, "eE") && m.shift > 0 {
		return "", false
	}
	number = format.ShiftPoint(number, m.shift)
	if m.negative && strings.Trim(number, "0.") != "" {
		number = "-" + number
	}
	return number, true
}

// columnUnit is what is known of the units of a column.
type columnUnit struct {
	unit   string // the first that was seen
	other  string // one that differs from it
	values int64  // that have a unit
}

func (u *columnUnit) see(unit string) {
	if unit == "" {
		return
	}
	u.values++
	switch {
	case u.unit == "":
		u.unit = unit
	case u.unit != unit:
		u.other = unit
	}
}

func (u *columnUnit) merge(o columnUnit) {
	u.values += o.values
	switch {
	case u.unit == "":
		u.unit = o.unit
	case o.unit != "" && o.unit != u.unit:
		u.other = o.unit
	}
	if o.other != "" {
		u.other = o.other
	}
}

// mixed says why the values of a column are no numbers of one kind, "" when they are.
// Numbers without a unit may be among money and quantities; among percentages they
// are rather parts of one.
func (c *column) mixed() string {
	switch {
	case c.units.other != "":
		return "has values in " + c.units.unit + " and in " + c.units.other
	case c.units.unit == "%" && c.units.values < c.values:
		return "has values with and without %"
	}
	return ""
}
