package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
)

// ofParents finds the mother or the father of somebody: Poppy's mum, her mum or dad, the fathers of.
var ofParents = regexp.MustCompile(`(?i)(?P<whose>['’]s?\s+)?\b(?P<one>` + parentWords + `)(?P<or>\s*(?:or|and|/|and/or)\s*(?:the |their |her |his )?(?:` + parentWords + `))?(?P<of>\s+of\b)?`)

const parentWords = `mums?|moms?|mams?|mumm(?:y|ies)|mothers?|dads?|dadd(?:y|ies)|fathers?`

// inParents returns the mother or the father of somebody as the parent, where the data have parents
// and neither mothers nor fathers. Who fetched a child may be its dad all the same.
func (r Rules) inParents(text string) []english.Change {
	m, ok := english.Groups(ofParents, text)
	if !ok || !m.Has("whose") && !m.Has("or") && !m.Has("of") {
		return nil
	}
	name := ""
	for _, c := range r.Whole.Columns {
		if slices.Contains(c.Words, "parent") || slices.Contains(c.Words, "guardian") {
			name = c.Words[max(slices.Index(c.Words, "parent"), slices.Index(c.Words, "guardian"))]
		}
	}
	start, end := m.Span("one")
	if m.Has("or") {
		_, end = m.Span("or")
	}
	for _, word := range wordOf.FindAllString(strings.ToLower(text[start:end]), -1) {
		isValue := !m.Has("whose") && !m.Has("of") && r.Whole.HasValue(english.Singular(word))
		if isValue || r.Whole.ColumnNamed(english.Singular(word)) {
			return nil
		}
	}
	if name == "" {
		return nil
	}
	if strings.HasSuffix(strings.ToLower(m.Text("one")), "s") {
		name = english.Plural(name)
	}
	return []english.Change{{Start: start, End: end, By: name}}
}
