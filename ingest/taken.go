package ingest

import (
	"quern"
	"quern/ingest/format"
)

// taken takes notice of a cell that the engine has taken as a value of a type, which says
// most of what cell would find out.
func (c *column) taken(cell *format.Cell, t quern.Type, nulls *nullWords) {
	text := cell.Text
	if len(text) == 0 {
		c.cell(cell, nulls)
		return
	}
	if c.common == 0 { // nothing makes it anything but text
		c.values++
		return
	}
	if nulls.first[text[0]] || !c.stays(text, t) {
		c.cell(cell, nulls)
		return
	}
	c.values++
}

// stays reports whether a value that the engine has taken for one of a type changes nothing
// of what is known of the column, as matchesCommon does.
func (c *column) stays(text []byte, t quern.Type) bool {
	switch t {
	case quern.Integer: // it is digits, maybe with a minus
		digits := text
		if digits[0] == '-' {
			digits = digits[1:]
		}
		needless := digits[0] == '0' && len(text) > 1
		numbers := c.common == anyNumber && c.numbers[pointNumber].Type == quern.Integer
		return numbers && !needless && len(digits) <= min(c.numbers[pointNumber].Whole, exactDigits)
	case quern.Date:
		return c.common == 1<<yearMonthDay
	case quern.Timestamp: // of the first and the last year, not all are ones
		return c.common == 1<<withTime && text[0] != '0' && text[0] != '9'
	}
	return c.matchesCommon(text)
}
