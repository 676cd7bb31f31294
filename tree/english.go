package tree

import (
	"fmt"
	"slices"

	"quern/english"
)

// English says in a sentence what a query returns, as in "Counts orders whose
// status is 'open', per customer, largest first".
func English(q *Query) string {
	w := &wording{rowNoun: "rows"}
	return english.Capitalize(w.sentence(q))
}

// wording writes one query. Where it reads several datasets, the columns of
// those beside the first say whose they are: "customer city".
type wording struct {
	names     map[string]string // of the datasets whose columns say whose they are
	datasets  map[string]string // what all are called, by what columns call them
	first     string            // what columns call the first dataset
	firstNoun string            // what the rows of the first dataset are called
	rowNoun   string            // what a row is called where rows are counted
	bare      bool              // names of columns come without their units
	spoken    bool              // it is for a sentence of an answer, not for a label
	one       bool              // what is said is said of one row
}

// inside returns the wording of a query within the one that is worded.
func (w *wording) inside(s *Select) *wording {
	inner := wordingOf(s)
	inner.bare, inner.spoken = w.bare, w.spoken
	return inner
}

func wordingOf(s *Select) *wording {
	w := &wording{names: map[string]string{}, datasets: map[string]string{}, firstNoun: "rows", rowNoun: "rows"}
	for i, source := range s.From {
		name := english.DatasetNoun(source.Dataset.Dataset)
		w.datasets[source.Ref()] = name
		if i == 0 && name != "" {
			w.firstNoun = name
		}
		twice := slices.ContainsFunc(s.From[1:], func(other Source) bool { return other.Dataset == s.From[0].Dataset })
		if i > 0 || twice {
			w.names[source.Ref()] = source.Dataset.Dataset
		}
	}
	if len(s.From) > 0 {
		w.first, w.rowNoun = s.From[0].Ref(), w.joinedNoun(s.From)
	}
	if len(s.From) == 1 {
		w.datasets[""] = w.firstNoun
	}
	return w
}

func (w *wording) sentence(q *Query) string {
	if q.Set != nil {
		joints := map[SetOp]string{Union: "; and also: ", Intersect: "; of these only what is also here: ", Except: "; without what is here: "}
		return w.sentence(q.Set.Left) + joints[q.Set.Op] + w.sentence(q.Set.Right) + w.ending(q)
	}
	s := wordingOf(q.Select)
	switch items := q.Select.Items; {
	case s.countsRows(s.ungroupedItems(q.Select)):
		return "counts " + s.rows(q) + s.ending(q)
	case len(q.Select.Group) == 0 && !slices.ContainsFunc(items, func(i Item) bool { return !aggregates(i.Expr) }):
		return "gives " + s.noun(q) + s.ending(q)
	}
	return "lists " + s.noun(q) + s.ending(q)
}

// noun names what a query returns, without its order and limit.
func (w *wording) noun(q *Query) string {
	if q.Set != nil {
		return "what this gives: " + w.sentence(q)
	}
	s := w.inside(q.Select)
	items := s.ungroupedItems(q.Select)
	if s.countsRows(items) {
		return "the number of " + s.rows(q)
	}
	ownNoun := s.rowNoun
	if len(items) > 1 {
		s.rowNoun = "rows" // their name follows
	}
	names := make([]string, 0, len(items))
	for _, i := range items {
		if _, all := i.Expr.(Star); all {
			names = nil
			break
		}
		names = append(names, s.value(i.Expr))
	}
	s.rowNoun = ownNoun
	if n := len(names); n > 1 && !q.Select.Distinct && s.isOwnCount(items[n-1].Expr) {
		names[n-1] = "number of " + s.rows(q) // what is counted is named once
		return "the " + english.List(names, "and")
	}
	switch {
	case len(names) == 0 && q.Select.Distinct:
		return "different " + s.rows(q)
	case len(names) == 0:
		return s.rows(q)
	case q.Select.Distinct && len(names) == 1:
		return "the different values of " + names[0] + " of " + s.rows(q)
	case q.Select.Distinct:
		return "the " + english.List(names, "and") + " of " + s.rows(q) + ", each once"
	}
	return "the " + english.List(names, "and") + " of " + s.rows(q)
}

