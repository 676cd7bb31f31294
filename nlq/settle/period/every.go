package period

import (
	"fmt"
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// everyPeriod asks for those of whom something is so time after time: who ordered every month?
var everyPeriod = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:who|which|list|show|name)\b[^?.]*?\b(?:every|each) (?:single )?(?P<unit>day|week|month|quarter|year)\b`)

// NoteEvery says that an answer does not see to it that something was so time after time, where the question
// asks for that and no part of the query has to do with such stretches of time.
func NoteEvery(r *ground.Asked, t *nlq.Translation) {
	m, ok := english.Groups(everyPeriod, r.Question.Text)
	if !ok || t.Query == nil || reckonsIn(t.Query) {
		return
	}
	t.Notes = append(t.Notes, fmt.Sprintf("I did not see to it that this was so every %s.", m.Text("unit")))
	t.Doubt = true
}

// reckonsIn reports whether a query groups by or counts stretches of time.
func reckonsIn(q *tree.Query) (does bool) {
	isCall := func(e tree.Expr) bool { _, ok := e.(tree.Call); return ok }
	tree.EachQuery(tree.Clone(q), func(own *tree.Query) {
		if own.Select == nil {
			return
		}
		does = does || slices.ContainsFunc(own.Select.Group, isCall)
		for _, i := range own.Select.Items {
			a, _ := i.Expr.(tree.Aggregate)
			does = does || isCall(a.Arg)
		}
	})
	return does
}
