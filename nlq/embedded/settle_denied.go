package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

// deniesWord is a denial that ends right before what it denies: has not been paid.
var deniesWord = regexp.MustCompile(`(?i)(?:\b(?:not|neither)|n't|\b(?:have|has|had|is|are|was|were|did|does|do)nt|\bnever)\s+(?:(?:yet|been|be|being|already|fully|ever|actually)\s+)*$`)

// deniesBefore is a denial of another thing, which goes for what stands behind it as well: not
// travel or.
var deniesBefore = regexp.MustCompile(`(?i)(?:\bnot|n't|\bneither)\s+(?:(?:in|for|from|at|on)\s+)?[\w-]+(?:\s*,\s*[\w-]+)*\s*,?\s+(?:or|nor)\s+(?:(?:in|for|from|at|on)\s+)?$`)

// settleDenied compares with a value as the text means it: what has not been paid is not what
// is paid, and what was invoiced but not paid is invoiced.
func (g *grounding) settleDenied(q *tree.Query) {
	if q.Select == nil || !english.Negations.Finder().MatchString(g.text) && !strings.Contains(g.text, "n't") {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	denies := leavesOut(q)
	for i, c := range conds {
		compare, value, ok := g.comparedKind(q.Select.From, c)
		if !ok {
			continue
		}
		switch said, denied := g.saysKind(value); {
		case !said:
		case denied && compare.Op == tree.Equal && !denies:
			compare.Op = tree.NotEqual
			conds[i] = compare
		case !denied && compare.Op == tree.NotEqual && g.deniesOther(q.Select.From, conds, compare):
			compare.Op = tree.Equal
			conds[i] = compare
		}
	}
	q.Select.Where = tree.All(conds...)
}

// toBeDone stands before what has not been done: ready to be collected.
var toBeDone = regexp.MustCompile(`(?i)\b(?P<how>[a-z]+) to be $`)

// settleToBe compares with the value that the text says before what is to be done, instead of with
// that: what is ready to be collected is ready, not collected.
func (g *grounding) settleToBe(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		compare, value, ok := g.comparedKind(q.Select.From, c)
		if !ok || compare.Op != tree.Equal {
			continue
		}
		at := placesOf(g.text, value)
		if len(at) != 1 {
			continue
		}
		m, ok := english.Groups(toBeDone, g.text[:at[0]])
		id, known := g.view.ColumnOf(q.Select.From, compare.Left.(tree.Column))
		if !ok || !known || g.view.Columns[id].Values == nil {
			continue
		}
		if other, ok := g.view.Columns[id].Values.Exact(strings.ToLower(m.Text("how"))); ok {
			compare.Right = tree.Literal{Kind: tree.Text, Text: other}
			conds[i] = compare
		}
	}
	q.Select.Where = tree.All(conds...)
}

// comparedKind returns a condition on a column of kinds of rows, other than yes and no, and the
// value that it is compared with.
func (g *grounding) comparedKind(from []tree.Source, c tree.Cond) (compare tree.Compare, value string, ok bool) {
	compare, isCompare := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	k, isLiteral := compare.Right.(tree.Literal)
	id, known := g.view.ColumnOf(from, column)
	if !isCompare || !isColumn || !isLiteral || !known || k.Kind != tree.Text || !g.view.Columns[id].Category() {
		return compare, "", false
	}
	_, _, truth := g.view.Columns[id].Truth()
	return compare, k.Text, !truth
}

// deniesOther reports whether a condition beside one denies another value of the same column,
// as the text does.
func (g *grounding) deniesOther(from []tree.Source, conds []tree.Cond, than tree.Compare) bool {
	return slices.ContainsFunc(conds, func(c tree.Cond) bool {
		other, value, ok := g.comparedKind(from, c)
		_, denied := g.saysKind(value)
		return ok && denied && other.Op == tree.NotEqual && other.Left == than.Left && other.Right != than.Right
	})
}

// saysKind reports whether the text says a value in its own words, once, and whether it denies it.
func (g *grounding) saysKind(value string) (said, denied bool) {
	at := placesOf(g.text, value)
	if len(at) != 1 {
		return false, false
	}
	before := strings.ToLower(g.text)[:at[0]]
	return true, deniesWord.MatchString(before) || deniesBefore.MatchString(before)
}
