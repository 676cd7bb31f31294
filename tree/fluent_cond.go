package tree

import (
	"slices"
	"strings"
)

// matchNames are the matches as the fluent form calls them; with "IgnoreCase"
// behind it, case does not count.
var matchNames = map[string]MatchOp{"contains": Contains, "startsWith": StartsWith, "endsWith": EndsWith, "like": Like}

const ignoreCase = "IgnoreCase"

func (p *fluentParser) cond() (Cond, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	alternatives, err := p.joined("||", func() (Cond, *Error) {
		conds, err := p.joined("&&", p.negation)
		return All(conds...), err
	})
	if err != nil || len(alternatives) == 1 {
		return alternatives[0], err
	}
	return Or{alternatives}, nil
}

// joined reads conditions separated by a symbol. It returns at least one, nil
// after an error.
func (p *fluentParser) joined(symbol string, one func() (Cond, *Error)) ([]Cond, *Error) {
	var all []Cond
	for {
		c, err := one()
		if all = append(all, c); err != nil || !p.eat(symbol) {
			return all, err
		}
	}
}

func (p *fluentParser) negation() (Cond, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if p.eat("!") {
		c, err := p.negation()
		return Not{c}, err
	}
	if p.eat("(") {
		c, err := p.cond()
		if err != nil {
			return nil, err
		}
		return c, p.need(")")
	}
	if t := p.peek(); t.kind == tokenWord && p.ahead(1).text == "(" && p.ahead(1).kind == tokenSymbol {
		name, folded := strings.CutSuffix(t.text, ignoreCase)
		if op, ok := matchNames[name]; ok {
			return p.match(op, folded)
		}
		if t.text == "between" || t.text == "during" {
			return p.rangeOf(t.text)
		}
	}
	return p.comparison()
}

func (p *fluentParser) match(op MatchOp, fold bool) (Cond, *Error) {
	p.i += 2
	e, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	text, err := p.quoted("a text in quotes")
	if err != nil {
		return nil, err
	}
	if fold && op != Like {
		text = strings.ToLower(text)
	}
	return Match{Op: op, Expr: e, Text: text, Fold: fold}, p.need(")")
}

// rangeOf reads between(column, low, high) and during(column, from, until).
func (p *fluentParser) rangeOf(name string) (Cond, *Error) {
	p.i += 2
	e, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	at := p.peek()
	low, err := p.literal()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	high, err := p.literal()
	if err != nil {
		return nil, err
	}
	if name == "between" {
		return Between{e, low, high}, p.need(")")
	}
	inTime := low.Kind == Date || low.Kind == Timestamp
	if low.Kind != high.Kind || !inTime {
		return nil, p.fail(at, "during takes two dates or two timestamps")
	}
	return Period{e, low, high}, p.need(")")
}

func (p *fluentParser) comparison() (Cond, *Error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	t := p.take()
	if t.kind == tokenWord && t.text == "in" {
		return p.in(left)
	}
	op := CompareOp(t.text)
	switch {
	case t.kind == tokenSymbol && t.text == "=":
		return nil, p.fail(t, "equality is written ==")
	case t.kind == tokenSymbol && t.text == "==":
		op = Equal
	case t.kind == tokenSymbol && t.text == "!=":
		op = NotEqual
	case t.kind != tokenSymbol || !slices.Contains([]CompareOp{Less, LessEq, Greater, GreaterEq}, op):
		return nil, p.fail(t, "expected a comparison, not %s", t.shown())
	}
	if null := p.peek(); null.kind == tokenWord && null.text == "null" {
		return p.null(left, op)
	}
	right, err := p.operand()
	return Compare{op, left, right}, err
}

func (p *fluentParser) null(e Expr, op CompareOp) (Cond, *Error) {
	t := p.take()
	switch op {
	case Equal:
		return IsNull{e}, nil
	case NotEqual:
		return Not{IsNull{e}}, nil
	}
	return nil, p.fail(t, "null is compared with == and !=")
}

func (p *fluentParser) in(e Expr) (Cond, *Error) {
	if err := p.need("["); err != nil {
		return nil, err
	}
	in := In{Expr: e}
	for {
		l, err := p.literal()
		if err != nil {
			return nil, err
		}
		if in.List = append(in.List, l); !p.eat(",") {
			return in, p.need("]")
		}
	}
}

// operand reads a column, a function of one, or a constant.
func (p *fluentParser) operand() (Expr, *Error) {
	t := p.peek()
	calls := p.ahead(1).kind == tokenSymbol && p.ahead(1).text == "("
	switch {
	case t.kind == tokenName:
		return Column{Name: p.take().text}, nil
	case t.kind == tokenWord && calls && t.text != "date" && t.text != "timestamp":
		return p.call()
	case t.kind == tokenWord && !calls && t.text != "true" && t.text != "false" && t.text != "null":
		return Column{Name: p.take().text}, nil
	}
	l, err := p.literal()
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (p *fluentParser) call() (Expr, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	t := p.take()
	f, ok := functions[t.text]
	if !ok {
		return nil, p.fail(t, "there is no function %s", t.shown())
	}
	p.take()
	c := Call{Func: t.text}
	for {
		e, err := p.operand()
		if err != nil {
			return nil, err
		}
		if c.Args = append(c.Args, e); !p.eat(",") {
			break
		}
	}
	if len(c.Args) < f.min || len(c.Args) > f.max {
		return nil, p.fail(t, "the function %s takes other arguments", t.text)
	}
	return c, p.need(")")
}

func (p *fluentParser) literal() (Literal, *Error) {
	t := p.take()
	switch {
	case t.kind == tokenText:
		return Literal{Text, t.text}, nil
	case t.kind == tokenNumber:
		return Literal{Number, t.text}, nil
	case t.isSign() && p.peek().kind == tokenNumber:
		return Literal{Number, strings.TrimPrefix(t.text, "+") + p.take().text}, nil
	case t.isWord("true", "false"):
		return Literal{Boolean, t.text}, nil
	case t.isWord("date", "timestamp") && p.eat("("):
		return p.time(t)
	}
	return Literal{}, p.fail(t, "expected a value, not %s", t.shown())
}

func (p *fluentParser) time(word token) (Literal, *Error) {
	t := p.peek()
	text, err := p.quoted("a time in quotes")
	if err != nil {
		return Literal{}, err
	}
	l := Literal{Date, text}
	if word.text == "timestamp" {
		l.Kind = Timestamp
	}
	if !l.valid() {
		return l, p.fail(t, "%s is not a %s", t.shown(), l.Kind)
	}
	return l, p.need(")")
}

// ParseFilter reads a condition as a filter of the fluent form has it:
//
//	price > 10 && !(`ship name` == "Ariadne" || contains(cargo, "ore"))
func ParseFilter(text string) (Cond, error) {
	tokens, err := lex(text, fluentText)
	if err != nil {
		return nil, err
	}
	p := &fluentParser{cursor: cursor{text: text, tokens: tokens}}
	c, err := p.cond()
	if err == nil && p.peek().kind != tokenEnd {
		err = p.unexpected("the end of the condition")
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}
