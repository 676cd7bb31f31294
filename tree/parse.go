package tree

import (
	"slices"
	"strconv"
	"strings"

	"quern"
)

// sqlText is how SQL is written.
var sqlText = language{symbols: "<> != <= >= || ( ) [ ] , . * + - / % = < > ;", quoted: sqlQuoted}

func sqlQuoted(text string, at int) (token, int, *Error) {
	quote := text[at]
	if quote == '`' {
		return token{}, 0, errorAt(text, at, "names are quoted with double quotes")
	}
	var value strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] != quote:
			value.WriteByte(text[i])
		case i+1 < len(text) && text[i+1] == quote:
			value.WriteByte(quote)
			i++
		case quote == '"' && value.Len() == 0:
			return token{}, 0, errorAt(text, at, "a name is empty")
		case quote == '"':
			return token{tokenName, value.String(), at}, i + 1, nil
		default:
			return token{tokenText, value.String(), at}, i + 1, nil
		}
	}
	return token{}, 0, errorAt(text, at, "a quote is not closed")
}

// reserved are the words that name nothing unless they are quoted.
var reserved = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(`select distinct from where group having order by limit offset union intersect except all
		join inner left right full outer cross natural on using as and or not in like ilike between is null exists
		asc desc nulls true false case when then else end cast with values over window escape any some`) {
		all[w] = true
	}
	return all
}()

type parser struct{ cursor }

// Parse reads the subset of SQL that a tree can hold. What is outside of it is
// an Error that says where.
func Parse(text string) (*Query, error) {
	tokens, err := lex(text, sqlText)
	if err != nil {
		return nil, err
	}
	p := &parser{cursor{text: text, tokens: tokens}}
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	p.eat(";")
	if p.peek().kind != tokenEnd {
		return nil, p.unexpected("the end")
	}
	return q, nil
}

// word reports whether the coming tokens are these keywords.
func (p *parser) word(words ...string) bool {
	for i, w := range words {
		if t := p.ahead(i); t.kind != tokenWord || !strings.EqualFold(t.text, w) {
			return false
		}
	}
	return true
}

func (p *parser) eatWord(words ...string) bool {
	if p.word(words...) {
		p.i += len(words)
		return true
	}
	return false
}

func (p *parser) needWord(words ...string) *Error {
	if p.eatWord(words...) {
		return nil
	}
	return p.unexpected(strings.ToUpper(strings.Join(words, " ")))
}

func (p *parser) query() (*Query, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	q, err := p.setOf(p.intersection, Union, Except)
	if err != nil {
		return nil, err
	}
	if p.word("order") || p.word("limit") {
		if q.Order != nil || q.Limit != nil {
			return nil, p.fail(p.peek(), "a query has one order and one limit")
		}
		return q, p.tail(q)
	}
	return q, nil
}

// tail reads the order and the limit.
func (p *parser) tail(q *Query) (err *Error) {
	if p.eatWord("order") {
		if err := p.needWord("by"); err != nil {
			return err
		}
		if q.Order, err = list(p, p.orderKey); err != nil {
			return err
		}
	}
	if p.eatWord("limit") {
		n, err := p.wholeNumber("a limit")
		if err != nil {
			return err
		}
		q.Limit = &n
	}
	switch {
	case !p.word("offset"):
		return nil
	case q.Limit == nil:
		return p.fail(p.peek(), "OFFSET comes behind a limit")
	}
	p.take()
	q.Offset, err = p.wholeNumber("an offset")
	return err
}

// wholeNumber reads a number of rows.
func (p *parser) wholeNumber(what string) (int64, *Error) {
	t := p.take()
	n, bad := strconv.ParseInt(t.text, 10, 64)
	if t.kind != tokenNumber || bad != nil {
		return 0, p.fail(t, "%s is a whole number, not %s", what, t.shown())
	}
	return n, nil
}

func (p *parser) orderKey() (o Order, err *Error) {
	if o.Expr, err = p.expr(); err != nil {
		return o, err
	}
	if p.eatWord("desc") {
		o.Desc = true
	} else {
		p.eatWord("asc")
	}
	switch {
	case p.eatWord("nulls", "first"):
		o.Nulls = NullsFirst
	case p.eatWord("nulls", "last"):
		o.Nulls = NullsLast
	}
	return o, nil
}

// setOf reads operands joined by set operations of one rank.
func (p *parser) setOf(operand func() (*Query, *Error), ops ...SetOp) (*Query, *Error) {
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for {
		op := SetOp(strings.ToUpper(p.peek().text))
		if p.peek().kind != tokenWord || !slices.Contains(ops, op) {
			return left, nil
		}
		at := p.take()
		all := p.eatWord("all")
		if all && op != Union {
			return nil, p.fail(at, "%s ALL is not part of what a query tree can hold", op)
		}
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &Query{Set: &Set{op, all, left, right}}
	}
}

func (p *parser) intersection() (*Query, *Error) { return p.setOf(p.operand, Intersect) }

func (p *parser) operand() (*Query, *Error) {
	if p.eat("(") {
		q, err := p.query()
		if err != nil {
			return nil, err
		}
		return q, p.need(")")
	}
	s, err := p.selectStatement()
	return &Query{Select: s}, err
}

