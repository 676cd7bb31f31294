package format

import (
	"slices"
	"strings"
)

// head is where the rows of a table begin and what its columns are called.
type head struct {
	titles int      // rows above the header, which are none of the table
	rows   int      // of the header: none, one or two
	names  []string // of the columns, as far as the header goes
}

// findHead looks for the header in the first rows of a table. Rows of little above a
// header that is wider are titles. named is what the caller says of the header, nil
// when nothing.
func findHead(sample [][]string, named *bool) (h head) {
	if len(sample) == 0 {
		return h
	}
	width := usualWidth(sample)
	for h.titles < len(sample)-1 && isTitle(sample[h.titles], width) {
		h.titles++
	}
	is := namesColumns(sample[h.titles:])
	if !is {
		// What has no header below may well begin with a row of little.
		h.titles, is = 0, namesColumns(sample)
	}
	if named != nil {
		is = *named
	}
	if !is {
		return head{}
	}
	h.rows, h.names = 1, append([]string(nil), sample[h.titles]...)
	if below := sample[h.titles+1:]; twoRows(h.names, below) {
		h.rows, h.names = 2, joinHeads(fillRight(h.names, below[0]), below[0])
	}
	return h
}

// usualWidth is how many cells most rows have.
func usualWidth(rows [][]string) (width int) {
	counts := map[int]int{}
	for _, row := range rows {
		n := len(row)
		more := counts[n]+1 == counts[width] && n > width
		if counts[n]++; counts[n] > counts[width] || more {
			width = n
		}
	}
	return width
}

// isTitle reports whether a row stands above a table of a width rather than in it: it
// holds one thing, or a name with its value in a row that is shorter than the others.
func isTitle(row []string, width int) bool {
	n := filled(row)
	switch {
	case width < 2:
		return false
	case n < 2:
		return true
	case len(row) == width && spansAll(row):
		return true
	}
	if width < 3 || n != 2 {
		return false
	}
	alone := len(row) == width && filled(row[:2]) == 2 && saysValue(row[0]) && saysValue(row[1])
	return alone || len(row) < width && namesValue(row)
}

// saysValue reports whether a cell is something with its value behind it, as in Account 12345678.
func saysValue(cell string) bool {
	name, value, found := strings.Cut(strings.TrimSpace(cell), " ")
	return found && !looksLikeValue(name) && looksLikeValue(value)
}

// titlesAbove counts the rows at the beginning that an empty row parts from a fuller one below, by the numbers of
// the rows in their file.
func titlesAbove(rows [][]string, numbers []int64) (n int) {
	const most = 10
	for i := 0; i+1 < len(rows) && i < most; i++ {
		apart := numbers[i+1] > numbers[i]+1 && !slices.ContainsFunc(rows[i], func(cell string) bool { return strings.Contains(cell, "\n") })
		if apart && filled(rows[i]) < filled(rows[i+1]) && filled(rows[i+1]) > 2 {
			n = i + 1
		}
	}
	return n
}

// namesValue reports whether a row is something with its value behind it, as in From:
// 2024.
func namesValue(row []string) bool {
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if strings.HasSuffix(cell, ":") || looksLikeValue(cell) {
			return true
		}
	}
	return false
}

// spansAll reports whether all cells of a row are the same, as those are that one cell
// was made of.
func spansAll(row []string) bool {
	for _, cell := range row {
		if cell != row[0] {
			return false
		}
	}
	return len(row) > 2 && row[0] != ""
}

// twoRows reports whether a header goes on in the row below: cells of the first are
// followed by empty ones, under which the second has names, and values only come below.
func twoRows(first []string, below [][]string) bool {
	if len(below) < 2 || !namesColumns(below) {
		return false
	}
	gaps := 0
	for i := 1; i < len(first); i++ {
		if strings.TrimSpace(first[i]) != "" {
			continue
		}
		if i >= len(below[0]) || strings.TrimSpace(below[0][i]) == "" {
			return false
		}
		gaps++
	}
	if gaps == 0 {
		return false
	}
	values := 0
	for i, name := range below[0] {
		if strings.TrimSpace(name) != "" && i < len(below[1]) && looksLikeValue(strings.TrimSpace(below[1][i])) {
			values++
		}
	}
	return values > 0
}

// fillRight writes a name into the empty cells behind it, as far as the row below has
// names for them.
func fillRight(first, below []string) []string {
	row := append([]string(nil), first...)
	for i := 1; i < len(row); i++ {
		if strings.TrimSpace(row[i]) == "" && i < len(below) {
			row[i] = row[i-1]
		}
	}
	return row
}

// joinHeads puts the rows of a header together, column by column. What comes twice is
// written once.
func joinHeads(rows ...[]string) (names []string) {
	for _, row := range rows {
		for i, cell := range row {
			cell = strings.TrimSpace(cell)
			if i == len(names) {
				names = append(names, cell)
				continue
			}
			if cell != "" && cell != names[i] {
				names[i] = strings.TrimSpace(names[i] + " " + cell)
			}
		}
	}
	return names
}

// titleNotes tells of rows above a header.
func titleNotes(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{countedNote(n, "row above the header was left out", "rows above the header were left out")}
}

// blankNotes tells of rows without a value.
func blankNotes(n int64) []string {
	if n == 0 {
		return nil
	}
	return []string{countedNote(n, "empty row was left out", "empty rows were left out")}
}
