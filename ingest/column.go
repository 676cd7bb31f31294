package ingest

import (
	"bytes"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
	"quern/ingest/format"
)

// nullWords are spellings of a missing value, in lower case. They count as null
// only where the other values of the column are of a type other than text: a
// column of words may well hold the word None.
type nullWords struct {
	words   map[string]bool
	longest int
	first   [256]bool // bytes that one may begin with
	digits  bool      // one has a digit
}

func newNullWords(given []string) *nullWords {
	n := &nullWords{words: make(map[string]bool, len(given))}
	for _, w := range given {
		w = strings.ToLower(strings.TrimSpace(w))
		n.words[w] = true
		n.longest = max(n.longest, len(w))
		n.digits = n.digits || strings.ContainsAny(w, "0123456789")
		for _, start := range []string{w, strings.ToUpper(w)} {
			if start != "" {
				n.first[start[0]] = true
			}
		}
	}
	return n
}

func (n *nullWords) has(text []byte) bool {
	return len(text) <= n.longest && (len(text) == 0 || n.first[text[0]]) && n.words[strings.ToLower(string(text))]
}

// oddShare is the part of a column's values, one in so many, that may be odd and
// go to quarantine where that is asked for; more of them make the column text.
const oddShare = 100

// column learns what the values of one column of text have in common.
type column struct {
	values  int64 // that are not null
	common  forms // the forms that all values have
	counts  []int64
	numbers [commaSpaced + 1]catalog.Shape
	commas  bool // some value has a comma in it
	marks   bool // some number has more than digits in it
	signs   bool // some number has a point, a comma or a blank in it
	words   bool // some cell is a spelling of null, or empty quotes
	odd     bool // some value must be rewritten for the engine, or has spaces around it
	lenient bool // odd values may go to quarantine; the forms are counted
	zeros   bool // numbers may begin with zeros that they do not need
	units   columnUnit
	parted  bool // numbers in two units, which are written in two ways as well
}

// newColumn makes a column that knows nothing yet. Counting how many values have each
// form is needed where not all must have one.
func newColumn(counting, lenient bool) *column {
	c := &column{common: anyForm, lenient: lenient}
	if counting || lenient {
		c.counts = make([]int64, lastForm)
	}
	return c
}

// mayBeSpace reports whether a byte can be one of white space, or of a character
// that is.
func mayBeSpace(b byte) bool { return b <= ' ' || b >= utf8.RuneSelf }

func mayBePadded(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	return mayBeSpace(text[0]) || mayBeSpace(text[len(text)-1])
}

// cell takes notice of one cell.
func (c *column) cell(cell *format.Cell, nulls *nullWords) {
	text := cell.Text
	if mayBePadded(text) {
		if text = bytes.TrimSpace(text); len(text) < len(cell.Text) {
			c.odd = true
		}
	}
	switch {
	case len(text) > 0 && !nulls.has(text):
		c.learn(text)
	case len(text) > 0 || cell.Quoted:
		c.words = true
	}
}

// learn takes notice of one value, which is not null.
func (c *column) learn(text []byte) {
	c.values++
	if c.zeros {
		text = asNumber(text)
	}
	if c.counts == nil {
		if c.common == 0 || c.matchesCommon(text) {
			return
		}
	}
	c.odd = c.odd || !simple(text)
	s := formsOf(text)
	if s == 0 {
		if m, ok := cutMeasured(text); ok {
			c.learnMeasured(m)
			return
		}
	}
	c.common &= s
	for left := s; left != 0 && c.counts != nil; left &= left - 1 {
		c.counts[bits.TrailingZeros32(uint32(left))]++
	}
	if s&anyNumber == 0 {
		return
	}
	c.commas = c.commas || bytes.IndexByte(text, ',') >= 0
	if s&anyNumber == anyNumber {
		c.learnNumber(pointNumber, string(text), anyNumber)
		return
	}
	c.marks, c.signs = true, true
	if s&pointForms == pointForms && bytes.IndexByte(text, ',') < 0 && text[0] != '.' {
		c.learnNumber(pointNumber, string(text), pointForms)
		s &^= pointForms
	}
	for f := pointNumber; f <= commaSpaced; f++ {
		if s.has(f) {
			number, _ := canonicalNumber(text, f)
			c.learnNumber(f, number, 1<<f)
		}
	}
}

// learnMeasured takes notice of a number with something around it.
func (c *column) learnMeasured(m measured) {
	s, numbers := m.forms(), c.onlyNumbers()
	c.common &= s
	c.marks, c.signs = true, c.signs || s != anyNumber
	c.units.see(m.unit)
	c.parted = c.parted || numbers && c.common == 0 && c.units.other != ""
	for f := pointNumber; f <= commaSpaced; f++ {
		if !s.has(f) {
			continue
		}
		if c.counts != nil {
			c.counts[f]++
		}
		if number, ok := m.canonical(f); ok {
			c.learnNumber(f, number, 1<<f)
		}
	}
	c.commas = c.commas || bytes.IndexByte(m.number, ',') >= 0
}

