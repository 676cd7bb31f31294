package tree

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// ErrNotFluent says that a tree holds more than the fluent form can say.
var ErrNotFluent = errors.New("tree: the query cannot be written in the fluent form")

// Fluent writes a tree in the fluent form. ErrNotFluent when it holds what that
// has no words for: joins, groups, aggregates, sets, nested queries.
func Fluent(q *Query) (string, error) {
	p := &fluentPrinter{}
	p.query(q)
	if p.bad {
		return "", ErrNotFluent
	}
	return p.String(), nil
}

type fluentPrinter struct {
	strings.Builder
	bad bool
}

func (p *fluentPrinter) write(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *fluentPrinter) query(q *Query) {
	s := q.Select
	if s == nil || s.Distinct || len(s.From) != 1 || s.From[0].Alias != "" || len(s.Group) > 0 || s.Having != nil {
		p.bad = true
		return
	}
	conds := Conjuncts(s.Where)
	if link, ok := first(conds); ok {
		p.query(link.Query)
		p.linked(link, s.From[0].Dataset)
		conds = conds[1:]
	} else {
		p.write("Ontology(", quoteFluent(nameText(s.From[0].Dataset)), ")")
	}
	p.conds(conds)
	p.tail(q)
}

func nameText(n Name) string {
	switch {
	case n.Owner != "":
		return n.Owner + "/" + n.Namespace + "/" + n.Dataset
	case n.Namespace != "":
		return n.Namespace + "/" + n.Dataset
	}
	return n.Dataset
}

func (p *fluentPrinter) linked(l Linked, to Name) {
	if items := l.Query.Select.Items; len(items) != 1 || items[0] != (Item{Expr: Star{}}) {
		p.bad = true
	}
	switch {
	case l.Column != "":
		p.follow(l.Column)
		return
	case l.Within > 0:
		p.write(".searchAround(", strconv.Itoa(l.Within), ")")
	}
	if to != (Name{}) {
		p.write(".find(", quoteFluent(nameText(to)), ")")
	}
	if len(l.Via) > 0 {
		p.follow(l.Via...)
	}
}

func (p *fluentPrinter) follow(columns ...string) {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = quoteFluent(c)
	}
	p.write(".follow(", strings.Join(quoted, ", "), ")")
}

// conds writes neighbouring conditions as one filter, with searches as steps of
// their own.
func (p *fluentPrinter) conds(conds []Cond) {
	open := false
	for _, c := range conds {
		s, isSearch := c.(Search)
		switch {
		case isSearch && open:
			p.write(")")
			open = false
		case !isSearch && open:
			p.write(" && ")
		case !isSearch:
			p.write(".filter(")
			open = true
		}
		if isSearch {
			p.bad = p.bad || len(s.Columns) > 0
			p.write(".search(", quoteFluent(strings.Join(s.Words, " ")), ")")
			continue
		}
		p.part(c)
	}
	if open {
		p.write(")")
	}
}

func (p *fluentPrinter) tail(q *Query) {
	if items := q.Select.Items; len(items) != 1 || items[0] != (Item{Expr: Star{}}) {
		p.write(".select(")
		for i, item := range items {
			if i > 0 {
				p.write(", ")
			}
			c, ok := item.Expr.(Column)
			p.bad = p.bad || !ok || c.Source != "" || item.Alias != ""
			p.write(quoteFluent(c.Name))
		}
		p.write(")")
	}
	for _, o := range q.Order {
		c, ok := o.Expr.(Column)
		p.bad = p.bad || !ok || c.Source != "" || o.Nulls != ""
		step := ".sortAscending("
		if o.Desc {
			step = ".sortDescending("
		}
		p.write(step, quoteFluent(c.Name), ")")
	}
	if q.Limit != nil {
		p.write(".limit(", strconv.FormatInt(*q.Limit, 10), ")")
	}
}

func (p *fluentPrinter) part(c Cond) {
	switch c := c.(type) {
	case And:
		p.group(c.Conds, " && ")
	case Or:
		p.group(c.Conds, " || ")
	case Not:
		p.not(c)
	case Compare:
		op := map[CompareOp]string{Equal: "==", NotEqual: "!="}[c.Op]
		if op == "" {
			op = string(c.Op)
		}
		p.operand(c.Left)
		p.write(" ", op, " ")
		p.operand(c.Right)
	case Between:
		p.function("between", c.Expr, c.Low, c.High)
	case Period:
		p.function("during", c.Expr, c.From, c.Until)
	case In:
		p.in(c)
	case Match:
		p.match(c)
	case IsNull:
		p.operand(c.Expr)
		p.write(" == null")
	default:
		p.bad = true
	}
}

func (p *fluentPrinter) group(conds []Cond, separator string) {
	p.write("(")
	for i, c := range conds {
		if i > 0 {
			p.write(separator)
		}
		p.part(c)
	}
	p.write(")")
}

func (p *fluentPrinter) not(c Not) {
	if null, ok := c.Cond.(IsNull); ok {
		p.operand(null.Expr)
		p.write(" != null")
		return
	}
	p.write("!")
	p.group([]Cond{c.Cond}, "")
}

func (p *fluentPrinter) in(c In) {
	p.bad = p.bad || c.Query != nil
	p.operand(c.Expr)
	p.write(" in [")
	for i, l := range c.List {
		if i > 0 {
			p.write(", ")
		}
		p.operand(l)
	}
	p.write("]")
}

func (p *fluentPrinter) match(c Match) {
	for name, op := range matchNames {
		if op != c.Op {
			continue
		}
		if c.Fold {
			name += ignoreCase
		}
		p.function(name, c.Expr, Literal{Text, c.Text})
	}
}

func (p *fluentPrinter) function(name string, args ...Expr) {
	p.write(name, "(")
	for i, a := range args {
		if i > 0 {
			p.write(", ")
		}
		p.operand(a)
	}
	p.write(")")
}

func (p *fluentPrinter) operand(e Expr) {
	switch e := e.(type) {
	case Column:
		p.bad = p.bad || e.Source != ""
		p.write(columnFluent(e.Name))
	case Literal:
		p.literal(e)
	case Call:
		p.function(e.Func, e.Args...)
	default:
		p.bad = true
	}
}

func (p *fluentPrinter) literal(l Literal) {
	switch l.Kind {
	case Text:
		p.write(quoteFluent(l.Text))
	case Date, Timestamp:
		p.write(l.Kind.String(), "(", quoteFluent(l.Text), ")")
	default:
		p.write(l.Text)
	}
}

// columnFluent writes a column's name, quoted unless it is a plain word.
func columnFluent(name string) string {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return quoted(name, '`')
		}
	}
	if name == "true" || name == "false" || name == "null" || name == "in" {
		return quoted(name, '`')
	}
	return name
}

func quoteFluent(text string) string { return quoted(text, '"') }

func quoted(text string, quote rune) string {
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range text {
		switch r {
		case quote, '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}
