package trino

import (
	"strings"
	"unicode/utf8"

	"quern/tree"
)

func (p *printer) cond(c tree.Cond, sc *scope) string {
	switch c := c.(type) {
	case tree.And:
		return p.conds(c.Conds, " AND ", sc)
	case tree.Or:
		return p.conds(c.Conds, " OR ", sc)
	case tree.Not:
		return "NOT (" + p.cond(c.Cond, sc) + ")"
	case tree.Compare:
		return p.compared(c.Left, sc).sql + " " + string(c.Op) + " " + p.compared(c.Right, sc).sql
	case tree.Between:
		return p.compared(c.Expr, sc).sql + " BETWEEN " + p.compared(c.Low, sc).sql + " AND " + p.compared(c.High, sc).sql
	case tree.In:
		return p.in(c, sc)
	case tree.Match:
		return p.match(c, sc)
	case tree.IsNull:
		return p.value(c.Expr, sc).sql + " IS NULL"
	case tree.Exists:
		text, _ := p.query(c.Query, sc, counted)
		return "EXISTS (" + text + ")"
	case tree.Period:
		e := p.compared(c.Expr, sc).sql
		return "(" + e + " >= " + p.literal(c.From).sql + " AND " + e + " < " + p.literal(c.Until).sql + ")"
	case tree.Search:
		p.unmapped("a search for words and others spelled alike")
	case tree.Linked:
		p.unmapped("a link that is not resolved")
	default:
		p.unmapped("a condition of the form %T", c)
	}
	return ""
}

func (p *printer) conds(all []tree.Cond, word string, sc *scope) string {
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = "(" + p.cond(c, sc) + ")"
	}
	return strings.Join(parts, word)
}

func (p *printer) in(c tree.In, sc *scope) string {
	e := p.compared(c.Expr, sc).sql
	if c.Query != nil {
		text, _ := p.query(c.Query, sc, compared)
		return e + " IN (" + text + ")"
	}
	list := make([]string, len(c.List))
	for i, l := range c.List {
		list[i] = p.literal(l).sql
	}
	return e + " IN (" + strings.Join(list, ", ") + ")"
}

// match writes how a text is compared with a part or a pattern.
func (p *printer) match(c tree.Match, sc *scope) string {
	v := p.compared(c.Expr, sc)
	e, text := v.sql, c.Text
	if c.Fold {
		e, text = "lower("+e+")", strings.ToLower(text)
	}
	switch c.Op {
	case tree.Contains:
		return "strpos(" + e + ", " + quoteText(text) + ") > 0"
	case tree.StartsWith:
		return "starts_with(" + e + ", " + quoteText(text) + ")"
	case tree.EndsWith:
		if text == "" {
			return e + " IS NOT NULL"
		}
		return "substr(" + e + ", " + minus(utf8.RuneCountInString(text)) + ") = " + quoteText(text)
	}
	if c.Fold {
		return e + " LIKE lower(" + quoteText(c.Text) + ")"
	}
	return e + " LIKE " + quoteText(text)
}
