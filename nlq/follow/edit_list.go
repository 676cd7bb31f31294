package follow

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	listPattern = regexp.MustCompile(`^` + openers + `(?:(?:show|list|display|give|name|print|see)(?: me)?(?: all(?: of)?)? ?` +
		`(?:it|that|` + theRows + `)(?: all)?|(?:show|list)(?: me)? all|(?:which|what) (?:ones?|(?:are|were) (?:they|those|these))|` +
		`which(?: exactly)?|who(?: are they| exactly| is it| is that)?)(?: please)?$`)
	othersPattern = regexp.MustCompile(`^(?:(?:` + english.Openers.With(english.Suggestions).Pattern() + `|show|list|only) )*` +
		`(?:the |all the |all )?` + english.Remainders.Pattern() + `$`)
)

// calledPattern asks what rows are called.
var calledPattern = regexp.MustCompile(`^` + openers + `what (?:are|is|were|was) (?:it|he|she|` + plural + `) called$`)

// asksWho asks for people.
var asksWho = regexp.MustCompile(`^` + openers + `who\b`)

// listRows shows the rows that the previous query counts or sums up: "which
// ones?", "show them".
func listRows(e *editor) bool {
	s := e.query.Select
	isCalled := calledPattern.MatchString(e.text)
	if !isCalled && !listPattern.MatchString(e.text) || len(s.Group) > 0 || s.Having != nil {
		return false
	}
	if e.query.Limit != nil {
		if isCalled || !strings.Contains(e.text, " all") {
			return false
		}
		e.query.Limit = nil
	}
	if listCounted(e) {
		return true
	}
	p, ok := subject(e.view, s, e.previous)
	if !ok || p.Nested != nil {
		return false
	}
	if source, ok := e.calledRows(p, isCalled); ok {
		return e.showLabels(source)
	}
	for _, i := range s.Items {
		if share, ok := i.Expr.(tree.Share); ok {
			s.Where = addConds(s.Where, tree.Conjuncts(share.Where)...)
		}
	}
	all := tree.Star{}
	if len(s.From) > 1 {
		all.Source, s.Distinct, e.query.Order = p.Source.Ref(), true, nil
	}
	s.Items = []tree.Item{{Expr: all}}
	return true
}

// calledRows returns the source whose rows are shown by what they are called: the listed ones, where
// that is asked for or they are people who are, or the only people that they belong to.
func (e *editor) calledRows(p schema.Place, isCalled bool) (source tree.Source, ok bool) {
	arePeople := e.view.IsOfPeople(p.Table)
	switch isWho := asksWho.MatchString(e.text); {
	case isCalled || isWho && arePeople && len(e.labels(p.Source)) > 0:
		return p.Source, true
	case !isWho || arePeople:
		return source, false
	}
	if w, ok := e.people(); ok {
		return e.join(w), true
	}
	if !e.namesPeople(p.Table) {
		e.doubt("You asked who, and these are %s.", p.Source.Dataset.Dataset)
	}
	return source, false
}

// listCounted lists the rows of another dataset that the previous query counts by what
// points to them: the customers of orders.
func listCounted(e *editor) bool {
	s := e.query.Select
	if len(s.Items) != 1 || len(s.From) != 1 {
		return false
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	id, known := e.view.ColumnOf(s.From, column)
	if !ok || !isColumn || !known || a.Func != tree.Count || !a.Distinct {
		return false
	}
	for _, l := range e.view.Links {
		to := e.view.Columns[l.To]
		if l.From != id || !to.Key() {
			continue
		}
		of := tree.Source{Dataset: e.view.Tables[to.Table].Path}
		inner := tree.Clone(e.query)
		inner.Select.Items = []tree.Item{{Expr: tree.Star{}}}
		where, linked := e.view.LinkedTo(of, inner)
		if linked {
			e.query.Select = &tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{of}, Where: where}
			return true
		}
	}
	return false
}

// takeOthers asks the same of the rows that the last condition leaves out: "and
// the others?".
func takeOthers(e *editor) bool {
	if !othersPattern.MatchString(e.text) || e.query.Limit != nil {
		return false
	}
	s := e.query.Select
	for i, item := range s.Items {
		if share, ok := item.Expr.(tree.Share); ok {
			s.Items[i].Expr = tree.Share{Where: e.negateLast(share.Where)}
			return true
		}
	}
	if s.Where == nil {
		return false
	}
	s.Where = e.negateLast(s.Where)
	return true
}

// negateLast returns conditions with the last of them negated.
func (e *editor) negateLast(c tree.Cond) tree.Cond {
	all := slices.Clone(tree.Conjuncts(c))
	all[len(all)-1] = e.negate(all[len(all)-1])
	return tree.All(all...)
}
