package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"quern"
	"quern/ingest/format"
)

// totalWords are what a row of totals is called, in small letters.
var totalWords = map[string]bool{
	"total": true, "totals": true, "grand total": true, "overall total": true, "sum": true, "sums": true, "subtotal": true,
	"summe": true, "gesamt": true, "gesamtsumme": true, "insgesamt": true, "total général": true, "somme": true, "totale": true,
	"totaal": true, "suma": true, "total general": true, "razem": true, "итого": true, "合計": true, "合计": true, "총계": true,
}

// totalWord reports whether a cell calls its row one of totals.
func totalWord(text []byte) bool {
	if len(text) == 0 || len(text) > 40 {
		return false
	}
	return totalWords[strings.ToLower(strings.TrimRight(string(bytes.TrimSpace(text)), ": "))]
}

// totalsRow is the last row of a table that calls itself one of totals.
type totalsRow struct {
	cells     []format.Cell
	row, line int64
	text      string
}

// callsItselfTotal reports whether the first cell of a record that holds something
// says so.
func callsItselfTotal(cells []format.Cell) bool {
	for _, c := range cells {
		if text := bytes.TrimSpace(c.Text); len(text) > 0 {
			return totalWord(text)
		}
	}
	return false
}

func newTotalsRow(rec format.Record) *totalsRow {
	t := &totalsRow{row: rec.Row, line: rec.Line, text: rowText(rec)}
	for _, c := range rec.Cells {
		t.cells = append(t.cells, format.Cell{Text: bytes.Clone(c.Text), Quoted: c.Quoted})
	}
	return t
}

// keepsTotals reports whether rows of totals are rows like others.
func (r *reading) keepsTotals() bool { return r.job.Options.Totals == quern.KeepTotals }

// mayEndInTotals reports whether the last line of plain text calls itself one of
// totals.
func mayEndInTotals(p *format.Plain) (bool, error) {
	const most = 8 << 10
	f, err := os.Open(p.Path())
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	tail := make([]byte, min(most, info.Size()))
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	delimiter := string(p.Dialect.Delimiter)
	tail = bytes.TrimRight(tail, delimiter+" \t\r\n\x1a")
	last := tail[bytes.LastIndexByte(tail, '\n')+1:]
	for cell := range bytes.SplitSeq(last, []byte(delimiter)) {
		if cell = bytes.Trim(cell, "\"' \t\r"); len(cell) > 0 {
			return totalWord(cell), nil
		}
	}
	return false, nil
}

// follows reports whether the numbers of a row of totals follow from the rows above
// it, under the forms of their columns: each is their sum, or their mean.
func (r *reading) follows(ctx context.Context, t format.Table, last *totalsRow, columns []tableColumn) (bool, error) {
	if !last.onlyNumbers(columns, r.nulls) {
		return false, nil
	}
	sums, counts := make([]float64, len(columns)), make([]float64, len(columns))
	in, err := t.Open()
	if err != nil {
		return false, err
	}
	defer in.Close()
	var rows int64
	err = eachRecord(ctx, in, func(rec format.Record) error {
		if rec.Row == last.row {
			return nil
		}
		rows++
		for i := range columns {
			if columns[i].at >= len(rec.Cells) {
				continue
			}
			if n, ok := columns[i].number(rec.Cells[columns[i].at].Text); ok {
				sums[i] += n
				counts[i]++
			}
		}
		return nil
	}, func(*format.Fault) error { return nil })
	if err != nil || rows < 2 {
		return false, err
	}
	held := 0
	for i := range columns {
		text, ok := last.value(columns[i].at)
		if !ok || totalWord(text) {
			continue
		}
		n, ok := columns[i].number(text)
		tolerance := math.Pow10(-fractionDigits(text))/2 + 1e-9*math.Abs(sums[i])
		sum, mean := math.Abs(n-sums[i]) <= tolerance, counts[i] > 0 && math.Abs(n-sums[i]/counts[i]) <= tolerance
		if !ok || !sum && !mean {
			return false, nil
		}
		held++
	}
	return held > 0, nil
}

// value returns what the row has in a cell, if anything.
func (t *totalsRow) value(at int) ([]byte, bool) {
	if at >= len(t.cells) {
		return nil, false
	}
	text := bytes.TrimSpace(t.cells[at].Text)
	return text, len(text) > 0
}

// onlyNumbers reports whether the row holds nothing but its name and numbers of columns
// of numbers.
func (t *totalsRow) onlyNumbers(columns []tableColumn, nulls *nullWords) bool {
	for i := range columns {
		text, ok := t.value(columns[i].at)
		if !ok || totalWord(text) || nulls.has(text) {
			continue
		}
		if !columns[i].form.isNumber() {
			return false
		}
	}
	return true
}

// number returns the number that a cell of the column is.
func (c *tableColumn) number(text []byte) (float64, bool) {
	if !c.form.isNumber() {
		return 0, false
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return 0, false
	}
	var buf [56]byte
	value, ok := c.appendValue(buf[:0], text)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseFloat(string(value), 64)
	return n, err == nil
}

// fractionDigits is how many digits a number is written with behind its last mark, as
// far as that can be one of a fraction.
func fractionDigits(text []byte) int {
	at := bytes.LastIndexAny(text, ".,")
	if at < 0 {
		return 0
	}
	n := 0
	for _, c := range text[at+1:] {
		if digit(c) {
			n++
		}
	}
	if n == 3 {
		return 0 // rather thousands
	}
	return n
}

// leaveOutTotals lists the totals that were found below the rows of a table.
func (r *reading) leaveOutTotals(about *quern.IngestedTable, texts []string) {
	for _, text := range texts {
		r.leaveOut(about, &totalsRow{text: text})
	}
}

// leaveOut lists a row of totals with the rows that are not stored.
func (r *reading) leaveOut(about *quern.IngestedTable, last *totalsRow) {
	about.Rejected++
	r.report.Rejected++
	row := quern.RejectedRow{File: about.File, Member: about.Member, Line: last.line, Row: last.row, Text: storable(last.text),
		Reason: "is a row of totals: its numbers follow from the rows above it"}
	if r.preview != nil {
		r.looking.faults = append(r.looking.faults, row)
		return
	}
	r.totals = append(r.totals, row)
}
