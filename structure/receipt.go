package structure

import (
	"regexp"
	"slices"
	"strings"
)

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
	rest, items := 0, 0
	for _, part := range receipts(lines) {
		some, unknown := receiptItems(part)
		items, rest = items+len(some), rest+unknown
		all = append(all, some...)
	}
	const fewest = 2
	return all, items >= fewest && rest <= items
}

// receiptItems are the items of one receipt, and how many lines of it say nothing that is known.
func receiptItems(lines []textLine) (all []record, rest int) {
	var about []value
	var items []textLine
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
	all = make([]record, len(items))
	manyCounted := allCounted(items)
	for i, l := range items {
		all[i] = item(l, itemAmount(l), manyCounted)
	}
	tellAbout(all, about, "item", "quantity", "price", "amount")
	return all, rest
}

// receipts cuts a document in which several receipts follow each other: what the first says of itself, such as its date
// or its total, is said again behind more items. The next one begins behind an empty line or a rule, else right there.
func receipts(lines []textLine) [][]textLine {
	type place struct {
		line   int
		behind bool // stands behind the items
	}
	said := map[string]place{}
	var parts [][]textLine
	start, body, items := 0, -1, 0 // where the receipt begins, its last line that is an item or a total, its items
	for i, l := range lines {
		if itemAmount(l).end > 0 {
			body, items = i, items+1
			continue
		}
		for _, v := range documentLine(l, false) {
			before, known := said[v.name]
			if !known || before.line < start {
				said[v.name] = place{i, items > 0}
			}
			if !known || before.line < start || items == 0 || i-before.line < 2 {
				continue
			}
			next := gapIn(lines, body+1, i)
			if before.behind {
				next = gapIn(lines, before.line+1, i)
			}
			parts, start, items = append(parts, lines[start:next]), next, itemsIn(lines[next:i])
			said[v.name] = place{i, items > 0}
		}
		if totalLine.MatchString(l.text) {
			body = i
		}
	}
	if parts = append(parts, lines[start:]); slices.ContainsFunc(parts, func(p []textLine) bool { return itemsIn(p) == 0 }) {
		return [][]textLine{lines}
	}
	return parts
}

// gapIn returns the last line from one to another, both included, that stands behind an empty line or a rule; else the first.
func gapIn(lines []textLine, from, to int) int {
	for i := to; i > from; i-- {
		if lines[i].blank || isRule(lines[i-1].text) {
			return i
		}
	}
	return from
}

func itemsIn(lines []textLine) (n int) {
	for _, l := range lines {
		if itemAmount(l).end > 0 {
			n++
		}
	}
	return n
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
		if all[i].unread == "" {
			all[i].values = append(all[i].values, about...)
		}
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
