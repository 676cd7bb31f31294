package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
)

var (
	// pricePer is how one asks what one of something came to.
	pricePer = regexp.MustCompile(`(?i)\b(?P<price>prices?|costs?) (?:per|for each|for every) (?P<of>\w+)\b`)
	// payFor asks the same by what is paid for one.
	payFor = regexp.MustCompile(`(?i)\b(?:what|how much) (?:do|did|does|have|are) (?:we|i|they|you) (?:pay|paid|paying)(?: on average)? (?:for|per) (?:a|an|each|one|every)? ?(?P<of>\w+)\b`)
	// onAverage says that of a number.
	onAverage = regexp.MustCompile(`(?i),? on average\b`)
)

// inPrices returns the price of a text that is one per something as the name of the one column of
// money beside the amounts of that, where none is called a price or a cost: the price per litre is
// the total per litre.
func (r Rules) inPrices(text string) []english.Change {
	said := "price"
	m, ok := english.Groups(pricePer, text)
	if !ok {
		if m, ok = english.Groups(payFor, text); !ok {
			return nil
		}
		said = ""
	}
	amount, ok := r.oneAmountNamed(m.Text("of"))
	if !ok {
		return nil
	}
	money, ok := r.onlyMoneyBeside(amount, said != "")
	if !ok {
		return nil
	}
	start, end := m.Span(said)
	by := strings.Join(money.Words, " ")
	if said != "" {
		return []english.Change{{Start: start, End: end, By: by}}
	}
	changes := []english.Change{{Start: start, End: end, By: "what is the " + by + " per " + m.Text("of")}}
	if at := onAverage.FindStringIndex(text[end:]); at != nil { // as the price of one is
		changes = append(changes, english.Change{Start: end + at[0], End: end + at[1]})
	}
	return changes
}

// onlyMoneyBeside returns the one column of money of rows beside an amount of theirs. ok is false where
// there are several, or prices of one: where those are asked for by name, costs may be.
func (r Rules) onlyMoneyBeside(amount schema.Column, byName bool) (money schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		if c.Table != amount.Table || !c.Type.Numeric() {
			continue
		}
		if byName && slices.ContainsFunc(c.Words, english.ListPrices.Has) || slices.ContainsFunc(c.Words, english.UnitPrices.Has) {
			return money, false
		}
		if ground.IsAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has) {
			money, n = c, n+1
		}
	}
	return money, n == 1 && money.Name != amount.Name
}

// oneAmountNamed returns the one column of amounts, other than money, whose name is a word.
func (r Rules) oneAmountNamed(word string) (amount schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		if ground.IsAdditive(c) && len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(strings.ToLower(word)) && !english.Money.Has(c.Words[0]) {
			amount, n = c, n+1
		}
	}
	return amount, n == 1
}
