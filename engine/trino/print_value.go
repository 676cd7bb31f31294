package trino

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/tree"
)

// compared writes a value that is compared, sorted or computed with. JSON is none.
func (p *printer) compared(e tree.Expr, sc *scope) value {
	v := p.value(e, sc)
	if v.typ == quern.JSON {
		p.unmapped("JSON in a comparison, an order, a group or a computation")
	}
	return v
}

func (p *printer) value(e tree.Expr, sc *scope) value {
	switch e := e.(type) {
	case tree.Column:
		v, _ := p.column(e, sc)
		return v
	case tree.Literal:
		return p.literal(e)
	case tree.Aggregate:
		return p.aggregate(e, sc)
	case tree.Share:
		return p.share(e, sc)
	case tree.Portion:
		return p.portion(e, sc)
	case tree.Arith:
		return p.arith(e, sc)
	case tree.Duration:
		return p.duration(e, sc)
	case tree.Call:
		return p.call(e, sc)
	case tree.Subquery:
		text, columns := p.query(e.Query, sc, compared)
		if len(columns) != 1 {
			p.unmapped("a value of several columns")
			return value{}
		}
		return value{sql: "(" + text + ")", typ: columns[0].Type}
	}
	p.unmapped("a value of the form %T", e)
	return value{}
}

// column finds what a name means, and how the dataset spells it. A name of a value that
// the select gives stands for that value.
func (p *printer) column(c tree.Column, sc *scope) (v value, name string) {
	for in := sc; in != nil; in = in.outer {
		for _, s := range in.sources {
			if c.Source != "" && !tree.SameName(c.Source, s.ref) {
				continue
			}
			found, ok := tree.Table{Columns: s.table.Columns}.Column(c.Name)
			switch {
			case ok && name != "":
				p.unmapped("the column %q, which several datasets of the query have", c.Name)
			case ok:
				p.requireStored(found.Name)
				v, name = value{sql: quoteName(s.ref) + "." + quoteName(found.Name), typ: found.Type}, found.Name
			}
		}
		if name != "" {
			return v, name
		}
	}
	if c.Source == "" && sc != nil {
		for _, item := range sc.items {
			if item.Alias != "" && tree.SameName(item.Alias, c.Name) && item.Expr != tree.Expr(c) {
				return p.value(item.Expr, &scope{sources: sc.sources, outer: sc.outer}), item.Alias
			}
		}
	}
	p.requireStored(c.Name)
	p.unmapped("the column %q, which no dataset of the query has", c.Name)
	return value{}, ""
}

func (p *printer) literal(l tree.Literal) value {
	switch l.Kind {
	case tree.Number:
		typ, ok := numberType(l.Text)
		if !ok {
			p.unmapped("the number %s, which has too many digits", l.Text)
		}
		return value{l.Text, typ, true}
	case tree.Boolean:
		return value{strings.ToLower(l.Text), quern.Boolean, true}
	case tree.Date:
		return value{"DATE " + quoteText(l.Text), quern.Date, true}
	case tree.Timestamp:
		return value{"TIMESTAMP " + quoteText(p.instant(l.Text)), quern.Timestamp, true}
	}
	return value{quoteText(l.Text), quern.Text, true}
}

// instant writes a time as Trino does.
func (p *printer) instant(text string) string {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05Z07", "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Format("2006-01-02 15:04:05.000000") + " UTC"
		}
	}
	p.unmapped("the time %q", text)
	return ""
}

func double(v value) string { return "CAST(" + v.sql + " AS double)" }

// arith writes arithmetic as the embedded engine does it: a quotient is a double, and
// nothing where the divisor is 0.
func (p *printer) arith(e tree.Arith, sc *scope) value {
	a, b := p.compared(e.Left, sc), p.compared(e.Right, sc)
	typ, ok := arithType(e.Op, a, b)
	if e.Op == '/' {
		typ, ok = quern.Double, a.typ.Numeric() && b.typ.Numeric()
	}
	if !ok && p.err == nil {
		p.unmapped("%s %c %s", a.typ, e.Op, b.typ)
	}
	switch e.Op {
	case '/':
		return value{sql: "(" + double(a) + " / nullif(" + double(b) + ", 0))", typ: typ}
	case '%':
		return value{sql: "(" + a.sql + " % nullif(" + b.sql + ", 0))", typ: typ}
	}
	return value{sql: "(" + a.sql + " " + string(rune(e.Op)) + " " + b.sql + ")", typ: typ}
}

// timestamp writes a time in UTC without its zone.
func (p *printer) timestamp(v value) string {
	switch v.typ {
	case quern.Date:
		return "CAST(" + v.sql + " AS timestamp(6))"
	case quern.Timestamp:
		return "CAST(" + v.sql + " AT TIME ZONE 'UTC' AS timestamp(6))"
	}
	p.unmapped("%s where a time is needed", v.typ)
	return ""
}

