package ingest

import (
	"quern"
	"quern/engine"
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

// takenAll takes notice of a column of cells that the engine has taken as values of a type, as taken
// does of each.
func (c *column) takenAll(cells engine.Cells, at int, t quern.Type, seen engine.Seen, nulls *nullWords) {
	values, edges := int64(0), false
	for i := at; i < len(cells.Places); i += cells.Width {
		p := cells.Places[i]
		if p.From == p.To {
			c.words = c.words || cells.Quoted(p)
			continue
		}
		values++
		first := cells.Text[p.From]
		edges = edges || first == '0' || first == '9'
	}
	if c.common == 0 || c.allStay(t, seen, edges, nulls) {
		c.values += values
		return
	}
	var cell format.Cell
	for row := range cells.Rows() {
		cell.Text, cell.Quoted = cells.Cell(row, at)
		c.taken(&cell, t, nulls)
	}
}

// allStay reports whether values that the engine has taken for ones of a type change nothing of what is
// known of the column, as stays does of each. edges says that some begin with a 0 or a 9.
func (c *column) allStay(t quern.Type, seen engine.Seen, edges bool, nulls *nullWords) bool {
	if t == quern.Boolean {
		return c.common == 1<<asBoolean && !seen.Odd && !nulls.words["true"] && !nulls.words["false"]
	}
	if nulls.digits { // only such a word can be a number or a time
		return false
	}
	switch t {
	case quern.Integer:
		return c.common == anyNumber && c.numbersStay(seen) && c.numbers[pointNumber].Type == quern.Integer
	case quern.Double:
		return c.numbersStay(seen)
	case quern.Date:
		return c.common == 1<<yearMonthDay
	case quern.Timestamp:
		return c.common == 1<<withTime && !edges
	}
	return false
}

// numbersStay is allStay for numbers, as matchesCommon does of each.
func (c *column) numbersStay(seen engine.Seen) bool {
	known := c.numbers[pointNumber]
	if seen.Odd || seen.Whole > known.Whole || seen.Fraction > known.Fraction || seen.Both > exactDigits {
		return false
	}
	double := known.Type == quern.Double
	switch c.common {
	case pointForms:
		return double || known.Type == quern.Integer && seen.Fraction == 0
	case anyNumber:
		return seen.Fraction == 0 && (double || known.Type == quern.Integer)
	}
	return false
}
