package format

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fields are what a document says of itself beside its tables: names with values
// behind or below them, such as the number, the date and the customer of an
// invoice.

const (
	maxFields   = 50  // of one document
	maxFieldKey = 40  // characters
	maxField    = 200 // characters of a value
	minFields   = 2   // so many make them more than a remark
	maxBelow    = 5   // lines of a value that stands below its name
)

// fieldWords are words of which one is in most names of fields that have no colon.
var fieldWords = wordSet("invoice number no nr date due customer client order po account reference ref terms bill ship vat iban bic " +
	"id currency project contract policy vendor supplier buyer seller delivery name address phone email period statement " +
	"rechnung rechnungsnummer rechnungsdatum datum kunde kundennummer bestellnummer facture client fecha cliente factura")

// remarkWords are what begins a remark rather than a field.
var remarkWords = wordSet("note notes nb remark remarks comment comments hinweis page seite warning important source sources attention")

// summaryWords are words of names of amounts that are reckoned from the rows above.
var summaryWords = wordSet("subtotal total totals sum vat tax taxes gst hst mwst ust discount shipping freight handling balance " +
	"paid deposit rounding net gross summe gesamt gesamtsumme zwischensumme netto brutto rabatt versand carried forward amount due")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// wordsOf splits a name into words in small letters.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// besideSummary are words that such names have beside them.
var besideSummary = wordSet("sub grand sales and of the incl excl including excluding")

// callsSummary reports whether a phrase names an amount that is reckoned from others,
// such as Subtotal or VAT 20 %.
func callsSummary(text string) bool {
	words, named := wordsOf(strings.ReplaceAll(strings.ToLower(text), "sub-total", "subtotal")), false
	for _, w := range words {
		switch {
		case summaryWords[w]:
			named = named || !slices.Contains([]string{"amount", "due", "forward", "carried"}, w) || len(words) > 1
		case besideSummary[w], strings.Trim(w, "0123456789") == "":
		case len(w) == 3 && w == strings.ToLower(w) && strings.Contains(text, strings.ToUpper(w)): // a currency
		default:
			return false
		}
	}
	return named && len(words) < 7
}

// isFieldName reports whether a phrase can name a field.
func isFieldName(text string) bool {
	if n := utf8.RuneCountInString(text); n < 2 || n > maxFieldKey {
		return false
	}
	words := wordsOf(text)
	first, _ := utf8.DecodeRuneInString(text)
	if len(words) == 0 || len(words) > 5 || !unicode.IsLetter(first) || remarkWords[words[0]] || strings.Contains(text, "//") {
		return false
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters*2 > utf8.RuneCountInString(text) && !strings.ContainsAny(text, ";!?")
}

// isKnownName reports whether a phrase names a field without a colon behind it.
func isKnownName(text string) bool {
	return isFieldName(text) && !looksLikeValue(text) && !strings.ContainsAny(text, "0123456789") &&
		slices.ContainsFunc(wordsOf(text), func(w string) bool { return fieldWords[w] })
}

// cutField splits a phrase at the colon behind the name of a field. The value is empty
// where it stands elsewhere.
func cutField(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, ":")
	glued := value != "" && !strings.HasPrefix(value, " ")
	name, value = strings.TrimSpace(strings.TrimRight(name, " #.")), strings.TrimSpace(value)
	return name, value, ok && !glued && isFieldName(name)
}

// beginsField reports whether a line begins with a field, or holds the name of one
// whose value stands elsewhere: it is no row of a table.
func beginsField(l pageLine) bool {
	named := 0
	for i, p := range l.phrases {
		name, value, ok := cutField(p.text)
		if ok && !callsSummary(name) && (i == 0 || value == "") {
			named++
		}
	}
	headed := named == len(l.phrases) && named > 2 // a header whose names have colons
	return named > 0 && !headed
}

// holdsFields reports whether most lines of a grid are fields without colons rather
// than rows.
func (g *grid) holdsFields() bool {
	known := 0
	for _, l := range g.lines {
		if len(l.phrases) == 2 && isKnownName(l.phrases[0].text) {
			known++
		}
	}
	return known*5 >= len(g.lines)*4
}

