package amount

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// Statements of accounts have what went out below zero and what came in above it, in one column.
var (
	// wentOut finds what speaks of money that went out.
	wentOut = regexp.MustCompile(`(?i)\b(?:spend(?:s|ings?)?|spent|expenses?|expenditures?|outgoings?|purchases?|bought|bills?|` +
		`costs?|costing|went (?:out|on|to|into)|cheap(?:er|est)|dear(?:er|est)|pric(?:ier|iest)|(?:most|least|more|less) expensive|` +
		`paid (?:to|for|out)|paid (?:by|in|with) (?:cards?|cash|cheques?|checks?|direct debits?|debit|credit|transfers?|standing orders?|phone|app))\b`)
	// wePay finds what we paid: what others paid may have come to us.
	wePay = regexp.MustCompile(`(?i)\b(?:we|i)\b[^?.!]{0,20}?\b(?:pay|paying|paid)\b`)
	// cameIn finds what speaks of money that came in.
	cameIn = regexp.MustCompile(`(?i)\b(?:incomes?|c[ao]m(?:e|es|ing) in|takings|took in|revenue|brought in|brings? in|` +
		`(?:we|i)\b[^?.!]{0,20}?\b(?:earn(?:ed)?|receiv(?:e|ed))|(?:pay|pays|paid|paying) (?:us|me|into))\b|\bpaid in\b[\s?.!]*$`)
	// bothWays finds what speaks of both together, or of what came back.
	bothWays = regexp.MustCompile(`(?i)\b(?:balance|net|left over|left|in and out|out and in|minus|difference|profit|loss|surplus|deficit|saved?|savings?|transfer(?:s|red)?|refund(?:s|ed)?|back|negative|positive|below zero|above zero|overall)\b`)
	// isPaid finds that somebody is paid, who may be of those that ask.
	isPaid = regexp.MustCompile(`(?i)\b(?:was|were|is|are|gets?|got|getting|been|being)\b[^?.!]{0,40}?\bpaid\b(?: (?P<away>to|for|by|with|out|from|in)\b)?`)
	// ledgerKinds are the values of a column that says itself what went out and what came in.
	ledgerKinds = []string{"income", "expense", "expenses", "spending", "in", "out", "debit", "credit", "incoming", "outgoing", "deposit", "withdrawal", "revenue", "cost"}
	// nets are words of the names of columns that come of what went out and came in.
	nets = []string{"balance", "profit", "net", "margin", "change", "difference", "gain", "loss", "result", "saldo"}
	// ofOneWay are words of the names of columns whose sign says something else: a cost below zero came back.
	ofOneWay = []string{"cost", "costs", "spend", "spent", "spending", "expense", "expenses", "bill", "price", "paid", "pay", "fee", "fees", "charge", "charged"}
)

// zero is where what goes out and what comes in meet.
var zero = tree.Literal{Kind: tree.Number, Text: "0"}

// Signed takes the amounts below zero, without their sign, where the text speaks of what was
// spent and one column has what went out below zero and what came in above it; and those above
// zero where it speaks of what came in.
func (g Rules) Signed(q *tree.Query) {
	out, in := g.asksWay()
	if out == in {
		return
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		amount, ok := g.signedAmount(q.Select.From)
		if !ok || !ground.UsesColumn(q, amount) || testsSign(q, amount) {
			return
		}
		op := tree.Greater
		if out {
			op = tree.Less
			withoutSign(q, amount)
		}
		q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: op, Left: amount, Right: zero})...)
	})
}

// asksWay reports whether a text speaks of money that went out, and of money that came in.
func (g Rules) asksWay() (out, in bool) {
	if bothWays.MatchString(g.Text) {
		return false, false
	}
	rest := cameIn.ReplaceAllString(g.Text, " ")
	if m, ok := english.Groups(isPaid, rest); ok && !m.Has("away") {
		return false, false
	}
	return wentOut.MatchString(rest) || wePay.MatchString(rest), len(rest) != len(g.Text)
}

