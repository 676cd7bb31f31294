package period

import (
	"regexp"
	"strconv"
	"time"

	"quern/nlq/ground"
	"quern/tree"
)

var (
	// asksBorn asks when somebody was born, in a year or in any.
	asksBorn = regexp.MustCompile(`(?i)\bborn\b`)
	// bornInMonth asks so of a month by its name.
	bornInMonth = regexp.MustCompile(`(?i)\bborn in (?:january|february|march|april|may|june|july|august|september|october|november|december)\b`)
	// birthdayNow asks whose day it is, who may be several.
	birthdayNow = regexp.MustCompile(`(?i)^\W*whose birthday (?:is|was|falls)\b[^.?]*\b(?:today|tomorrow|yesterday)\W*$`)
	// saysYear finds a year in digits.
	saysYear = regexp.MustCompile(`\b(?:1[89]|20)\d\d\b`)
)

// Birthday takes the month and the day on which somebody was born, whatever the year, where
// the text asks for birthdays: in May, this week, today. Who was born in May was so in any year,
// where nobody was born this year.
func (g Rules) Birthday(q *tree.Query) {
	if q.Select == nil {
		return
	}
	q.Select.Where = tree.MapConds(q.Select.Where, func(c tree.Cond) tree.Cond { return g.InAnyYear(q.Select.From, c) })
	if birthdayNow.MatchString(g.Text) && q.Limit != nil && len(q.Order) == 1 && g.isMoment(q, q.Order[0].Expr) {
		q.Order, q.Limit = nil, nil
	}
}

// InAnyYear returns a condition on when somebody was born as one of any year, where the text means
// that, and otherwise the condition itself.
func (g Rules) InAnyYear(from []tree.Source, c tree.Cond) tree.Cond {
	isBirthday := ground.AsksBirthday.MatchString(g.Text) && !ground.PartyOf.MatchString(g.Text)
	p, ok := c.(tree.Period)
	column, isColumn := p.Expr.(tree.Column)
	id, known := g.View.ColumnOf(from, column)
	if !ok || !isColumn || !known || !isBirthday && !asksBorn.MatchString(g.Text) || saysYear.MatchString(g.Asked.Question.Text) {
		return c
	}
	born, ok := g.bornOf(g.View.Columns[id].Table)
	isOther := born != id && (!isBirthday || g.TimesNamed(id) > 0) || !isBirthday && !bornInMonth.MatchString(g.Text)
	if !ok || isOther || !g.View.Columns[born].Type.Temporal() || !isBirthday && g.View.Columns[born].Max >= p.From.Text {
		return c
	}
	if days, ok := everyYear(tree.Column{Source: column.Source, Name: g.View.Columns[born].Name}, p); ok {
		return days
	}
	return c
}

// everyYear returns the condition that a time is in a period of less than a year whatever the year
// is.
func everyYear(column tree.Column, p tree.Period) (tree.Cond, bool) {
	from, err := time.Parse(time.DateOnly, p.From.Text[:min(len(p.From.Text), len(time.DateOnly))])
	until, err2 := time.Parse(time.DateOnly, p.Until.Text[:min(len(p.Until.Text), len(time.DateOnly))])
	if err != nil || err2 != nil || !from.Before(until) || !until.Before(from.AddDate(1, 0, 0)) {
		return nil, false
	}
	var months []tree.Cond
	for begin := from; begin.Before(until); {
		next := time.Date(begin.Year(), begin.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		end := next
		if until.Before(next) {
			end = until
		}
		months = append(months, daysOfMonth(column, begin, end.AddDate(0, 0, -1), next.AddDate(0, 0, -1)))
		begin = next
	}
	if len(months) == 1 {
		return months[0], true
	}
	return tree.Or{Conds: months}, true
}

// daysOfMonth returns the condition that a time is in a month, from one day to another.
func daysOfMonth(column tree.Column, from, to, last time.Time) tree.Cond {
	number := func(n int) tree.Literal { return tree.Literal{Kind: tree.Number, Text: strconv.Itoa(n)} }
	day := tree.Call{Func: "day", Args: []tree.Expr{column}}
	all := []tree.Cond{tree.Compare{Op: tree.Equal, Left: tree.Call{Func: "month", Args: []tree.Expr{column}}, Right: number(int(from.Month()))}}
	switch {
	case from.Equal(to):
		all = append(all, tree.Compare{Op: tree.Equal, Left: day, Right: number(from.Day())})
	case from.Day() > 1 && to.Before(last):
		all = append(all, tree.Between{Expr: day, Low: number(from.Day()), High: number(to.Day())})
	case from.Day() > 1:
		all = append(all, tree.Compare{Op: tree.GreaterEq, Left: day, Right: number(from.Day())})
	case to.Before(last):
		all = append(all, tree.Compare{Op: tree.LessEq, Left: day, Right: number(to.Day())})
	}
	return tree.All(all...)
}
