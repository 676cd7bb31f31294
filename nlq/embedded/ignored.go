package embedded

import (
	"strings"

	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
)

// mostIgnored is the share of a question's words that a reading may have nothing
// to do with; beyond it the reading is of another question.
const mostIgnored = 0.74

// ignores reports whether a candidate has to do with too few of the words that
// a question is about.
func (r *reader) ignores(c *candidate) bool {
	taken := r.spans(c)
	about, ignored := 0.0, 0.0
	for i, t := range r.features.Tokens {
		word := strings.ToLower(t.Text)
		if r.features.Kinds[i] == feature.Punctuation || r.features.Kinds[i] == feature.QuoteMark || lex.Function(word) || lex.Command(word) || lex.Thin(word) {
			continue
		}
		about++
		if !taken[i] && !r.concerns(c, i) {
			ignored++
		}
	}
	return about > 0 && ignored/about > mostIgnored
}

// concerns reports whether a candidate has a column or table that a word names,
// holds or is near in meaning.
func (r *reader) concerns(c *candidate, word int) bool {
	for _, t := range c.tokens {
		switch t.Kind {
		case grammar.Column:
			column, table := r.features.Columns[word][t.ID], r.features.Tables[word][r.schema.Columns[t.ID].Table]
			if column != 0 && column != feature.ColumnSimilar || table != 0 && table != feature.TableSimilar {
				return true
			}
		case grammar.Table:
			if table := r.features.Tables[word][t.ID]; table != 0 && table != feature.TableSimilar {
				return true
			}
		}
	}
	return false
}