// signedAmount returns the one column of money among some sources that has what went out below
// zero and what came in above it, where no other column says which is which.
func (g Rules) signedAmount(from []tree.Source) (amount tree.Column, ok bool) {
	n := 0
	for _, source := range from {
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			if g.IsMoney(id) && ground.IsAdditive(c) && isSigned(c) && !g.saysWays(c.Table) {
				amount, n = tree.Column{Source: source.Ref(), Name: c.Name}, n+1
			}
		}
	}
	return amount, n == 1
}

// isSigned reports whether the numbers of a column are below zero as well as above it, as those of
// a statement are, where most of what is booked went out: unlike sales, some of which were given
// back, and cards, whose purchases are above zero.
func isSigned(c schema.Column) bool {
	isOther := func(w string) bool { return slices.Contains(nets, w) || slices.Contains(ofOneWay, w) }
	if c.Values == nil || slices.ContainsFunc(c.Words, isOther) {
		return false
	}
	least, greatest, ok := c.Values.Range()
	if !ok || least >= 0 || greatest <= 0 {
		return false
	}
	below := 0
	for _, v := range c.Values.All() {
		if strings.HasPrefix(v, "-") {
			below++
		}
	}
	return 2*below > c.Values.Len()
}

// saysWays reports whether a column of kinds of a table says what went out and what came in.
func (g Rules) saysWays(table int) bool {
	const most = 6
	return slices.ContainsFunc(g.View.Columns, func(c schema.Column) bool {
		return c.Table == table && c.Type == quern.Text && c.Values != nil && c.Values.Len() <= most &&
			slices.ContainsFunc(c.Values.All(), func(v string) bool { return slices.Contains(ledgerKinds, strings.ToLower(v)) })
	})
}

// testsSign reports whether a query compares a column with zero or with a number below it, or does
// without its sign already.
func testsSign(q *tree.Query, amount tree.Column) (found bool) {
	isBelow := func(e tree.Expr) bool {
		l, ok := e.(tree.Literal)
		return ok && l.Kind == tree.Number && (strings.HasPrefix(l.Text, "-") || l.Text == zero.Text)
	}
	tree.EachCond(q, func(c tree.Cond) {
		switch c := c.(type) {
		case tree.Compare:
			found = found || ground.Tests(c, amount) && (isBelow(c.Right) || isBelow(c.Left))
		case tree.Between:
			found = found || ground.Tests(c, amount) && isBelow(c.Low)
		}
	})
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		call, ok := e.(tree.Call)
		found = found || ok && call.Func == "abs"
		return e
	})
	return found
}

// withoutSign takes a column without its sign wherever a query reckons with it, compares it or
// sorts by it. What is only shown, counted or known is as it is.
func withoutSign(q *tree.Query, amount tree.Column) {
	bare := tree.Call{Func: "abs", Args: []tree.Expr{amount}}
	shown := slices.Clone(q.Select.Items)
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if column, ok := e.(tree.Column); ok && column == amount {
			return bare
		}
		return e
	})
	for i, item := range shown {
		if column, ok := item.Expr.(tree.Column); ok && column == amount {
			q.Select.Items[i] = item
		}
	}
}

// NoteSigned says which amounts were taken for what was spent, or for what came in.
func NoteSigned(r *ground.Asked, t *nlq.Translation) {
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		is, ok := c.(tree.Compare)
		column, isColumn := is.Left.(tree.Column)
		if !ok || !isColumn || is.Right != tree.Expr(zero) || !isSignedIn(r, from, column) {
			return ""
		}
		name := strings.ToLower(english.Spaced(column.Name))
		switch is.Op {
		case tree.Less:
			return fmt.Sprintf("What was spent is the %s below zero, without the sign.", name)
		case tree.Greater:
			return fmt.Sprintf("What came in is the %s above zero.", name)
		}
		return ""
	})
}

// isSignedIn reports whether a column of some sources has numbers below and above zero, as those of
// a statement are.
func isSignedIn(r *ground.Asked, from []tree.Source, column tree.Column) bool {
	id, known := r.Whole.ColumnOf(from, column)
	return known && isSigned(r.Whole.Columns[id])
}
