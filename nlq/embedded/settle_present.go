package embedded

import (
	"regexp"
	"slices"
	"time"

	"quern/tree"
)

var (
	// atPresent asks for what is so now.
	atPresent = regexp.MustCompile(`(?i)\b(?:at (?:the moment|present)|currently|right now|these days|nowadays|still with us|(?:present|current|existing) (?:staff|members|customers|clients|tenants|pupils|residents|volunteers|employees))\b`)
	// leaving are words of the names of columns that say when somebody left.
	leaving = []string{"left", "leaving", "leaver", "quit", "resigned", "retired", "departed"}
)

// settlePresent leaves out who has left where the text asks for those of now and one column says
// when somebody left.
func (g *grounding) settlePresent(q *tree.Query) {
	if q.Select == nil || len(q.Select.From) != 1 || !atPresent.MatchString(g.text) {
		return
	}
	var left []tree.Column
	var isOpen bool
	for _, t := range g.whole.TimesOf(q.Select.From[0]) {
		if slices.ContainsFunc(t.Of.Words, func(w string) bool { return slices.Contains(leaving, w) }) {
			left, isOpen = append(left, t.Column), t.Of.Max > g.question.Now.UTC().Format(time.DateOnly)
		}
	}
	if len(left) != 1 || isOpen || tests(q.Select.Where, left[0]) {
		return
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.IsNull{Expr: left[0]})...)
}
