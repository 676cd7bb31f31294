package plain

import (
	"regexp"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

var (
	// inStock says of things that there are some of them.
	inStock = regexp.MustCompile(`(?i)(?:\b(?:that|which) (?:we(?: have|['’]ve)?|i(?: have|['’]ve)?|you(?: have|['’]ve)?) (?:(?:still|currently|actually|now) )?(?:got |have )?)?(?P<are>\b(?:is|are) )?\b(?:(?:still|currently|actually|now) )*(?P<stock>in stock|on hand)\b`)
	// soldOut says that there are none left.
	soldOut = regexp.MustCompile(`(?i)(?P<are>\b(?:is|are|has|have|had|was|were) )?\b(?:(?:currently|already|now|completely|all) )*(?P<stock>out of stock|sold out|none left|not in stock)\b`)
	// haveMore says how many there are of what it lists: which do we have more than 50 of.
	haveMore = regexp.MustCompile(`(?i)\b(?:(?:that |which )?(?:do )?(?:we|i|you)(?: still)? have(?: got)?|are there|there are) (?P<bound>more than|less than|fewer than|over|under|at least|at most|only) (?P<number>\d+)(?: (?:of|left|in stock))?[\s?.!]*$`)
	// asksStock asks how many there are, or whether there are any.
	asksStock = regexp.MustCompile(`(?i)\b(?:how (?:many|much)|number|total|value|worth|average|sum|amount|most|least|fewest|more|less|fewer)\b|^\W*(?:is|are|do|does|did|has|have|was|were)\b`)
)

// inStocks returns the words of a text by which there are some of what it lists, or none, as a
// count above 0, or of 0, where one column of the datasets says how many there are and nothing in
// the data is called so.
func (r Rules) inStocks(text string) []english.Change {
	if m, ok := english.Groups(haveMore, text); ok {
		if stock, ok := r.stockIn(text); ok {
			start, end := m.Span("")
			bound := strings.Replace(strings.ToLower(m.Text("bound")), "only", "of", 1)
			return []english.Change{{Start: start, End: end, By: "with a " + strings.Join(stock.Words, " ") + " " + bound + " " + m.Text("number")}}
		}
	}
	form, bound := soldOut, " of 0"
	m, ok := english.Groups(form, text)
	if !ok {
		form, bound = inStock, " above 0"
		m, ok = english.Groups(form, text)
	}
	if !ok || form == inStock && asksStock.MatchString(text) || r.Whole.HasValue(strings.ToLower(m.Text("stock"))) {
		return nil
	}
	stock, ok := r.stockIn(text)
	if !ok {
		return nil
	}
	verb := "with"
	if m.Text("are") != "" {
		verb = "have"
	}
	start, end := m.Span("")
	return []english.Change{{Start: start, End: end, By: verb + " a " + strings.Join(stock.Words, " ") + bound}}
}

// stockIn returns the one column that says how many there are of things now, of the datasets that
// a text names, or of all.
func (r Rules) stockIn(text string) (stock schema.Column, ok bool) {
	var named, all []schema.Column
	for _, c := range r.Whole.Columns {
		if !c.CountsStock() {
			continue
		}
		all = append(all, c)
		if r.Whole.Mention(text, c.Table) >= 0 {
			named = append(named, c)
		}
	}
	if len(named) == 0 {
		named = all
	}
	if len(named) != 1 {
		return stock, false
	}
	return named[0], true
}
