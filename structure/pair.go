package structure

import (
	"regexp"
	"strings"
)

// pairLine is a line that names what it says: "Invoice No.: 2031-17".
var pairLine = regexp.MustCompile(`^[\s>*•-]*(?P<key>\pL[\pL\d ./#()&'’_-]{0,48}?)\s*(?:(?:\.{2,}\s*)?[:=](?:\s+|$)|\.{3,}\s*)(?P<value>.*)$`)

// nextPair is where another named value begins in the same line.
var nextPair = regexp.MustCompile(`(?:\t|\s{2,})\pL[\pL\d .#_-]{0,30}?[:=]\s`)

// pair is one named value.
type pair struct {
	key, text string
	line      textLine
	at        span // of the text, in the line
}

func cutPair(l textLine) (pair, bool) {
	m := pairLine.FindStringSubmatchIndex(l.text)
	if m == nil {
		return pair{}, false
	}
	k, v := pairLine.SubexpIndex("key"), pairLine.SubexpIndex("value")
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

// findPairs reads a text of named values: one record, or several that name the
// same. ok is false when too few lines name what they say.
func findPairs(lines []textLine) (all []record, ok bool) {
	named, shared, priced := 0, 0, 0
	keys := map[string]bool{}
	for _, l := range lines {
		p, ok := cutPair(l)
		if !ok {
			continue
		}
		named++
		if leader.MatchString(l.text) {
			priced++
		}
		if keys[strings.ToLower(p.key)] {
			shared++
		}
		keys[strings.ToLower(p.key)] = true
	}
	const enough, fewest = 0.6, 2
	if named < fewest || float64(named) < enough*float64(len(lines)) || shared == 0 && priced*2 > named {
		return nil, false // or a list of items, each with its price
	}
	groups := pairGroups(lines)
	if len(groups) > 1 && shared == 0 {
		groups = [][]textLine{lines} // one record in several blocks
	}
	for _, g := range groups {
		all = append(all, pairRecord(g))
	}
	return all, true
}

// pairGroups cuts lines where a record begins: behind an empty line, or where the
// first name of the record comes again.
func pairGroups(lines []textLine) [][]textLine {
	var all [][]textLine
	first := ""
	for i, l := range lines {
		p, named := cutPair(l)
		key := strings.ToLower(p.key)
		switch {
		case i == 0 || l.blank && named, named && key == first:
			all = append(all, nil)
			if named && first == "" {
				first = key
			}
		}
		all[len(all)-1] = append(all[len(all)-1], l)
	}
	return all
}

// pairRecord is what the named lines of a group say. A line without a name goes on
// with the value before it.
func pairRecord(group []textLine) record {
	const sure = 0.95
	r := record{text: joined(group), line: group[0].number}
	taken, from := map[string]int{}, 0
	for _, l := range group {
		start := from + strings.Index(r.text[from:], l.text)
		from = start + len(l.text)
		all := cutPairs(l)
		if n := len(r.values); n > 0 && all == nil {
			v := &r.values[n-1]
			v.at.end = from
			v.text = strings.TrimSpace(r.text[v.at.start:v.at.end])
		}
		for _, p := range all {
			r.values = append(r.values, value{
				name: unique(taken, columnName(p.key)), text: p.text, at: span{start + p.at.start, start + p.at.end},
				shape: shapeOf(p.text), by: "label", sure: sure,
			})
		}
	}
	return r
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
		r := pairRecord(withoutEnvelope(lines[at:end]))
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

var (
	amountAtEnd = regexp.MustCompile(`(?:^|\s)(?P<amount>[-+]?\(?` + currency + `?\s?\d{1,3}(?:[,.' ]?\d{3})*[.,]\d{2}\)?\s?` + currency + `?)(?:\s+[A-Z*])?$`)
	quantityOf  = regexp.MustCompile(`^(?P<before>.*?)\s*(?P<quantity>\d+(?:[.,]\d+)?)\s*(?:[x×@]|pcs?\.?(?:\s+[x×@])?)\s*(?P<price>` + currency + `?\s?\d+(?:[.,]\d{2}))?\s*(?P<after>.*)$`)
	totalLine   = regexp.MustCompile(`(?i)^\W*(?:sub-?\s?total|grand total|total|sum|vat|tax|gst|mwst|tip|discount|change|cash|card|visa|mastercard|balance|amount due|paid|` +
		`rounding|net|gross|shipping|summe|gesamt|zwischensumme|zu zahlen|netto|brutto|ust|geg(?:\.|eben)|bar|ec-?(?:cash|karte)|r(?:ü|ue)ckgeld|totale|tva|iva|importe)(?:\b|[\s.:]|$)`)
	// leader is a line that leads from an item to its price by dots.
	leader = regexp.MustCompile(`\.{3,}\s*` + currency + `?\s?\d[\d.,]*\s?` + currency + `?$`)
	// counted is an item that begins with how many it is.
	counted = regexp.MustCompile(`^\s*(?P<quantity>\d{1,3})\s+(?:[x×]\s+)?(?P<item>\pL.*?)(?:\s+@\s*(?P<price>` + currency + `?\s?\d+[.,]\d{2}))?\s*$`)
)

// findReceipt reads a list of items with their amounts, such as a receipt or the
// lines of an invoice. What the document says of itself is told with every item;
// totals are no items.
func findReceipt(lines []textLine) (all []record, ok bool) {
	if isLogged(lines) {
		return nil, false
	}
	var about []value
	var items []textLine
	rest := 0
	for i, l := range lines {
		if amount := itemAmount(l); amount.end > 0 {
			items = append(items, l)
			continue
		}
		if found := documentLine(l, i == 0); found != nil {
			about = append(about, found...)
		} else if !isRule(l.text) {
			rest++
		}
	}
	const fewest = 2
	if len(items) < fewest || rest > len(items) {
		return nil, false
	}
	all = make([]record, len(items))
	manyCounted := allCounted(items)
	for i, l := range items {
		all[i] = item(l, itemAmount(l), manyCounted)
	}
	tellAbout(all, about, "item", "quantity", "price", "amount")
	return all, true
}

// tellAbout tells with every record what their document says of itself. Names of the
// records' own columns are taken.
func tellAbout(all []record, about []value, names ...string) {
	taken := map[string]int{}
	for _, n := range names {
		unique(taken, n)
	}
	for i := range about {
		about[i].name = unique(taken, about[i].name)
	}
	for i := range all {
		all[i].values = append(all[i].values, about...)
	}
}

// itemAmount returns the amount at the end of a line that is an item; an empty span
// when it is none, or a total.
func itemAmount(l textLine) span {
	m := amountAtEnd.FindStringSubmatchIndex(l.text)
	if m == nil || totalLine.MatchString(l.text) || strings.Trim(l.text[:m[2]], " \t.") == "" {
		return span{}
	}
	return span{m[2], m[3]}
}

// allCounted reports whether all items begin with how many they are.
func allCounted(items []textLine) bool {
	for _, l := range items {
		if !counted.MatchString(l.text[:itemAmount(l).start]) {
			return false
		}
	}
	return true
}

// isLogged reports whether most lines begin as records of a log or a statement do.
func isLogged(lines []textLine) bool {
	const looked = 50
	n := 0
	for _, l := range lines[:min(len(lines), looked)] {
		switch tokenAt(strings.TrimSpace(l.text), 0).shape {
		case instant, day, ip, level:
			n++
		}
	}
	return n*2 > min(len(lines), looked)
}

// documentLine is what a line says of its document: named values, a total, its title, a
// date; nil when it says nothing that is known.
func documentLine(l textLine, first bool) (found []value) {
	if m := amountAtEnd.FindStringSubmatchIndex(l.text); m != nil && totalLine.MatchString(l.text) {
		label := strings.Trim(l.text[:m[2]], " \t.:")
		return []value{aboutDocument(columnName(strings.ToLower(label)), l.text[m[2]:m[3]])}
	}
	for _, p := range cutPairs(l) {
		if p.text != "" {
			found = append(found, aboutDocument(columnName(strings.ToLower(p.key)), p.text))
		}
	}
	s, at := onlyShape(l.text, instant, day)
	switch {
	case found != nil:
	case first && at.end == 0:
		found = append(found, aboutDocument("title", strings.TrimSpace(l.text)))
	case at.end > 0:
		found = append(found, aboutDocument(shapeNames[s], l.text[at.start:at.end]))
	}
	return found
}

// aboutDocument is what a document says of itself, which stands outside of its items.
func aboutDocument(name, text string) value {
	const sure = 0.9
	return value{name: name, text: strings.TrimSpace(text), at: span{-1, -1}, shape: shapeOf(text), by: "document", sure: sure}
}

// item is one line with an amount at its end, which may begin with how many it is.
func item(l textLine, amount span, isCounted bool) record {
	const sure = 0.9
	r := record{text: l.text, line: l.number}
	add := func(name string, at span) {
		if text := strings.TrimRight(strings.TrimSpace(l.text[at.start:at.end]), ". "); text != "" {
			r.values = append(r.values, value{name: name, text: text, at: at, shape: shapeOf(text), by: "item", sure: sure})
		}
	}
	words := l.text[:amount.start]
	m := quantityOf.FindStringSubmatchIndex(words)
	switch {
	case isCounted:
		m = counted.FindStringSubmatchIndex(words)
		for _, name := range []string{"item", "quantity", "price"} {
			if n := counted.SubexpIndex(name); m[2*n] >= 0 {
				add(name, span{m[2*n], m[2*n+1]})
			}
		}
	case m == nil:
		add("item", span{0, amount.start})
	default:
		group := func(name string) span { n := quantityOf.SubexpIndex(name); return span{m[2*n], m[2*n+1]} }
		if before := group("before"); strings.TrimSpace(words[before.start:before.end]) != "" {
			add("item", before)
		} else {
			add("item", group("after"))
		}
		add("quantity", group("quantity"))
		if price := group("price"); price.start >= 0 {
			add("price", price)
		}
	}
	add("amount", amount)
	return r
}

// onlyShape returns the one piece of a text that has one of the shapes; an empty
// span when there is none, or more than one.
func onlyShape(text string, wanted ...shape) (s shape, at span) {
	for _, t := range tokens(text) {
		for _, w := range wanted {
			if t.shape != w {
				continue
			}
			if at.end > 0 {
				return word, span{}
			}
			s, at = w, span{t.start, t.end}
		}
	}
	return s, at
}
