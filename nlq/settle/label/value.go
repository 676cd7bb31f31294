package label

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

var (
	// valueInUnit asks for an end of an order as a number: the heaviest thing, in kilos.
	valueInUnit = regexp.MustCompile(`(?i)^\W*what(?:'s|s| is| was| are| were)? (?:the|our|my) \w+est\b.*\bin (?P<unit>\w+)\W*$`)
	// largestAmount asks for the end of an order by what the rows are: amounts of money.
	largestAmount = regexp.MustCompile(`(?i)^\W*(?:what|how much)(?:'s|s| is| was)? (?:the|our|my) (?:single )?(?:largest|biggest|highest|smallest|lowest) (?:single |ever )?(?:payment|donation|gift|fee|bill|invoice|expense|sale|tip|deposit|fine|refund|order|purchase)\b(?: (?:we|i|you|anyone|anybody|somebody)\b.*| ever\b.*| so far\b.*)?\W*$`)
	// priceOfEnd asks what the dearest or the cheapest costs.
	priceOfEnd = regexp.MustCompile(`(?i)^\W*(?:(?:what|how much) (?:does|do|did)|how much (?:is|was)) (?:the|our|my) (?:most expensive|cheapest|dearest|priciest|least expensive)\b`)
)

// Value shows the number that rows are ordered by where the text asks for the number
// of the first, and the reading shows what that is called.
func (g Rules) Value(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || *q.Limit != 1 || len(q.Order) == 0 || len(s.Group) > 0 {
		return
	}
	by, ok := q.Order[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, by)
	isShown := slices.ContainsFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(by) })
	if !ok || !known || isShown || !g.View.Columns[id].Type.Numeric() {
		return
	}
	m, inUnit := english.Groups(valueInUnit, g.Text)
	if inUnit {
		inUnit = english.UnitNouns.Has(strings.ToLower(m.Text("unit")))
	}
	isAmount := g.IsMoney(id) && largestAmount.MatchString(g.Text)
	if inUnit || isAmount || priceOfEnd.MatchString(g.Text) {
		s.Items = []tree.Item{{Expr: by}}
	}
}
