package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/nlq/lex"
	"quern/tree"
)

// Adjective is which end of a column an adjective means.
type Adjective struct {
	Word, Opposite string
	Highest        bool // the end that Word means
}

// Rule is a condition that holds in every question about a dataset, unless one of
// some words is in it.
type Rule struct {
	Name string
	Cond tree.Cond // of columns whose source is the dataset's name
	Lift []string
}

// Formula is what a column stands for that no dataset has: a measure or a named
// condition.
type Formula struct {
	Value tree.Expr // of columns whose source is the dataset's name; nil for a condition
	Cond  tree.Cond
	Note  string // what an answer says that it used
}

// teach adds what is taught about a dataset: names, words for values, measures and
// conditions as columns of their own, and what its columns are for.
func (d *described) teach(taught *knowledge.Used, known func(string) bool) {
	if taught == nil || taught.Version == 0 {
		return
	}
	d.teachColumns(taught)
	d.teachWords(taught, known)
	for _, a := range taught.Adjectives {
		if c := d.column(a.Column); c != nil {
			c.Adjectives = append(c.Adjectives, Adjective{a.Word, a.Opposite, a.End == knowledge.Highest})
			for _, word := range []string{a.Word, a.Opposite} {
				for _, form := range english.Degrees(word) {
					c.addName(form, known)
				}
			}
		}
	}
	d.teachMeasures(taught, known)
	d.teachConditions(taught, known)
}

// isOf reports whether an entry about a dataset is about this one.
func (d *described) isOf(dataset string) bool { return tree.SameName(d.name, dataset) }

// column finds dataset.column; nil when it is not one of this dataset.
func (d *described) column(text string) *Column {
	dataset, name := knowledge.Column(text)
	if !d.isOf(dataset) {
		return nil
	}
	i := slices.IndexFunc(d.columns, func(c Column) bool { return tree.SameName(c.Name, name) })
	if i < 0 {
		return nil
	}
	return &d.columns[i]
}

// teachColumns says which columns times are of and which name rows, and leaves out
// those that questions are not read with.
func (d *described) teachColumns(taught *knowledge.Used) {
	for _, of := range taught.Datasets {
		if !d.isOf(of.Dataset) {
			continue
		}
		d.table.Time, d.table.Label = of.Time, of.Label
		if c := d.column(of.Dataset + "." + of.Key); c != nil {
			c.TaughtKey = true
		}
		d.columns = slices.DeleteFunc(d.columns, func(c Column) bool {
			return slices.ContainsFunc(of.Unused, func(name string) bool { return tree.SameName(name, c.Name) })
		})
	}
}

func (d *described) teachWords(taught *knowledge.Used, known func(string) bool) {
	for _, w := range taught.Words {
		if c := d.column(w.Means); c != nil {
			if w.Value == nil {
				c.addName(w.Word, known)
				continue
			}
			code := []english.Code{{Value: *w.Value, Meaning: w.Word}}
			c.addMeanings(code)
			if yes := c.meaningOfYes(code); yes != "" {
				c.addName(yes, known)
			}
			continue
		}
		if dataset, column := knowledge.Column(w.Means); column == "" && d.isOf(dataset) {
			if name := lex.Words(w.Word, known); len(name) > 0 {
				d.table.Names = append(d.table.Names, name)
			}
		}
	}
}

func (c *Column) addName(word string, known func(string) bool) {
	name := lex.Words(word, known)
	if len(name) > 0 && !slices.ContainsFunc(c.Names, func(n []string) bool { return slices.Equal(n, name) }) {
		c.Names = append(slices.Clip(c.Names), name)
	}
}

// teachMeasures adds measures as columns of numbers. One that is a column of its own
// name says only what else that is called.
func (d *described) teachMeasures(taught *knowledge.Used, known func(string) bool) {
	columns := d.real()
	for _, m := range taught.Measures {
		if !d.isOf(m.Dataset) {
			continue
		}
		value, err := taught.Expression(m, columns)
		if err != nil {
			continue // it is among the problems of the document
		}
		d.teachMeasure(m, value, known, fmt.Sprintf("%q is %s here.", m.Name, m.Expression))
	}
}

// teachMeasure adds a measure with its value, and what an answer says that uses it.
func (d *described) teachMeasure(m knowledge.Measure, value tree.Expr, known func(string) bool, note string) {
	c := d.column(m.Dataset + "." + m.Name)
	if c == nil {
		d.columns = append(d.columns, Column{Name: m.Name, Words: lex.Words(m.Name, known), Type: quern.Double})
		c = &d.columns[len(d.columns)-1]
	}
	if own, isColumn := value.(tree.Column); !isColumn || !tree.SameName(own.Name, m.Name) {
		c.Formula = &Formula{Value: value, Note: note}
	}
	c.Aggregate, c.Never, c.Unit = tree.Func(m.Aggregate), m.Never, cmp.Or(m.Unit, c.Unit)
	for _, w := range m.Words {
		c.addName(w, known)
	}
}

