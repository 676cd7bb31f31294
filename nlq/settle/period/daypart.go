package period

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// partOfWeekday is how one names a part of a day of the week: Friday afternoon.
var partOfWeekday = regexp.MustCompile(`(?i)\b(?P<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\s+(?P<part>morning|afternoon|evening)s?\b`)

// DayPart holds rows to a part of a day of the week that the text names, where the
// day and the time of day are columns of their own, whatever the reading makes of the words.
func (g Rules) DayPart(q *tree.Query) {
	m, ok := english.Groups(partOfWeekday, g.Text)
	if !ok || q.Select == nil || len(q.Select.From) == 0 {
		return
	}
	source := q.Select.From[0]
	var day, clock []tree.Column
	for _, id := range g.View.ColumnsOf(source) {
		c := g.View.Columns[id]
		column := tree.Column{Source: source.Ref(), Name: c.Name}
		switch {
		case c.Type == quern.Date:
			day = append(day, column)
		case c.HoldsClocks():
			clock = append(clock, column)
		}
	}
	from, until, isPart := lex.Clock(m.Text("part"))
	if len(day) == 0 || len(clock) != 1 || !isPart {
		return
	}
	conds := slices.DeleteFunc(slices.Clone(tree.Conjuncts(q.Select.Where)), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		call, isCall := compare.Left.(tree.Call)
		return ok && (compare.Left == tree.Expr(clock[0]) || isCall && call.Func == "dayname")
	})
	name := strings.ToUpper(m.Text("day")[:1]) + strings.ToLower(m.Text("day")[1:])
	text := func(s string) tree.Literal { return tree.Literal{Kind: tree.Text, Text: s} }
	q.Select.Where = tree.All(append(conds,
		tree.Compare{Op: tree.Equal, Left: tree.Call{Func: "dayname", Args: []tree.Expr{day[0]}}, Right: text(name)},
		tree.Compare{Op: tree.GreaterEq, Left: clock[0], Right: text(from)},
		tree.Compare{Op: tree.Less, Left: clock[0], Right: text(until)})...)
}
