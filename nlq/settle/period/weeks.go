package period

import (
	"slices"
	"strconv"
	"strings"

	"quern/nlq/lex"
	"quern/tree"
)

// Weeks compares a column of days with days where the text says a number of weeks: within
// two weeks is within 14 days.
func (g Rules) Weeks(q *tree.Query) {
	if q.Select == nil {
		return
	}
	q.Select.Where = tree.MapConds(q.Select.Where, func(c tree.Cond) tree.Cond {
		compare, ok := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		number, isLiteral := compare.Right.(tree.Literal)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !isColumn || !isLiteral || !known || number.Kind != tree.Number || !slices.Contains(g.View.Columns[id].Words, "days") || !g.saysWeeks(number.Text) {
			return c
		}
		n, err := strconv.Atoi(number.Text)
		if err != nil {
			return c
		}
		const week = 7 // days
		number.Text = strconv.Itoa(week * n)
		compare.Right = number
		return compare
	})
}

// saysWeeks reports whether the text says so many weeks.
func (g Rules) saysWeeks(number string) bool {
	tokens := g.Features.Tokens
	for i := 1; i < len(tokens); i++ {
		said, ok := lex.Number(tokens[i-1].Text)
		if unit := strings.ToLower(tokens[i].Text); ok && said == number && (unit == "week" || unit == "weeks") {
			return true
		}
	}
	return false
}
