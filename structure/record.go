package structure

import (
	"slices"
	"strings"
)

// span is a part of a text.
type span struct{ start, end int }

// value is one thing that a record says.
type value struct {
	name  string // the column's; empty until it has one
	text  string // as it stands in the document
	at    span   // in the text of its record
	shape shape
	slot  slot
	by    string  // how it was found, for provenance
	sure  float64 // how sure that is, from 0 to 1
	// read is the value itself where it is not the text.
	read any
}

// record is what becomes a row: the values that a part of a text says.
type record struct {
	text   string // the part of the document
	line   int64  // where it begins, from 1
	values []value
	unread string // why nothing could be read; empty: it was
}

// get returns the value of a column.
func (r *record) get(name string) (value, bool) {
	for _, v := range r.values {
		if v.name == name {
			return v, true
		}
	}
	return value{}, false
}

// textLine is one line of a document.
type textLine struct {
	text   string
	number int64 // from 1
	blank  bool  // stands behind an empty line
	ruled  bool  // stands below a line of signs that parts it from what is above
}

// linesOf cuts a document into its lines, without empty ones.
func linesOf(text string) []textLine {
	var all []textLine
	blank, number := false, int64(0)
	for line := range strings.SplitSeq(text, "\n") {
		number++
		line = strings.TrimRight(line, " \t\r")
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		all = append(all, textLine{text: line, number: number, blank: blank})
		blank = false
	}
	return all
}

// isSeparator reports whether a line is of signs that part what is above from what is below.
func isSeparator(line string) bool {
	const fewest = 3
	line = strings.TrimSpace(line)
	return line == "%" || len(line) >= fewest && strings.Trim(line, "-=*_~#+% –—") == ""
}

// withoutRules leaves out the lines of signs that part records. One that underlines a title parts nothing.
func withoutRules(lines []textLine) []textLine {
	if !slices.ContainsFunc(lines, func(l textLine) bool { return isSeparator(l.text) }) {
		return lines
	}
	kept := make([]textLine, 0, len(lines))
	ruled, blank := false, false
	for _, l := range lines {
		if !isSeparator(l.text) {
			l.ruled, l.blank = ruled, l.blank || blank
			kept = append(kept, l)
			ruled, blank = false, false
			continue
		}
		blank = blank || l.blank
		underlines := false
		if n := len(kept); n > 0 && !ruled && !l.blank {
			_, named := cutPair(kept[n-1])
			underlines = !named && (n == 1 || kept[n-1].blank || kept[n-1].ruled)
		}
		ruled = ruled || !underlines
	}
	return kept
}

// blocks are the lines of a document between empty lines and rules.
func blocks(lines []textLine) [][]textLine {
	var all [][]textLine
	for i, line := range lines {
		if i == 0 || line.blank || line.ruled {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], line)
	}
	return all
}

// joined is the text of lines.
func joined(lines []textLine) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
			if line.blank {
				b.WriteByte('\n')
			}
		}
		b.WriteString(line.text)
	}
	return b.String()
}
