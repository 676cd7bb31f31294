package ground

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// TestedTruth returns a condition that a column of yes and no is equal to something, that, and the column.
func (g *Grounding) TestedTruth(from []tree.Source, c tree.Cond) (compare tree.Compare, k tree.Literal, of schema.Column, ok bool) {
	compare, isCompare := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	k, isLiteral := compare.Right.(tree.Literal)
	id, known := g.View.ColumnOf(from, column)
	if !isCompare || !isColumn || !isLiteral || !known || compare.Op != tree.Equal {
		return compare, k, of, false
	}
	of = g.View.Columns[id]
	_, _, ok = of.Truth()
	return compare, k, of, ok
}

// DenialIn returns what the name of a column says is not so: the show of no_show and noshow.
func (r *Asked) DenialIn(c schema.Column) (what string, ok bool) {
	if !strings.HasPrefix(c.Name, "n") && !strings.HasPrefix(c.Name, "N") {
		return "", false // as nearly all
	}
	if c.IsDenial() {
		return strings.Join(english.NameWords(c.Name)[1:], " "), true
	}
	for _, denies := range schema.Denials {
		what, ok := strings.CutPrefix(strings.ToLower(c.Name), denies)
		if ok && len(what) > len(denies) && r.Vectors.IsWord(what) && !r.Vectors.IsWord(c.Name) {
			return what, true
		}
	}
	return "", false
}

// FinderOf finds what is not so, as people write it: no-shows, non-smoking, unpaid.
func FinderOf(what string) *regexp.Regexp {
	prefixes := strings.Join(append(slices.Clone(schema.Denials), english.NegativePrefixes.Words()...), "|")
	return regexp.MustCompile(`(?i)\b(?:` + prefixes + `)[-_ ]?` + regexp.QuoteMeta(what) + `(?:s|es|ed)?\b`)
}

// DeniesWord is a denial that ends right before what it denies: has not been paid.
var DeniesWord = regexp.MustCompile(`(?i)(?:\b(?:not|neither)|n't|\b(?:have|has|had|is|are|was|were|did|does|do)nt|\bnever)\s+(?:(?:yet|been|be|being|already|fully|ever|actually)\s+)*$`)
