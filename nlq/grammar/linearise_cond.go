package grammar

import (
	"slices"
	"strconv"
	"strings"

	"quern/nlq/schema"
	"quern/tree"
)

// conds derives a condition as alternatives of conjunctions.
func (p *scope) conds(c tree.Cond) {
	alternatives := []tree.Cond{c}
	if or, ok := c.(tree.Or); ok {
		alternatives = or.Conds
	} else if and, ok := c.(tree.And); ok {
		alternatives = distribute(and)
	}
	for i, a := range alternatives {
		if i > 0 {
			p.say(symOr)
		}
		conjuncts := []tree.Cond{a}
		if and, ok := a.(tree.And); ok {
			conjuncts = and.Conds
		}
		for j, c := range conjuncts {
			if j > 0 {
				p.say(symAnd)
			}
			p.cond(c, "")
		}
	}
}

// distribute returns a conjunction whose last part is alternatives of one column as
// Build reads it: the first alternative with the rest, then the others.
func distribute(and tree.And) []tree.Cond {
	last := len(and.Conds) - 1
	or, ok := and.Conds[last].(tree.Or)
	if !ok || slices.ContainsFunc(or.Conds, func(c tree.Cond) bool { return !sameColumn(or.Conds[0], c) }) {
		return []tree.Cond{and}
	}
	first := append(slices.Clone(and.Conds[:last]), or.Conds[0])
	return append([]tree.Cond{tree.All(first...)}, or.Conds[1:]...)
}

// cond derives one comparison; not is "!" for its opposite.
func (p *scope) cond(c tree.Cond, not string) {
	switch c := c.(type) {
	case tree.Not:
		if not != "" {
			p.fail("a double negation")
			return
		}
		p.cond(c.Cond, "!")
	case tree.Compare:
		p.compare(c, not)
	case tree.Between:
		p.item(c.Expr)
		p.negatable("between", not)
		p.value(c.Low, p.subject(c.Expr), "between")
		p.value(c.High, p.subject(c.Expr), "between")
	case tree.IsNull:
		p.item(c.Expr)
		p.say(not + "null")
	case tree.In:
		p.in(c, not)
	case tree.Match:
		p.match(c, not)
	default:
		p.fail("a condition of another shape")
	}
}

func (p *scope) negatable(op, not string) {
	if not != "" {
		p.fail("a negated %s", op)
	}
	p.say(op)
}

func (p *scope) compare(c tree.Compare, not string) {
	p.item(c.Left)
	op := string(c.Op)
	if not != "" && op == "=" {
		op, not = "<>", ""
	}
	p.negatable(op, not)
	p.value(c.Right, p.subject(c.Left), op)
}

func (p *scope) in(c tree.In, not string) {
	p.item(c.Expr)
	p.say(not + "in")
	switch {
	case c.Query != nil:
		p.query(c.Query)
	case len(c.List) == 1:
		p.value(c.List[0], p.subject(c.Expr), "in")
	default:
		p.fail("a list")
	}
}

// matchNames are the operators by what they become.
var matchNames = map[tree.MatchOp]string{
	tree.Contains: "contains", tree.StartsWith: "starts", tree.EndsWith: "ends", tree.Like: "like",
}

func (p *scope) match(c tree.Match, not string) {
	p.item(c.Expr)
	text, op := c.Text, matchNames[c.Op]
	if c.Op == tree.Like {
		head, tail := strings.HasPrefix(text, "%"), strings.HasSuffix(text, "%")
		text = strings.Trim(text, "%")
		switch {
		case head && tail:
			op = "contains"
		case head:
			op = "ends"
		case tail:
			op = "starts"
		}
	}
	p.say(not + op)
	p.value(tree.Literal{Kind: tree.Text, Text: text}, p.subject(c.Expr), "like")
}

// subject returns what a condition's constants are compared with.
func (p *scope) subject(e tree.Expr) subject {
	if a, ok := e.(tree.Aggregate); ok && (a.Func == tree.Min || a.Func == tree.Max) {
		e = a.Arg
	}
	part := ""
	if call, ok := e.(tree.Call); ok && len(call.Args) == 1 {
		part, e = call.Func, call.Args[0]
	}
	c, ok := e.(tree.Column)
	if !ok {
		return subject{}
	}
	i, ok := p.find(c)
	if !ok {
		return subject{}
	}
	return subject{&p.schema.Columns[i], part}
}

// value derives the right side of a condition.
func (p *scope) value(e tree.Expr, c subject, op string) {
	switch e := e.(type) {
	case tree.Subquery:
		if !p.peers(e.Query) {
			p.query(e.Query)
		}
	case tree.Column:
		p.item(e)
	case tree.Literal:
		p.literal(e, c, op)
	default:
		p.fail("a value of another shape")
	}
}

func (p *scope) literal(k tree.Literal, c subject, op string) {
	if first, last, ok := p.spanOf(k, c, op); ok {
		p.say(symSpan)
		p.point(Word, first)
		p.point(Word, last)
		return
	}
	if name, ok := truthName(k, c.column); ok {
		p.say(name)
		return
	}
	for _, name := range []string{k.Text, "'" + strings.ToLower(k.Text) + "'"} {
		if slices.Contains(constants, name) {
			p.say(name)
			return
		}
	}
	p.fail("the question does not say %q", k.Text)
}

// truthName returns the constant for yes or no that a literal is in a column of such.
func truthName(k tree.Literal, c *schema.Column) (name string, ok bool) {
	if c == nil {
		return "", false
	}
	yes, no, ok := c.Truth()
	switch {
	case ok && strings.EqualFold(k.Text, yes):
		return "'true'", true
	case ok && strings.EqualFold(k.Text, no):
		return "'false'", true
	}
	return "", false
}

func sameNumber(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x == y
}