func (p *parser) selectStatement() (*Select, *Error) {
	if p.word("with") {
		return nil, p.fail(p.peek(), "WITH is not part of what a query tree can hold")
	}
	if err := p.needWord("select"); err != nil {
		return nil, err
	}
	s := &Select{Distinct: p.eatWord("distinct")}
	var err *Error
	if s.Items, err = list(p, p.item); err != nil {
		return nil, err
	}
	if err := p.needWord("from"); err != nil {
		return nil, err
	}
	if s.From, err = p.sources(); err != nil {
		return nil, err
	}
	if p.eatWord("where") {
		if s.Where, err = p.cond(); err != nil {
			return nil, err
		}
	}
	if p.eatWord("group", "by") {
		if s.Group, err = list(p, p.expr); err != nil {
			return nil, err
		}
	}
	if p.eatWord("having") {
		if s.Having, err = p.cond(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// list reads what one reads, separated by commas.
func list[T any](p *parser, one func() (T, *Error)) ([]T, *Error) {
	var all []T
	for {
		v, err := one()
		if err != nil {
			return nil, err
		}
		if all = append(all, v); !p.eat(",") {
			return all, nil
		}
	}
}

func (p *parser) item() (i Item, err *Error) {
	if star, ok := p.star(); ok {
		return Item{Expr: star}, nil
	}
	if i.Expr, err = p.expr(); err != nil {
		return i, err
	}
	i.Alias, err = p.alias()
	return i, err
}

// star reads * or source.*.
func (p *parser) star() (Star, bool) {
	if p.eat("*") {
		return Star{}, true
	}
	dot, star := p.ahead(1), p.ahead(2)
	if dot.kind != tokenSymbol || dot.text != "." || star.kind != tokenSymbol || star.text != "*" {
		return Star{}, false
	}
	source, err := p.name("a source")
	if err != nil {
		return Star{}, false
	}
	p.i += 2
	return Star{source}, true
}

// isName reports whether a token can name something: it is quoted, or no keyword.
func (t token) isName() bool {
	if t.kind == tokenWord {
		return !reserved[strings.ToLower(t.text)]
	}
	return t.kind == tokenName
}

// alias reads a name after AS, or one that follows without it.
func (p *parser) alias() (string, *Error) {
	if p.eatWord("as") {
		return p.name("a name")
	}
	if p.peek().isName() {
		return p.take().text, nil
	}
	return "", nil
}

func (p *parser) name(what string) (string, *Error) {
	t := p.peek()
	if t.isName() {
		return p.take().text, nil
	}
	return "", p.unexpected(what)
}

func (p *parser) sources() ([]Source, *Error) {
	first, err := p.source()
	if err != nil {
		return nil, err
	}
	all := []Source{first}
	for {
		outer, at := false, p.peek()
		switch {
		case p.eat(","), p.eatWord("join"), p.eatWord("inner", "join"):
		case p.eatWord("left", "join"), p.eatWord("left", "outer", "join"):
			outer = true
		case p.word("right"), p.word("full"), p.word("cross"), p.word("natural"):
			return nil, p.fail(at, "%s JOIN is not part of what a query tree can hold", strings.ToUpper(at.text))
		default:
			return all, nil
		}
		s, err := p.source()
		if err != nil {
			return nil, err
		}
		s.Outer = outer
		if p.eatWord("on") {
			if s.On, err = p.pairs(); err != nil {
				return nil, err
			}
		} else if outer {
			return nil, p.unexpected("ON")
		}
		all = append(all, s)
	}
}

func (p *parser) source() (s Source, err *Error) {
	if p.is("(") {
		return s, p.fail(p.peek(), "a query in FROM is not part of what a query tree can hold")
	}
	if s.Dataset, err = p.dataset(); err != nil {
		return s, err
	}
	if s.Alias, err = p.alias(); s.Alias == s.Dataset.Dataset {
		s.Alias = ""
	}
	return s, err
}

// dataset reads dataset, namespace.dataset or "owner/namespace/dataset".
func (p *parser) dataset() (n Name, err *Error) {
	at := p.peek()
	if n.Dataset, err = p.name("a dataset"); err != nil {
		return n, err
	}
	if p.eat(".") {
		n.Namespace = n.Dataset
		n.Dataset, err = p.name("a dataset")
		return n, err
	}
	if parts := strings.Split(n.Dataset, "/"); len(parts) > 1 {
		n, ok := pathName(parts)
		if !ok || n.Owner == "" {
			return n, p.fail(at, `a dataset of another is named "owner/namespace/dataset"`)
		}
		return n, nil
	}
	return n, nil
}

// pathName reads the parts of owner/namespace/dataset, or fewer.
func pathName(parts []string) (n Name, ok bool) {
	if len(parts) > 3 {
		return n, false
	}
	full := append(make([]string, 3-len(parts), 3), parts...)
	n = quern.DatasetPath{Owner: full[0], Namespace: full[1], Dataset: full[2]}
	return n, !slices.Contains(parts, "")
}
