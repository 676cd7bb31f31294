package structure

import (
	"context"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/place"
)

// EntitiesColumn is the column in which the names of texts are listed.
const EntitiesColumn = "entities"

// entityStep finds the names in texts.
type entityStep struct{ about }

// entity is something that a text names.
type entity struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Value  string `json:"value,omitempty"` // as it is stored elsewhere, where that is not the text
	Column string `json:"column"`
	Start  int    `json:"start"` // in characters
	End    int    `json:"end"`
}

//go:embed names.txt
var nameList string

// givenNames are given names in lowercase.
var givenNames = func() map[string]bool {
	all := map[string]bool{}
	for line := range strings.Lines(nameList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.FieldsSeq(line) {
			all[name] = true
		}
	}
	return all
}()

// entityKinds are what shapes are called as names in texts.
var entityKinds = map[shape]string{
	day: "date", instant: "date", clock: "time", money: "money", percent: "percent", email: "email", url: "url", phone: "phone",
	ip: "ip address", uuid: "id", code: "code",
}

var (
	capitals = regexp.MustCompile(`(?:(?:University|Bank|Ministry|Institute|Department|Museum|Republic|Kingdom|City|Port) of (?:the )?)?` +
		`\p{Lu}[\pL'’.-]*(?:(?: (?:de|la|van|von|der|&))* \p{Lu}[\pL'’.-]*)*`)
	companies = regexp.MustCompile(`(?:^| )(?:Inc|Ltd|LLC|GmbH|AG|SA|SE|PLC|Plc|Corp|Corporation|Company|Co|Group|Bank|University|Institute|Ministry|Agency|Foundation|Association|Airlines|Hospital|College|Partners|Holdings|Limited|Industries)\.?(?: |$)`)
	titled    = regexp.MustCompile(`^(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Lady|Lord)\.? `)
)

func (s *entityStep) run(ctx context.Context, rows []Row) ([]Row, error) {
	for i := range rows {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found := []entity{}
		for _, m := range rows[i].Members {
			text, isText := m.Value.(string)
			if !isText || strings.HasPrefix(m.Name, quern.InternalPrefix) || m.Name == EntitiesColumn {
				continue
			}
			found = append(found, entitiesIn(m.Name, text)...)
		}
		list, err := json.Marshal(found)
		if err != nil {
			return nil, err
		}
		name := EntitiesColumn
		if at := rows[i].find(name); at >= 0 {
			name += "_2"
		}
		rows[i].set(Member{Name: name, Value: json.RawMessage(list)})
	}
	return rows, nil
}

// entitiesIn returns what a text names, in order.
func entitiesIn(column, text string) []entity {
	var all []entity
	taken := make([]span, 0)
	add := func(kind string, at span, value string) {
		e := entity{Kind: kind, Text: text[at.start:at.end], Column: column}
		e.Start = utf8.RuneCountInString(text[:at.start])
		e.End = e.Start + utf8.RuneCountInString(e.Text)
		if value != e.Text {
			e.Value = value
		}
		all = append(all, e)
		taken = append(taken, at)
	}
	toks := tokens(text)
	for i, t := range toks {
		at := span{t.start, t.end}
		words := text[t.start:t.end]
		if kind := entityKinds[t.shape]; kind != "" {
			add(kind, at, canonical(t.shape, words))
		} else if t.shape == number && i+1 < len(toks) {
			if unit := toks[i+1]; isUnit(text[unit.start:unit.end]) {
				add("quantity", span{t.start, t.start + len(strings.TrimRight(text[t.start:unit.end], ".,;"))}, "")
			}
		}
	}
	for _, m := range capitals.FindAllStringIndex(text, -1) {
		at := span{m[0], m[1] - len(text[m[0]:m[1]]) + len(strings.TrimRight(text[m[0]:m[1]], ".,'’-"))}
		if slices.ContainsFunc(taken, func(o span) bool { return at.start < o.end && o.start < at.end }) {
			continue
		}
		if kind, cut := nameKind(text[at.start:at.end]); kind != "" {
			add(kind, span{at.start + cut, at.end}, "")
		}
	}
	slices.SortStableFunc(all, func(a, b entity) int { return a.Start - b.Start })
	return all
}

// isUnit reports whether a word is one that stands behind a quantity.
func isUnit(text string) bool {
	text = strings.ToLower(strings.TrimRight(text, ".,;"))
	_, unit := english.WithoutUnit("length " + text)
	_, other := english.WithoutUnit("duration " + text)
	return unit != "" || other != ""
}

// nameKind returns what kind of name capitalised words are, and how many bytes before
// it do not belong to it; empty when they are none that is known.
func nameKind(name string) (kind string, cut int) {
	// A sentence begins with a capital, too.
	for {
		first, rest, more := strings.Cut(name[cut:], " ")
		if !more || !english.FunctionWords.Has(strings.ToLower(first)) && !english.Auxiliaries.Has(strings.ToLower(first)) {
			break
		}
		cut += len(name[cut:]) - len(rest)
	}
	name = name[cut:]
	words := strings.Fields(name)
	first := strings.ToLower(strings.Trim(words[0], ".'’-"))
	switch {
	case companies.MatchString(name):
		return "organisation", cut
	case titled.MatchString(name), givenNames[first] && len(words) > 1:
		return "person", cut
	}
	if p, ok := place.Find(name); ok && (p.Kind == place.Country || p.Kind == place.City && likelyPlace(p, words)) {
		return "place", cut
	}
	if givenNames[first] && len(words) == 1 && !english.FunctionWords.Has(first) && len(first) > 2 {
		return "person", cut
	}
	return "", 0
}

// likelyPlace reports whether a city is known enough to be meant by its name alone.
func likelyPlace(p place.Place, words []string) bool {
	const known = 150_000
	r, _ := utf8.DecodeRuneInString(words[0])
	isWord := english.FunctionWords.Has(strings.ToLower(words[0])) || givenNames[strings.ToLower(words[0])] && len(words) == 1
	return unicode.IsUpper(r) && p.Population >= known && !isWord && len(words[0]) > 3
}
