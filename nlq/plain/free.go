package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// freeThings, areFree and forFree are how one says that something costs nothing.
var (
	freeThings = regexp.MustCompile(`(?i)\bfree (?P<thing>\w{3,})\b`)
	areFree    = regexp.MustCompile(`(?i)\b(?:is|are|was|were) free(?: of charge)?(?:$|\W*$| (?:to|for)\b)`)
	forFree    = regexp.MustCompile(`(?i)\b(?:for free|free of charge)\b`)
)

// inFree returns the words of a text by which something costs nothing, as a price of 0, where one
// column of the dataset that it names has such prices and nothing in the data is called free.
func (r Rules) inFree(text string) []english.Change {
	if !strings.Contains(strings.ToLower(text), "free") || r.IsOfData("free") {
		return nil
	}
	price, ok := r.priceOfNothing(text)
	if !ok {
		return nil
	}
	with := "with a " + strings.Join(price.Words, " ") + " of 0"
	if m, ok := english.Groups(freeThings, text); ok && r.Whole.Mention(m.Text("thing"), price.Table) >= 0 {
		start, end := m.Span("")
		return []english.Change{{Start: start, End: end, By: m.Text("thing") + " " + with}}
	}
	if at := areFree.FindStringIndex(text); at != nil {
		return []english.Change{{Start: at[0], End: at[0] + strings.Index(strings.ToLower(text[at[0]:]), "free") + len("free"), By: "have a" + strings.TrimPrefix(with, "with a")}}
	}
	if at := forFree.FindStringIndex(text); at != nil {
		return []english.Change{{Start: at[0], End: at[1], By: with}}
	}
	return nil
}

// priceOfNothing returns the one column of what something costs, in the datasets that a text
// names, by which some cost nothing.
func (r Rules) priceOfNothing(text string) (price schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		least, err := strconv.ParseFloat(c.Min, 64)
		isPrice := c.Type.Numeric() && slices.ContainsFunc(c.Words, english.Money.Has)
		if isPrice && err == nil && least == 0 && r.Whole.Mention(text, c.Table) >= 0 {
			price, n = c, n+1
		}
	}
	return price, n == 1
}
