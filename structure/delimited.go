package structure

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// grid is a table that a text writes out: cells in rows.
type grid struct {
	header []string // empty: it has none
	rows   []gridRow
	// outside are lines that are not of the table: a title, a remark.
	outside []textLine
}

type gridRow struct {
	cells []string
	line  textLine
}

var (
	// markdownRule is the line below the header of a table in Markdown.
	markdownRule = regexp.MustCompile(`^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$`)
	wideSpace    = regexp.MustCompile(`\t+| {2,}`)
)

// cutter cuts a line into cells; nil when it has only one.
type cutter func(line string) []string

// delimited are the ways to cut lines that delimiters part.
var delimited = []cutter{cutBy('\t'), cutPipes, cutBy(';'), cutBy(',')}

// findGrid finds the table that lines write out, cut in one of several ways; ok is
// false when they are none.
func findGrid(lines []textLine, ways ...cutter) (g grid, ok bool) {
	// A table has a header or columns of a shape: a text full of commas has neither.
	const enough, withHeader = 0.8, 0.6
	best := 0.0
	for _, cut := range ways {
		if len(lines) > mostLearnt { // what some of the lines are not, all of them are not
			if _, share := gridBy(spread(lines, mostLearnt), cut); share < withHeader/2 {
				continue
			}
		}
		candidate, share := gridBy(lines, cut)
		most := share >= enough || share >= withHeader && candidate.header != nil
		if share > best && most && len(candidate.rows) > 0 && candidate.convincing() {
			g, best, ok = candidate, share, true
		}
	}
	return g, ok
}

// cutBy cuts a line at a delimiter, with quotes as they are in such files.
func cutBy(delimiter rune) cutter {
	return func(line string) []string {
		if !strings.ContainsRune(line, delimiter) {
			return nil
		}
		if !strings.ContainsAny(line, "\"\r") {
			return strings.Split(line, string(delimiter))
		}
		r := csv.NewReader(strings.NewReader(line))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = delimiter, true, -1
		cells, err := r.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil
		}
		return cells
	}
}

// cutPipes cuts a line of a table as Markdown and terminals write them.
func cutPipes(line string) []string {
	if !strings.Contains(line, "|") {
		return nil
	}
	trimmed := strings.Trim(strings.TrimSpace(line), "|")
	return strings.Split(trimmed, "|")
}

// cutSpaces cuts a line where there is more than one blank.
func cutSpaces(line string) []string {
	cells := wideSpace.Split(strings.TrimSpace(line), -1)
	if len(cells) < 2 {
		return nil
	}
	return cells
}

// gridBy reads lines with one way to cut them, and returns how many of them are of
// the table.
func gridBy(lines []textLine, cut cutter) (g grid, share float64) {
	cells := make([][]string, len(lines))
	widths := map[int]int{}
	ruled := 0
	for i, l := range lines {
		if isRule(l.text) {
			ruled++
			continue
		}
		cells[i] = cut(l.text)
		widths[len(cells[i])]++
	}
	width, most := 0, 0
	for w, n := range widths {
		if w > 1 && (n > most || n == most && w > width) {
			width, most = w, n
		}
	}
	const fewest = 2
	if most < fewest {
		return g, 0
	}
	for i, l := range lines {
		switch {
		case len(cells[i]) == width:
			for n := range cells[i] {
				cells[i][n] = strings.TrimSpace(cells[i][n])
			}
			g.rows = append(g.rows, gridRow{cells[i], l})
		case cells[i] != nil || !isRule(l.text):
			g.outside = append(g.outside, l)
		}
	}
	share = float64(most+ruled) / float64(len(lines))
	g.takeHeader(ruled > 0)
	return g, share
}

// isWhole reports whether all lines are rows of at least three cells.
func (g *grid) isWhole(lines int) bool {
	const fewest = 3
	return len(g.rows) == lines && lines >= fewest && len(g.rows[0].cells) >= fewest
}

// isRule reports whether a line rules a table off.
func isRule(line string) bool {
	return strings.Trim(line, "|+-=: \t") == "" || strings.Contains(line, "--") && markdownRule.MatchString(line)
}

