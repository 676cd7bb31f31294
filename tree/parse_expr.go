package tree

import (
	"slices"
	"strings"
)

// node is an Expr or a Cond: which of them a parenthesis holds shows only at
// its end.
type node any

func (p *parser) expr() (Expr, *Error) {
	at := p.peek()
	n, err := p.sum()
	if err != nil {
		return nil, err
	}
	return p.asExpr(n, at)
}

func (p *parser) cond() (Cond, *Error) {
	at := p.peek()
	n, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	return p.asCond(n, at)
}

func (p *parser) asExpr(n node, at token) (Expr, *Error) {
	switch e := n.(type) {
	case divisor:
		return nil, p.fail(at, "nullif is read only where it keeps a divisor from being 0")
	case Expr:
		return e, nil
	}
	return nil, p.fail(at, "expected a value, not a condition")
}

func (p *parser) asCond(n node, at token) (Cond, *Error) {
	if c, ok := n.(Cond); ok {
		return c, nil
	}
	return nil, p.fail(at, "expected a condition, not a value")
}

func (p *parser) disjunction() (node, *Error) {
	return p.chain("or", p.conjunction, func(conds []Cond) Cond { return Or{conds} })
}

func (p *parser) conjunction() (node, *Error) {
	return p.chain("and", p.negation, func(conds []Cond) Cond { return All(conds...) })
}

// chain reads operands joined by a word.
func (p *parser) chain(word string, operand func() (node, *Error), join func([]Cond) Cond) (node, *Error) {
	at := p.peek()
	first, err := operand()
	if err != nil || !p.word(word) {
		return first, err
	}
	cond, err := p.asCond(first, at)
	if err != nil {
		return nil, err
	}
	conds := []Cond{cond}
	for p.eatWord(word) {
		at := p.peek()
		n, err := operand()
		if err != nil {
			return nil, err
		}
		cond, err := p.asCond(n, at)
		if err != nil {
			return nil, err
		}
		conds = append(conds, cond)
	}
	return join(conds), nil
}

