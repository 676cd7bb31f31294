package format

import (
	"slices"
	"strings"

	"quern/ingest/pdfium"
)

// A table on a page is lines whose words stand in columns: between the columns
// run gutters, at least as wide as the text is high, that no word of any line
// crosses.

const (
	// minTableLines is how many lines must agree on their gutters.
	minTableLines = 3
	// proseCell is how many characters most cells of prose set in columns have.
	proseCell = 35
	// maxWrapped is how many lines in a row may fill one column only.
	maxWrapped = 12
	// maxPageColumns is the most columns of a table on a page.
	maxPageColumns = 200
)

// band is the width that a column takes up.
type band struct{ left, right float64 }

func (b band) meets(o band) bool { return b.left < o.right && o.left < b.right }

// phrase is words without a gutter between them.
type phrase struct {
	band
	text string
}

// pageLine is the phrases of one line of a page, from left to right.
type pageLine struct {
	top, bottom float64
	phrases     []phrase
}

func (l pageLine) height() float64 { return l.bottom - l.top }

// linesOf puts the words of a page together to lines.
func linesOf(words []pdfium.Word) []pageLine {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b pdfium.Word) int { return sign(a.Top + a.Bottom - b.Top - b.Bottom) })
	var lines []pageLine
	for len(words) > 0 {
		n, top, bottom := 1, words[0].Top, words[0].Bottom
		for n < len(words) {
			w := words[n]
			// Half of the lower of the two must be beside the other.
			if min(bottom, w.Bottom)-max(top, w.Top) < min(bottom-top, w.Height())/2 {
				break
			}
			n++
		}
		lines = append(lines, lineOf(words[:n]))
		words = words[n:]
	}
	return lines
}

