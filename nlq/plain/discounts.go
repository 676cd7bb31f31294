package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// discountsSaid are the discounts, whichever.
const discountsSaid = `(?:the |any |all |all the )?(?:discounts?|rebates?)`

var (
	// beforeDiscounts says of an amount that no discount is taken off.
	beforeDiscounts = regexp.MustCompile(`(?i)(?:(?P<of>[a-z]+) )?\b(?P<said>(?P<how>before|without|excluding|exclusive of|leaving out|not counting|not including|ignoring|leaving aside|disregarding) ` + discountsSaid +
		`(?: (?:is|are|was|were|has been|have been|being) (?:taken off|deducted|subtracted|applied|given))?)\b`)
	// ofRows are words before without by which rows have no discount.
	ofRows = regexp.MustCompile(`(?i)^(?:those|ones?|people|everyone|everybody|anyone|somebody|someone|is|are|was|were|been|came|come|that|who|given|sold|booked|taken|held|made|bought|ordered)$`)
	// takenOff are words of the names of columns of amounts that the discount may be taken off from already.
	takenOff = []string{"total", "net", "paid", "due", "final", "payable", "received", "balance", "charged", "discounted", "cost", "vat", "tax", "deposit"}
)

// inDiscounts returns the words of a text by which an amount is before the discounts as the name of
// the one column of amounts beside that of the discounts. Rows that have no discount are others.
func (r Rules) inDiscounts(text string) []english.Change {
	m, ok := english.Groups(beforeDiscounts, text)
	if !ok || !ofAmounts.MatchString(text) {
		return nil
	}
	amount, ok := r.amountBeforeDiscount()
	isOfRows := strings.EqualFold(m.Text("how"), "without") && (r.Whole.MentionsTable(m.Text("of")) || ofRows.MatchString(m.Text("of")))
	if !ok || isOfRows {
		return nil
	}
	start, end := m.Span("said")
	return []english.Change{{Start: start, End: end, By: "in " + strings.Join(amount.Words, " ")}}
}

// amountBeforeDiscount returns the one column of amounts beside the one column of discounts of the datasets,
// which are what they are before it.
func (r Rules) amountBeforeDiscount() (amount schema.Column, ok bool) {
	isDiscount := func(c schema.Column) bool {
		return c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return w == "discount" || w == "disc" || w == "rebate" })
	}
	at := slices.IndexFunc(r.Whole.Columns, isDiscount)
	if at < 0 || slices.ContainsFunc(r.Whole.Columns[at+1:], isDiscount) {
		return amount, false
	}
	var amounts []schema.Column
	for _, id := range r.columnsIn(r.Whole.Columns[at].Table) {
		c := r.Whole.Columns[id]
		isMoney := slices.ContainsFunc(c.Words, english.Money.With(english.ListPrices).Has)
		switch {
		case id == at || !c.Type.Numeric():
		case slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(takenOff, w) }), slices.ContainsFunc(c.Words, english.Quantities.Has):
			return amount, false
		case isMoney:
			amounts = append(amounts, c)
		}
	}
	if len(amounts) != 1 {
		return amount, false
	}
	return amounts[0], true
}