func (p *parser) negation() (node, *Error) {
	if !p.eatWord("not") {
		return p.predicate()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	at := p.peek()
	n, err := p.negation()
	if err != nil {
		return nil, err
	}
	c, err := p.asCond(n, at)
	return Not{c}, err
}

func (p *parser) predicate() (node, *Error) {
	if p.eatWord("exists") {
		q, err := p.parenthesised()
		return Exists{q}, err
	}
	at := p.peek()
	n, err := p.sum()
	if err != nil {
		return nil, err
	}
	op, isComparison := comparison(p.peek())
	negated := p.word("not") && !isComparison
	if negated {
		p.take()
	}
	var c Cond
	switch {
	case isComparison:
		c, err = p.comparison(n, at, op)
	case p.eatWord("between"):
		c, err = p.between(n, at)
	case p.eatWord("in"):
		c, err = p.in(n, at)
	case p.word("like"), p.word("ilike"):
		c, err = p.like(n, at)
	case negated:
		return nil, p.unexpected("BETWEEN, IN or LIKE")
	case p.eatWord("is"):
		return p.isNull(n, at)
	default:
		return n, nil
	}
	if negated {
		c = Not{c}
	}
	return c, err
}

func comparison(t token) (CompareOp, bool) {
	if t.kind != tokenSymbol {
		return "", false
	}
	op := CompareOp(t.text)
	if op == "!=" {
		op = NotEqual
	}
	return op, slices.Contains([]CompareOp{Equal, NotEqual, Less, LessEq, Greater, GreaterEq}, op)
}

func (p *parser) comparison(left node, at token, op CompareOp) (Cond, *Error) {
	l, err := p.asExpr(left, at)
	if err != nil {
		return nil, err
	}
	p.take()
	r, err := p.expr()
	return Compare{op, l, r}, err
}

func (p *parser) between(n node, at token) (Cond, *Error) {
	e, err := p.asExpr(n, at)
	if err != nil {
		return nil, err
	}
	low, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.needWord("and"); err != nil {
		return nil, err
	}
	high, err := p.expr()
	return Between{e, low, high}, err
}

func (p *parser) in(n node, at token) (Cond, *Error) {
	e, err := p.asExpr(n, at)
	if err != nil {
		return nil, err
	}
	t := p.ahead(1)
	parenthesis := t.kind == tokenSymbol && t.text == "("
	nested := t.kind == tokenWord && strings.EqualFold(t.text, "select")
	isQuery := parenthesis || nested
	if p.is("(") && isQuery {
		q, err := p.parenthesised()
		return In{Expr: e, Query: q}, err
	}
	if err := p.need("("); err != nil {
		return nil, err
	}
	values, err := list(p, p.constant)
	if err != nil {
		return nil, err
	}
	return In{Expr: e, List: values}, p.need(")")
}

func (p *parser) like(n node, at token) (Cond, *Error) {
	e, err := p.asExpr(n, at)
	if err != nil {
		return nil, err
	}
	fold := strings.EqualFold(p.take().text, "ilike")
	t := p.take()
	if t.kind != tokenText {
		return nil, p.fail(t, "expected a pattern in single quotes, not %s", t.shown())
	}
	return Match{Op: Like, Expr: e, Text: t.text, Fold: fold}, nil
}

func (p *parser) isNull(n node, at token) (node, *Error) {
	e, err := p.asExpr(n, at)
	if err != nil {
		return nil, err
	}
	negated := p.eatWord("not")
	if err := p.needWord("null"); err != nil {
		return nil, err
	}
	if negated {
		return Not{IsNull{e}}, nil
	}
	return IsNull{e}, nil
}

func (p *parser) sum() (node, *Error) { return p.arithmetic(p.product, "+-") }

func (p *parser) product() (node, *Error) {
	first := true
	return p.arithmetic(func() (node, *Error) {
		if first {
			first = false
			if e, ok := p.percentage(); ok {
				return e, nil
			}
		}
		return p.primary()
	}, "*/%")
}

func (p *parser) arithmetic(operand func() (node, *Error), ops string) (node, *Error) {
	at := p.peek()
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for t := p.peek(); t.kind == tokenSymbol && len(t.text) == 1 && strings.Contains(ops, t.text); t = p.peek() {
		l, err := p.asExpr(left, at)
		if err != nil {
			return nil, err
		}
		p.take()
		at := p.peek()
		right, err := operand()
		if err != nil {
			return nil, err
		}
		r, err := p.asOperand(right, at, t.text)
		if err != nil {
			return nil, err
		}
		left = Arith{t.text[0], l, r}
		if t.text == "/" {
			left = divided(l, r)
		}
	}
	return left, nil
}

// asOperand returns the right operand of an operator; only a divisor may be kept from
// being 0.
func (p *parser) asOperand(n node, at token, op string) (Expr, *Error) {
	if d, ok := n.(divisor); ok && op == "/" {
		return d.Expr, nil
	}
	return p.asExpr(n, at)
}

func (p *parser) primary() (node, *Error) {
	t := p.peek()
	switch {
	case t.kind == tokenText, t.kind == tokenNumber, p.is("-"), p.is("+"), p.word("true"), p.word("false"):
		return asNode(p.constant())
	case t.kind == tokenWord && p.ahead(1).kind == tokenText:
		return asNode(p.constant())
	case p.is("("):
		return p.group()
	case t.kind == tokenWord && p.ahead(1).kind == tokenSymbol && p.ahead(1).text == "(":
		return p.call()
	case p.word("null"):
		return nil, p.fail(t, "a missing value is found with IS NULL")
	case p.word("case"):
		return nil, p.fail(t, "CASE is not part of what a query tree can hold")
	}
	return asNode(p.column())
}

func asNode[T Expr](e T, err *Error) (node, *Error) { return e, err }

// group reads a parenthesis: a query, a condition or a value.
func (p *parser) group() (node, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if t := p.ahead(1); t.kind == tokenWord && strings.EqualFold(t.text, "select") {
		q, err := p.parenthesised()
		return Subquery{q}, err
	}
	p.take()
	n, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	return n, p.need(")")
}

// parenthesised reads a query in parentheses.
func (p *parser) parenthesised() (*Query, *Error) {
	if err := p.need("("); err != nil {
		return nil, err
	}
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	return q, p.need(")")
}

func isTruth(word string) bool {
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false")
}

// constant reads a literal.
func (p *parser) constant() (Literal, *Error) {
	t := p.take()
	switch {
	case t.kind == tokenText:
		return Literal{Text, t.text}, nil
	case t.kind == tokenNumber:
		return Literal{Number, t.text}, nil
	case t.isSign() && p.peek().kind == tokenNumber:
		return Literal{Number, strings.TrimPrefix(t.text, "+") + p.take().text}, nil
	case t.kind == tokenWord && isTruth(t.text):
		return Literal{Boolean, strings.ToLower(t.text)}, nil
	case t.kind == tokenWord && p.peek().kind == tokenText:
		return p.time(t, p.take())
	}
	return Literal{}, p.fail(t, "expected a constant, not %s", t.shown())
}

// time reads DATE 'text' or TIMESTAMP 'text'.
func (p *parser) time(word, text token) (Literal, *Error) {
	kind := Date
	switch strings.ToLower(word.text) {
	case "date":
	case "timestamp", "timestamptz":
		kind = Timestamp
	default:
		return Literal{}, p.fail(word, "%s is not followed by a text", word.shown())
	}
	l := Literal{kind, text.text}
	if !l.valid() {
		return l, p.fail(text, "%s is not a %s", text.shown(), kind)
	}
	return l, nil
}

func (p *parser) pairs() ([]Pair, *Error) {
	closes := p.eat("(")
	var all []Pair
	for {
		left, err := p.column()
		if err != nil {
			return nil, err
		}
		if !p.is("=") {
			return nil, p.fail(p.peek(), "a join is on equal columns, joined by AND")
		}
		p.take()
		right, err := p.column()
		if err != nil {
			return nil, err
		}
		all = append(all, Pair{left, right})
		if p.eatWord("and") {
			continue
		}
		if closes {
			return all, p.need(")")
		}
		return all, nil
	}
}

// column reads name or source.name.
func (p *parser) column() (c Column, err *Error) {
	if c.Name, err = p.name("a column"); err != nil || !p.eat(".") {
		return c, err
	}
	c.Source = c.Name
	c.Name, err = p.name("a column")
	return c, err
}
