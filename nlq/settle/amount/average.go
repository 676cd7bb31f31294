package amount

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

// overAverage compares rows of a kind with the average of that kind: than the average van.
var overAverage = regexp.MustCompile(`(?i)\bthan (?:the|an|our|a) (?:average|typical) (?P<kind>\w+)`)

// Average takes the average that rows are compared with over the kind that the text names,
// where a reading holds the rows to it and takes the average of all.
func (g Rules) Average(q *tree.Query) {
	m, ok := english.Groups(overAverage, g.Text)
	if !ok || q.Select == nil {
		return
	}
	all := tree.Conjuncts(q.Select.Where)
	at := slices.IndexFunc(all, func(c tree.Cond) bool {
		is, isCompare := c.(tree.Compare)
		value, isLiteral := is.Right.(tree.Literal)
		return isCompare && isLiteral && is.Op == tree.Equal && value.Kind == tree.Text && english.Stem(strings.ToLower(value.Text)) == english.Stem(strings.ToLower(m.Text("kind")))
	})
	if at < 0 {
		return
	}
	kind := all[at].(tree.Compare)
	of, isColumn := kind.Left.(tree.Column)
	if !isColumn {
		return
	}
	for _, c := range all {
		over, isCompare := c.(tree.Compare)
		nested, isQuery := over.Right.(tree.Subquery)
		if !isCompare || !isQuery || nested.Query.Select == nil || nested.Query.Select.Where != nil || len(nested.Query.Select.From) != 1 {
			continue
		}
		inner := nested.Query.Select
		if !slices.ContainsFunc(q.Select.From, func(s tree.Source) bool { return s.Ref() == of.Source && s.Dataset == inner.From[0].Dataset }) {
			continue
		}
		own := kind
		own.Left = tree.Column{Source: inner.From[0].Ref(), Name: of.Name}
		inner.Where = own
	}
}

// averageDeal asks for the average of deals, which is one of their money.
var averageDeal = regexp.MustCompile(`(?i)\baverage (?:sale|order|purchase|transaction|receipt|bill|invoice|basket|donation|gift)\b(?: value| amount| price)?(?P<end>\W*$|\W+(?:is|was|by|per|in|for|on|at|from|of|bigger|larger|higher|smaller|lower|online)\b)`)

// AverageDeal averages the money of deals where the text asks for the average of those, and the
// reading averages another number that no word names: the average sale is no average of pieces.
func (g Rules) AverageDeal(q *tree.Query) {
	if q.Select == nil || len(q.Select.From) != 1 || !averageDeal.MatchString(g.Text) {
		return
	}
	money, ok := g.moneyOf(q.Select.From[0])
	if !ok {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		column, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if ok && isColumn && known && a.Func == tree.Avg && g.TimesNamed(id) == 0 && !g.IsMoney(id) {
			a.Arg = money
		}
		if ok {
			return a
		}
		return e
	})
}
