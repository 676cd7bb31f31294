package format

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Dialect is how delimited text is written.
type Dialect struct {
	Delimiter       byte // 0: there is one column
	Quote           byte
	Backslash       bool // a backslash takes the meaning from what follows it
	CarriageReturns bool // lines end with a carriage return alone
}

// String describes the dialect for people.
func (d Dialect) String(header bool) string {
	names := map[byte]string{0: "one column", ',': "comma", ';': "semicolon", '\t': "tab", '|': "pipe", 0x1f: "unit separator"}
	text := names[d.Delimiter]
	if d.Quote == '\'' {
		text += ", single quotes"
	}
	if header {
		return text + ", header"
	}
	return text + ", no header"
}

// sniffRecords is how many records of the beginning the dialect must explain.
const sniffRecords = 500

// sniffDialect finds the dialect under which the records of a sample have the
// most regular number of cells.
func sniffDialect(sample []byte) Dialect {
	base := Dialect{Quote: '"'}
	if !bytes.Contains(sample, []byte("\n")) && bytes.Contains(sample, []byte("\r")) {
		base.CarriageReturns = true
	}
	best, bestScore := base, 0.0
	for _, delimiter := range []byte{',', '\t', ';', '|', 0x1f} {
		if bytes.IndexByte(sample, delimiter) < 0 {
			continue
		}
		d := base
		d.Delimiter = delimiter
		d.Quote = quoteOf(sample, delimiter)
		d.Backslash = escapes(sample, d.Quote)
		if score := regularity(sample, d); score > bestScore {
			best, bestScore = d, score
		}
	}
	return best
}

// quoteOf tells single quotes from double ones by which of them stand beside
// delimiters and lines' ends on both sides.
func quoteOf(sample []byte, delimiter byte) byte {
	count := func(quote byte) (n int) {
		edge := func(i int) bool {
			return i < 0 || i >= len(sample) || sample[i] == delimiter || sample[i] == '\n' || sample[i] == '\r'
		}
		for i, b := range sample {
			if b == quote && edge(i-1) != edge(i+1) {
				n++
			}
		}
		return n
	}
	if single := count('\''); single > 2 && count('"') == 0 {
		return '\''
	}
	return '"'
}

// escapes reports whether quotes inside quotes are written with a backslash.
func escapes(sample []byte, quote byte) bool {
	inside := bytes.Count(sample, []byte{'\\', quote})
	return inside > 0 && !bytes.Contains(sample, []byte{'\\', quote, '\n'}) &&
		bytes.Count(sample, []byte{quote, quote}) <= bytes.Count(sample, []byte{'\\', quote, quote})
}

// regularity is the share of records with the commonest number of cells, a
// little more when that is large; 0 where a dialect does not split records.
func regularity(sample []byte, d Dialect) float64 {
	widths := map[int]int{}
	total, most, width, first, within, times := 0, 0, 0, 0, 0, 0
	r := newRecords(bytes.NewReader(sample), d)
	for total < sniffRecords {
		cells, _, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		total++
		if err != nil {
			break // a quote that never closes speaks against the dialect
		}
		w := len(cells)
		if cutsTime(cells) {
			times++
		}
		if total == 1 {
			first = w
		}
		if w > 1 && w <= first {
			within++
		}
		widths[w]++
		wider := widths[w] == most && w > width
		if widths[w] > most || wider {
			most, width = widths[w], w
		}
	}
	if width < 2 || total == 0 || times*2 > total {
		return 0
	}
	share := float64(most) / float64(total)
	// Prose has commas too: they must be regular to make columns, or all records must
	// stay within the first, which then names more columns than they fill.
	if ragged := share < 0.6 && total > 3; ragged {
		share = 0.5
		if first < 3 || within < total {
			return 0
		}
	}
	return share*share + min(float64(width), 50)/1000
}

// cutsTime reports whether the first cells of a record are a time that was cut at its decimal comma, as logs write
// it: "12:00:01,123 INFO …".
func cutsTime(cells []Cell) bool {
	if len(cells) < 2 {
		return false
	}
	before, behind := cells[0].Text, cells[1].Text
	n := len(before)
	clock := n > 5 && before[n-6] == ':' && before[n-3] == ':' && isDigit(before[n-2]) && isDigit(before[n-1])
	return clock && len(behind) > 3 && isDigit(behind[0]) && isDigit(behind[2]) && (behind[3] == ' ' || behind[3] == ']' || behind[3] == '\t')
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// notes tells what the dialect lacks.
func (d Dialect) notes() []string {
	if d.Delimiter != 0 {
		return nil
	}
	return []string{"nothing parts the lines evenly into cells; each line is one value"}
}

// sampleRows returns the records of a sample and the lines that they begin on.
func sampleRows(sample []byte, d Dialect) (rows [][]string, lines []int64) {
	r := newRecords(bytes.NewReader(sample), d)
	for len(rows) < sniffRecords {
		cells, line, err := r.next()
		if err != nil {
			break
		}
		row := make([]string, len(cells))
		for i, c := range cells {
			row[i] = string(c.Text)
		}
		rows, lines = append(rows, row), append(lines, line)
	}
	return rows, lines
}

// namesColumns decides whether the first row names the columns: it does unless a
// cell of it looks like a value, years in a row excepted.
func namesColumns(rows [][]string) bool {
	if len(rows) == 0 {
		return false
	}
	values, years, words, empty, last := 0, 0, 0, 0, 0
	for _, cell := range rows[0] {
		cell = strings.TrimSpace(cell)
		switch {
		case cell == "":
			empty++
		case looksLikeValue(cell):
			values++
			y, err := strconv.Atoi(cell)
			follows := last == 0 || y == last+1 || y == last-1
			if err == nil && y > 1800 && y < 2200 && follows {
				years++
				last = y
			}
		default:
			words++
		}
	}
	if words == 0 || values > years || empty > len(rows[0])/2 || len(rows[0]) == 1 && isSentence(rows[0][0]) {
		return false
	}
	return !repeats(rows)
}

// isSentence reports whether a text is a sentence, which no column is called.
func isSentence(text string) bool {
	const fewest = 5
	return strings.HasSuffix(strings.TrimSpace(text), ".") && len(strings.Fields(text)) >= fewest
}

// repeats reports whether most cells of the first row come again in the same
// column further down, as values do and names do not.
func repeats(rows [][]string) bool {
	count := 0
	for i, name := range rows[0] {
		for _, row := range rows[1:] {
			if name != "" && i < len(row) && strings.TrimSpace(row[i]) == strings.TrimSpace(name) {
				count++
				break
			}
		}
	}
	return count*2 > len(rows[0])
}

// looksLikeValue reports whether text is rather a number, a date or a truth
// value than a name.
func looksLikeValue(text string) bool {
	switch strings.ToLower(text) {
	case "true", "false", "null", "n/a", "nan":
		return true
	}
	digits, letters := 0, 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+-.,:/ '()%€$£T Z\u00a0", r):
			letters++
		}
	}
	return digits > 0 && letters == 0
}
