package tree

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// fluentText is how the fluent form is written.
var fluentText = language{symbols: "&& || == != <= >= ( ) [ ] , . ! = < > - +", quoted: fluentQuoted}

var escapes = map[byte]rune{'"': '"', '\'': '\'', '\\': '\\', '/': '/', 'n': '\n', 't': '\t', 'r': '\r'}

func fluentQuoted(text string, at int) (token, int, *Error) {
	quote, kind := text[at], tokenText
	if quote == '`' {
		kind = tokenName
	}
	var value strings.Builder
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && kind == tokenName && value.Len() == 0:
			return token{}, 0, errorAt(text, at, "a name is empty")
		case c == quote:
			return token{kind, value.String(), at}, i + 1, nil
		case c != '\\':
			value.WriteByte(c)
		default:
			r, size := escaped(text[i+1:])
			if size == 0 {
				return token{}, 0, errorAt(text, i, "no such escape in a text")
			}
			value.WriteRune(r)
			i += size
		}
	}
	return token{}, 0, errorAt(text, at, "a quote is not closed")
}

// escaped reads what follows a backslash, and how long it is; 0 when it means
// nothing.
func escaped(text string) (r rune, size int) {
	if text == "" {
		return 0, 0
	}
	if r, ok := escapes[text[0]]; ok || text[0] == '`' {
		if !ok {
			r = '`'
		}
		return r, 1
	}
	if text[0] != 'u' || len(text) < 5 {
		return 0, 0
	}
	code, err := strconv.ParseUint(text[1:5], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		return 0, 0
	}
	return rune(code), 5
}

// IsFluent reports whether a query's text is in the fluent form.
func IsFluent(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "Ontology")
	return ok && strings.HasPrefix(strings.TrimSpace(rest), "(")
}

// ParseFluent reads the fluent form. Each step works on the rows of the one
// before:
//
//	Ontology("ds")            the rows of a dataset: ds, namespace/ds or owner/namespace/ds
//	.filter(a == 1 && …)      those that fulfil a condition
//	.search("words")          those in whose text columns all the words occur
//	.find("ds")               the rows of another dataset that are linked to one of them,
//	                          along the shortest path of at most MaxPath links
//	.searchAround(n).find(…)  the same, along at most n links
//	.follow("column")         the rows that the column's link leads to
//	.select("a", "b")         only these columns
//	.sortAscending("a"), .sortDescending("a")   in this order; the first key counts first
//	.limit(n)                 the first n
//
// Every row of the result appears once, however many rows lead to it. Select,
// order and limit come last, or before a find or follow, which then starts from
// those rows.
func ParseFluent(text string) (*Query, error) {
	tokens, err := lex(text, fluentText)
	if err != nil {
		return nil, err
	}
	p := &fluentParser{cursor: cursor{text: text, tokens: tokens}}
	if err := p.start(); err != nil {
		return nil, err
	}
	for p.eat(".") {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.peek().kind != tokenEnd:
		return nil, p.unexpected("'.' and a step")
	case p.around > 0:
		return nil, p.fail(p.aroundAt, "searchAround is followed by find: say which of the datasets around to go to")
	}
	return p.query, nil
}

type fluentParser struct {
	cursor
	query    *Query
	conds    []Cond // of the query
	around   int    // of the searchAround that waits for its find
	aroundAt token
	hops     int
}

// maxHops bounds how often a query moves to another dataset.
const maxHops = 20

func (p *fluentParser) start() *Error {
	if t := p.take(); t.kind != tokenWord || t.text != "Ontology" {
		return p.fail(t, `expected Ontology("namespace/dataset"), not %s`, t.shown())
	}
	if err := p.need("("); err != nil {
		return err
	}
	name, err := p.dataset()
	if err != nil {
		return err
	}
	p.query = rowsOf(name)
	return p.need(")")
}

// rowsOf is the query for all rows of a dataset.
func rowsOf(n Name) *Query {
	return &Query{Select: &Select{Items: []Item{{Expr: Star{}}}, From: []Source{{Dataset: n}}}}
}

func (p *fluentParser) dataset() (Name, *Error) {
	t := p.peek()
	text, err := p.quoted("a dataset in quotes")
	if err != nil {
		return Name{}, err
	}
	n, ok := pathName(strings.Split(text, "/"))
	if !ok {
		return n, p.fail(t, `a dataset is named "dataset", "namespace/dataset" or "owner/namespace/dataset"`)
	}
	return n, nil
}

func (p *fluentParser) quoted(what string) (string, *Error) {
	if p.peek().kind != tokenText {
		return "", p.unexpected(what)
	}
	return p.take().text, nil
}

