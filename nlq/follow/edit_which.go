package follow

import (
	"regexp"

	"quern/tree"
)

// ofWhichRow asks which row it is that a largest or smallest value is of.
var ofWhichRow = regexp.MustCompile(`^` + openers + `(?:which|who|what) (?:(?:one|[a-z]+) )?(?:is|was) (?:it|that|this|he|she)$|^` + openers + `(?:which one|who)$`)

// whichRow shows the row that a largest or smallest value is of, by what it is called: "when did we last
// buy a bike?", "which one?".
func whichRow(e *editor) bool {
	s := e.query.Select
	if !ofWhichRow.MatchString(e.text) || len(s.Items) != 1 || len(s.Group) > 0 || s.Having != nil || e.query.Limit != nil {
		return false
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	if !ok || !isColumn || a.Where != nil || a.Func != tree.Max && a.Func != tree.Min {
		return false
	}
	var source tree.Source
	for _, from := range s.From {
		if from.Ref() == column.Source {
			source = from
		}
	}
	if asksWho.MatchString(e.text) {
		w, found := e.people()
		if table, known := e.view.TableOf(source); known && !e.view.IsOfPeople(table) && found {
			source = e.join(w)
		}
	}
	s.Items = nil
	for _, label := range e.labels(source) {
		s.Items = append(s.Items, tree.Item{Expr: label})
	}
	one := int64(1)
	e.query.Order, e.query.Limit = []tree.Order{{Expr: column, Desc: a.Func == tree.Max, Nulls: tree.NullsLast}}, &one
	return len(s.Items) > 0
}
