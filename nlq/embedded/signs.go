package embedded

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"quern/nlq/feature"
	"quern/nlq/grammar"
)

// Signs names what speaks for and against a reading, in the order in which
// signs gives them. The weights of a judge belong to one such list.
func Signs() []string {
	return []string{
		"share", "mass", "first", "failed", "empty", "nulls", "one row", "many rows", "inexact", "unseen",
		"joins", "length", "values unused", "numbers unused", "count missing", "count unasked", "limit unasked",
		"superlative unmet", "distinct unasked", "distinct missing", "group unasked", "group missing",
		"negation missing", "negation unasked", "names uncovered", "tables uncovered",
	}
}

var (
	wordsCount       = regexp.MustCompile(`(?i)\b(how many|number of|count|total number|amount of)\b`)
	wordsSuperlative = regexp.MustCompile(`(?i)\b(most|least|top|first|last|best|worst|\w{3,}est|maximum|minimum|max|min|fewest|latest|newest)\b`)
	wordsDistinct    = regexp.MustCompile(`(?i)\b(different|distinct|unique|various)\b`)
	wordsGroup       = regexp.MustCompile(`(?i)\b(each|every|per|by|respective|corresponding|along with)\b`)
	wordsNegation    = regexp.MustCompile(`(?i)\b(not|no|never|without|neither|nor|except|other than|n't|don|doesn|didn|isn|aren|hasn|haven|exclud\w*)\b`)
)

// signs gives what speaks for and against a candidate among all.
func (r *reader) signs(c *candidate, all []*candidate, shares []float64) []float64 {
	mass, own := 0.0, 0.0
	for i, other := range all {
		if same(c, other) {
			mass += shares[i]
		}
		if c == other {
			own = shares[i]
		}
	}
	found := c.found
	if found == nil {
		found = &nothing
	}
	values, numbers := r.unused(c)
	names, tables := r.uncovered(c)
	return slices.Concat(
		[]float64{
			math.Log(own + 1e-6), math.Log(mass + 1e-6), flag(c == all[0]), flag(found.failed != nil), flag(found.rows == 0), flag(found.rows > 0 && found.nulls),
			flag(found.rows == 1), flag(found.rows > 100), 1 - c.score, flag(c.score <= 0.3),
			float64(joined(c)), float64(len(c.tokens)) / 10, values, numbers,
		},
		r.clauses(c),
		[]float64{names, tables},
	)
}

// clauses gives the signs of the parts of a query that the question's words call
// for, or do not.
func (r *reader) clauses(c *candidate) []float64 {
	used := map[string]bool{}
	for _, t := range c.tokens {
		if t.Kind == grammar.Symbol {
			used[t.String()] = true
		}
	}
	has := func(some ...string) bool { return slices.ContainsFunc(some, func(s string) bool { return used[s] }) }
	text := r.question.Text
	counts, superlative, group := wordsCount.MatchString(text), wordsSuperlative.MatchString(text), wordsGroup.MatchString(text)
	distinct, negation := wordsDistinct.MatchString(text), wordsNegation.MatchString(text)
	negated := has("EXCEPT", "!in", "<>", "!contains", "!like", "!null", "null")
	return []float64{
		flag(counts && !has("count", "sum")), flag(!counts && has("count") && !has("GROUP") && !superlative), flag(has("LIMIT") && !superlative),
		flag(superlative && !has("LIMIT", "max", "min", "ASC", "DESC")),
		flag(has("DISTINCT") && !distinct), flag(distinct && !has("DISTINCT", "DIST")),
		flag(has("GROUP") && !group && !superlative), flag(group && !has("GROUP", "ASC", "DESC")),
		flag(negation && !negated), flag(negated && !negation),
	}
}

var nothing = found{}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// joined counts the tables that a query joins.
func joined(c *candidate) int { return strings.Count(c.sql, " JOIN ") }

// spans marks the words that a candidate takes as constants.
func (r *reader) spans(c *candidate) []bool {
	taken := make([]bool, len(r.features.Tokens))
	for i := 0; i+1 < len(c.tokens); i++ {
		if c.tokens[i].Kind == grammar.Word && c.tokens[i+1].Kind == grammar.Word {
			for w := c.tokens[i].ID; w <= c.tokens[i+1].ID && w < len(taken); w++ {
				taken[w] = true
			}
			i++
		}
	}
	return taken
}

// unused counts the words of values, and the numbers, that a candidate leaves out.
func (r *reader) unused(c *candidate) (values, numbers float64) {
	taken := r.spans(c)
	for i, t := range r.features.Tokens {
		if taken[i] {
			continue
		}
		if r.features.Kinds[i] == feature.NumberKind && !strings.EqualFold(t.Text, "one") {
			numbers++
		}
		if r.features.Kinds[i] == feature.Quoted || r.exactValue(i) && !r.exactName(i) {
			values++
		}
	}
	return values, numbers
}

func (r *reader) exactValue(word int) bool {
	return slices.ContainsFunc(r.features.Columns[word], func(relation uint8) bool {
		return relation < feature.ColumnSimilar && relation%feature.ValueRelations == feature.ValueExact
	})
}

func (r *reader) exactName(word int) bool {
	return slices.ContainsFunc(r.features.Columns[word], func(relation uint8) bool {
		return relation < feature.ColumnSimilar && relation/feature.ValueRelations == feature.NameExact
	}) || slices.Contains(r.features.Tables[word], feature.TableExact)
}

// uncovered counts the words that name columns, and tables, of which a candidate
// has none.
func (r *reader) uncovered(c *candidate) (columns, tables float64) {
	taken := r.spans(c)
	for i := range r.features.Tokens {
		if taken[i] || !r.exactName(i) {
			continue
		}
		covered := slices.ContainsFunc(c.tokens, func(t grammar.Token) bool {
			switch t.Kind {
			case grammar.Column:
				return r.features.Columns[i][t.ID] != 0 || r.features.Tables[i][r.schema.Columns[t.ID].Table] == feature.TableExact
			case grammar.Table:
				return r.features.Tables[i][t.ID] != 0
			}
			return false
		})
		switch {
		case covered:
		case slices.Contains(r.features.Tables[i], feature.TableExact):
			tables++
		default:
			columns++
		}
	}
	return columns, tables
}
