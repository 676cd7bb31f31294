package tree

import "strings"

// The functions that write a time as people read its periods, in an order that is
// that of time.
const (
	YearQuarter = "year_quarter" // 2024-Q3
	YearMonth   = "year_month"   // 2024-09
	YearWeek    = "year_week"    // 2024-W36, as ISO 8601 counts weeks
	CalendarDay = "calendar_day" // 2024-09-02
	TimeOfDay   = "time_of_day"  // 18:30
)

// Clock is the function that takes a text such as 18:30 for a time of day; other texts have none.
const Clock = "clock"

// quarterFormat stands for what strftime cannot write.
const quarterFormat = "%Y-Q"

// Duration is how much time lies between two others, in whole units but for hours;
// it is negative when Until is before From.
type Duration struct {
	Unit        Unit
	From, Until Expr
}

// Unit is what a Duration is counted in.
type Unit string

// The units of durations.
const (
	Minutes Unit = "minute"
	Hours   Unit = "hour"
	Days    Unit = "day"
	Weeks   Unit = "week"
	Months  Unit = "month"
	Years   Unit = "year"
)

// unitFunctions count whole units: date_diff the borders between them, date_sub
// what has passed. Hours are written as minutes.
var unitFunctions = map[Unit]string{Minutes: "date_diff", Days: "date_diff", Weeks: "date_sub", Months: "date_sub", Years: "date_sub"}

// minutesOfHour divides minutes into hours.
const minutesOfHour = "60.0"

func (p *printer) duration(d Duration) {
	if d.Unit == Hours {
		p.duration(Duration{Minutes, d.From, d.Until})
		p.write(" / ", minutesOfHour)
		return
	}
	p.write(unitFunctions[d.Unit], "(", quoteText(string(d.Unit)), ", ")
	p.expr(d.From)
	p.write(", ")
	p.expr(d.Until)
	p.write(")")
}

// formatted writes a time by a format; parser.formatted and parser.yearQuarter read it.
func (p *printer) formatted(format string, e Expr) {
	if format != quarterFormat {
		p.write("strftime(")
		p.expr(e)
		p.write(", ", quoteText(format), ")")
		return
	}
	p.write("concat(year(")
	p.expr(e)
	p.write("), '-Q', quarter(")
	p.expr(e)
	p.write("))")
}

// duration reads what a Duration is printed as, behind its first parenthesis.
func (p *parser) duration(function string) (node, *Error) {
	at := p.take()
	unit := Unit(at.text)
	if at.kind != tokenText || unitFunctions[unit] != function {
		return nil, p.fail(at, "%s does not count %s here", function, at.shown())
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	from, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	until, err := p.expr()
	if err != nil {
		return nil, err
	}
	return Duration{unit, from, until}, p.need(")")
}

// formatted reads strftime with the format of one of the functions.
func (p *parser) formatted() (node, *Error) {
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	if err := p.need(","); err != nil {
		return nil, err
	}
	at := p.take()
	for name, f := range functions {
		if at.kind == tokenText && f.format == at.text && at.text != quarterFormat && at.text != "" {
			return Call{name, []Expr{e}}, p.need(")")
		}
	}
	return nil, p.fail(at, "%s is not a format of times that a query tree can hold", at.shown())
}

// yearQuarter reads what a quarter in time is printed as, behind its first parenthesis.
func (p *parser) yearQuarter() (node, *Error) {
	at := p.peek()
	year, err := p.timeCall("year")
	if err != nil {
		return nil, err
	}
	for _, want := range []string{",", "-Q", ","} {
		if t := p.take(); t.text != want {
			return nil, p.fail(at, "concat is read only where it writes a quarter")
		}
	}
	quarter, err := p.timeCall("quarter")
	if err != nil {
		return nil, err
	}
	if !sameValue(year, quarter) {
		return nil, p.fail(at, "concat is read only where it writes a quarter")
	}
	return Call{YearQuarter, []Expr{year}}, p.need(")")
}

// timeCall reads a function of one value and returns the value.
func (p *parser) timeCall(name string) (Expr, *Error) {
	at := p.peek()
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	c, ok := e.(Call)
	if !ok || c.Func != name {
		return nil, p.fail(at, "concat is read only where it writes a quarter")
	}
	return c.Args[0], nil
}

// divided returns a quotient, minutes by sixty as hours.
func divided(left, right Expr) Expr {
	d, minutes := left.(Duration)
	if l, ok := right.(Literal); ok && minutes && d.Unit == Minutes && l.Text == minutesOfHour {
		return Duration{Hours, d.From, d.Until}
	}
	return Arith{'/', left, right}
}

// nonZero returns what a divisor is printed from: nullif(x, 0) is x, for a quotient
// by nothing is nothing.
func (p *parser) nonZero() (node, *Error) {
	e, err := p.expr()
	if err != nil {
		return nil, err
	}
	for _, want := range []string{",", "0", ")"} {
		if t := p.take(); t.text != want {
			return nil, p.fail(t, "nullif is read only where it keeps a divisor from being 0")
		}
	}
	return divisor{e}, nil
}

// divisor is a value that stands in nullif, until the division that it belongs to
// has it.
type divisor struct{ Expr }

// divide writes a quotient that is null where the divisor is 0.
func (p *printer) divide(e Arith) {
	p.operandOf(e.Left)
	p.write(" / ")
	if l, ok := e.Right.(Literal); ok && l.Kind == Number && strings.Trim(l.Text, "-0.") != "" {
		p.expr(e.Right)
		return
	}
	p.write("nullif(")
	p.expr(e.Right)
	p.write(", 0)")
}
