package schema

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/nlq/lex"
)

// described is a dataset in words, as its name and its definition are. Both change
// without its version, and values may be indexed later: it is made again then.
type described struct {
	name       string
	definition quern.InferDefinition
	index      *[]indexed
	taught     *knowledge.Used
	table      Table    // without its place and its rows
	columns    []Column // without their table
	guesses    []Guess
}

// describe returns the dataset in words.
func (t *table) describe(head quern.Dataset, known func(string) bool) *described {
	index := t.index.Load()
	taught := t.taught.Load()
	if d := t.last.Load(); d != nil && d.name == head.Name && d.index == index && d.taught == taught && sameDefinition(d.definition, head.Definition) {
		return d
	}
	d := &described{name: head.Name, definition: head.Definition, index: index, taught: taught, table: Table{Words: lex.Words(head.Name, known)}}
	if text := head.Definition.DataDescription; text != nil {
		d.table.describe(*text, english.NameWords(head.Name), known)
	}
	fields := make(map[string]string, len(head.Definition.SchemaDefinition))
	for name, text := range head.Definition.SchemaDefinition {
		fields[strings.ToLower(name)] = text
	}
	d.table.Names = append(slices.Clip(d.table.Names), unclipped(english.DatasetNoun(head.Name))...)
	for i, c := range t.columns {
		if index != nil && i < len(*index) {
			c.Values = (*index)[i].values
			if (*index)[i].distinct > 0 {
				c.Distinct = (*index)[i].distinct
			}
		}
		if text := fields[strings.ToLower(c.Name)]; text != "" {
			c.describe(text, d.table.Words, known)
		}
		c.Names = append(slices.Clip(c.Names), unclipped(c.Name)...)
		if c.isPaidPer() {
			c.Words = append([]string{"price"}, c.Words...)
		}
		d.columns = append(d.columns, c)
	}
	d.teach(taught, known)
	d.guess(known)
	t.last.Store(d)
	return d
}

// isPaidPer reports whether a column is called by nothing but what its money is for: per night.
func (c *Column) isPaidPer() bool {
	return c.Type == quern.Double && len(c.Words) == 2 && c.Words[0] == "per" && english.PaidPer.Has(english.Singular(c.Words[1]))
}

func sameDefinition(a, b quern.InferDefinition) bool {
	sameText := a.DataDescription == b.DataDescription
	if a.DataDescription != nil && b.DataDescription != nil {
		sameText = *a.DataDescription == *b.DataDescription
	}
	return sameText && maps.Equal(a.SchemaDefinition, b.SchemaDefinition)
}

// describe adds what a description says of a dataset.
func (t *Table) describe(text string, written []string, known func(string) bool) {
	t.Description, t.Described = text, contentWords(text)
	d := english.Define(text)
	t.Words, t.Names = nameAlso(t.Words, written, append([]string{d.Head}, d.Others...), known)
}

// describe adds what a description says of a column of a dataset with a name of
// some words.
func (c *Column) describe(text string, table []string, known func(string) bool) {
	c.Description, c.Described = text, contentWords(text)
	d := english.Define(text)
	names := append([]string{d.Head}, d.Others...)
	if of := strings.Fields(d.Of); len(of) > 0 && !slices.Equal(english.Stems(of), english.Stems(table)) {
		names = append([]string{d.Of + " " + d.Head}, names...)
	}
	c.addMeanings(d.Codes)
	if yes := c.meaningOfYes(d.Codes); yes != "" {
		names = append(names, yes)
	}
	c.Words, c.Names = nameAlso(c.Words, english.NameWords(c.Name), names, known)
}

// nameAlso returns the words of a name and of what else the thing is called. Where
// its own name, as it is written, says nothing, the first other takes its place.
func nameAlso(words, written, others []string, known func(string) bool) (name []string, also [][]string) {
	name = words
	add := func(other []string) {
		same := func(a []string) bool { return slices.Equal(a, other) }
		if len(other) > 0 && !same(name) && !slices.ContainsFunc(also, same) {
			also = append(also, other)
		}
	}
	for _, text := range others {
		other := lex.Words(text, known)
		if len(other) > 0 && len(also) == 0 && isCryptic(written, others, known) && slices.Equal(name, words) {
			name = other
			add(words)
			continue
		}
		add(other)
	}
	return name, also
}

// isCryptic reports whether a name, as it is written, says nothing to people: a
// part of it is no word, or it is so short that it may be an abbreviation which
// happens to be one, and the description has none of its words.
func isCryptic(written, described []string, known func(string) bool) bool {
	const shortest, short = 3, 4
	stems := english.Stems(strings.Fields(strings.Join(described, " ")))
	letters := 0
	for _, w := range written {
		if slices.Contains(stems, english.Stem(w)) {
			return false
		}
		_, abbreviated := english.Abbreviations[w]
		if len(w) < shortest || !abbreviated && known != nil && !known(w) {
			return true
		}
		letters += len(w)
	}
	return letters <= short
}

// contentWords returns the words of a description that can mean something, each
// once.
func contentWords(text string) []string {
	var all []string
	seen := map[string]bool{}
	for _, w := range lex.Lower(lex.Tokens(text)) {
		if startsWithLetter(w) && !lex.Function(w) && !seen[w] {
			seen[w] = true
			all = append(all, w)
		}
	}
	return all
}

func startsWithLetter(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLetter(r)
}