// fieldSet is the fields of one document. A file may hold several, one after the other.
type fieldSet struct {
	page   int
	names  []string
	values map[string]string
}

// pdfFields collects fields, page by page.
type pdfFields struct {
	sets   []*fieldSet
	totals []string // amounts that are reckoned from others
	lines  int      // with text
	used   int      // of them, those that fields are on
}

// read takes the fields of a page out of the lines that are in no table. It reports
// whether there is nothing else on them.
func (f *pdfFields) read(page int, lines []pageLine, inside []bool) (nothingElse bool) {
	r := &fieldReader{lines: lines, inside: inside, taken: make([][]bool, len(lines))}
	for i, l := range lines {
		r.taken[i] = make([]bool, len(l.phrases))
	}
	for i := range lines {
		if !inside[i] {
			r.line(i)
			r.heads(i)
		}
	}
	nothingElse = true
	for i := range lines {
		if inside[i] {
			continue
		}
		f.lines++
		if slices.Contains(r.taken[i], true) {
			f.used++
		}
		nothingElse = nothingElse && !slices.Contains(r.taken[i], false)
	}
	f.totals = append(f.totals, r.totals...)
	f.take(page, r.found)
	return nothingElse
}

// fieldReader looks for fields on a page.
type fieldReader struct {
	lines  []pageLine
	inside []bool
	taken  [][]bool // phrases that are part of a field
	found  [][2]string
	totals []string
}

// line finds fields whose values stand behind or below their names.
func (r *fieldReader) line(i int) {
	phrases := r.lines[i].phrases
	for n := 0; n < len(phrases); n++ {
		if r.taken[i][n] {
			continue
		}
		text := phrases[n].text
		name, value, ok := cutField(text)
		next := ""
		if n+1 < len(phrases) && !r.taken[i][n+1] && !strings.HasSuffix(phrases[n+1].text, ":") {
			next = phrases[n+1].text
		}
		switch {
		case ok && value != "":
			r.add(i, n, n, name, value)
		case ok && next != "":
			r.add(i, n, n+1, name, next)
		case ok:
			r.below(i, n, name)
		case next == "":
		case callsSummary(text) && looksLikeAmount(next), len(phrases)%2 == 0 && n%2 == 0 && isKnownName(text) && !isKnownName(next):
			r.add(i, n, n+1, text, next)
		}
	}
}

// add keeps a field that stands in the phrases from one to another of a line.
func (r *fieldReader) add(i, from, to int, name, value string) {
	if utf8.RuneCountInString(value) > maxField {
		return
	}
	for n := from; n <= to; n++ {
		r.taken[i][n] = true
	}
	if callsSummary(name) {
		r.totals = append(r.totals, name+" "+value)
		return
	}
	r.found = append(r.found, [2]string{name, value})
}

// below finds the value of a name that stands above it: the lines that begin where it
// does.
func (r *fieldReader) below(i, n int, name string) {
	const beside = 4.0 // points
	left, last, parts := r.lines[i].phrases[n].left, i, []string(nil)
	for k := i + 1; k < len(r.lines) && k <= i+maxBelow && !r.inside[k]; k++ {
		if r.lines[k].top-r.lines[last].bottom > r.lines[k].height() {
			break
		}
		at := slices.IndexFunc(r.lines[k].phrases, func(p phrase) bool { return p.left > left-beside && p.left < left+beside })
		if at < 0 || r.taken[k][at] {
			break
		}
		text := r.lines[k].phrases[at].text
		if _, _, ok := cutField(text); ok {
			break
		}
		parts, last = append(parts, text), k
		r.taken[k][at] = true
	}
	if len(parts) > 0 {
		r.add(i, n, n, name, strings.Join(parts, ", "))
	}
}

// heads finds fields whose names stand side by side with their values below them.
func (r *fieldReader) heads(i int) {
	if i+1 == len(r.lines) || r.inside[i+1] {
		return
	}
	names, values := r.lines[i], r.lines[i+1]
	far := values.top-names.bottom > 1.5*names.height()
	if far || len(names.phrases) < 2 || len(names.phrases) != len(values.phrases) {
		return
	}
	if slices.Contains(r.taken[i], true) || slices.Contains(r.taken[i+1], true) || !headsOf(names, values) {
		return
	}
	for n, p := range names.phrases {
		r.add(i, n, n, p.text, values.phrases[n].text)
		r.taken[i+1][n] = true
	}
}

