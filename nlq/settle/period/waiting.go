package period

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// waitsFor says of somebody that they wait.
var waitsFor = regexp.MustCompile(`(?i)\b(?:wait(?:ing|ed|s)?|queu(?:e|ing|ed)|in line)\b`)

// Waiting counts how long somebody has waited from when they asked, where one time of a
// dataset says when that was: whoever waits for a plot has not joined yet.
func (g Rules) Waiting(q *tree.Query) {
	if !waitsFor.MatchString(g.Text) {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, source := range q.Select.From {
			times := g.Asked.Whole.TimesOf(source)
			asked := slices.DeleteFunc(slices.Clone(times), func(t schema.TimeColumn) bool { return !slices.ContainsFunc(t.Of.Words, english.Applications.Has) })
			if len(asked) != 1 || slices.ContainsFunc(times, func(t schema.TimeColumn) bool { return ground.HasWords(g.Text, strings.Join(t.Of.Words, " ")) }) {
				continue
			}
			tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
				isOther := slices.ContainsFunc(times, func(t schema.TimeColumn) bool { return e == tree.Expr(t.Column) && t.Of.Type == asked[0].Of.Type })
				if isOther {
					return asked[0].Column
				}
				return e
			})
		}
	})
}