func (c *column) learnNumber(f form, number string, in forms) {
	shape, reason := numberShape(jsontext.Value(number))
	if reason != "" {
		c.common &^= in
		if c.counts != nil {
			c.counts[f]--
		}
		return
	}
	for f := pointNumber; f <= commaSpaced; f++ {
		if at := &c.numbers[f]; in.has(f) && !holds(*at, shape) {
			*at = at.Join(shape)
		}
	}
}

// merge adds what another learner has learned of the same column.
func (c *column) merge(o *column) {
	numbers := c.onlyNumbers() && o.onlyNumbers()
	c.values += o.values
	c.common &= o.common
	for i := range o.counts {
		c.counts[i] += o.counts[i]
	}
	for f := range c.numbers {
		c.numbers[f] = c.numbers[f].Join(o.numbers[f])
	}
	c.commas, c.marks = c.commas || o.commas, c.marks || o.marks
	c.signs = c.signs || o.signs
	c.words, c.odd = c.words || o.words, c.odd || o.odd
	c.units.merge(o.units)
	c.parted = c.parted || o.parted || numbers && c.common == 0 && c.units.other != ""
}

// readable reports whether the engine reads all values of the column, as they are
// written, as what they are under a form.
func (c *column) readable(f form) bool {
	otherForm := c.values > 0 && !c.common.has(f)
	switch {
	case c.odd || c.words || otherForm:
		return false
	case c.values == 0, f == asBoolean, f == yearMonthDay, f == withTime:
		return true
	}
	return f.isNumber() && (f == pointNumber || !c.marks)
}

// fits reports whether all values have a form or, where odd ones may go to
// quarantine, nearly all.
func (c *column) fits(f form) bool {
	if f.isNumber() && c.units.values > 0 && c.mixed() != "" {
		return false
	}
	if c.common == 0 && c.lenient {
		return c.values-c.counts[f] <= c.values/oddShare
	}
	return c.common.has(f)
}

// onlyComma reports whether the column's numbers have decimal commas for sure.
func (c *column) onlyComma() bool {
	return c.values > 0 && c.fits(commaNumber) && !c.fits(pointNumber)
}

// chooseForm decides the column's form. Where points and commas can be read in two
// ways, decimalComma tells which; dates that can be are left as text, and so are
// columns without a value.
func (c *column) chooseForm(decimalComma bool) (f form, ambiguous bool) {
	if c.values == 0 {
		return noForm, false
	}
	if decimalComma && c.marks && c.fits(commaNumber) {
		return commaNumber, false
	}
	for f := range lastForm {
		if !c.fits(f) {
			continue
		}
		switch f.date() {
		case dayMonthYear, dayDash, dayShort:
			if c.fits(f + 1) {
				return noForm, true
			}
		}
		return f, false
	}
	return noForm, false
}

// shape returns the shape of the column's values under a form.
func (c *column) shape(f form) catalog.Shape {
	switch {
	case c.values == 0:
		return catalog.Shape{}
	case f == noForm:
		return catalog.Shape{Type: quern.Text}
	case f == asBoolean:
		return catalog.Shape{Type: quern.Boolean}
	case f.isNumber():
		return c.numbers[f]
	case f.isDate():
		return catalog.Shape{Type: quern.Date}
	}
	return catalog.Shape{Type: quern.Timestamp}
}

// appendValue appends a value in its column's form as JSON; ok is false when the
// value does not have the form.
func appendValue(out, text []byte, f form) (_ []byte, ok bool) {
	switch {
	case f == asBoolean:
		if !isTruth(text) {
			return out, false
		}
		return strconv.AppendBool(out, len(text) == 4), true
	case f.isNumber():
		s := numberForms(text)
		if s == anyNumber {
			return append(out, text...), true
		}
		if s&pointForms != 0 && f == pointNumber && decimalForms(bytes.TrimPrefix(text, []byte("-"))) != 0 {
			return append(out, text...), true
		}
		if s == 0 {
			if m, ok := cutMeasured(text); ok && m.forms().has(f) {
				number, ok := m.canonical(f)
				return append(out, number...), ok
			}
		}
		if !s.has(f) {
			return out, false
		}
		number, ok := canonicalNumber(text, f)
		return append(out, number...), ok
	}
	t, ok := instantOf(text, f)
	if !ok {
		return out, false
	}
	layout := `"2006-01-02"`
	if f.isTime() {
		layout = `"2006-01-02T15:04:05.999999Z"`
	}
	return t.AppendFormat(out, layout), true
}
