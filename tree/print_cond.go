package tree

import (
	"fmt"
	"strings"
)

func (p *printer) cond(c Cond) {
	switch c := c.(type) {
	case And:
		each(p, " AND ", c.Conds, p.part)
	case Or:
		each(p, " OR ", c.Conds, p.part)
	case Not:
		p.negation(c.Cond)
	case Compare:
		p.expr(c.Left)
		p.write(" ", string(c.Op), " ")
		p.expr(c.Right)
	case Between:
		p.between(c, "")
	case In:
		p.in(c, "")
	case Match:
		p.match(c, "")
	case IsNull:
		p.expr(c.Expr)
		p.write(" IS NULL")
	case Exists:
		p.write("EXISTS ")
		p.nested(c.Query)
	case Period:
		p.write("(")
		p.cond(Compare{GreaterEq, c.Expr, c.From})
		p.write(" AND ")
		p.cond(Compare{Less, c.Expr, c.Until})
		p.write(")")
	case Search:
		p.search(c)
	case Linked:
		p.err = errOpen
	default:
		p.err = fmt.Errorf("tree: no condition %T", c)
	}
}

// part writes a member of a conjunction or disjunction, one that is itself such
// in parentheses.
func (p *printer) part(c Cond) {
	switch c.(type) {
	case And, Or:
		p.write("(")
		p.cond(c)
		p.write(")")
	default:
		p.cond(c)
	}
}

func (p *printer) negation(c Cond) {
	switch c := c.(type) {
	case Between:
		p.between(c, "NOT ")
	case In:
		p.in(c, "NOT ")
	case IsNull:
		p.expr(c.Expr)
		p.write(" IS NOT NULL")
	case Match:
		p.match(c, "NOT ")
	default:
		p.write("NOT (")
		p.cond(c)
		p.write(")")
	}
}

func (p *printer) between(c Between, not string) {
	p.expr(c.Expr)
	p.write(" ", not, "BETWEEN ")
	p.expr(c.Low)
	p.write(" AND ")
	p.expr(c.High)
}

func (p *printer) in(c In, not string) {
	p.expr(c.Expr)
	p.write(" ", not, "IN ")
	if c.Query != nil {
		p.nested(c.Query)
		return
	}
	p.write("(")
	each(p, ", ", c.List, func(l Literal) { p.write(literalSQL(l)) })
	p.write(")")
}

func (p *printer) match(c Match, not string) {
	if c.Op == Like {
		p.expr(c.Expr)
		word := "LIKE "
		if c.Fold {
			word = "ILIKE "
		}
		p.write(" ", not, word, quoteText(c.Text))
		return
	}
	p.write(not, string(c.Op), "(")
	text := c.Text
	if c.Fold {
		text = strings.ToLower(text)
		p.expr(Call{"lower", []Expr{c.Expr}})
	} else {
		p.expr(c.Expr)
	}
	p.write(", ", quoteText(text), ")")
}

// search writes a search as one expression over the words of all columns: for
// the engine one that finds words spelled alike too.
func (p *printer) search(s Search) {
	if len(s.Columns) == 0 || len(s.Words) == 0 {
		p.err = errOpen
		return
	}
	if p.strict {
		p.alike(s)
		return
	}
	p.write("list_has_all(")
	p.rowWords(s.Columns)
	p.write(", [")
	each(p, ", ", s.Words, func(w string) { p.write(quoteText(w)) })
	p.write("])")
}
