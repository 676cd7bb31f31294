package structure

import (
	"regexp"
	"strings"
	"time"
)

// cardLine is a line of a card or a calendar: a name, its parameters, and a value.
var cardLine = regexp.MustCompile(`^(?:item\d+\.)?([A-Za-z][A-Za-z0-9-]*)(?:;[^:;"]*(?:"[^"]*"[^:;"]*)*)*:(.*)$`)

// cardNames are what people call the names of cards and calendars; empty: what tells of the file alone.
var cardNames = map[string]string{
	"FN": "name", "N": "full_name", "TEL": "phone", "ADR": "address", "ORG": "organisation", "TITLE": "job", "BDAY": "birthday",
	"DTSTART": "starts", "DTEND": "ends", "DTSTAMP": "stamped", "REV": "changed", "UID": "id", "VERSION": "", "PRODID": "", "CALSCALE": "",
}

// cardEscapes are the signs that stand behind a stroke in such values.
var cardEscapes = strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`)

// card is a part of such a file between BEGIN and END.
type card struct {
	lines []textLine
	holds bool // others are in it, such as the entries of a calendar
}

// findCards reads cards of people and entries of calendars, which stand between BEGIN and END. ok is false when
// there are none, or other lines stand between them.
func findCards(lines []textLine) (all []record, ok bool) {
	if len(lines) == 0 || !strings.HasPrefix(strings.ToUpper(lines[0].text), "BEGIN:") {
		return nil, false
	}
	var open []card
	for _, l := range unfolded(lines) {
		m := cardLine.FindStringSubmatch(l.text)
		if m == nil {
			return nil, false
		}
		switch name := strings.ToUpper(m[1]); {
		case name == "BEGIN":
			open = append(open, card{})
		case len(open) == 0:
			return nil, false
		case name != "END":
			last := &open[len(open)-1]
			last.lines = append(last.lines, l)
		default:
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if !isDetail(m[2]) && !last.holds && len(last.lines) > 0 {
				all = append(all, last.record())
			}
			if len(open) > 0 && !isDetail(m[2]) {
				open[len(open)-1].holds = true
			}
		}
	}
	return all, len(all) > 0 && len(open) == 0
}

// unfolded puts lines that begin with a blank behind those that they go on with.
func unfolded(lines []textLine) []textLine {
	all := make([]textLine, 0, len(lines))
	for _, l := range lines {
		if n := len(all); n > 0 && (l.text[0] == ' ' || l.text[0] == '\t') {
			all[n-1].text += l.text[1:]
			continue
		}
		all = append(all, l)
	}
	return all
}

// isDetail reports whether a part of a calendar tells of what it is in alone: an alarm, a zone.
func isDetail(kind string) bool {
	switch strings.ToUpper(strings.TrimSpace(kind)) {
	case "VALARM", "VTIMEZONE", "STANDARD", "DAYLIGHT":
		return true
	}
	return false
}

// record is what the lines of a card say.
func (c card) record() record {
	const sure = 0.95
	r := record{text: joined(c.lines), line: c.lines[0].number}
	taken, from := map[string]int{}, 0
	for _, l := range c.lines {
		start := from + strings.Index(r.text[from:], l.text)
		from = start + len(l.text)
		m := cardLine.FindStringSubmatchIndex(l.text)
		key := strings.ToUpper(l.text[m[2]:m[3]])
		name, known := cardNames[key]
		if !known {
			name = strings.ReplaceAll(strings.ToLower(key), "-", "_")
		}
		v := value{text: l.text[m[4]:m[5]], at: span{start + m[4], start + m[5]}, by: "label", sure: sure}
		said := cardText(key, v.text)
		if name == "" || said == "" {
			continue
		}
		if v.name, v.shape = unique(taken, name), shapeOf(said); said != v.text {
			v.read = said
		}
		r.values = append(r.values, v)
	}
	return r
}

// cardText is what a value says: parts of names and addresses put together, moments as everybody writes them.
func cardText(key, text string) string {
	switch key {
	case "N", "ADR", "ORG":
		var parts []string
		for part := range strings.SplitSeq(strings.ReplaceAll(text, `\;`, "\x00"), ";") {
			if part = strings.TrimSpace(strings.ReplaceAll(part, "\x00", ";")); part != "" {
				parts = append(parts, part)
			}
		}
		text = strings.Join(parts, ", ")
	case "DTSTART", "DTEND", "DTSTAMP", "BDAY", "REV", "CREATED", "LAST-MODIFIED", "DUE", "COMPLETED":
		for layout, as := range map[string]string{"20060102": time.DateOnly, "20060102T150405": "2006-01-02T15:04:05", "20060102T150405Z": time.RFC3339} {
			if t, err := time.Parse(layout, text); err == nil {
				return t.Format(as)
			}
		}
	}
	return strings.TrimSpace(cardEscapes.Replace(text))
}