// teachConditions adds named conditions as columns of yes and no, and those that
// always hold.
func (d *described) teachConditions(taught *knowledge.Used, known func(string) bool) {
	for _, named := range taught.Conditions {
		if !d.isOf(named.Dataset) || d.column(named.Dataset+"."+named.Name) != nil {
			continue
		}
		cond, err := named.Cond()
		if err != nil {
			continue
		}
		if named.Always {
			d.table.Rules = append(d.table.Rules, Rule{named.Name, cond, named.Lift})
			continue
		}
		words := d.withoutOwn(lex.Words(named.Name, known))
		c := Column{Name: named.Name, Words: words, Type: quern.Boolean,
			Formula: &Formula{Cond: cond, Note: fmt.Sprintf("%q is %s here.", named.Name, named.Where)}}
		for _, w := range named.Words {
			c.addName(w, known)
		}
		d.columns = append(d.columns, c)
	}
}

// withoutOwn leaves the dataset's own name out of the words of a condition: an
// active customer is active.
func (d *described) withoutOwn(words []string) []string {
	own := english.Stems(append(slices.Clone(d.table.Words), strings.Fields(d.name)...))
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(own, english.Stem(w)) })
	if len(kept) == 0 {
		return words
	}
	return kept
}

// real returns the columns that the dataset has.
func (d *described) real() []quern.Column {
	var all []quern.Column
	for _, c := range d.columns {
		if c.Formula == nil {
			all = append(all, quern.Column{Name: c.Name, Type: c.Type})
		}
	}
	return all
}

// teachLinks adds the links that are taught, and the words that mean one.
func (s *Schema) teachLinks(taught *knowledge.Document) {
	find := func(text string) (int, bool) {
		dataset, column := knowledge.Column(text)
		for i := range s.Tables {
			if t := &s.Tables[i]; tree.SameName(t.Path.Dataset, dataset) {
				for c := t.First; c < t.First+t.Len; c++ {
					if tree.SameName(s.Columns[c].Name, column) {
						return c, true
					}
				}
			}
		}
		return 0, false
	}
	for _, l := range taught.Links {
		from, ok := find(l.From)
		to, also := find(l.To)
		if !ok || !also {
			continue
		}
		at := slices.IndexFunc(s.Links, func(known Link) bool { return known.From == from && known.To == to })
		if at < 0 {
			s.Links = append(s.Links, Link{From: from, To: to, Score: 1})
			at = len(s.Links) - 1
		}
		s.Links[at].Words = l.Words
	}
}

// ChooseLinks returns the schema without the links between two datasets that a text
// does not mean, where it has a word of another between the two: flights "to" Rome
// are not from there.
func (s *Schema) ChooseLinks(text string) *Schema {
	words := lex.Lower(lex.Tokens(text))
	means := func(l Link) bool {
		return slices.ContainsFunc(l.Words, func(w string) bool { return containsPhrase(words, lex.Lower(lex.Tokens(w))) })
	}
	between := func(l Link) [2]int { return [2]int{s.Columns[l.From].Table, s.Columns[l.To].Table} }
	meant := map[[2]int]bool{}
	for _, l := range s.Links {
		if len(l.Words) > 0 && means(l) {
			meant[between(l)] = true
		}
	}
	if len(meant) == 0 {
		return s
	}
	made := *s
	made.Links = slices.DeleteFunc(slices.Clone(s.Links), func(l Link) bool {
		return meant[between(l)] && len(l.Words) > 0 && !means(l)
	})
	return &made
}

// containsPhrase reports whether words stand in a text, one after the other, in any
// form.
func containsPhrase(text, phrase []string) bool {
	text, phrase = english.Stems(text), english.Stems(phrase)
	if len(phrase) == 0 {
		return false
	}
	for i := 0; i+len(phrase) <= len(text); i++ {
		if slices.Equal(text[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// Says reports whether a text has a word or a phrase, in any form.
func Says(text, phrase string) bool {
	return containsPhrase(lex.Lower(lex.Tokens(text)), lex.Lower(lex.Tokens(phrase)))
}

// StemsOf returns the stems of the words of a text.
func StemsOf(text string) []string { return english.Stems(lex.Lower(lex.Tokens(text))) }

// Real returns the schema without the columns that no dataset has.
func (s *Schema) Real() *Schema {
	if !slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Formula != nil }) {
		return s
	}
	made := &Schema{Taught: s.Taught, Guesses: s.Guesses}
	places := make([]int, len(s.Columns))
	for _, t := range s.Tables {
		first := len(made.Columns)
		for c := t.First; c < t.First+t.Len; c++ {
			places[c] = len(made.Columns)
			if s.Columns[c].Formula == nil {
				made.Columns = append(made.Columns, s.Columns[c])
			}
		}
		t.First, t.Len = first, len(made.Columns)-first
		made.Tables = append(made.Tables, t)
	}
	for _, l := range s.Links {
		l.From, l.To = places[l.From], places[l.To]
		made.Links = append(made.Links, l)
	}
	return made
}
