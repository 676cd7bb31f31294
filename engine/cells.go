package engine

// CellSlack is how many bytes there are behind the last cell of Cells, at least: what reads cells may
// look at so many bytes together, whose values do not matter.
const CellSlack = 16

// Cells are the cells of some records of delimited text, all of as many, row by row.
type Cells struct {
	Text   []byte
	Places []Place
	Width  int // cells of a record
}

// Place is where a cell stands in its text. One in quotes stands behind a double quote.
type Place struct{ From, To uint32 }

// Rows is how many records there are.
func (c Cells) Rows() int { return len(c.Places) / c.Width }

// Cell returns a cell as Block.Cell takes it.
func (c Cells) Cell(row, at int) (text []byte, quoted bool) {
	p := c.Places[row*c.Width+at]
	return c.Text[p.From:p.To:p.To], c.Quoted(p)
}

// Quoted reports whether a cell stands in quotes.
func (c Cells) Quoted(p Place) bool { return p.From > 0 && c.Text[p.From-1] == '"' }

// Seen is what a block has seen of the values that it took as a column of numbers or of truth values.
type Seen struct {
	Whole, Fraction int  // the most digits before and behind the point; a zero before it is none
	Both            int  // the most digits of one number
	Odd             bool // some number has more than digits, a minus and a point, or a zero that it does not need; some truth has capitals
}
