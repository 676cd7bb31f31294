package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// makesOnEach asks what is left of the price of one thing when its cost is paid.
var makesOnEach = regexp.MustCompile(`(?i)\bhow much (?:profit |money )?(?:do|did|would|does) (?:we|i|it|the \w+) (?:make|earn|clear)(?: in profit)? (?:on|from|per) (?:(?:each|every|a|an|one) (?:(?:copy|piece|unit|one|item|bottle|box|pack) (?:of )?)?)?`)

// inMargins returns the words of a text that ask for what is made on each of something, as its
// price less its cost, where one dataset has both and no column for what is left.
func (r Rules) inMargins(text string) []english.Change {
	at := makesOnEach.FindStringIndex(text)
	if at == nil || r.IsOfData("profit") || r.IsOfData("margin") {
		return nil
	}
	price, cost, ok := r.priceAndCost()
	if !ok {
		return nil
	}
	by := "what is the " + strings.Join(price.Words, " ") + " minus the " + strings.Join(cost.Words, " ") + " of "
	return []english.Change{{Start: at[0], End: at[1], By: by}}
}

// priceAndCost returns what one thing is sold for and what it costs, of the one dataset that has one
// column for each.
func (r Rules) priceAndCost() (price, cost schema.Column, ok bool) {
	n := 0
	for _, t := range r.Whole.Tables {
		var prices, costs []schema.Column
		for _, c := range r.Whole.Columns[t.First : t.First+t.Len] {
			switch {
			case !c.Type.Numeric():
			case slices.Contains(c.Words, "cost"):
				costs = append(costs, c)
			case slices.ContainsFunc(c.Words, english.UnitPrices.Has):
				prices = append(prices, c)
			}
		}
		if len(prices) == 1 && len(costs) == 1 {
			price, cost, n = prices[0], costs[0], n+1
		}
	}
	return price, cost, n == 1
}
