package follow

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// asksDebt asks what the rows before have not paid yet: "what do they still owe?".
var asksDebt = regexp.MustCompile(`^` + openers + `(?:what|how much) (?:do|does|did|is|are|was) ` + them + ` (?:still )?(?:owe|owing|owed|left to pay)(?: us)?$|` +
	`^` + openers + `(?:what|how much) (?:is|was)(?: still)? (?:owed|outstanding|unpaid|left to pay|open)$`)

// askDebt shows what is left of what each row costs when what was paid is taken from it, or adds that
// up where the query before adds up.
func askDebt(e *editor) bool {
	s := e.query.Select
	if !asksDebt.MatchString(e.text) || s.Distinct && len(s.From) > 1 || len(s.Group) > 0 || s.Having != nil {
		return false
	}
	whole, paid, ok := e.debt()
	if many, counted := countedSource(e.view, s); !ok || !counted || many.Ref() != whole.Source {
		return false // the amounts would be there more than once
	}
	rest := tree.Arith{Op: '-', Left: whole, Right: tree.Call{Func: tree.Coalesce, Args: []tree.Expr{paid, tree.Literal{Kind: tree.Number, Text: "0"}}}}
	if e.oneRow() {
		return len(s.Items) == 1 && e.showOne(tree.Aggregate{Func: tree.Sum, Arg: rest})
	}
	s.Items = append(s.Items, tree.Item{Expr: rest})
	return true
}

// debt returns what rows of the query cost, and what was paid of it: the only other amount of a table
// that has one which says what was paid.
func (e *editor) debt() (whole, paid tree.Column, ok bool) {
	isPaid := func(c schema.Column) bool {
		_, _, isTruth := c.Truth()
		isFlag := isTruth || c.Max == "1" && c.Distinct <= 2
		return c.Type.Numeric() && !isFlag && (slices.Contains(c.Words, "paid") || slices.Contains(c.Words, "received")) &&
			!slices.ContainsFunc(c.Words, func(w string) bool { return english.PeriodUnits.Has(english.Singular(w)) })
	}
	parts := e.columnsThat(isPaid)
	if len(parts) != 1 {
		return whole, paid, false
	}
	wholes := e.columnsThat(func(c schema.Column) bool {
		return isMoney(c) && !isPaid(c) && c.Unit != "%" && !slices.ContainsFunc(c.Words, english.UnitPrices.Has)
	})
	wholes = slices.DeleteFunc(wholes, func(c tree.Column) bool { return c.Source != parts[0].Source })
	if len(wholes) != 1 {
		return whole, paid, false
	}
	return wholes[0], parts[0], true
}
