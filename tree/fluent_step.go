package tree

import (
	"strconv"
	"strings"
)

// stepNames lists the steps, for messages.
const stepNames = "filter, search, searchAround, find, follow, select, sort, sortAscending, sortDescending, limit or get"

func (p *fluentParser) step() *Error {
	t := p.take()
	if p.around > 0 && t.text != "find" {
		return p.fail(t, "searchAround is followed by find: say which of the datasets around to go to")
	}
	if p.open && t.text != "column" {
		return p.fail(t, "filter without a condition is followed by column")
	}
	steps := map[string]func(token) *Error{
		"filter": p.filter, "search": p.search, "searchAround": p.searchAround, "find": p.find, "follow": p.follow,
		"select": p.selectColumns, "sort": p.sort, "sortAscending": p.sort, "sortDescending": p.sort, "limit": p.limit,
		"get": p.get,
	}
	if p.open {
		steps["column"] = p.columnFilter
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
	p.found = t.text == "find"
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

// flat returns the conditions that must all hold, whatever the parentheses.
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
	if p.is(")") {
		p.open = true
		return nil
	}
	conds, err := p.joined(",", p.cond)
	if err != nil {
		return err
	}
	return p.narrow(t, All(conds...))
}

// columnFilter reads the condition of a filter that was left open, which is a
// text of its own. What is wrong in it is told at the text's place.
func (p *fluentParser) columnFilter(t token) *Error {
	at := p.peek()
	text, err := p.quoted("a condition in quotes")
	if err != nil {
		return err
	}
	tokens, err := lex(text, fluentText)
	if err != nil {
		return p.fail(at, "%s", err.Message)
	}
	inner := &fluentParser{cursor: cursor{text: text, tokens: tokens, depth: p.depth}}
	c, err := inner.cond()
	if err == nil && inner.peek().kind != tokenEnd {
		err = inner.unexpected("the end of the condition")
	}
	if err != nil {
		return p.fail(at, "%s", err.Message)
	}
	p.open = false
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
	if p.is(")") {
		p.around, p.aroundAt = MaxPath, t
		return nil
	}
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
	columns, err := p.columns()
	switch {
	case err != nil:
		return err
	case p.found:
		return p.along(columns)
	case len(columns) > 1:
		return p.move(t, Name{}, Linked{Via: columns})
	}
	return p.move(t, Name{}, Linked{Column: columns[0]})
}

// along says which columns of the dataset before lead to the one that was found.
func (p *fluentParser) along(columns []string) *Error {
	link, _ := p.conds[0].(Linked)
	link.Via = columns
	p.conds[0], p.query.Select.Where = link, link
	return nil
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
	names, err := p.columns()
	p.query.Select.Items = nil
	for _, name := range names {
		p.query.Select.Items = append(p.query.Select.Items, Item{Expr: Column{Name: name}})
	}
	return err
}

func (p *fluentParser) sort(t token) *Error {
	if p.query.Limit != nil {
		return p.fail(t, "%s comes before limit", t.text)
	}
	name, err := p.column()
	if err != nil {
		return err
	}
	order := Order{Expr: Column{Name: name}, Desc: t.text == "sortDescending"}
	if t.text == "sort" && p.eat(",") {
		direction := p.take()
		order.Desc = strings.EqualFold(direction.text, "DESC") || strings.EqualFold(direction.text, "DESCENDING")
		if !order.Desc && !strings.EqualFold(direction.text, "ASC") && !strings.EqualFold(direction.text, "ASCENDING") {
			return p.fail(direction, `expected "ASC" or "DESC", not %s`, direction.shown())
		}
	}
	p.query.Order = append(p.query.Order, order)
	return nil
}

// get ends the chain.
func (p *fluentParser) get(token) *Error {
	p.done = true
	return nil
}

func (p *fluentParser) limit(t token) *Error {
	if p.query.Limit != nil {
		return p.fail(t, "limit is there once")
	}
	n, err := p.count(0, 1<<53)
	p.query.Limit = &n
	return err
}