func sign(f float64) int {
	switch {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return 0
}

func lineOf(words []pdfium.Word) pageLine {
	slices.SortStableFunc(words, func(a, b pdfium.Word) int { return sign(a.Left - b.Left) })
	l := pageLine{top: words[0].Top, bottom: words[0].Bottom}
	var texts []string // of the phrase that is being put together
	for _, w := range words {
		l.top, l.bottom = min(l.top, w.Top), max(l.bottom, w.Bottom)
		n := len(l.phrases)
		if n > 0 && w.Left-l.phrases[n-1].right < 0.9*w.Height() {
			last := &l.phrases[n-1]
			last.right, texts = max(last.right, w.Right), append(texts, w.Text)
			continue
		}
		if n > 0 {
			l.phrases[n-1].text = strings.Join(texts, " ")
		}
		l.phrases, texts = append(l.phrases, phrase{band: band{w.Left, w.Right}}), append(texts[:0], w.Text)
	}
	l.phrases[len(l.phrases)-1].text = strings.Join(texts, " ")
	return l
}

// grid is lines that agree on their columns.
type grid struct {
	at      int // of the first line, among those of the page
	columns []band
	lines   []pageLine
	regular int // lines with more than one phrase
	wrapped int // lines with one since
}

// join adds a line unless one of its phrases lies in two columns, or joins two.
func (g *grid) join(l pageLine) bool {
	n := len(g.lines)
	farBelow := n > 0 && l.top-g.lines[n-1].bottom > 3*l.height()
	if farBelow || g.wrapped == maxWrapped || len(l.phrases) > maxPageColumns {
		return false
	}
	for _, s := range l.phrases {
		g.unite(s.band)
	}
	columns := slices.Clone(g.columns)
	for _, s := range l.phrases {
		at, count := -1, 0
		for i, c := range g.columns {
			if c.meets(s.band) {
				at, count = i, count+1
			}
		}
		switch {
		case count > 1:
			return false
		case count == 1:
			columns[at] = band{min(columns[at].left, s.left), max(columns[at].right, s.right)}
		default:
			columns = append(columns, s.band)
		}
	}
	slices.SortFunc(columns, func(a, b band) int { return sign(a.left - b.left) })
	for i := 1; i < len(columns); i++ {
		if len(columns) > maxPageColumns || columns[i-1].meets(columns[i]) {
			return false
		}
	}
	g.columns, g.lines = columns, append(g.lines, l)
	if g.wrapped++; len(l.phrases) > 1 {
		g.regular, g.wrapped = g.regular+1, 0
	}
	return true
}

// unite makes the columns that a phrase lies in one when no line fills two of them: a
// heading at the left of a column and numbers at its right.
func (g *grid) unite(b band) {
	from := slices.IndexFunc(g.columns, b.meets)
	if from < 0 {
		return
	}
	to := from + 1
	for to < len(g.columns) && b.meets(g.columns[to]) {
		to++
	}
	if to == from+1 {
		return
	}
	for _, l := range g.lines {
		filled := 0
		for _, c := range g.columns[from:to] {
			if slices.ContainsFunc(l.phrases, func(p phrase) bool { return c.meets(p.band) }) {
				filled++
			}
		}
		if filled > 1 {
			return
		}
	}
	g.columns[from].right = g.columns[to-1].right
	g.columns = slices.Delete(g.columns, from+1, to)
}

// gridsOf finds the runs of lines that agree on their columns.
func gridsOf(lines []pageLine) (found []grid) {
	for at := 0; at < len(lines); {
		g, end := grid{at: at}, at
		for len(lines[at].phrases) > 1 && end < len(lines) && !beginsField(lines[end]) && !g.endsAt(lines, end) && g.join(lines[end]) {
			end++
		}
		if g.regular < minTableLines {
			at++
			continue
		}
		// What follows the last row is no part of it.
		for len(g.lines[len(g.lines)-1].phrases) == 1 {
			g.lines = g.lines[:len(g.lines)-1]
		}
		at += len(g.lines)
		found = append(found, g)
	}
	return found
}

// endsAt reports whether another table begins at a line, below rows with values: names of columns with values under
// them, behind a title of their own or farther below than the rows are apart.
func (g *grid) endsAt(lines []pageLine, at int) bool {
	if g.regular < minTableLines || !lines[at-1].hasValue() {
		return false
	}
	names := at
	if len(lines[at].phrases) == 1 {
		names = at + 1
	} else if n := len(g.lines); lines[at].top-g.lines[n-1].top < 1.5*(g.lines[n-1].top-g.lines[n-2].top) {
		return false
	}
	return names+1 < len(lines) && len(lines[names].phrases) > 1 && !lines[names].hasValue() && lines[names+1].hasValue() &&
		len(lines[names+1].phrases) > 1 && lines[at].top > g.lines[len(g.lines)-1].bottom
}

func (l pageLine) hasValue() bool {
	return slices.ContainsFunc(l.phrases, func(p phrase) bool { return looksLikeValue(p.text) })
}

// cells returns the text of every line by column. Columns that no line fills both
// of are one: a heading at its left and numbers at its right.
func (g *grid) cells() (rows [][]string) {
	for _, l := range g.lines {
		row := make([]string, len(g.columns))
		for _, s := range l.phrases {
			for i, c := range g.columns {
				if c.meets(s.band) {
					row[i] = strings.TrimSpace(row[i] + " " + s.text)
				}
			}
		}
		rows = append(rows, row)
	}
	for i := 1; i < len(g.columns); {
		if slices.ContainsFunc(rows, func(row []string) bool { return row[i-1] != "" && row[i] != "" }) {
			i++
			continue
		}
		for n, row := range rows {
			row[i-1] += row[i]
			rows[n] = slices.Delete(row, i, i+1)
		}
		g.columns[i-1].right = g.columns[i].right
		g.columns = slices.Delete(g.columns, i, i+1)
	}
	return rows
}

// rows joins what is wrapped inside of cells: lines that begin with an empty cell
// belong to the row that is nearest.
func (g *grid) rows() (rows [][]string) {
	cells := g.cells()
	owners := g.owners(cells)
	at := make([]int, len(cells)) // of an owner's row
	for i, owner := range owners {
		if owner == i {
			at[i] = len(rows)
			rows = append(rows, make([]string, len(g.columns)))
		}
	}
	for i, owner := range owners {
		join(rows[at[owner]], cells[i])
	}
	if len(rows) > 2 && heading(rows) {
		join(rows[0], rows[1])
		rows = slices.Delete(rows, 1, 2)
	}
	return rows
}

func join(row, more []string) {
	for c, text := range more {
		row[c] = strings.TrimSpace(row[c] + " " + text)
	}
}

// owners returns, for every line, the line that its row is built around.
func (g *grid) owners(cells [][]string) []int {
	pitch, owners, last := g.pitch(cells), make([]int, len(cells)), 0
	for i, line := range cells {
		owners[i] = i
		switch {
		case i == 0 || line[0] == "":
		case filled(line) < filled(cells[last]) && g.between(last, i) < 0.8*pitch:
			owners[i] = last // the first cell itself is wrapped
		default:
			last = i
		}
	}
	for i, line := range cells {
		if line[0] == "" && i > 0 {
			owners[i] = g.owner(i, cells, owners, pitch)
		}
	}
	return owners
}

// owner returns the row that a line without a first cell is part of: the nearest,
// when it is nearer than rows are, or that of the line above, when it holds
// nothing but words below words.
func (g *grid) owner(i int, cells [][]string, owners []int, pitch float64) int {
	above, below := i-1, i+1
	for above > 0 && cells[above][0] == "" {
		above--
	}
	for below < len(cells) && cells[below][0] == "" {
		below++
	}
	up, down := g.between(above, i), 10*pitch
	if below < len(cells) {
		down = g.between(i, below)
	}
	switch {
	case up <= 1.1*down && up < 0.8*pitch:
		return owners[above]
	case down < up && down < 0.8*pitch:
		return owners[below]
	}
	for c, text := range cells[i] {
		above := cells[i-1][c]
		ofItsOwn := above == "" || looksLikeValue(text) || looksLikeValue(above)
		if text != "" && ofItsOwn {
			return i
		}
	}
	return owners[i-1]
}

func (g *grid) between(a, b int) float64 { return g.lines[b].top - g.lines[a].top }

// pitch is the usual distance from one row to the next.
func (g *grid) pitch(cells [][]string) float64 {
	var all []float64
	last := 0
	for i := 1; i < len(cells); i++ {
		if cells[i][0] != "" {
			all = append(all, g.between(last, i))
			last = i
		}
	}
	if len(all) == 0 {
		return g.between(0, 1)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// heading reports whether the second line completes a heading that begins above
// only some of the columns.
func heading(cells [][]string) bool {
	return len(cells) > 2 && cells[0][0] == "" && cells[1][0] != "" && !slices.ContainsFunc(cells[0], looksLikeValue) &&
		!slices.ContainsFunc(cells[1], looksLikeValue) && slices.ContainsFunc(cells[2], looksLikeValue)
}

// prose reports whether cells are rather text set in columns, or a list with
// marks before its items.
func prose(rows [][]string) bool {
	long := make([]int, len(rows[0]))
	marks := 0
	for _, row := range rows {
		for c, text := range row {
			if len(text) > proseCell {
				long[c]++
			}
		}
		if first := strings.Trim(row[0], "0123456789().•·–-*◦▪‣"); first == "" && strings.ContainsAny(row[0], ".)(•·–-*◦▪‣") {
			marks++
		}
	}
	wide := 0
	for _, n := range long {
		if n*2 > len(rows) {
			wide++
		}
	}
	return wide > 1 || wide == len(long) || len(rows[0]) == 2 && marks*2 > len(rows)
}