// headsOf reports whether the phrases of a line name those of the line below.
func headsOf(names, values pageLine) bool {
	const digits = "0123456789"
	known, numbers := 0, 0
	for n, p := range names.phrases {
		value := values.phrases[n]
		if !p.meets(value.band) || !isFieldName(p.text) || strings.ContainsAny(p.text, digits) {
			return false
		}
		if isKnownName(p.text) {
			known++
		}
		if strings.ContainsAny(value.text, digits) {
			numbers++
		}
	}
	return numbers > 0 && (known > 0 || len(names.phrases) > 2)
}

// take keeps the fields of a page. One that comes with another value on a later page
// begins the next document.
func (f *pdfFields) take(page int, found [][2]string) {
	if len(found) == 0 {
		return
	}
	var set *fieldSet
	if n := len(f.sets); n > 0 {
		set = f.sets[n-1]
		other := func(p [2]string) bool { return set.values[p[0]] != "" && set.values[p[0]] != p[1] }
		if set.page < page && slices.ContainsFunc(found, other) {
			set = nil
		}
	}
	if set == nil {
		set = &fieldSet{page: page, values: map[string]string{}}
		f.sets = append(f.sets, set)
	}
	for _, p := range found {
		name, value := p[0], p[1]
		if known := set.values[name]; known != "" && known != value {
			name += " 2"
		}
		if set.values[name] == "" && len(set.names) < maxFields {
			set.names, set.values[name] = append(set.names, name), value
		}
	}
}

// names returns the names of the fields of all documents.
func (f *pdfFields) names() (all []string) {
	for _, set := range f.sets {
		for _, name := range set.names {
			if !slices.Contains(all, name) && len(all) < maxFields {
				all = append(all, name)
			}
		}
	}
	return all
}

// on returns the fields of the document that a page is part of.
func (f *pdfFields) on(page int) *fieldSet {
	at := f.sets[0]
	for _, set := range f.sets {
		if set.page <= page {
			at = set
		}
	}
	return at
}

// beside adds the fields of the document to the rows of a table of it.
func (f *pdfFields) beside(names []string, rows [][]string, pages []int, b *budget) ([]string, [][]string, error) {
	fields := f.names()
	if len(fields) < minFields {
		return names, rows, nil
	}
	taken := map[string]bool{}
	for _, name := range names {
		taken[strings.ToLower(name)] = true
	}
	for _, name := range fields {
		if taken[strings.ToLower(name)] {
			name = "Document " + strings.ToLower(name)
		}
		names = append(names, name)
	}
	wider := make([][]string, len(rows))
	for i, row := range rows {
		set := f.on(pages[i])
		wide := make([]string, len(names))
		copy(wide, row)
		for n, name := range fields {
			value := set.values[name]
			if err := b.take(value, 1); err != nil {
				return nil, nil, err
			}
			wide[len(names)-len(fields)+n] = value
		}
		wider[i] = wide
	}
	return names, wider, nil
}

// table returns the fields as a table with a row for every document, where they are
// most of what the file holds.
func (f *pdfFields) table(notes []string) []Table {
	names := f.names()
	if len(names) <= minFields || f.used*2 < f.lines {
		return nil
	}
	var rows [][]string
	var pages []int
	for _, set := range f.sets {
		row := make([]string, len(names))
		for i, name := range names {
			row[i] = set.values[name]
		}
		rows, pages = append(rows, row), append(pages, set.page)
	}
	return []Table{memoryPaged(Table{Detail: "PDF, its fields"}, names, rows, pages, append(notes, f.notes()...))}
}

// notes tells of amounts that are no fields.
func (f *pdfFields) notes() []string {
	if len(f.totals) == 0 {
		return nil
	}
	const most = 10
	shown := f.totals[:min(len(f.totals), most)]
	return []string{"totals were left out: " + strings.Join(shown, "; ")}
}
