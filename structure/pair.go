package structure

import (
	"regexp"
	"strings"
)

var (
	// pairLine is a line that names what it says: "Invoice No.: 2031-17", in Markdown "- **Fee:** 80" too.
	pairLine = regexp.MustCompile(`^[\s>*•-]*(?P<key>\pL[\pL\d ./#()&'’_-]{0,48}?)\s*` +
		`(?:(?:\*\*|__)?(?:\.{2,}\s*)?[:=](?:\*\*|__)?(?:\s+|$)|\.{3,}\s*)(?P<value>.*)$`)
	// setting is a line as files of settings have them: "berth=4".
	setting = regexp.MustCompile(`^\s*(?P<key>\pL[\pL\d._-]{0,48})=(?P<value>\S.*)$`)
)

// nextPair is where another named value begins in the same line.
var nextPair = regexp.MustCompile(`(?:\t|\s{2,})\pL[\pL\d .#_-]{0,30}?[:=]\s`)

// pair is one named value.
type pair struct {
	key, text string
	line      textLine
	at        span // of the text, in the line
}

func cutPair(l textLine) (pair, bool) {
	re := pairLine
	m := re.FindStringSubmatchIndex(l.text)
	if m == nil && strings.IndexByte(l.text, '=') > 0 && len(namedValue.FindAllStringIndex(l.text, 2)) < 2 {
		re = setting
		m = re.FindStringSubmatchIndex(l.text)
	}
	if m == nil {
		return pair{}, false
	}
	k, v := re.SubexpIndex("key"), re.SubexpIndex("value")
	p := pair{key: l.text[m[2*k]:m[2*k+1]], at: span{m[2*v], m[2*v+1]}, line: l}
	p.text = strings.TrimSpace(l.text[p.at.start:p.at.end])
	const mostWords = 6
	return p, len(strings.Fields(p.key)) <= mostWords
}

// cutPairs returns the named values of a line, which may stand beside each other.
func cutPairs(l textLine) []pair {
	first, ok := cutPair(l)
	if !ok {
		return nil
	}
	all := []pair{first}
	for {
		last := &all[len(all)-1]
		m := nextPair.FindStringIndex(l.text[last.at.start:last.at.end])
		if m == nil || m[0] == 0 {
			return all
		}
		from, end := last.at.start+m[0], last.at.end
		rest := textLine{text: l.text[from:end]}
		next, ok := cutPair(rest)
		if !ok {
			return all
		}
		last.at.end = from
		last.text = strings.TrimSpace(l.text[last.at.start:from])
		next.line, next.at = l, span{from + next.at.start, from + next.at.end}
		all = append(all, next)
	}
}

// pairRecord is what the named lines of a group say. A line without a name goes on
// with the value before it, unless that is whole already or an empty line stands between: then
// it is text beside the values.
func pairRecord(group []entry) record {
	const sure, plain = 0.95, 0.6
	r := record{text: joinedEntries(group), line: group[0].number}
	taken, from := map[string]int{}, 0
	beside := -1
	for i, e := range group {
		start := from + strings.Index(r.text[from:], e.text)
		from = start + len(e.text)
		n := len(r.values)
		switch {
		case e.pairs != nil:
			beside = -1
			for _, p := range e.pairs {
				r.values = append(r.values, value{
					name: unique(taken, columnName(p.key)), text: p.text, at: span{start + p.at.start, start + p.at.end},
					shape: shapeOf(p.text), by: "label", sure: sure,
				})
			}
		case i == 0: // its title
		case beside < 0 && n > 0 && e.goesOn(r.values[n-1]):
			r.values[n-1].goOnTo(r.text, from)
		case beside >= 0:
			r.values[beside].goOnTo(r.text, from)
		default:
			beside = n
			r.values = append(r.values, value{name: unique(taken, "text"), text: strings.TrimSpace(e.text), at: span{start, from}, by: "order", sure: plain})
		}
	}
	return r
}

// goOnTo makes a value longer, up to a place in the text of its record.
func (v *value) goOnTo(text string, end int) {
	v.at.end = end
	v.text = strings.TrimSpace(text[v.at.start:end])
	v.shape = word
}

// headerNames are those that the headers of messages have.
var headerNames = map[string]bool{
	"from": true, "to": true, "cc": true, "subject": true, "date": true, "sent": true, "reply-to": true, "message-id": true,
}

// findMessages reads messages: headers, an empty line, and a text. ok is false when
// there is none.
func findMessages(lines []textLine) (all []record, ok bool) {
	for at := 0; at < len(lines); {
		end, found := headersAt(lines, at)
		if !found {
			return nil, false
		}
		next := end
		for next < len(lines) {
			if _, starts := headersAt(lines, next); starts && lines[next].blank {
				break
			}
			next++
		}
		r := pairRecord(entriesOf(withoutEnvelope(lines[at:end])))
		body := joined(lines[end:next])
		if body != "" {
			start := len(r.text) + 2
			r.text += "\n\n" + body
			r.values = append(r.values, value{name: "body", text: body, at: span{start, len(r.text)}, by: "label", sure: 0.95})
		}
		all = append(all, r)
		at = next
	}
	return all, len(all) > 0
}

// withoutEnvelope leaves out the line before the headers by which mailboxes part
// messages.
func withoutEnvelope(lines []textLine) []textLine {
	if len(lines) > 1 && strings.HasPrefix(lines[0].text, "From ") {
		return lines[1:]
	}
	return lines
}

// headersAt returns where the headers end that begin at a line; ok is false when
// they do not begin there.
func headersAt(lines []textLine, at int) (end int, ok bool) {
	known := 0
	if strings.HasPrefix(lines[at].text, "From ") {
		at++
	}
	for end = at; end < len(lines); end++ {
		l := lines[end]
		if end > at && l.blank {
			break
		}
		p, named := cutPair(l)
		folded := end > at && (l.text[0] == ' ' || l.text[0] == '\t')
		if !named && !folded || strings.ContainsAny(p.key, " ") && !folded {
			break
		}
		if headerNames[strings.ToLower(p.key)] {
			known++
		}
	}
	const fewest = 2
	return end, known >= fewest
}
