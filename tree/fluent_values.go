package tree

import (
	"strings"

	"quern"
)

// FitValues settles, in a resolved query of the fluent form, what the form leaves
// open: a text on the left that names a column is that column, a bare word that
// names none is a text, and a text beside a number, a date, an instant or a truth
// value is read as one where it can be.
func FitValues(q *Query, s Schema) {
	EachQuery(q, func(q *Query) {
		if q.Select == nil {
			return
		}
		f := valueFitter{}
		for _, source := range q.Select.From {
			t, _ := s.Table(source.Dataset)
			f.sources = append(f.sources, fittedSource{source.Ref(), t})
		}
		q.Select.Where = mapCond(q.Select.Where, f.cond)
	})
}

type fittedSource struct {
	ref   string
	table Table
}

type valueFitter struct{ sources []fittedSource }

// column finds what a name means; ok is false when it names no column.
func (f valueFitter) column(name string) (c Column, t quern.Type, ok bool) {
	for _, s := range f.sources {
		if found, has := s.table.Column(name); has {
			return Column{s.ref, found.Name}, found.Type, true
		}
	}
	return Column{}, "", false
}

// isColumn reports whether a value is a column that exists, or that belongs to a
// query around this one.
func (f valueFitter) isColumn(e Expr) bool {
	c, ok := e.(Column)
	if !ok {
		return false
	}
	for _, s := range f.sources {
		if SameName(s.ref, c.Source) || c.Source == "" {
			_, has := s.table.Column(c.Name)
			return has
		}
	}
	return true
}

func (f valueFitter) cond(c Cond) Cond {
	switch c := c.(type) {
	case Compare:
		return f.compare(c)
	case Between:
		c.Expr = f.subject(c.Expr)
		c.Low, c.High = f.fit(c.Low, c.Expr), f.fit(c.High, c.Expr)
		return c
	case In:
		c.Expr = f.subject(c.Expr)
		list := make([]Literal, len(c.List))
		for i, l := range c.List {
			list[i], _ = f.fit(l, c.Expr).(Literal)
		}
		if c.List != nil {
			c.List = list
		}
		return c
	case Match:
		c.Expr = f.subject(c.Expr)
		return c
	case IsNull:
		c.Expr = f.subject(c.Expr)
		return c
	case Period:
		c.Expr = f.subject(c.Expr)
		return c
	}
	return c
}

// subject is what a condition is about: a text that names a column is meant as
// the column.
func (f valueFitter) subject(e Expr) Expr {
	l, ok := e.(Literal)
	if !ok || l.Kind != Text {
		return e
	}
	if c, _, ok := f.column(l.Text); ok {
		return c
	}
	return e
}

func (f valueFitter) compare(c Compare) Compare {
	left, quoted := c.Left.(Literal)
	right, word := c.Right.(Column)
	word = word && !f.isColumn(right)
	constant := word || !isColumnExpr(c.Right)
	switch {
	case quoted && left.Kind == Text && constant:
		// Two constants are never what is meant: the left one is a column, and
		// is reported as unknown when there is none of its name.
		c.Left = Column{Name: left.Text}
		if found, _, ok := f.column(left.Text); ok {
			c.Left = found
		}
	case word && !f.isSubject(c.Left):
		return c
	}
	if word {
		c.Right = Literal{Text, right.Name}
	}
	c.Right = f.fit(c.Right, c.Left)
	c.Left = f.fit(c.Left, c.Right)
	return c
}

// isSubject reports whether a value can be what a bare word is compared with.
func (f valueFitter) isSubject(e Expr) bool {
	_, call := e.(Call)
	return call || f.isColumn(e)
}

func isColumnExpr(e Expr) bool {
	switch e.(type) {
	case Column, Call:
		return true
	}
	return false
}

// fit reads a text as the type of what it is compared with, where it can be.
func (f valueFitter) fit(e, with Expr) Expr {
	l, ok := e.(Literal)
	c, compared := with.(Column)
	if !ok || !compared || l.Kind != Text {
		return e
	}
	_, t, _ := f.column(c.Name)
	fitted := Literal{Text: strings.TrimSpace(l.Text)}
	switch {
	case t.Numeric():
		fitted.Kind, fitted.Text = Number, strings.TrimPrefix(fitted.Text, "+")
	case t == quern.Date:
		fitted.Kind = Date
	case t == quern.Timestamp:
		fitted.Kind = Timestamp
	case t == quern.Boolean:
		fitted.Kind, fitted.Text = Boolean, strings.ToLower(fitted.Text)
	default:
		return e
	}
	if !fitted.valid() {
		return e
	}
	return fitted
}
