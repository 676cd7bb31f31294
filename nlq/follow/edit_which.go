package follow

import (
	"regexp"

	"quern/english"
	"quern/tree"
)

// ofWhichRow asks which row it is that a largest or smallest value is of.
var ofWhichRow = regexp.MustCompile(`^` + openers + `(?:who|(?:which|what)(?: (?P<noun>[a-z]+))?) (?:is|was) (?:it|that|this|he|she)$|^` + openers + `(?:which one|who)$`)

// whichRow shows the row that a largest or smallest value is of, by what it is called: "when did we last
// buy a bike?", "which one?".
func whichRow(e *editor) bool {
	s := e.query.Select
	m, asks := english.Groups(ofWhichRow, e.text)
	if !asks || len(s.Items) != 1 || len(s.Group) > 0 || s.Having != nil || e.query.Limit != nil {
		return false
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	if !ok || !isColumn || a.Where != nil || a.Func != tree.Max && a.Func != tree.Min {
		return false
	}
	source, ok := e.sourceAsked(column.Source, m.Text("noun"))
	if !ok {
		return false
	}
	s.Items = nil
	for _, label := range e.labels(source) {
		s.Items = append(s.Items, tree.Item{Expr: label})
	}
	one := int64(1)
	e.query.Order, e.query.Limit = []tree.Order{{Expr: column, Desc: a.Func == tree.Max, Nulls: tree.NullsLast}}, &one
	return len(s.Items) > 0
}

// sourceAsked returns whose rows are asked for: those of a source, where no noun or their own is said, or the
// people that these belong to, where people are asked for.
func (e *editor) sourceAsked(ref, noun string) (source tree.Source, ok bool) {
	for _, from := range e.query.Select.From {
		if from.Ref() == ref {
			source = from
		}
	}
	table, known := e.view.TableOf(source)
	switch {
	case !known || noun != "" && noun != "one" && !e.isNamed(table, noun):
		return source, false // something else of it is asked for
	case !asksWho.MatchString(e.text) || e.view.IsOfPeople(table):
		return source, true
	}
	w, found := e.people()
	if found {
		source = e.join(w)
	}
	return source, found
}