// takeHeader takes the first row for the header where it looks like one.
func (g *grid) takeHeader(ruled bool) {
	if len(g.rows) < 2 {
		return
	}
	first := g.rows[0].cells
	seen := map[string]bool{}
	for _, cell := range first {
		key := strings.ToLower(cell)
		if !headerCell(cell) || seen[key] {
			return
		}
		seen[key] = true
	}
	shapes := g.shapes(1)
	telling := ruled || len(g.rows) > fewestRecords
	for _, s := range shapes {
		telling = telling || s != word
	}
	if telling {
		g.header = first
		g.rows = g.rows[1:]
	}
}

// headerCell reports whether a cell could be the name of a column.
func headerCell(cell string) bool {
	const longest, mostWords = 40, 5
	if cell == "" || utf8.RuneCountInString(cell) > longest || len(strings.Fields(cell)) > mostWords {
		return false
	}
	first, _ := utf8.DecodeRuneInString(cell)
	switch s := shapeOf(cell); s {
	case word, path:
		return unicode.IsLetter(first) || first == '#'
	case code:
		return unicode.IsLetter(first) && len(cell) < 8
	}
	return false
}

// shapes are those of the columns, from a row on, as some of the rows have them.
func (g *grid) shapes(from int) []shape {
	if from >= len(g.rows) {
		return nil
	}
	some := spread(g.rows[from:], mostLearnt)
	all := make([]shape, len(some[0].cells))
	for i := range all {
		var values []value
		for _, r := range some {
			if r.cells[i] != "" {
				values = append(values, value{shape: shapeOf(r.cells[i])})
			}
		}
		if len(values) > 0 {
			all[i] = commonShape(values)
		}
	}
	return all
}

// convincing reports whether the table is one: it has a header, or a column of a
// shape, and what parts its cells is not a sign inside of a date or an amount.
func (g *grid) convincing() bool {
	if g.header != nil {
		return true
	}
	for _, r := range g.rows[:min(len(g.rows), fewestRecords)] {
		from := 0
		for _, cell := range r.cells[:len(r.cells)-1] {
			from = min(from+max(0, strings.Index(r.line.text[from:], cell))+len(cell), len(r.line.text))
			for _, t := range tokens(r.line.text) {
				if t.start < from && from+1 < t.end && t.shape.fixed() && t.shape != quoted {
					return false
				}
			}
		}
	}
	for _, s := range g.shapes(0) {
		if s != word {
			return true
		}
	}
	return false
}

// records makes a record of every row.
func (g *grid) records() []record {
	names := g.header
	if names == nil {
		for _, s := range g.shapes(0) {
			name := shapeNames[s]
			if s == word || s == code || s == path {
				name = "column_" + strconv.Itoa(len(names)+1)
			}
			names = append(names, name)
		}
	}
	taken, clean := map[string]int{}, make([]string, len(names))
	for i, n := range names {
		clean[i] = unique(taken, columnName(n))
	}
	const sure = 0.95
	all := make([]record, len(g.rows))
	for i, row := range g.rows {
		all[i] = record{text: row.line.text, line: row.line.number}
		from := 0
		for n, cell := range row.cells {
			if cell == "" {
				continue
			}
			start := from + max(0, strings.Index(row.line.text[from:], cell))
			from = min(start+len(cell), len(row.line.text))
			all[i].values = append(all[i].values, value{name: clean[n], text: cell, at: span{start, from}, shape: shapeOf(cell),
				by: "table", sure: sure})
		}
	}
	return all
}

// columnName makes a name of a column out of text.
func columnName(text string) string {
	const longest = 64
	name := strings.Join(strings.FieldsFunc(strings.Trim(text, " \t.:#*•=-"), unicode.IsSpace), " ")
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
	name = strings.TrimLeft(name, "_")
	if runes := []rune(name); len(runes) > longest {
		name = strings.TrimSpace(string(runes[:longest]))
	}
	if name == "" {
		return "column"
	}
	return name
}
