package schema

import (
	"fmt"
	"slices"

	"quern/english"
	"quern/knowledge"
	"quern/propose"
	"quern/tree"
)

// Guess is a word that questions are read with though nobody taught it.
type Guess struct {
	knowledge.Word
	Why string // as a sentence goes on: "which is guessed"
}

// Sample returns what is known of a table, as proposals are made from it.
func (s *Schema) Sample(table int) propose.Dataset {
	t := s.Tables[table]
	return sampleOf(t.Path.Dataset, t.Rows, s.Columns[t.First:t.First+t.Len])
}

func sampleOf(name string, rows int64, columns []Column) propose.Dataset {
	made := propose.Dataset{Name: name, Rows: rows}
	for i := range columns {
		c := &columns[i]
		if c.Formula != nil {
			continue
		}
		known := propose.Column{Min: c.Min, Max: c.Max, Filled: c.Rows, Distinct: c.Distinct}
		known.Name, known.Type = c.Name, c.Type
		if c.Values != nil {
			known.Values = c.Values.Sample(propose.MostValues)
			known.All = c.Values.Complete() && c.Values.Len() <= propose.MostValues
		}
		made.Columns = append(made.Columns, known)
	}
	return made
}

// guess adds what the names and values of a dataset show by rules, where nothing else
// is taught.
func (d *described) guess(known func(string) bool) {
	proposed := propose.Knowledge(sampleOf(d.name, 0, d.columns))
	for _, w := range proposed.Words {
		if c := d.column(w.Means); c != nil && w.Value != nil && c.Values != nil {
			if _, taken := c.Values.Meant(w.Word); !taken {
				c.addMeanings([]english.Code{{Value: *w.Value, Meaning: w.Word}})
				d.guesses = append(d.guesses, Guess{w, "which is guessed"})
			}
		}
	}
	taught := knowledge.Document{}
	if d.taught != nil {
		taught = d.taught.Document
	}
	for _, m := range proposed.Measures {
		if taught.Names(m.Dataset, append([]string{m.Name}, m.Words...)) {
			continue
		}
		d.guessMeasure(m, known)
	}
}

// guessMeasure adds a measure that is proposed.
func (d *described) guessMeasure(m knowledge.Measure, known func(string) bool) {
	value, err := (&knowledge.Document{}).Expression(m, d.real())
	if err != nil {
		return
	}
	if _, isColumn := value.(tree.Column); isColumn {
		return // a guess forbids nothing
	}
	named := func(c Column) bool {
		return slices.ContainsFunc(append(c.Names, c.Words), func(n []string) bool { return slices.Equal(n, []string{m.Name}) })
	}
	if slices.ContainsFunc(d.columns, named) {
		return // a column is called so
	}
	d.teachMeasure(m, value, known, fmt.Sprintf("%q is %s here, which is guessed.", m.Name, m.Expression))
}
