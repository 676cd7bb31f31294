package structure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry is a line of a text of named values.
type entry struct {
	textLine
	pairs []pair // nil: it names nothing
	key   string // of the first pair, in lower case
}

func entriesOf(lines []textLine) []entry {
	all := make([]entry, len(lines))
	for i, l := range lines {
		all[i] = entry{textLine: l, pairs: cutPairs(l)}
		if all[i].pairs != nil {
			all[i].key = strings.ToLower(all[i].pairs[0].key)
		}
	}
	return all
}

// goesOn reports whether a line without a name is more of the value before it. A date or an
// amount is whole already, and so is what a sentence stands below.
func (e entry) goesOn(v value) bool {
	switch indented := e.text[0] == ' ' || e.text[0] == '\t'; {
	case e.blank || e.ruled:
		return false
	case indented || v.text == "":
		return true
	}
	const wrapped = 50 // as long as lines are before they are wrapped
	return !shapeOf(v.text).fixed() && (len(v.text) > wrapped || !isSentence(e.text))
}

// isSentence reports whether a line is a sentence of its own.
func isSentence(line string) bool {
	const fewest = 3
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.IsUpper(first) && strings.ContainsAny(line[len(line)-1:], ".!?") && len(strings.Fields(line)) >= fewest
}

func joinedEntries(group []entry) string {
	lines := make([]textLine, len(group))
	for i, e := range group {
		lines[i] = e.textLine
	}
	return joined(lines)
}

// findPairs reads a text of named values: one record, or several that name the
// same. ok is false when too few lines name what they say.
func findPairs(lines []textLine) (all []record, ok bool) {
	entries := entriesOf(withoutRules(lines))
	markTitles(entries)
	named, shared, priced := 0, 0, 0
	keys := map[string]bool{}
	open := false // the last name has nothing behind it in its line
	for _, e := range entries {
		if e.pairs == nil {
			if open = open && !e.blank && !e.ruled; open {
				named++ // it is what is named
			}
			continue
		}
		open = e.pairs[len(e.pairs)-1].text == ""
		named++
		if leader.MatchString(e.text) {
			priced++
		}
		if keys[e.key] {
			shared++
		}
		keys[e.key] = true
	}
	const enough, fewest = 0.6, 2
	if named < fewest || shared == 0 && priced*2 > named {
		return nil, false // or a list of items, each with its price
	}
	best, several := bestParting(entries)
	if float64(named+best.titles()) < enough*float64(len(entries)) {
		return nil, false
	}
	if !several {
		best = parting{groups: [][]entry{entries}}
	}
	return best.records(), true
}

// numberedKey is a name that ends in a number: "Arrival 101".
var numberedKey = regexp.MustCompile(`^(\pL.*?)[\s#.]*\d+$`)

// markTitles takes the names from lines that begin records, as "Arrival 101: Ariadne" does: they
// differ in their numbers, each comes once, and other names come between them more than once.
func markTitles(all []entry) {
	seen, stems := map[string]int{}, map[string]int{}
	for _, e := range all {
		seen[e.key]++
	}
	stemOf := func(key string) string {
		if m := numberedKey.FindStringSubmatch(key); m != nil && seen[key] == 1 {
			return m[1]
		}
		return ""
	}
	others := 0 // names that come more than once
	for i, e := range all {
		if stem := stemOf(e.key); stem != "" && (i == 0 || stemOf(all[i-1].key) != stem) {
			stems[stem]++
		}
		if e.pairs != nil && seen[e.key] > 1 {
			others++
		}
	}
	for i := range all {
		if stem := stemOf(all[i].key); stem != "" && stems[stem] > 1 && others >= stems[stem] {
			all[i].pairs, all[i].key = nil, ""
		}
	}
}

// parting is a text of named values cut into records.
type parting struct {
	head, tail []entry // what stands before and behind all records
	groups     [][]entry
	score      float64 // how alike the records are, up to 1
}

// titles counts the records that begin with a line without a name.
func (p parting) titles() (n int) {
	for _, g := range p.groups {
		if len(g) > 1 && g[0].pairs == nil && g[1].pairs != nil {
			n++
		}
	}
	return n
}

// bestParting cuts a text where records begin: below rules, behind empty lines, at lines that are marked
// as headings, or where a name comes again, whichever gives the records that are most alike. ok is false
// when no way gives records that name the same.
func bestParting(all []entry) (best parting, ok bool) {
	const enough = 0.4
	ways := [][]int{
		startsAt(all, func(i int) bool { return i == 0 || all[i].ruled }),
		startsAt(all, func(i int) bool { return all[i].pairs == nil && isHeading(all[i].text) }),
		startsAt(all, func(i int) bool { return i == 0 || all[i].blank || all[i].ruled }),
	}
	for _, starts := range append(ways, keyStarts(all)...) {
		p, fits := partAt(all, starts)
		if fits && p.score >= enough && p.score > best.score {
			best, ok = p, true
		}
	}
	if first := best.groups; ok && best.titles() == 1 && first[0][0].pairs == nil { // a title of all of them
		best.head = slices.Concat(best.head, first[0][:1])
		best.groups = slices.Concat([][]entry{first[0][1:]}, first[1:])
	}
	return best, ok
}

func startsAt(all []entry, begins func(i int) bool) (starts []int) {
	for i := range all {
		if begins(i) {
			starts = append(starts, i)
		}
	}
	return starts
}

