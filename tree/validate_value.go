package tree

import (
	"strconv"
)

// value checks a value and gives its class.
func (c *checker) value(e Expr, sc *scope, aggregate bool) class {
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
		if !aggregate {
			c.fail(problem("", "a share cannot stand here: conditions on groups belong into HAVING"))
		}
		c.cond(e.Where, sc, false)
		return classNumber
	case Arith:
		c.wants(e.Left, sc, classNumber, aggregate)
		c.wants(e.Right, sc, classNumber, aggregate)
		return classNumber
	case Call:
		return c.call(e, sc, aggregate)
	case Subquery:
		return c.oneColumn(c.query(e.Query, sc))
	case Star:
		c.fail(problem("", "a star stands alone in the list of columns, or under count"))
	}
	return classAny
}

func (c *checker) oneColumn(classes []class) class {
	if c.err != nil || len(classes) == 1 {
		return append(classes, classAny)[0]
	}
	c.fail(problem("", "a nested query must have one column, not %d", len(classes)))
	return classAny
}

func (c *checker) call(e Call, sc *scope, aggregate bool) class {
	f, ok := functions[e.Func]
	if !ok || len(e.Args) < f.min || len(e.Args) > f.max {
		c.fail(problem(e.Func, "there is no function %s with %d arguments", e.Func, len(e.Args)))
		return classAny
	}
	for _, a := range e.Args {
		c.wants(a, sc, f.takes, aggregate)
	}
	return f.gives
}

func (c *checker) aggregate(e Aggregate, sc *scope, allowed bool) class {
	if !allowed {
		c.fail(problem(string(e.Func), "%s cannot stand here: conditions on groups belong into HAVING", e.Func))
		return classAny
	}
	if star, ok := e.Arg.(Star); ok {
		if e.Func != Count || star.Source != "" || e.Distinct {
			c.fail(problem(string(e.Func), "only count takes a star"))
		}
		return classNumber
	}
	switch e.Func {
	case Count:
		c.value(e.Arg, sc, false)
		return classNumber
	case Sum, Avg:
		c.wants(e.Arg, sc, classNumber, false)
		return classNumber
	}
	return c.value(e.Arg, sc, false)
}

// wants checks that a value is of a class.
func (c *checker) wants(e Expr, sc *scope, want class, aggregate bool) {
	got := c.value(e, sc, aggregate)
	if c.err == nil && got != want && got != classAny && got != classJSON && want != classAny {
		c.fail(problem(about(e), "%s is %s where %s is wanted", shown(e), got, want))
	}
}

// about is the name that a problem with a value is about.
func about(e Expr) string {
	switch e := e.(type) {
	case Column:
		return e.Name
	case Literal:
		return e.Text
	case Aggregate:
		return about(e.Arg)
	}
	return ""
}

// shown is a value as a message shows it.
func shown(e Expr) string {
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
		c.comparable(cond.Left, cond.Right, c.value(cond.Left, sc, aggregate), c.value(cond.Right, sc, aggregate))
	case Between:
		value := c.value(cond.Expr, sc, aggregate)
		c.comparable(cond.Expr, cond.Low, value, c.value(cond.Low, sc, aggregate))
		c.comparable(cond.Expr, cond.High, value, c.value(cond.High, sc, aggregate))
	case In:
		c.in(cond, sc, aggregate)
	case Match:
		c.wants(cond.Expr, sc, classText, aggregate)
	case IsNull:
		c.value(cond.Expr, sc, aggregate)
	case Exists:
		c.query(cond.Query, sc)
	case Period:
		c.wants(cond.Expr, sc, classTime, aggregate)
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
		c.comparable(cond.Expr, Subquery{}, value, c.oneColumn(c.query(cond.Query, sc)))
		return
	}
	for _, l := range cond.List {
		c.comparable(cond.Expr, l, value, l.class())
	}
}

// comparable checks that two values can be compared. A text constant may stand
// for a number or a time that it spells.
func (c *checker) comparable(a, b Expr, left, right class) {
	if c.err != nil || left == right || left == classAny || right == classAny || left == classJSON || right == classJSON {
		return
	}
	if spells(a, right) || spells(b, left) {
		return
	}
	c.fail(problem(about(a), "%s is %s and cannot be compared with %s", shown(a), left, right))
}

func spells(e Expr, want class) bool {
	l, ok := e.(Literal)
	if !ok || l.Kind != Text {
		return false
	}
	switch want {
	case classNumber:
		_, err := strconv.ParseFloat(l.Text, 64)
		return err == nil
	case classTime:
		_, ok := l.instant()
		return ok
	}
	return false
}
