package tree

import (
	"slices"
	"strings"

	"quern/english"
)

// Phrase is a select in words, taken apart for those who write sentences of
// their own about its rows.
type Phrase struct {
	Noun string // what its rows are, by the first dataset's name: "orders"
	// Which says which of them, and what is read beside them, as in
	// " with their customers whose city is 'Oslo'"; empty: all, alone.
	Which      string
	WhichOne   string  // Which of a single row
	Conditions string  // Which without what is read beside them
	Values     []Value // one for each item
	Groups     []string
	Having     string // "number of rows is more than 2"; empty: none
	Order      string // the first value that rows are sorted by; empty: none
	// OrderThings are what that value counts, each once: "orders"; empty when it
	// counts nothing.
	OrderThings string
	OrderFunc   Func   // of the aggregate that it is; empty otherwise
	Joined      bool   // whether other datasets are read beside the first
	Beside      string // the one that is, when it is one: "customers"
	// All is what the query returns, with its order and limit, as in
	// "the name of orders, sorted by id".
	All string
}

// Value is an item of a select in words.
type Value struct {
	Name   string // "average price"; empty: all columns
	Bare   string // the column inside, alone: "price"; empty when there is none
	Func   Func   // of an aggregate; empty otherwise
	Group  bool   // whether rows are grouped by it
	Sorts  bool   // whether rows are sorted by it first
	Unit   string // what its numbers are in: "EUR"; empty when the name does not say
	Things string // what it counts, each once: "orders"; empty when it counts nothing
	// Reckoned is whether it is made of aggregates: one value for all rows of a group.
	Reckoned bool
	Money    bool // whether its numbers are amounts of money, going by names
	Many     bool // whether its noun is one for many: "days"
}

// Describe words a query that is one select; ok is false for a set of several.
func Describe(q *Query) (p Phrase, ok bool) {
	if q.Select == nil {
		return Phrase{All: (&wording{rowNoun: "rows"}).noun(q)}, false
	}
	s, w := q.Select, wordingOf(q.Select)
	w.spoken = true
	p.Noun, p.Joined = "rows", len(s.From) > 1
	if len(s.From) > 0 {
		p.Noun = w.firstNoun
		p.Conditions = w.conditions(s.Where)
		p.Which = w.beside(q) + p.Conditions
		w.one = true
		p.WhichOne = w.beside(q) + w.conditions(s.Where)
		w.one = false
	}
	if len(s.From) == 2 {
		p.Beside = english.DatasetNoun(s.From[1].Dataset.Dataset)
	}
	w.bare = true
	p.All = w.noun(q) + w.ending(q)
	for _, g := range s.Group {
		p.Groups = append(p.Groups, w.value(g))
	}
	if s.Having != nil {
		p.Having = w.cond(s.Having)
	}
	for _, i := range s.Items {
		p.Values = append(p.Values, w.describe(q, i))
	}
	if len(q.Order) > 0 {
		by := w.unaliased(s, q.Order[0].Expr)
		p.Order = w.value(by)
		if count, ok := by.(Aggregate); ok {
			p.OrderThings, _ = w.countedThings(count)
			p.OrderFunc = count.Func
		}
	}
	return p, true
}

func (w *wording) describe(q *Query, i Item) Value {
	v := Value{Name: w.value(i.Expr), Bare: bare(i.Expr), Unit: unit(i.Expr)}
	if _, all := i.Expr.(Star); all {
		v.Name = ""
	}
	if isDifference(q.Select.Items, i.Expr) {
		v.Name = "difference"
	}
	v.Reckoned, v.Money, v.Many = aggregates(i.Expr), isMoney(i.Expr), w.isMany(i.Expr)
	measure := i.Expr
	if amount, _, ok := scaled(measure); ok {
		measure = amount
	}
	switch e := measure.(type) {
	case Aggregate:
		v.Func = e.Func
		v.Things, _ = w.countedThings(e)
	case Share:
		v.Func = Percent
	}
	v.Group = slices.ContainsFunc(q.Select.Group, func(g Expr) bool { return sameValue(g, i.Expr) })
	v.Sorts = len(q.Order) > 0 && sameValue(w.unaliased(q.Select, q.Order[0].Expr), i.Expr)
	return v
}

// isDifference reports whether a value is the difference of two others that are shown.
func isDifference(items []Item, e Expr) bool {
	a, ok := e.(Arith)
	isShown := func(e Expr) bool {
		return slices.ContainsFunc(items, func(i Item) bool { return sameValue(i.Expr, e) })
	}
	return ok && a.Op == '-' && len(items) == 3 && isShown(a.Left) && isShown(a.Right)
}

// isMoney reports whether the names in a value say that it is an amount of money.
func isMoney(e Expr) bool {
	switch e := e.(type) {
	case Column:
		in := unit(e)
		return english.IsMoneyName(bare(e)) && (in == "" || english.IsMoney(in))
	case Aggregate:
		return e.Func != Count && isMoney(e.Arg)
	case Call:
		return e.Func == Coalesce && isMoney(e.Args[0])
	case Arith:
		left, right := isMoney(e.Left), isMoney(e.Right)
		switch e.Op {
		case '*':
			return left != right
		case '/':
			return left && !right
		}
		return left && right
	}
	return false
}

// unaliased returns what a name in an order stands for.
func (w *wording) unaliased(s *Select, e Expr) Expr {
	c, ok := e.(Column)
	if !ok || c.Source != "" {
		return e
	}
	for _, i := range s.Items {
		if i.Alias != "" && SameName(i.Alias, c.Name) {
			return i.Expr
		}
	}
	return e
}

func bare(e Expr) string {
	switch e := e.(type) {
	case Column:
		name, _ := english.WithoutUnit(english.ColumnNoun(e.Name))
		return name
	case Aggregate:
		return bare(e.Arg)
	case Call:
		if e.Func == Coalesce {
			return bare(e.Args[0])
		}
		return functions[e.Func].inEnglish
	case Arith:
		if amount, _, ok := scaled(e); ok {
			return bare(amount)
		}
	}
	return ""
}

// unit returns what the numbers of a value are in; empty when nothing says it.
func unit(e Expr) string {
	switch e := e.(type) {
	case Column:
		_, unit := english.WithoutUnit(english.Spaced(e.Name))
		return unit
	case Aggregate:
		if e.Func != Count {
			return unit(e.Arg)
		}
	case Arith:
		if other := unit(e.Left); strings.IndexByte("+-", e.Op) >= 0 && other == unit(e.Right) {
			return other
		}
		_, other, _ := scaled(e)
		return other
	}
	return ""
}
