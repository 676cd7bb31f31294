package prose

import (
	"fmt"
	"strings"

	"quern"
	"quern/english"
	"quern/tree"
)

// isTop reports whether the rows are the first few by some value, each with a
// name: "the three products with the highest price".
func (t *Table) isTop() bool {
	if !t.plain || t.Query.Limit == nil || t.phrase.Order == "" || t.Query.Select.Distinct || len(t.Query.Order) > 2 {
		return false
	}
	if len(t.Rows) > listedValues || t.step.Truncated || len(t.phrase.Values) != len(t.Columns) {
		return false
	}
	name, measure := t.nameAndMeasure()
	unmeasured := len(t.Columns) == 2 && measure < 0
	if name < 0 || len(t.Columns) > 2 || unmeasured {
		return false
	}
	for i := range t.Rows {
		if len(t.proseValue(i, name)) > listedLength {
			return false
		}
	}
	return len(t.phrase.Groups) < 2
}

// nameAndMeasure returns the column that names rows and the one they are sorted by; -1
// where there is none.
func (t *Table) nameAndMeasure() (name, measure int) {
	name, measure = -1, -1
	for i, v := range t.phrase.Values {
		switch {
		case v.Name == "":
			return -1, -1
		case v.Sorts:
			measure = i
		case t.standsForGroup(i):
			name = i
		case v.Func != "":
		case len(t.phrase.Groups) > 0 && !v.Group:
		case name < 0:
			name = i
		}
	}
	return name, measure
}

// standsForGroup reports whether a value is one that stands for a group of rows that
// belong to one row of a dataset: a column of the dataset whose key groups them, going
// by the key's name: "id", "customer id", "member no".
func (t *Table) standsForGroup(i int) bool {
	a, ok := t.Query.Select.Items[i].Expr.(tree.Aggregate)
	c, column := a.Arg.(tree.Column)
	if !ok || !column || a.Func != tree.Any || len(t.Query.Select.Group) != 1 {
		return false
	}
	group, ok := t.Query.Select.Group[0].(tree.Column)
	words := strings.Fields(strings.ToLower(english.Spaced(group.Name)))
	if last := len(words) - 1; !ok || last < 0 || !english.GenericNames.Has(words[last]) {
		return false
	}
	thing := strings.Join(words[:len(words)-1], " ")
	own := thing == "" && group.Source == c.Source
	return own || thing == strings.ToLower(Noun(t.datasetOf(c), 1))
}

// datasetOf names the dataset that a column is of.
func (t *Table) datasetOf(c tree.Column) string {
	for _, source := range t.Query.Select.From {
		if source.Ref() == c.Source {
			return english.DatasetNoun(source.Dataset.Dataset)
		}
	}
	return t.phrase.Noun
}

// answerTop answers with the first few.
func (t *Table) answerTop() string {
	name, measure := t.nameAndMeasure()
	all := make([]string, len(t.Rows))
	for i := range t.Rows {
		all[i] = t.proseValue(i, name)
		if measure >= 0 {
			all[i] += " (" + t.proseValue(i, measure) + ")"
		}
	}
	n := int64(len(t.Rows))
	who := t.topRows(name, n)
	if n == 1 {
		return fmt.Sprintf("The %s is %s.", who, all[0])
	}
	return fmt.Sprintf("The %s are %s.", who, english.List(all, "and"))
}

// topRows names the first n: "3 products with the highest price", "status with the
// most orders", "city of the 3 customers with the largest balance".
func (t *Table) topRows(name int, n int64) string {
	v := t.phrase.Values[name]
	measure := t.topMeasure()
	count := ""
	if n > 1 {
		count = Count(n) + " "
	}
	if len(t.phrase.Groups) > 0 {
		which := ""
		if things := t.countedThings(); things != "" && things != t.phrase.Noun {
			which = t.phrase.Conditions
		}
		return count + Escape(t.groupNoun(name, n)+which) + measure
	}
	rows := count + t.rowsWithConditions(n) + measure
	switch {
	case t.isLabel(name) && !t.phrase.Joined || t.isOwnLabel(name):
		return rows
	case n == 1:
		return Escape(v.Name) + " of the " + rows
	}
	return Escape(severalValues(v)) + " of the " + rows
}

// isOwnLabel reports whether a column is what the rows of the first dataset are called.
func (t *Table) isOwnLabel(column int) bool {
	c, ok := t.Query.Select.Items[column].Expr.(tree.Column)
	return ok && t.isLabel(column) && c.Source == t.Query.Select.From[0].Ref()
}