// keyStarts are the partings at the names that come first and come again. The line before is the title of a record
// where nearly all have one that names nothing.
func keyStarts(all []entry) (ways [][]int) {
	const mostKeys, nearly = 8, 0.8
	places := map[string][]int{}
	var order []string
	for i, e := range all {
		if e.pairs == nil {
			continue
		}
		if places[e.key] == nil {
			order = append(order, e.key)
		}
		places[e.key] = append(places[e.key], i)
	}
	for _, key := range order {
		starts := places[key]
		if len(starts) < 2 {
			continue
		}
		titled := 0
		for _, i := range starts {
			if i > 0 && all[i-1].pairs == nil {
				titled++
			}
		}
		if first := starts[0]; first > 0 && all[first-1].pairs == nil && float64(titled) >= nearly*float64(len(starts)) {
			starts = slices.Clone(starts)
			for n, i := range starts {
				if all[i-1].pairs == nil {
					starts[n]--
				}
			}
		}
		if ways = append(ways, starts); len(ways) == mostKeys {
			break
		}
	}
	return ways
}

// partAt cuts a text at the lines where records begin. ok is false when they name nothing in common.
func partAt(all []entry, starts []int) (p parting, ok bool) {
	const fewest = 2
	if len(starts) < fewest {
		return p, false
	}
	p.head = all[:starts[0]]
	counts := map[string]int{}
	for n, start := range starts {
		end := len(all)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		p.groups = append(p.groups, all[start:end])
		for key := range keysOf(all[start:end]) {
			counts[key]++
		}
	}
	common := map[string]bool{}
	for key, n := range counts {
		if n >= max(fewest, (len(p.groups)+1)/2) {
			common[key] = true
		}
	}
	p.trim(all, common)
	if len(p.groups) < fewest || len(common) == 1 && len(p.head) > 1 {
		return p, false
	}
	p.measure(common)
	return p, true
}

// trim takes the groups at both ends that name nothing in common with the others for what stands around the records.
func (p *parting) trim(all []entry, common map[string]bool) {
	isOther := func(g []entry) bool {
		return !slices.ContainsFunc(g, func(e entry) bool { return common[e.key] })
	}
	for len(p.groups) > 0 && isOther(p.groups[0]) {
		p.head = all[:len(p.head)+len(p.groups[0])]
		p.groups = p.groups[1:]
	}
	for len(p.groups) > 0 && isOther(p.groups[len(p.groups)-1]) {
		last := p.groups[len(p.groups)-1]
		p.tail = all[len(all)-len(p.tail)-len(last):]
		p.groups = p.groups[:len(p.groups)-1]
	}
}

// measure says how alike the records are: what they share of the names that are common. Names that
// come twice in one, and records that share none, count against it.
func (p *parting) measure(common map[string]bool) {
	shared, either, pairs, doubled, strange := 0, 0, 0, 0, 0
	for _, g := range p.groups {
		has, both := keysOf(g), 0
		for key, n := range has {
			pairs += n
			doubled += n - 1
			if common[key] {
				both++
			}
		}
		if both == 0 {
			strange++
		}
		shared += both
		either += len(has) + len(common) - both
	}
	p.score = float64(shared)/float64(max(either, 1)) - float64(doubled)/float64(max(pairs, 1)) - float64(strange)/float64(len(p.groups))
}

// keysOf counts the names of a group.
func keysOf(group []entry) map[string]int {
	counts := map[string]int{}
	for _, e := range group {
		for _, p := range e.pairs {
			counts[strings.ToLower(p.key)]++
		}
	}
	return counts
}

// records reads the records, with their titles and what stands around them. What names nothing is kept as it is.
func (p parting) records() (all []record) {
	taken := map[string]int{}
	var titles []textLine
	for _, g := range p.groups {
		for _, e := range g {
			for _, named := range e.pairs {
				taken[strings.ToLower(columnName(named.key))] = 1
			}
		}
		if g[0].pairs == nil && len(keysOf(g)) > 0 {
			titles = append(titles, g[0].textLine)
		}
	}
	called := titleValues(titles, taken)
	for _, g := range p.groups {
		if len(keysOf(g)) == 0 {
			all = append(all, record{text: joinedEntries(g), line: g[0].number, unread: "names no values"})
			continue
		}
		r := pairRecord(g)
		if g[0].pairs == nil {
			r.values = append(slices.Clone(called[g[0].number]), r.values...)
		}
		all = append(all, r)
	}
	tellAbout(all, p.about(taken["title"] > 0), sortedKeys(taken)...)
	if rest := unnamed(p.tail); len(rest) > 0 {
		all = append(all, record{text: joinedEntries(rest), line: rest[0].number, unread: "is not part of a record"})
	}
	return all
}

func sortedKeys(taken map[string]int) []string {
	var names []string
	for name := range taken {
		names = append(names, name)
	}
	slices.SortFunc(names, cmp.Compare)
	return names
}

// about is what stands around the records: named values, and the title above all of them.
func (p parting) about(titled bool) (found []value) {
	for _, e := range slices.Concat(p.head, p.tail) {
		for _, named := range e.pairs {
			if named.text != "" {
				found = append(found, aboutDocument(columnName(named.key), named.text))
			}
		}
	}
	var texts []string
	for _, l := range unnamed(p.head) {
		at := titleSpan(l.text)
		texts = append(texts, l.text[at.start:at.end])
	}
	name := "title"
	if titled { // the records have titles of their own
		name = "document"
	}
	if texts != nil {
		found = append(found, aboutDocument(name, strings.Join(texts, "\n")))
	}
	return found
}

func unnamed(all []entry) (some []entry) {
	for _, e := range all {
		if e.pairs == nil {
			some = append(some, e)
		}
	}
	return some
}
