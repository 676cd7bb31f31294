package main

import (
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

const (
	columnGap = 2
	// leastColumn is how narrow a column is made, at most, before each row is printed
	// over several lines.
	leastColumn = 6
)

// idHeading heads a column that is never cut: what it holds is given to other commands.
const idHeading = "ID"

// printTable prints rows of cells under a heading, in columns. On a terminal it fits its
// width: cells of the widest columns are cut, and where that is not enough each row is
// printed over several lines. Elsewhere nothing is cut.
func printTable(w io.Writer, rows [][]string) error {
	_, err := io.WriteString(w, tableText(rows, terminalWidth(w)))
	return err
}

// terminalWidth is how many columns a terminal has; 0 for what is none.
func terminalWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	wide, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return wide
}

// tableText lays a table out for a width; 0 is any.
func tableText(rows [][]string, wide int) string {
	var widths []int
	rows = slices.Clone(rows)
	for r, row := range rows {
		rows[r] = make([]string, len(row))
		for i, text := range row {
			rows[r][i] = printable(text)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], textWidth(rows[r][i]))
		}
	}
	if wide > 0 && len(rows) > 0 && !fit(rows[0], widths, wide) {
		return recordText(rows, wide)
	}
	var out strings.Builder
	for _, row := range rows {
		for i, text := range row {
			text = cut(text, widths[i])
			out.WriteString(text)
			if i < len(row)-1 {
				out.WriteString(strings.Repeat(" ", widths[i]-textWidth(text)+columnGap))
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// fit narrows the widest columns until the table has the width; false when it cannot.
func fit(heading []string, widths []int, wide int) bool {
	total := columnGap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for total > wide {
		widest := -1
		for i, w := range widths {
			isID := i < len(heading) && heading[i] == idHeading
			if !isID && w > leastColumn && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest]--
		total--
	}
	return true
}

// recordText prints each row as lines of a column's name and its value.
func recordText(rows [][]string, wide int) string {
	var out strings.Builder
	names := 0
	for _, name := range rows[0] {
		names = max(names, textWidth(name))
	}
	names = min(names, wide/2)
	for r, row := range rows[1:] {
		if r > 0 {
			out.WriteString("\n")
		}
		for i, text := range row {
			name := cut(rows[0][i], names)
			line := name + strings.Repeat(" ", names-textWidth(name)+columnGap) + text
			if rows[0][i] != idHeading {
				line = cut(line, wide)
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return out.String()
}

// textWidth is how many columns of a terminal a text takes.
func textWidth(text string) int {
	n := 0
	for _, r := range text {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut is a text that takes at most so many columns; what is left out leaves a mark.
func cut(text string, most int) string {
	if textWidth(text) <= most {
		return text
	}
	n := 0
	for i, r := range text {
		if n += runeWidth(r); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}