// ungroupedItems returns the items to name: groups are named by "per".
func (w *wording) ungroupedItems(s *Select) []Item {
	var rest []Item
	for _, i := range s.Items {
		if !slices.ContainsFunc(s.Group, func(g Expr) bool { return sameValue(g, i.Expr) }) {
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		return s.Items
	}
	return rest
}

// countsRows reports whether all that is listed is a number of rows.
func (w *wording) countsRows(items []Item) bool {
	if len(items) != 1 {
		return false
	}
	a, ok := items[0].Expr.(Aggregate)
	_, star := a.Arg.(Star)
	countsStar := ok && star && a.Func == Count && a.Where == nil
	return countsStar || w.isOwnCount(items[0].Expr)
}

// isOwnCount reports whether a value is the number of rows of the first dataset.
func (w *wording) isOwnCount(e Expr) bool {
	a, ok := e.(Aggregate)
	things, counts := w.countedThings(a)
	return ok && counts && a.Where == nil && things == w.firstNoun
}

// rows names the rows that a select takes, with their conditions and groups.
func (w *wording) rows(q *Query) string {
	s := q.Select
	text := w.firstNoun
	text += w.beside(q) + w.conditions(s.Where)
	if len(s.Group) > 0 && !slices.EqualFunc(s.Group, s.Items, func(g Expr, i Item) bool { return sameValue(g, i.Expr) }) {
		groups := make([]string, len(s.Group))
		for i, g := range s.Group {
			groups[i] = w.value(g)
		}
		text += ", per " + english.List(groups, "and")
	}
	if s.Having != nil {
		text += ", only where " + w.havingWords(s.Having)
	}
	return text
}

// beside names the datasets that are read together with the first and that
// nothing else in the sentence names.
func (w *wording) beside(q *Query) string {
	named := map[string]bool{}
	q.Select.eachColumn(q.Order, func(c Column) {
		if whose := w.names[c.Source]; whose != "" {
			named[whose] = true
		}
	})
	var names []string
	for i, source := range q.Select.From {
		name := source.Dataset.Dataset
		saysItself := named[name] && name != q.Select.From[0].Dataset.Dataset
		switch {
		case i == 0 || saysItself:
		case name == "":
			names = append(names, "rows")
		default:
			names = append(names, english.DatasetNoun(name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return w.agreeing(" with its ", " with their ") + english.List(names, "and")
}

func quotedWords(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteText(word)
	}
	return english.List(quoted, "and")
}

func (w *wording) ending(q *Query) string {
	text := ""
	if q.Select != nil {
		w = w.inside(q.Select)
	}
	for i, o := range q.Order {
		switch {
		case i > 0:
			text += " and by " + w.value(o.Expr) + direction(o)
		case q.Select != nil && w.sortsByItsNumber(q, o):
			text += extremeFirst(o)
		default:
			text += ", sorted by " + w.value(o.Expr) + direction(o)
		}
	}
	switch {
	case q.Limit == nil:
	case *q.Limit == 1:
		text += ", only the " + english.Ordinal(q.Offset+1)
	case q.Offset > 0:
		text += fmt.Sprintf(", only %d from the %s on", *q.Limit, english.Ordinal(q.Offset+1))
	default:
		text += fmt.Sprintf(", only the first %d", *q.Limit)
	}
	return text
}

// sortsByItsNumber reports whether an order is by the one number that is listed.
func (w *wording) sortsByItsNumber(q *Query, o Order) bool {
	items := w.ungroupedItems(q.Select)
	if len(items) != 1 || !aggregates(items[0].Expr) {
		return false
	}
	return sameValue(items[0].Expr, w.unaliased(q.Select, o.Expr))
}

func extremeFirst(o Order) string {
	if o.Desc {
		return ", largest first"
	}
	return ", smallest first"
}

func direction(o Order) string {
	if o.Desc {
		return ", descending"
	}
	return ""
}