// groupNoun names n groups by what they are of: the rows of a dataset that a column
// stands for, or the column.
func (t *Table) groupNoun(name int, n int64) string {
	v := t.phrase.Values[name]
	if c, ok := columnIn(t.Query.Select.Items[name].Expr); ok {
		of := t.datasetOf(c)
		if isCountable(of) && isLabelOf(of, v.Bare) {
			return Noun(of, n)
		}
	}
	if _, part := t.Query.Select.Items[name].Expr.(tree.Call); part && v.Bare != "" {
		v.Name = v.Bare // the month, whatever of
	}
	switch {
	case n == 1:
		return oneValue(v)
	case isCountable(v.Name) && oneValue(v) == v.Name:
		return Noun(v.Name, n)
	}
	return "values of " + v.Name
}

// columnIn returns the column that a value is, or that stands for a group.
func columnIn(e tree.Expr) (c tree.Column, ok bool) {
	if a, isAggregate := e.(tree.Aggregate); isAggregate && a.Func == tree.Any {
		e = a.Arg
	}
	c, ok = e.(tree.Column)
	return c, ok
}

// topMeasure says in which way the first rows are first: " with the most orders".
func (t *Table) topMeasure() string {
	order := t.Query.Order[0]
	if things := t.countedThings(); things != "" {
		if things == t.phrase.Noun {
			things += t.phrase.Conditions
		}
		return " with the " + t.place() + chosen(order.Desc, "most ", "fewest ") + Escape(things)
	}
	if values, ok := strings.CutPrefix(t.phrase.Order, "number of "); ok {
		most := " with the " + t.place() + chosen(order.Desc, "most ", "fewest ") + Escape(values)
		if t.phrase.OrderFunc == "" {
			return most // of the row itself
		}
		return most + " of " + t.uncountedRows()
	}
	name, measure := t.nameAndMeasure()
	isText, isTime := t.orderedByText(measure), measure >= 0 && t.Columns[measure].Type.Temporal()
	switch {
	case isText:
		return " whose " + Escape(t.phrase.Order) + " comes " + t.place() + chosen(order.Desc, "last", "first") + " in the alphabet"
	case isTime && t.phrase.Values[measure].Func == "":
		return " with the " + t.place() + chosen(order.Desc, "latest ", "earliest ") + Escape(english.TimeNoun(t.phrase.Order))
	case isTime:
		return " with the " + t.place() + chosen(order.Desc, "latest ", "earliest ") + Escape(t.phrase.Order)
	}
	text := " with the " + t.place() + t.extreme() + Escape(t.phrase.Order)
	if len(t.phrase.Groups) > 0 && !t.standsForGroup(name) && !t.isOwnLabel(name) {
		text += " of " + t.uncountedRows()
	}
	return text
}

// place says which of the rows in their order the first one is that is shown: "second ".
func (t *Table) place() string {
	if t.Query.Offset == 0 {
		return ""
	}
	return english.Ordinal(t.Query.Offset+1) + " "
}

// countedThings are what groups are sorted by the number of; empty when they are sorted
// by something else.
func (t *Table) countedThings() string {
	name, _ := t.nameAndMeasure()
	if t.phrase.OrderThings == "rows" && t.phrase.Beside != "" && t.standsForGroup(name) {
		return t.phrase.Beside // each row has another of them
	}
	return t.phrase.OrderThings
}

// extreme is the word for the end of an order of numbers: prices are high, lengths
// large, hours many.
func (t *Table) extreme() string {
	desc, words := t.Query.Order[0].Desc, strings.Fields(strings.ToLower(t.phrase.Order))
	switch n := len(words); {
	case n > 0 && english.HighOrLow.Has(words[n-1]):
		return chosen(desc, "highest ", "lowest ")
	case n > 0 && english.Singular(words[0]) != words[0]:
		return chosen(desc, "most ", "fewest ")
	}
	return chosen(desc, "largest ", "smallest ")
}

// orderedByText reports whether rows are sorted by a text: by the type of the column
// that shows it, or by its name.
func (t *Table) orderedByText(measure int) bool {
	if measure >= 0 {
		return t.Columns[measure].Type == quern.Text
	}
	if _, column := t.Query.Order[0].Expr.(tree.Column); !column {
		return false
	}
	words := strings.Fields(strings.ToLower(t.phrase.Order))
	return len(words) > 0 && english.TextNames.Has(words[len(words)-1])
}

func chosen(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