func (p *fluentParser) column() (string, *Error) {
	t := p.peek()
	name, err := p.quoted("a column in quotes")
	if err == nil && name == "" {
		err = p.fail(t, "a name is empty")
	}
	return name, err
}

// stepNames lists the steps, for messages.
const stepNames = "filter, search, searchAround, find, follow, select, sortAscending, sortDescending or limit"

func (p *fluentParser) step() *Error {
	t := p.take()
	if p.around > 0 && t.text != "find" {
		return p.fail(t, "searchAround is followed by find: say which of the datasets around to go to")
	}
	steps := map[string]func(token) *Error{
		"filter": p.filter, "search": p.search, "searchAround": p.searchAround, "find": p.find, "follow": p.follow,
		"select": p.selectColumns, "sortAscending": p.sort, "sortDescending": p.sort, "limit": p.limit,
	}
	read, ok := steps[t.text]
	if t.kind != tokenWord || !ok {
		return p.fail(t, "expected %s, not %s", stepNames, t.shown())
	}
	if err := p.need("("); err != nil {
		return err
	}
	if err := read(t); err != nil {
		return err
	}
	return p.need(")")
}

// narrow adds a condition. Rows that were already sorted out by place must not
// be filtered as if they had not.
func (p *fluentParser) narrow(t token, c Cond) *Error {
	if p.query.Limit != nil {
		return p.fail(t, "%s comes before limit", t.text)
	}
	p.conds = append(p.conds, flat(c)...)
	p.query.Select.Where = All(p.conds...)
	return nil
}

// flat gives the conditions that must all hold, whatever the parentheses.
func flat(c Cond) []Cond {
	and, ok := c.(And)
	if !ok {
		return []Cond{c}
	}
	var all []Cond
	for _, part := range and.Conds {
		all = append(all, flat(part)...)
	}
	return all
}

func (p *fluentParser) filter(t token) *Error {
	c, err := p.cond()
	if err != nil {
		return err
	}
	return p.narrow(t, c)
}

func (p *fluentParser) search(t token) *Error {
	at := p.peek()
	text, err := p.quoted("words in quotes")
	if err != nil {
		return err
	}
	words := Words(text)
	if len(words) == 0 {
		return p.fail(at, "there is no word to search for")
	}
	return p.narrow(t, Search{Words: words})
}

func (p *fluentParser) count(least, most int64) (int64, *Error) {
	t := p.take()
	n, err := strconv.ParseInt(t.text, 10, 64)
	if t.kind != tokenNumber || err != nil || n < least || n > most {
		return 0, p.fail(t, "expected a whole number from %d to %d, not %s", least, most, t.shown())
	}
	return n, nil
}

func (p *fluentParser) searchAround(t token) *Error {
	n, err := p.count(1, MaxPath)
	p.around, p.aroundAt = int(n), t
	return err
}

func (p *fluentParser) find(t token) *Error {
	name, err := p.dataset()
	if err != nil {
		return err
	}
	within := p.around
	p.around = 0
	return p.move(t, name, Linked{Within: within})
}

func (p *fluentParser) follow(t token) *Error {
	column, err := p.column()
	if err != nil {
		return err
	}
	return p.move(t, Name{}, Linked{Column: column})
}

// move goes on from the rows so far to those linked to them.
func (p *fluentParser) move(t token, to Name, link Linked) *Error {
	if p.hops++; p.hops > maxHops {
		return p.fail(t, "a query moves to another dataset at most %d times", maxHops)
	}
	if _, all := p.query.Select.Items[0].Expr.(Star); !all {
		return p.fail(t, "%s comes before select", t.text)
	}
	link.Query = p.query
	p.query = rowsOf(to)
	p.query.Select.Where, p.conds = link, []Cond{link}
	return nil
}

func (p *fluentParser) selectColumns(t token) *Error {
	if _, all := p.query.Select.Items[0].Expr.(Star); !all {
		return p.fail(t, "select is there once")
	}
	p.query.Select.Items = nil
	for {
		name, err := p.column()
		if err != nil {
			return err
		}
		p.query.Select.Items = append(p.query.Select.Items, Item{Expr: Column{Name: name}})
		if !p.eat(",") {
			return nil
		}
	}
}

func (p *fluentParser) sort(t token) *Error {
	if p.query.Limit != nil {
		return p.fail(t, "%s comes before limit", t.text)
	}
	name, err := p.column()
	p.query.Order = append(p.query.Order, Order{Expr: Column{Name: name}, Desc: t.text == "sortDescending"})
	return err
}

func (p *fluentParser) limit(t token) *Error {
	if p.query.Limit != nil {
		return p.fail(t, "limit is there once")
	}
	n, err := p.count(0, 1<<53)
	p.query.Limit = &n
	return err
}
