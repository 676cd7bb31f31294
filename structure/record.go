package structure

import "strings"

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
		all = append(all, textLine{line, number, blank})
		blank = false
	}
	return all
}

// blocks are the lines of a document between empty ones.
func blocks(lines []textLine) [][]textLine {
	var all [][]textLine
	for i, line := range lines {
		if i == 0 || line.blank {
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
