package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// pricePer is how one asks what one of something came to.
var pricePer = regexp.MustCompile(`(?i)\b(?P<price>prices?|costs?) (?:per|for each|for every) (?P<of>\w+)\b`)

// inPrices returns the price of a text that is one per something as the name of the one column of
// money beside the amounts of that, where none is called a price or a cost: the price per litre is
// the total per litre.
func (r *reader) inPrices(text string) []english.Change {
	m, ok := english.Groups(pricePer, text)
	if !ok {
		return nil
	}
	amount, ok := r.oneAmountNamed(m.Text("of"))
	if !ok {
		return nil
	}
	var money []schema.Column
	for _, c := range r.whole.Columns {
		if c.Table != amount.Table || !c.Type.Numeric() {
			continue
		}
		if slices.ContainsFunc(c.Words, english.ListPrices.Has) {
			return nil
		}
		if isAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has) {
			money = append(money, c)
		}
	}
	if len(money) != 1 || money[0].Name == amount.Name {
		return nil
	}
	start, end := m.Span("price")
	return []english.Change{{Start: start, End: end, By: strings.Join(money[0].Words, " ")}}
}

// oneAmountNamed returns the one column of amounts, other than money, whose name is a word.
func (r *reader) oneAmountNamed(word string) (amount schema.Column, ok bool) {
	n := 0
	for _, c := range r.whole.Columns {
		if isAdditive(c) && len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(strings.ToLower(word)) && !english.Money.Has(c.Words[0]) {
			amount, n = c, n+1
		}
	}
	return amount, n == 1
}
