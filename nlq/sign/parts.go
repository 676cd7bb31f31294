package sign

import (
	"slices"

	"quern/nlq/grammar"
)

// parts is a derivation taken apart.
type parts struct {
	symbols    map[string]bool
	mentions   []mention
	conditions []condition
	tables     []int
	items      int // that the outermost query shows
}

// mention is a column, or the rows of a table, in a derivation.
type mention struct {
	column    int // -1: rows
	table     int
	part      string // of the query: SEL, WHERE, GROUP, HAVING, ASC, DESC, EXTRA
	aggregate string // what is made of it; empty: nothing
	reckoned  bool   // what is compared is a part of its times, or a time between it and another
	depth     int    // of nesting
}

// condition compares a mention with something.
type condition struct {
	mention
	operator    string
	first, last int // words of the question; -1: something else
}

// taker takes a derivation apart.
type taker struct {
	*parts
	open      []string // the parts that queries have come to, innermost last
	aggregate string
	reckoned  bool
}

func (q *Question) takeApart(tokens []grammar.Token) *parts {
	t := &taker{parts: &parts{symbols: map[string]bool{}}}
	for i, token := range tokens {
		switch token.Kind {
		case grammar.Column:
			t.mention(mention{column: token.ID, table: q.schema.Columns[token.ID].Table})
		case grammar.Table:
			t.mention(mention{column: -1, table: token.ID})
		case grammar.Word:
			t.word(token.ID, tokens[i-1].Kind == grammar.Word)
		case grammar.Symbol:
			t.symbol(token.String())
		}
	}
	return t.parts
}

func (t *taker) symbol(s string) {
	t.symbols[s] = true
	switch s {
	case "SEL":
		t.open = append(t.open, s)
	case "WHERE", "GROUP", "HAVING", "ASC", "DESC", "LIMIT", "EXTRA":
		t.open[len(t.open)-1] = s
	case "UNION", "INTERSECT", "EXCEPT", "END":
		t.open = t.open[:len(t.open)-1]
	case "count", "sum", "avg", "min", "max", "median":
		t.aggregate = s
	case "=", "<>", ">", "<", ">=", "<=", "between", "in", "!in", "null", "!null",
		"contains", "starts", "ends", "like", "!contains", "!starts", "!ends", "!like":
		t.conditions = append(t.conditions, condition{t.mentions[len(t.mentions)-1], s, -1, -1})
	default:
		t.reckoned = t.reckoned || grammar.TakesTime(s)
	}
}

func (t *taker) mention(m mention) {
	m.part, m.depth, m.aggregate, m.reckoned = t.open[len(t.open)-1], len(t.open)-1, t.aggregate, t.reckoned
	t.aggregate, t.reckoned = "", false
	t.mentions = append(t.mentions, m)
	if m.part == "SEL" && m.depth == 0 {
		t.items++
	}
	if !slices.Contains(t.tables, m.table) {
		t.tables = append(t.tables, m.table)
	}
}

// word takes the first or the last word of a constant.
func (t *taker) word(at int, last bool) {
	if t.open[len(t.open)-1] == "LIMIT" || len(t.conditions) == 0 {
		return
	}
	c := &t.conditions[len(t.conditions)-1]
	switch {
	case last:
		c.last = at
	case c.first < 0:
		c.first, c.last = at, at
	default: // the second constant of a range
		t.conditions = append(t.conditions, condition{c.mention, c.operator, at, at})
	}
}

// has reports whether one of some symbols is used.
func (p *parts) has(some ...string) bool {
	return slices.ContainsFunc(some, func(s string) bool { return p.symbols[s] })
}

// in counts the mentions in a part of the query for which fn holds.
func (p *parts) in(part string, fn func(mention) bool) int {
	n := 0
	for _, m := range p.mentions {
		if m.part == part && fn(m) {
			n++
		}
	}
	return n
}

// shows reports whether fn holds for something that the outermost query shows.
func (p *parts) shows(fn func(mention) bool) bool {
	return p.in("SEL", func(m mention) bool { return m.depth == 0 && fn(m) }) > 0
}
