package ingest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"quern"
	"quern/engine"
	"quern/ingest/format"
)

// learnable are cells that make a column of a type, from a beginning that it is known by.
var learnable = map[quern.Type][]string{
	quern.Integer:   {"1", "12", "-3", "0", "123456", "-0", "007", "1234567890123456", ""},
	quern.Double:    {"1.5", "0.25", "-12.125", "3", "0", "123456.5", "0.123456", "1e3", "00.5", ""},
	quern.Boolean:   {"true", "false", "True", "FALSE", ""},
	quern.Date:      {"2024-01-02", "1999-12-31", "0001-01-01", ""},
	quern.Timestamp: {"2024-01-02 03:04:05", "2024-01-02T03:04:05.5Z", "9999-12-31 23:59:59", "0001-01-01 00:00:00", ""},
	quern.Text:      {"word", "5", "n/a", " padded ", "2024-01-02", ""},
}

// seenBy is what an engine has seen of cells: that some are odd is always true enough.
func seenBy(cells engine.Cells, at int) (seen engine.Seen) {
	for row := range cells.Rows() {
		text, _ := cells.Cell(row, at)
		whole, fraction, ok := simpleNumber(text)
		if fraction > 0 && whole == 1 && text[len(text)-len("0.")-fraction] == '0' {
			whole = 0
		}
		truth := string(text) == "true" || string(text) == "false"
		seen.Odd = seen.Odd || len(text) > 0 && !ok && !truth
		seen.Whole, seen.Fraction, seen.Both = max(seen.Whole, whole), max(seen.Fraction, fraction), max(seen.Both, whole+fraction)
	}
	return seen
}

// What is learned of a column at once is what is learned of its cells one by one.
func TestColumnsAreLearnedAsTheirCellsAre(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3_000) {
		r := rand.New(rand.NewPCG(seed, 3))
		nulls := newNullWords([][]string{{"n/a", "-", "null"}, {"0", "true", "2024-01-02"}, {"False", "t"}}[r.IntN(3)])
		for kind, texts := range learnable {
			one, other := newColumn(false, false), newColumn(false, false)
			for range 1 + r.IntN(3) {
				cells := engine.Cells{Width: 2}
				for range 1 + r.IntN(6) {
					text, quoted := texts[r.IntN(1+r.IntN(len(texts)))], r.IntN(5) == 0
					if text == "" && kind != quern.Text {
						quoted = false
					}
					if cells.Text = append(cells.Text, "x,"...); quoted {
						cells.Text = append(cells.Text, '"')
					}
					from := uint32(len(cells.Text))
					cells.Text = append(cells.Text, text...)
					cells.Places = append(cells.Places, engine.Place{}, engine.Place{From: from, To: uint32(len(cells.Text))})
				}
				one.takenAll(cells, 1, kind, seenBy(cells, 1), nulls)
				for row := range cells.Rows() {
					var cell format.Cell
					cell.Text, cell.Quoted = cells.Cell(row, 1)
					other.taken(&cell, kind, nulls)
				}
				if got, want := fmt.Sprintf("%+v", *one), fmt.Sprintf("%+v", *other); got != want {
					t.Fatalf("%s of %q is learned as\n%s\nwant\n%s", kind, cells.Text, got, want)
				}
			}
		}
	}
}
