package absence

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// deniesBefore is a denial of another thing, which goes for what stands behind it as well: not
// travel or.
var deniesBefore = regexp.MustCompile(`(?i)(?:\bnot|n't|\bneither)\s+(?:(?:in|for|from|at|on)\s+)?[\w-]+(?:\s*,\s*[\w-]+)*\s*,?\s+(?:or|nor)\s+(?:(?:in|for|from|at|on)\s+)?$`)

// Denied compares with a value as the text means it: what has not been paid is not what
// is paid, and what was invoiced but not paid is invoiced.
func (g Rules) Denied(q *tree.Query) {
	if q.Select == nil || !english.Negations.Finder().MatchString(g.Text) && !strings.Contains(g.Text, "n't") {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	denies := ground.LeavesOut(q)
	for i, c := range conds {
		compare, value, ok := g.ComparedKind(q.Select.From, c)
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

// ToBe compares with the value that the text says before what is to be done, instead of with
// that: what is ready to be collected is ready, not collected.
func (g Rules) ToBe(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		compare, value, ok := g.ComparedKind(q.Select.From, c)
		if !ok || compare.Op != tree.Equal {
			continue
		}
		at := ground.PlacesOf(g.Text, value)
		if len(at) != 1 {
			continue
		}
		m, ok := english.Groups(toBeDone, g.Text[:at[0]])
		id, known := g.View.ColumnOf(q.Select.From, compare.Left.(tree.Column))
		if !ok || !known || g.View.Columns[id].Values == nil {
			continue
		}
		if other, ok := g.View.Columns[id].Values.Exact(strings.ToLower(m.Text("how"))); ok {
			compare.Right = tree.Literal{Kind: tree.Text, Text: other}
			conds[i] = compare
		}
	}
	q.Select.Where = tree.All(conds...)
}

// deniesOther reports whether a condition beside one denies another value of the same column,
// as the text does.
func (g Rules) deniesOther(from []tree.Source, conds []tree.Cond, than tree.Compare) bool {
	return slices.ContainsFunc(conds, func(c tree.Cond) bool {
		other, value, ok := g.ComparedKind(from, c)
		_, denied := g.saysKind(value)
		return ok && denied && other.Op == tree.NotEqual && other.Left == than.Left && other.Right != than.Right
	})
}

// saysKind reports whether the text says a value in its own words, once, and whether it denies it.
func (g Rules) saysKind(value string) (said, denied bool) {
	at := ground.PlacesOf(g.Text, value)
	if len(at) != 1 {
		return false, false
	}
	before := strings.ToLower(g.Text)[:at[0]]
	return true, ground.DeniesWord.MatchString(before) || deniesBefore.MatchString(before)
}
