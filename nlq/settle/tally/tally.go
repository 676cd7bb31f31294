package tally

import (
	"regexp"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// asksForRows is how one asks for rows as such.
var asksForRows = regexp.MustCompile(`(?i)\b(?:rows?|records?|entries|lines?)\b`)

// Tally adds up the column that says how many each row stands for where a reading
// counts the rows: in a file of origin, destination and count, the flights out of Texas are
// the sum of the counts. What the rows are told apart by is counted as ever: how many
// destinations there are.
func (g Rules) Tally(q *tree.Query) {
	s := q.Select
	if s == nil {
		return
	}
	tally, ok := g.tallyOf(s.From)
	if !ok || g.countsRowsOf(s.From, tally) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, isAggregate := e.(tree.Aggregate)
		if _, star := a.Arg.(tree.Star); !isAggregate || !star || a.Func != tree.Count {
			return e
		}
		a.Func, a.Arg = tree.Sum, tally
		return a
	})
}

// tallyOf returns the one column among some sources that says how many each row stands
// for, where no source repeats the rows that have it.
func (g Rules) tallyOf(from []tree.Source) (tally tree.Column, ok bool) {
	for _, source := range from {
		table, known := g.View.TableOf(source)
		if !known {
			return tally, false
		}
		id, has := g.tallyIn(table)
		if !has {
			continue
		}
		for _, other := range from {
			if t, known := g.View.TableOf(other); !known || t != table && !g.RefersTo(table, t) {
				return tally, false
			}
		}
		tally, ok = tree.Column{Source: source.Ref(), Name: g.View.Columns[id].Name}, true
	}
	return tally, ok
}

// tallyIn returns the column of a table that says how many each row stands for.
func (g Rules) tallyIn(table int) (id int, ok bool) {
	t := g.View.Tables[table]
	at := slices.IndexFunc(g.View.Columns[t.First:t.First+t.Len], IsTally)
	return t.First + at, at >= 0
}

// countsRowsOf reports whether the text asks for the number of rows themselves, or of what
// the columns beside a tally hold.
func (g Rules) countsRowsOf(from []tree.Source, tally tree.Column) bool {
	if asksForRows.MatchString(g.Text) {
		return true
	}
	words := lex.Lower(lex.Tokens(g.Text))
	source := slices.IndexFunc(from, func(f tree.Source) bool { return f.Ref() == tally.Source })
	for i, word := range words {
		if i == 0 || words[i-1] != "many" && words[i-1] != "most" && words[i-1] != "fewest" && words[i-1] != "of" {
			continue
		}
		for _, id := range g.View.ColumnsOf(from[source]) {
			if c := g.View.Columns[id]; c.Name != tally.Name && isMany(word, c.Words) {
				return true
			}
		}
	}
	return false
}

// IsTally reports whether a column says how many each row stands for. Its name says so,
// also where its values happen to differ as those of a key do.
func IsTally(c schema.Column) bool {
	return len(c.Words) == 1 && english.Tallies.Has(c.Words[0]) && c.Type == quern.Integer
}
