package schema

import (
	"slices"

	"quern/english"
	"quern/nlq/lex"
)

// IsOfPeople reports whether the rows of a table are people: it is named like those who do
// something or for whom it is done, or has their first or last names.
func (v View) IsOfPeople(table int) bool {
	of := v.Tables[table]
	if n := len(of.Words); n > 0 {
		if one := english.Singular(of.Words[n-1]); english.Roles.Has(one) || english.Patrons.Has(one) {
			return true
		}
	}
	return slices.ContainsFunc(v.LabelsOf(table), func(i int) bool {
		return english.NamePart(v.Columns[i].Words) != english.NoName
	})
}

// Referred returns the link by which a column says which row of another dataset is meant, by
// something that people do not call that row; ok is false when it says none.
func (v View) Referred(column int) (l Link, ok bool) {
	at := slices.IndexFunc(v.Links, func(l Link) bool {
		if l.From != column || !v.Columns[l.To].Key() || v.Columns[column].Key() {
			return false
		}
		labels := v.LabelsOf(v.Columns[l.To].Table)
		return len(labels) > 0 && !slices.Contains(labels, l.To)
	})
	if at < 0 {
		return Link{}, false
	}
	return v.Links[at], true
}

// WithoutRoles returns the schema without the links by which rows say who had a part in them
// that a text does not speak of, where others lead to the same rows: who borrowed the saw is
// not who gave it, and who visited a client need not be their main carer.
func (s *Schema) WithoutRoles(text string) *Schema {
	words := lex.Lower(lex.Tokens(text))
	isSaid := func(role string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return Related(role, w) })
	}
	made := s
	for _, l := range s.Links {
		name := s.Columns[l.From].Words
		isRole := len(name) > 1 && name[len(name)-1] == "by" || len(name) == 1 && english.Roles.Has(name[0]) && !s.isNamed(s.Columns[l.To].Table, name[0])
		if !isRole && s.isBypass(l, words) {
			isRole = true
			name = slices.DeleteFunc(slices.Clone(name), func(w string) bool { return s.isNamed(s.Columns[l.To].Table, english.Singular(w)) })
		}
		if !isRole || slices.ContainsFunc(name, isSaid) || len(l.Words) > 0 || s.isFullest(l) {
			continue
		}
		less := *made
		less.Links = slices.DeleteFunc(slices.Clone(made.Links), func(o Link) bool { return o.From == l.From && o.To == l.To })
		if less.connects(s.Columns[l.From].Table, s.Columns[l.To].Table) {
			made = &less
		}
	}
	return made
}

// isFullest reports whether more rows have the column of a link than any other of their columns that
// leads to the same dataset: all goals have a scorer, some an assist.
func (s *Schema) isFullest(l Link) bool {
	from, to, others := s.Columns[l.From], s.Columns[l.To].Table, 0
	for _, o := range s.Links {
		if other := s.Columns[o.From]; o.From != l.From && other.Table == from.Table && s.Columns[o.To].Table == to {
			if other.Rows >= from.Rows {
				return false
			}
			others++
		}
	}
	return others > 0
}

// isBypass reports whether a link leads from one table to another past the rows that belong to both
// and that a text names: from clients to carers where it speaks of visits.
func (s *Schema) isBypass(l Link, words []string) bool {
	from, to := s.Columns[l.From].Table, s.Columns[l.To].Table
	for between := range s.Tables {
		if between == from || between == to || len(s.Tables[between].Words) != 1 || !s.pointsTo(between, from) || !s.pointsTo(between, to) {
			continue
		}
		stem := english.Stem(s.Tables[between].Words[0])
		if slices.ContainsFunc(words, func(w string) bool { return english.Stem(w) == stem }) {
			return true
		}
	}
	return false
}

// pointsTo reports whether a link leads from a table to another.
func (s *Schema) pointsTo(from, to int) bool {
	return slices.ContainsFunc(s.Links, func(l Link) bool { return s.Columns[l.From].Table == from && s.Columns[l.To].Table == to })
}

// isNamed reports whether a table is named after the rows that a word calls one of: the team of
// players, in teams.
func (s *Schema) isNamed(table int, word string) bool {
	words := s.Tables[table].Words
	return len(words) > 0 && english.Singular(words[len(words)-1]) == word
}

// connects reports whether links lead from one table to another.
func (s *Schema) connects(from, to int) bool {
	reached := make([]bool, len(s.Tables))
	reached[from] = true
	for range s.Tables {
		for _, l := range s.Links {
			a, b := s.Columns[l.From].Table, s.Columns[l.To].Table
			either := reached[a] || reached[b]
			reached[a], reached[b] = either, either
		}
	}
	return reached[to]
}
