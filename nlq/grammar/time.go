package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// timePart is a part of a time: a symbol, and the function that takes it.
type timePart struct{ symbol, function string }

// timeParts are the parts of times. Those up to the clock come again,
// all but the year; the others are periods that each come once.
var timeParts = []timePart{
	{"year", "year"}, {"quarter", "quarter"}, {"month", "month"}, {"day", "day"}, {"hour", "hour"}, {"weekday", "dayname"},
	{"clock", tree.TimeOfDay},
	{"yearquarter", tree.YearQuarter}, {"yearmonth", tree.YearMonth}, {"yearweek", tree.YearWeek}, {"date", tree.CalendarDay},
}

// timeUnits are the units of durations by their symbols.
var timeUnits = []struct {
	symbol string
	unit   tree.Unit
}{
	{"minutes", tree.Minutes}, {"hours", tree.Hours}, {"days", tree.Days}, {"weeks", tree.Weeks}, {"months", tree.Months}, {"years", tree.Years},
}

// parts and units are the symbols of both.
var parts, units = timeSymbols()

func timeSymbols() (parts, units []string) {
	for _, p := range timeParts {
		parts = append(parts, p.symbol)
	}
	for _, u := range timeUnits {
		units = append(units, u.symbol)
	}
	return parts, units
}

// TakesTime reports whether a symbol stands before times: it takes a part of one, or
// counts the time between two.
func TakesTime(symbol string) bool {
	return slices.Contains(parts, symbol) || slices.Contains(units, symbol)
}

// IsUnit reports whether a symbol counts the time between two moments.
func IsUnit(symbol string) bool { return slices.Contains(units, symbol) }

// partOfTime reads a part of a time.
func (b *builder) partOfTime(p *part) tree.Expr {
	function := timeParts[slices.Index(parts, symbols[b.take().ID])].function
	return tree.Call{Func: function, Args: []tree.Expr{b.column(p)}}
}

// duration reads the time between two moments.
func (b *builder) duration(p *part) tree.Expr {
	d := tree.Duration{Unit: timeUnits[slices.Index(units, symbols[b.take().ID])].unit}
	ends, of := [2]tree.Expr{}, quern.Date
	for i := range ends {
		if b.eat(symNow) {
			continue
		}
		of = b.schema.Columns[b.peek().ID].Type
		ends[i] = b.column(p)
	}
	for i, e := range ends {
		if e == nil {
			ends[i] = MomentLiteral(b.question.Now, of)
		}
	}
	d.From, d.Until = ends[0], ends[1]
	if _, constant := d.From.(tree.Literal); constant {
		if _, constant := d.Until.(tree.Literal); constant {
			b.fail("a duration from now until now")
		}
	}
	return d
}

// MomentLiteral returns the constant for now beside a column of a type.
func MomentLiteral(now time.Time, of quern.Type) tree.Literal {
	if of == quern.Timestamp {
		return tree.Literal{Kind: tree.Timestamp, Text: now.UTC().Truncate(time.Second).Format(time.RFC3339)}
	}
	return tree.Literal{Kind: tree.Date, Text: now.Format(time.DateOnly)}
}

// interpretPart returns what a text means as a part of a time.
func interpretPart(function, text string) (constant, bool) {
	switch function {
	case "dayname":
		return weekdayConstant(text)
	case "month":
		m := lex.Month(text)
		return numberConstant(strconv.Itoa(m)), m > 0
	case "quarter":
		word := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(text), "q"), " quarter")
		n, ok := lex.Number(word)
		return numberConstant(n), ok
	case "hour":
		if from, until, ok := lex.Clock(text); ok && until == "" && strings.HasSuffix(from, ":00") {
			return numberConstant(strings.TrimPrefix(strings.TrimSuffix(from, ":00"), "0")), from != "00:00"
		}
		n, ok := lex.Number(text)
		return numberConstant(n), ok
	case "year", "day":
		n, ok := lex.Number(text)
		return numberConstant(n), ok
	case tree.TimeOfDay:
		return clockConstant(text)
	}
	return constant{}, false
}

func numberConstant(text string) constant {
	return constant{literal: tree.Literal{Kind: tree.Number, Text: text}}
}

func weekdayConstant(text string) (constant, bool) {
	days := lex.Weekdays(text)
	if len(days) == 0 {
		return constant{}, false
	}
	k := constant{literal: tree.Literal{Kind: tree.Text, Text: days[0]}}
	if len(days) > 1 {
		for _, d := range days {
			k.list = append(k.list, tree.Literal{Kind: tree.Text, Text: d})
		}
	}
	return k, true
}

// clockConstant returns the time of day that a text names, or the part of a day.
func clockConstant(text string) (constant, bool) {
	from, until, ok := lex.Clock(text)
	k := constant{literal: tree.Literal{Kind: tree.Text, Text: from}}
	if until != "" {
		k.until = tree.Literal{Kind: tree.Text, Text: until}
	}
	return k, ok
}

// columnClock returns the time of day that a text names as a column writes times: with
// seconds, where it has them.
func columnClock(c *schema.Column, text string) (constant, bool) {
	k, ok := clockConstant(text)
	if !ok {
		return k, false
	}
	if strings.Count(c.Min, ":") > 1 {
		k.literal.Text += ":00"
		if k.isPeriod() {
			k.until.Text += ":00"
		}
	}
	return k, true
}
