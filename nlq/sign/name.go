package sign

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
)

// stem returns the stem of a word of the question.
func (q *Question) stem(word int) string {
	return english.Stem(strings.ToLower(q.features.Tokens[word].Text))
}

// tableNamed is how well the question names a table: 1 by its name, less by a
// word of it or by meaning.
func (q *Question) tableNamed(table int) float64 {
	best := 0.0
	for i := range q.features.Tokens {
		switch relation := q.features.Tables[i][table]; {
		case relation == feature.TableExact:
			return 1
		case relation == feature.TablePartial:
			best = max(best, 0.7)
		case relation >= feature.TableSimilar:
			best = max(best, 0.3+0.1*float64(relation-feature.TableSimilar))
		}
	}
	return best
}

// leastTable is how well the question names the table that it names least.
func (v *view) leastTable() float64 {
	least := 1.0
	for _, t := range v.tables {
		least = min(least, v.tableNamed(t))
	}
	return least
}

// tablesUnnamed counts the tables of which the question names neither the table
// nor a column that is used.
func (v *view) tablesUnnamed() float64 {
	n := 0.0
	for _, t := range v.tables {
		used := slices.ContainsFunc(v.mentions, func(m mention) bool {
			return m.table == t && m.column >= 0 && v.columnNamed(m.column)
		})
		if !used && v.tableNamed(t) < 0.7 {
			n++
		}
	}
	return n
}

// columnNamed reports whether the question has the whole name of a column.
func (q *Question) columnNamed(column int) bool {
	return slices.ContainsFunc(q.features.Columns, func(relations []uint8) bool { return nameRelation(relations[column]) == feature.NameExact })
}

// tablesIdle counts the tables that the question does not name and of which only
// such columns are used as another used table has too.
func (v *view) tablesIdle() float64 {
	n := 0.0
	for _, t := range v.tables {
		own := slices.ContainsFunc(v.mentions, func(m mention) bool { return m.table == t && m.column >= 0 && !v.hasTwin(m) })
		if len(v.tables) > 1 && !own && v.tableNamed(t) < 1 {
			n++
		}
	}
	return n
}

// hasTwin reports whether another used table has a column named like a mention's.
func (v *view) hasTwin(m mention) bool {
	words := v.schema.Columns[m.column].Words
	return slices.ContainsFunc(v.tables, func(other int) bool {
		t := v.schema.Tables[other]
		for _, c := range v.schema.Columns[t.First : t.First+t.Len] {
			if other != m.table && slices.Equal(c.Words, words) {
				return true
			}
		}
		return false
	})
}

// conditionsSaid is the share of the words of the names of columns with
// conditions that the question has.
func (v *view) conditionsSaid() float64 {
	all, said := 0, 0
	for _, m := range v.mentions {
		if m.part != "WHERE" || m.column < 0 {
			continue
		}
		for _, w := range v.schema.Columns[m.column].Words {
			all++
			if v.stems[english.Stem(w)] {
				said++
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(said) / float64(all)
}

// Ignored counts the words that a question is about, and those of them with
// which a derivation has nothing to do.
func (q *Question) Ignored(tokens []grammar.Token) (about, ignored int) {
	taken := Taken(tokens, len(q.features.Tokens))
	for i, t := range q.features.Tokens {
		if kind := q.features.Kinds[i]; kind == feature.Punctuation || kind == feature.QuoteMark || lex.Thin(t.Text) {
			continue
		}
		about++
		if !taken[i] && !q.Concerns(tokens, i) {
			ignored++
		}
	}
	return about, ignored
}

// Concerns reports whether a derivation has a column or table that a word names,
// holds or is near in meaning.
func (q *Question) Concerns(tokens []grammar.Token, word int) bool {
	return slices.ContainsFunc(tokens, func(t grammar.Token) bool {
		var column, table uint8
		switch t.Kind {
		case grammar.Column:
			column, table = q.features.Columns[word][t.ID], q.features.Tables[word][q.schema.Columns[t.ID].Table]
		case grammar.Table:
			table = q.features.Tables[word][t.ID]
		}
		byColumn := column != 0 && column != feature.ColumnSimilar
		byTable := table != 0 && table != feature.TableSimilar
		return byColumn || byTable
	})
}
