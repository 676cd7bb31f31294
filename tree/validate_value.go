package tree

import (
	"strconv"

	"quern"
)

// value checks a value and returns its class.
func (c *checker) value(e Expr, sc *scope, aggregate bool) quern.Class {
	switch e := e.(type) {
	case Column:
		return c.column(e, sc)
	case Literal:
		if !e.valid() {
			c.fail(problem(e.Text, "%q is not a %s", e.Text, e.Kind))
		}
		return e.class()
	case Aggregate:
		return c.aggregate(e, sc, aggregate)
	case Share:
		some := e.measure()
		some.Where = e.Where
		c.aggregate(some, sc, aggregate)
		return quern.ClassNumber
	case Portion:
		c.aggregate(e.Of, sc, aggregate)
		return quern.ClassNumber
	case Duration:
		c.requireClass(e.From, sc, quern.ClassTime, aggregate)
		c.requireClass(e.Until, sc, quern.ClassTime, aggregate)
		return quern.ClassNumber
	case Arith:
		c.requireClass(e.Left, sc, quern.ClassNumber, aggregate)
		c.requireClass(e.Right, sc, quern.ClassNumber, aggregate)
		return quern.ClassNumber
	case Call:
		return c.call(e, sc, aggregate)
	case Subquery:
		return c.oneColumn(c.query(e.Query, sc))
	case Star:
		c.fail(problem("", "a star stands alone in the list of columns, or under count"))
	}
	return quern.ClassUnknown
}

func (c *checker) oneColumn(classes []quern.Class) quern.Class {
	if c.err != nil || len(classes) == 1 {
		return append(classes, quern.ClassUnknown)[0]
	}
	c.fail(problem("", "a nested query must have one column, not %d", len(classes)))
	return quern.ClassUnknown
}

func (c *checker) call(e Call, sc *scope, aggregate bool) quern.Class {
	f, ok := functions[e.Func]
	if !ok || len(e.Args) < f.min || len(e.Args) > f.max {
		c.fail(problem(e.Func, "there is no function %s with %d arguments", e.Func, len(e.Args)))
		return quern.ClassUnknown
	}
	for _, a := range e.Args {
		c.requireClass(a, sc, f.takes, aggregate)
	}
	return f.returns
}

func (c *checker) aggregate(e Aggregate, sc *scope, allowed bool) quern.Class {
	if !allowed {
		c.fail(problem(string(e.Func), "%s cannot stand here: conditions on groups belong into HAVING", e.Func))
		return quern.ClassUnknown
	}
	c.cond(e.Where, sc, false)
	if star, ok := e.Arg.(Star); ok {
		if e.Func != Count || star.Source != "" || e.Distinct {
			c.fail(problem(string(e.Func), "only count takes a star"))
		}
		return quern.ClassNumber
	}
	switch e.Func {
	case Count:
		c.value(e.Arg, sc, false)
		return quern.ClassNumber
	case Sum, Avg, Median, Percentile:
		c.requireClass(e.Arg, sc, quern.ClassNumber, false)
		return quern.ClassNumber
	case LongestGap, ShortestGap, AverageGap:
		if e.Where != nil || e.Distinct {
			c.fail(problem(string(e.Func), "%s takes neither DISTINCT nor FILTER", e.Func))
		}
		c.requireClass(e.Arg, sc, quern.ClassTime, false)
		return quern.ClassNumber
	}
	return c.value(e.Arg, sc, false)
}

// requireClass checks that a value is of a class.
func (c *checker) requireClass(e Expr, sc *scope, want quern.Class, aggregate bool) {
	got := c.value(e, sc, aggregate)
	if c.err == nil && got != want && !mayBeAny(got) && want != quern.ClassUnknown {
		c.fail(problem(subject(e), "%s is %s where %s is wanted", display(e), className(got), className(want)))
	}
}

// subject is the name that a problem with a value is about.
func subject(e Expr) string {
	switch e := e.(type) {
	case Column:
		return e.Name
	case Literal:
		return e.Text
	case Aggregate:
		return subject(e.Arg)
	}
	return ""
}

// display is a value as a message shows it.
func display(e Expr) string {
	switch e := e.(type) {
	case Column:
		return "the column " + strconv.Quote(e.Name)
	case Literal:
		return strconv.Quote(e.Text)
	case Aggregate:
		return string(e.Func)
	}
	return "the value"
}

// cond checks a condition.
func (c *checker) cond(cond Cond, sc *scope, aggregate bool) {
	switch cond := cond.(type) {
	case And:
		for _, part := range cond.Conds {
			c.cond(part, sc, aggregate)
		}
	case Or:
		for _, part := range cond.Conds {
			c.cond(part, sc, aggregate)
		}
	case Not:
		c.cond(cond.Cond, sc, aggregate)
	case Compare:
		c.requireComparable(cond.Left, cond.Right, c.value(cond.Left, sc, aggregate), c.value(cond.Right, sc, aggregate))
	case Between:
		value := c.value(cond.Expr, sc, aggregate)
		c.requireComparable(cond.Expr, cond.Low, value, c.value(cond.Low, sc, aggregate))
		c.requireComparable(cond.Expr, cond.High, value, c.value(cond.High, sc, aggregate))
	case In:
		c.in(cond, sc, aggregate)
	case Match:
		c.requireClass(cond.Expr, sc, quern.ClassText, aggregate)
	case IsNull:
		c.value(cond.Expr, sc, aggregate)
	case Exists:
		c.query(cond.Query, sc)
	case Period:
		c.requireClass(cond.Expr, sc, quern.ClassTime, aggregate)
	case Search:
		for _, column := range cond.Columns {
			c.value(column, sc, false)
		}
	case Linked:
		c.fail(problem("", "the query is not resolved"))
	}
}

func (c *checker) in(cond In, sc *scope, aggregate bool) {
	value := c.value(cond.Expr, sc, aggregate)
	if cond.Query != nil {
		c.requireComparable(cond.Expr, Subquery{}, value, c.oneColumn(c.query(cond.Query, sc)))
		return
	}
	for _, l := range cond.List {
		c.requireComparable(cond.Expr, l, value, l.class())
	}
}

// mayBeAny reports whether values of a class may turn out to be of any other.
func mayBeAny(c quern.Class) bool { return c == quern.ClassUnknown || c == quern.ClassJSON }

// requireComparable checks that two values can be compared. A text constant may stand
// for a number or a time that it spells.
func (c *checker) requireComparable(a, b Expr, left, right quern.Class) {
	if c.err != nil || left == right || mayBeAny(left) || mayBeAny(right) {
		return
	}
	if isSpelled(a, right) || isSpelled(b, left) {
		return
	}
	c.fail(problem(subject(a), "%s is %s and cannot be compared with %s", display(a), className(left), className(right)))
}

// isSpelled reports whether a text constant spells a value of a class.
func isSpelled(e Expr, want quern.Class) bool {
	l, ok := e.(Literal)
	if !ok || l.Kind != Text {
		return false
	}
	switch want {
	case quern.ClassNumber:
		_, err := strconv.ParseFloat(l.Text, 64)
		return err == nil
	case quern.ClassTime:
		_, ok := l.instant()
		return ok
	}
	return false
}
