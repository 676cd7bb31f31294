package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

var (
	// bareBound finds a number without a sign or a unit that rows are to be over or under: invoices
	// over 150, bookings of more than 1,000.
	bareBound = regexp.MustCompile(`(?i)\b(?P<what>[a-z]+) (?P<bound>(?:(?:of|for|worth) )?(?:over|under|above|below|exceeding|more than|less than|at least|at most|up to)) (?P<number>\d[\d,]*(?:\.\d+)?)(?P<behind>\W*$|[,;)]|\s+[a-z]+)`)
	// wholeSums are words of the names of columns that have what all of something comes to.
	wholeSums = []string{"total", "amount", "sum", "gross"}
)

// inBareBounds returns the bound of a text that no word says the column of as one of the money that
// rows come to, where they have one such column, the number is within it, and no other number of the
// rows can be meant: bookings over 1000 are those with a total over 1000.
func (r Rules) inBareBounds(text string) []english.Change {
	m, ok := english.Groups(bareBound, text)
	if !ok {
		return nil
	}
	behind := strings.ToLower(strings.TrimSpace(m.Text("behind")))
	number, err := strconv.ParseFloat(strings.ReplaceAll(m.Text("number"), ",", ""), 64)
	if err != nil || behind != "" && strings.Trim(behind, "abcdefghijklmnopqrstuvwxyz") == "" && !lex.Function(behind) {
		return nil
	}
	for table := range r.Whole.Tables {
		if r.Whole.Mention(m.Text("what"), table) < 0 {
			continue
		}
		sum, ok := r.sumOf(table, number)
		if !ok {
			return nil
		}
		start, _ := m.Span("bound")
		_, end := m.Span("number")
		return []english.Change{{Start: start, End: end, By: boundOf(sum, strings.ToLower(m.Text("bound")), m.Text("number"))}}
	}
	return nil
}

// boundOf returns a bound as one of a column: with an amount over 150.
func boundOf(c schema.Column, bound, number string) string {
	for _, before := range []string{"of ", "for ", "worth "} {
		bound = strings.TrimPrefix(bound, before)
	}
	if strings.HasPrefix(bound, "at ") || bound == "up to" {
		bound = "of " + bound
	}
	name := strings.Join(c.Words, " ")
	article := "a "
	if strings.ContainsRune("aeiou", rune(name[0])) {
		article = "an "
	}
	return "with " + article + name + " " + bound + " " + number
}

// sumOf returns the one column of money that the rows of a table come to, where a number is within
// it and within no other number of the rows; ok is false for people, who may be as old.
func (r Rules) sumOf(table int, number float64) (sum schema.Column, ok bool) {
	var all []schema.Column
	for _, id := range r.columnsIn(table) {
		c := r.Whole.Columns[id]
		if slices.ContainsFunc(c.Words, english.Births.Has) {
			return sum, false
		}
		if !c.Type.Numeric() || ground.IsNumbering(c) || !holdsNumber(c, number) || slices.ContainsFunc(c.Words, english.Dones.Has) {
			continue
		}
		if !slices.ContainsFunc(c.Words, english.Money.With(english.ListPrices).Has) {
			return sum, false
		}
		all = append(all, c)
	}
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(c schema.Column) bool {
			return !slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(wholeSums, w) })
		})
	}
	if len(all) != 1 || r.Whole.IsOfPeople(table) {
		return sum, false
	}
	return all[0], true
}

// columnsIn returns the columns of a table.
func (r Rules) columnsIn(table int) (all []int) {
	t := r.Whole.Tables[table]
	for id := t.First; id < t.First+t.Len; id++ {
		all = append(all, id)
	}
	return all
}

// holdsNumber reports whether a number is within the bounds of a column.
func holdsNumber(c schema.Column, number float64) bool {
	least, errLeast := strconv.ParseFloat(c.Min, 64)
	most, errMost := strconv.ParseFloat(c.Max, 64)
	return errLeast == nil && errMost == nil && least <= number && number <= most
}
