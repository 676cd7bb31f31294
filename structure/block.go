package structure

import (
	"regexp"
	"strconv"
	"strings"

	"quern/place"
)

var (
	streetLine = regexp.MustCompile(`(?i)^(?:\d+[a-z]?(?:[-/]\d+)?,?\s+\pL.*|\pL[\pL .'-]*?(?:str\.|stra(?:ss|ß)e|street|road|avenue|lane|weg|allee|platz|gasse|rue|via|calle).*\s\d+\s?[a-z]?|p\.?o\.? box .*|.*\s(?:street|st\.?|road|rd\.?|avenue|ave\.?|lane|ln\.?|drive|dr\.?|boulevard|blvd\.?|court|ct\.?|square|way)(?:,? .*)?)$`)
	cityFirst  = regexp.MustCompile(`^(?P<city>\pL[\pL .'-]*?),?\s+(?:(?P<region>[A-Z]{2})\s+)?(?P<postcode>\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$`)
	codeFirst  = regexp.MustCompile(`^(?P<postcode>(?:[A-Z]{1,2}-)?\d{4,6}(?: ?[A-Z]{2})?)\s+(?P<city>\pL[\pL .'/-]+)$`)
	labelled   = regexp.MustCompile(`(?i)^(?:tel(?:ephone)?|phone|mobile|cell|fax|e-?mail|web(?:site)?)\.?\s*[:.]?\s+`)
)

// findBlocks reads blocks of lines between empty ones, each of which is somebody's
// or something's: an address, a card. ok is false when they do not look alike.
func findBlocks(lines []textLine) (all []record, ok bool) {
	const fewest, longest, enough = 2, 12, 0.6
	groups := blocks(withoutRules(lines))
	if len(groups) < fewest {
		return nil, false
	}
	known := 0
	first := numberedNames(groups)
	for _, g := range groups {
		if len(g) > longest {
			return nil, false
		}
		r, found := blockRecord(g, first[g[0].number])
		if found > 0 && len(g) > 1 {
			known++
		}
		all = append(all, r)
	}
	return all, float64(known) >= enough*float64(len(groups))
}

// numberedNames are the numbers and names in the first lines of blocks that are all numbered, by the numbers of
// the lines; nil when they are not.
func numberedNames(groups [][]textLine) map[int64][]value {
	var titles []textLine
	for _, g := range groups {
		if !numbered.MatchString(strings.TrimSpace(g[0].text)) {
			return nil
		}
		titles = append(titles, g[0])
	}
	all := titleValues(titles, map[string]int{})
	for _, values := range all {
		for i := range values {
			if values[i].name == "title" {
				values[i].name = "name"
			}
		}
	}
	return all
}

// blockRecord is what the lines of a block are, each by its looks, and how many of
// them were known by them. first is what the first line says, where that is known.
func blockRecord(group []textLine, first []value) (r record, known int) {
	r = record{text: joined(group), line: group[0].number}
	taken, from := map[string]int{}, 0
	for i, l := range group {
		start := from + strings.Index(r.text[from:], l.text)
		from = start + len(l.text)
		found := lineValues(l.text, i == 0)
		if i == 0 && first != nil {
			found = first
		}
		if len(found) > 0 && found[0].by == "shape" {
			known++
		}
		for _, v := range found {
			v.name = unique(taken, v.name)
			v.at = span{start + v.at.start, start + v.at.end}
			r.values = append(r.values, v)
		}
	}
	return r, known
}

var (
	// rated is a line that begins with stars, and signed one that says by whom and when
	// something was written.
	rated  = regexp.MustCompile(`^(?P<stars>[★⭐✩☆]{1,5})\s*(?P<title>.*)$`)
	signed = regexp.MustCompile(`^(?i:(?:reviewed |written )?by)\s+(?P<author>\pL[\pL .'-]*?)(?:,? on |,? |\s*[-–]\s*)(?P<date>` + dayText + `)$`)
	// streetWord is what the names of streets end in, which no city does.
	streetWord = regexp.MustCompile(`(?i)\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|ct|terrace|square)\b`)
)

// reviewValues is what a line of a review says: stars and a title, or by whom it is and
// when it was written; nil when it is no such line.
func reviewValues(text string, offset int) (found []value) {
	const sure = 0.85
	for _, re := range []*regexp.Regexp{rated, signed} {
		m := re.FindStringSubmatchIndex(text)
		if m == nil {
			continue
		}
		for n, name := range re.SubexpNames() {
			if name == "" || m[2*n] < 0 || m[2*n] == m[2*n+1] {
				continue
			}
			v := value{name: name, text: text[m[2*n]:m[2*n+1]], at: span{offset + m[2*n], offset + m[2*n+1]}, by: "shape", sure: sure}
			switch name {
			case "stars":
				v.shape, v.read = number, strconv.Itoa(strings.Count(v.text, "★")+strings.Count(v.text, "⭐"))
			case "date":
				v.shape = day
			}
			found = append(found, v)
		}
	}
	return found
}

// lineValues is what one line of a block says.
func lineValues(line string, first bool) []value {
	const sure, plain = 0.85, 0.6
	offset := len(line) - len(strings.TrimLeft(line, " \t"))
	text := strings.TrimSpace(line)
	if found := reviewValues(text, offset); found != nil {
		return found
	}
	if p, named := cutPair(textLine{text: line}); named && p.text != "" && !labelled.MatchString(text) {
		return []value{{name: columnName(strings.ToLower(p.key)), text: p.text, at: p.at, shape: shapeOf(p.text), by: "shape", sure: sure}}
	}
	if m := labelled.FindStringIndex(text); m != nil {
		offset += m[1]
		text = text[m[1]:]
	}
	at := span{offset, offset + len(text)}
	one := func(name string, s shape) []value {
		return []value{{name: name, text: text, at: at, shape: s, by: "shape", sure: sure}}
	}
	switch s := shapeOf(text); s {
	case email, phone, url, day, instant, money, percent, ip:
		return one(shapeNames[s], s)
	}
	if phoneLike.MatchString(text) {
		return one("phone", phone)
	}
	if parts := cityParts(text, offset); parts != nil && !first && !streetWord.MatchString(text) {
		return parts
	}
	switch p, found := place.Find(text); {
	case first:
		return []value{{name: "name", text: text, at: at, by: "order", sure: plain}}
	case streetLine.MatchString(text):
		return one("street", word)
	case found && p.Kind == place.Country:
		return one("country", word)
	case found && p.Kind == place.City:
		return one("city", word)
	}
	return []value{{name: "line", text: text, at: at, by: "order", sure: plain}}
}

// cityParts takes a line with a city and its postcode apart; nil when it is none.
func cityParts(text string, offset int) (parts []value) {
	const sure = 0.85
	for _, re := range []*regexp.Regexp{cityFirst, codeFirst} {
		m := re.FindStringSubmatchIndex(text)
		for n, name := range re.SubexpNames() {
			if m != nil && name != "" && m[2*n] >= 0 {
				at := span{offset + m[2*n], offset + m[2*n+1]}
				parts = append(parts, value{name: name, text: text[m[2*n]:m[2*n+1]], at: at, by: "shape", sure: sure})
			}
		}
		if parts != nil {
			break
		}
	}
	return parts
}

// phoneLike is a telephone number by itself, which stands alone in its line.
var phoneLike = regexp.MustCompile(`^\+?[\d() ./-]{7,20}$`)
