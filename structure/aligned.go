package structure

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// cell is a piece of a line that wide blanks part from others.
type cell struct {
	text string
	at   span // in bytes
	// from and to are its place in characters, by which columns are aligned.
	from, to int
}

// cellsOf cuts a line where there is more than one blank.
func cellsOf(line string) []cell {
	var all []cell
	add := func(start, end int) {
		if start < end {
			from := utf8.RuneCountInString(line[:start])
			all = append(all, cell{line[start:end], span{start, end}, from, from + utf8.RuneCountInString(line[start:end])})
		}
	}
	start := 0
	for _, gap := range wideSpace.FindAllStringIndex(line, -1) {
		add(start, gap[0])
		start = gap[1]
	}
	add(start, len(strings.TrimRight(line, " \t")))
	return all
}

// findAligned reads a table whose columns stand below the words of a header, with cells
// that may be empty, in the middle of a document: what stands around it is told with
// every row. ok is false when there is none.
func findAligned(lines []textLine) (all []record, ok bool) {
	// headers is how many lines may stand before a table.
	const fewest, headers = 2, 60
	for i, l := range lines[:min(len(lines), headers)] {
		header := cellsOf(l.text)
		if len(header) < 3 || !isHeader(header) {
			continue
		}
		rows, end := alignedRows(lines, i+1, header)
		if len(rows) < fewest {
			continue
		}
		var about []value
		rest := 0
		for n, other := range lines {
			if n >= i && n < end {
				continue
			}
			found := documentLine(other, n == 0)
			if found == nil && !isRule(other.text) {
				rest++
			}
			about = append(about, found...)
		}
		if rest > len(rows)+fewest {
			continue
		}
		names := make([]string, len(header))
		for n, c := range header {
			names[n] = columnName(c.text)
		}
		tellAbout(rows, about, names...)
		return rows, true
	}
	return nil, false
}

// isHeader reports whether cells could be the names of columns.
func isHeader(cells []cell) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		key := strings.ToLower(c.text)
		if !headerCell(c.text) || seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// alignedRows returns the rows that stand below a header, and where they end. They are
// none when no column of theirs has a shape of its own.
func alignedRows(lines []textLine, from int, header []cell) (all []record, end int) {
	taken, names := map[string]int{}, make([]string, len(header))
	for i, c := range header {
		names[i] = unique(taken, columnName(c.text))
	}
	shaped := false
	end = from
	for ; end < len(lines); end++ {
		l := lines[end]
		if isRule(l.text) {
			continue
		}
		cells := cellsOf(l.text)
		columns, ok := columnsBelow(header, cells)
		if !ok || totalLine.MatchString(l.text) || l.blank && len(all) > 0 && len(cells) < len(header) {
			break
		}
		r := record{text: l.text, line: l.number}
		for n, c := range cells {
			s := shapeOf(c.text)
			shaped = shaped || s != word && s != code
			const sure = 0.9
			r.values = append(r.values, value{name: names[columns[n]], text: c.text, at: c.at, shape: s, by: "table", sure: sure})
		}
		all = append(all, r)
	}
	if !shaped {
		return nil, end
	}
	return all, end
}

// columnsBelow returns the column of the header that each cell stands below; ok is false
// when one stands below none, or two below the same.
func columnsBelow(header, cells []cell) (columns []int, ok bool) {
	const fewest, farthest = 2, 6
	if len(cells) < fewest {
		return nil, false
	}
	last := -1
	for i, c := range cells {
		best, nearest := -1, farthest+1
		for n := last + 1; n < len(header); n++ {
			h := header[n]
			apart := min(abs(c.from-h.from), abs(c.to-h.to))
			if c.from < h.to && h.from < c.to {
				apart = min(apart, 1)
			}
			if apart < nearest {
				best, nearest = n, apart
			}
		}
		if len(cells) == len(header) {
			best = i // every column has its cell
		}
		if best < 0 {
			return nil, false
		}
		columns = append(columns, best)
		last = best
	}
	return columns, true
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// bullet is how the points of a list begin, with a name and what is said of it.
var bullet = regexp.MustCompile(`^\s*[-*•–]\s+(?P<item>[^:=]{1,60}?)\s*[:=]\s+(?P<value>.+)$`)

// findList reads points that give a number for each of several things, which are rows
// and not columns. ok is false when there are none.
func findList(lines []textLine) (all []record, ok bool) {
	const fewest, enough = 3, 0.6
	points, some := 0, spread(lines, mostLearnt)
	for _, l := range some {
		if strings.IndexAny(strings.TrimSpace(l.text), "-*•–") == 0 {
			points++
		}
	}
	if float64(points) < enough/2*float64(len(some)) {
		return nil, false
	}
	var about []value
	numbers := 0
	seen := map[string]bool{}
	for i, l := range lines {
		m := bullet.FindStringSubmatchIndex(l.text)
		if m == nil {
			about = append(about, documentLine(l, i == 0)...)
			continue
		}
		r := record{text: l.text, line: l.number}
		for _, name := range []string{"item", "value"} {
			n := bullet.SubexpIndex(name)
			at := span{m[2*n], m[2*n+1]}
			const sure = 0.85
			v := value{name: name, text: strings.TrimSpace(l.text[at.start:at.end]), at: at, by: "item", sure: sure}
			if t := tokenAt(v.text, 0); name == "value" && slices.Contains([]shape{number, money, percent}, t.shape) {
				numbers++
			}
			if name == "item" {
				seen[strings.ToLower(v.text)] = true
			}
			r.values = append(r.values, v)
		}
		all = append(all, r)
	}
	const nearly = 0.7
	most := float64(len(all)) >= enough*float64(len(lines)) && float64(numbers) >= nearly*float64(len(all))
	if len(all) < fewest || len(seen) < len(all) || !most {
		return nil, false
	}
	for i := range all {
		all[i].values[1].shape = number // one that is said in words, such as "sold out", is of the same kind
	}
	tellAbout(all, about, "item", "value")
	return all, true
}