// day writes the day of a time in UTC.
func (p *printer) day(v value) string {
	if v.typ == quern.Date {
		return v.sql
	}
	return "CAST(" + p.timestamp(v) + " AS date)"
}

// duration writes how much time lies between two others. For the embedded engine minutes
// and days are the borders between them, the others what has passed; Trino counts what has
// passed.
func (p *printer) duration(e tree.Duration, sc *scope) value {
	from, until := p.compared(e.From, sc), p.compared(e.Until, sc)
	a, b := p.timestamp(from), p.timestamp(until)
	switch e.Unit {
	case tree.Minutes, tree.Hours:
		minutes := "date_diff('minute', date_trunc('minute', " + a + "), date_trunc('minute', " + b + "))"
		if e.Unit == tree.Hours {
			return value{sql: "(CAST(" + minutes + " AS double) / 60)", typ: quern.Double}
		}
		return value{sql: minutes, typ: quern.Integer}
	case tree.Days:
		a, b = p.day(from), p.day(until)
	}
	unit := quoteText(string(e.Unit))
	passed := "date_diff(" + unit + ", " + a + ", " + b + ")"
	calendar := e.Unit == tree.Months || e.Unit == tree.Years
	if calendar && (from.typ == quern.Timestamp || until.typ == quern.Timestamp) {
		// Backwards from an instant, the embedded engine counts no unit that goes past the other.
		passed = fmt.Sprintf("(%s + IF(%s < %s AND date_add(%s, %s, %s) < %s, 1, 0))", passed, b, a, unit, passed, a, b)
	}
	return value{sql: passed, typ: quern.Integer}
}

// timeFormats are the functions that write a time with date_format.
var timeFormats = map[string]string{
	"dayname": "%W", tree.YearMonth: "%Y-%m", tree.CalendarDay: "%Y-%m-%d", tree.TimeOfDay: "%H:%i",
}

func (p *printer) call(e tree.Call, sc *scope) value {
	args := make([]value, len(e.Args))
	for i, a := range e.Args {
		args[i] = p.compared(a, sc)
	}
	first := args[0]
	if format, ok := timeFormats[e.Func]; ok {
		return value{sql: "date_format(" + p.timestamp(first) + ", " + quoteText(format) + ")", typ: quern.Text}
	}
	switch e.Func {
	case "year", "quarter", "month", "day":
		return value{sql: e.Func + "(" + p.day(first) + ")", typ: quern.Integer}
	case "hour":
		return value{sql: "hour(" + p.timestamp(first) + ")", typ: quern.Integer}
	case tree.YearQuarter:
		day := p.day(first)
		return value{sql: fmt.Sprintf("concat(CAST(year(%s) AS varchar), '-Q', CAST(quarter(%s) AS varchar))", day, day), typ: quern.Text}
	case tree.YearWeek:
		day := p.day(first)
		return value{sql: fmt.Sprintf("concat(lpad(CAST(year_of_week(%s) AS varchar), 4, '0'), '-W', lpad(CAST(week(%s) AS varchar), 2, '0'))", day, day),
			typ: quern.Text}
	case "lower", "upper":
		p.require(first, quern.Text, e.Func)
		return value{sql: e.Func + "(" + first.sql + ")", typ: quern.Text}
	case "length":
		p.require(first, quern.Text, e.Func)
		return value{sql: "length(" + first.sql + ")", typ: quern.Integer}
	case "abs":
		return value{sql: "abs(" + first.sql + ")", typ: first.typ}
	case "round":
		return p.round(args)
	case tree.Coalesce:
		typ, ok := common(first, args[1])
		if !ok && p.err == nil {
			p.unmapped("coalesce of %s and %s", first.typ, args[1].typ)
		}
		return value{sql: "coalesce(" + first.sql + ", " + args[1].sql + ")", typ: typ}
	}
	p.unmapped("the function %s", e.Func)
	return value{}
}

// require refuses a value of another type than a function takes.
func (p *printer) require(v value, t quern.Type, function string) {
	if v.typ != t && p.err == nil {
		p.unmapped("%s of %s", function, v.typ)
	}
}

// round writes a rounded number; of a decimal, with the digits that are left.
func (p *printer) round(args []value) value {
	v, digits := args[0], 0
	if len(args) == 2 {
		n, err := strconv.Atoi(args[1].sql)
		if err != nil || n < 0 || !args[1].literal {
			p.unmapped("round to other than a constant number of digits")
		}
		digits = n
	}
	precision, scale, decimal := v.typ.DecimalSize()
	switch {
	case v.typ == quern.Integer, decimal && digits >= scale:
		return v
	case decimal:
		t := quern.Decimal(precision, digits)
		return value{sql: fmt.Sprintf("CAST(round(%s, %d) AS %s)", v.sql, digits, typeName(t)), typ: t}
	case v.typ != quern.Double:
		p.unmapped("round of %s", v.typ)
	}
	return value{sql: fmt.Sprintf("round(%s, %d)", v.sql, digits), typ: quern.Double}
}
