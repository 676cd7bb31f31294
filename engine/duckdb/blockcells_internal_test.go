package duckdb

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/engine"
)

// cellKinds make cells of columns of each type; now and then one that is odd.
var cellKinds = map[quern.Type]func(*rand.Rand) string{
	quern.Text: func(r *rand.Rand) string {
		return strings.Repeat("a name of some length", 3)[:r.IntN(63)] + strconv.Itoa(r.IntN(1e9))
	},
	quern.Integer: func(r *rand.Rand) string {
		return strconv.FormatInt(r.Int64()>>r.IntN(64)*int64(1-2*r.IntN(2)), 10)
	},
	quern.Double: func(r *rand.Rand) string {
		v := float64(r.Int64()>>r.IntN(64)) / 1000
		return strconv.FormatFloat(v*float64(1-2*r.IntN(2)), 'f', r.IntN(6), 64)
	},
	quern.Boolean: func(r *rand.Rand) string { return []string{"true", "false", "TRUE", "False"}[r.IntN(4)] },
	quern.Date: func(r *rand.Rand) string {
		return fmt.Sprintf("%04d-%02d-%02d", r.IntN(10000), 1+r.IntN(12), 1+r.IntN(31))
	},
	quern.Timestamp: func(r *rand.Rand) string {
		day := fmt.Sprintf("20%02d-%02d-%02d", r.IntN(3), 1+r.IntN(12), 1+r.IntN(30))
		return day + string(" T"[r.IntN(2)]) + fmt.Sprintf("%02d:%02d:%02d", r.IntN(25), r.IntN(61), r.IntN(60)) +
			[]string{"", "", ".5", ".123456", ".1234567", "."}[r.IntN(6)] + []string{"", "Z", "+00", "+02:30", "-11", "+0200"}[r.IntN(6)]
	},
	quern.Decimal(20, 4): func(r *rand.Rand) string { return fmt.Sprintf("%d.%d", r.IntN(1000), r.IntN(10000)) },
}

// oddCells are cells that few columns take, or in another way than most.
var oddCells = []string{
	"", "", "", `""`, "-", "-0", "0", "00", "007", "-5", "1.", ".5", "-.5", "0.50", "00.5", "1.2.3", "1e5", "-1e-300", "1_0", "12345678", "123456789", "1234567890123456",
	"12345678901234567", "-9223372036854775808", "9223372036854775808", "99999999.99999999", "0.000000000000001", "12345678.1234567", "1234567.12345678", "x", "1x", "12345x78", "1,5",
	"2024-02-29", "2023-02-29", "0000-01-01", "2024/01/01", "2024-01-01x", "2024-01-0", "2024-01-01 10:00", "2024-01-01 10:00:00x", "2024-01-01x10:00:00", "2024-01-01 1x:00:00",
	"true", "tru", "truex", "é", " 1", "1 ", "a ; b",
}

// cellsOf are cells as the rows of a column between two others. Some are in quotes.
func cellsOf(cells []string) engine.Cells {
	all := engine.Cells{Width: 3}
	put := func(text string, end byte) {
		if strings.HasPrefix(text, `"`) {
			text = strings.Trim(text, `"`)
			all.Text = append(all.Text, '"')
		}
		from := uint32(len(all.Text))
		all.Text = append(all.Text, text...)
		all.Places = append(all.Places, engine.Place{From: from, To: uint32(len(all.Text))})
		if from > 0 && all.Text[from-1] == '"' {
			all.Text = append(all.Text, '"')
		}
		all.Text = append(all.Text, end)
	}
	for i, cell := range cells {
		put(strconv.Itoa(i), ';')
		put(cell, ';')
		put("9", '\n')
	}
	all.Text = append(all.Text, "9999999999999999"[:engine.CellSlack]...)
	return all
}

// A column that is taken at once is the one that its cells make one by one, and where it is refused, so is one
// of them. What is told of its numbers is what their texts have.
func TestColumnsAreTakenAsTheirCellsAre(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	for seed := range uint64(3_000) {
		r := rand.New(rand.NewPCG(seed, 5))
		for kind, make := range cellKinds {
			texts := []string{}
			for odd := r.IntN(30); len(texts) < 1+r.IntN(20); {
				switch {
				case odd == 0 || r.IntN(1000) == 0:
					texts = append(texts, oddCells[r.IntN(len(oddCells))])
				case r.IntN(4) == 0:
					texts = append(texts, "")
				case r.IntN(4) == 0 && len(texts) > 0:
					texts = append(texts, texts[len(texts)-1])
				case r.IntN(6) == 0:
					texts = append(texts, `"`+make(r)+`"`)
				default:
					texts = append(texts, make(r))
				}
			}
			cells := cellsOf(texts)
			columns := []quern.Column{{Name: "v", Type: kind}}
			want, ok := newBlock(columns, nil), true
			for row := 0; row < cells.Rows() && ok; row++ {
				text, quoted := cells.Cell(row, 1)
				if ok = want.Cell(0, text, quoted); ok {
					want.EndRow()
				}
			}
			got := newBlock(columns, nil)
			seen, took := got.Column(0, cells, 1)
			got.EndRows(cells.Rows())
			if took != ok {
				t.Fatalf("Column(%s of %q) = %v, want %v", kind, texts, took, ok)
			}
			if !ok {
				refused++
				continue
			}
			taken++
			if a, b := shown(got), shown(want); a != b {
				t.Fatalf("Column(%s of %q) =\n%s\nwant\n%s", kind, texts, a, b)
			}
			if !reflect.DeepEqual(got.seen, want.seen) {
				t.Fatalf("Column(%s of %q) counts other values than its cells", kind, texts)
			}
			if digits := digitsSeen(cells); (kind == quern.Integer || kind == quern.Double) && !seen.Odd && seen != digits {
				t.Fatalf("Column(%s of %q) has seen %+v, want %+v", kind, texts, seen, digits)
			}
		}
	}
	if taken < 2000 || refused < 2000 {
		t.Errorf("%d columns were taken and %d refused, want many of both", taken, refused)
	}
}

// shown is all that a block says of its one column.
func shown(b *block) string {
	c := b.columns[0]
	return fmt.Sprintf("%d rows, %d of the column, %d null %x: %x %v %x %v %q", b.rows, c.rows, c.nulls, c.valid, c.wide, c.days, c.bits, c.ends, c.text)
}

// digitsSeen counts digits of numbers that have no more than digits, a minus and a point.
func digitsSeen(cells engine.Cells) (seen engine.Seen) {
	for row := range cells.Rows() {
		text, _ := cells.Cell(row, 1)
		whole, fraction, _ := strings.Cut(strings.TrimPrefix(string(text), "-"), ".")
		if fraction != "" && whole == "0" {
			whole = ""
		}
		seen.Whole, seen.Fraction, seen.Both = max(seen.Whole, len(whole)), max(seen.Fraction, len(fraction)), max(seen.Both, len(whole)+len(fraction))
	}
	return seen
}
