package prose

import (
	"fmt"
	"strings"

	"quern/english"
	"quern/tree"
)

// isTop reports whether the rows are the first few by some value, each with a
// name: "the three products with the largest price".
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
		case t.standsForRow(i):
			name = i
		case v.Func != "":
		case len(t.phrase.Groups) > 0 && !v.Group:
		case name < 0:
			name = i
		}
	}
	return name, measure
}

// standsForRow reports whether a value is one that stands for all rows of a group that
// are the same row of the first dataset, each with another beside it.
func (t *Table) standsForRow(i int) bool {
	a, ok := t.Query.Select.Items[i].Expr.(tree.Aggregate)
	c, column := a.Arg.(tree.Column)
	return ok && column && a.Func == tree.Any && t.phrase.Beside != "" && c.Source == t.Query.Select.From[0].Ref() && t.groupsByRow()
}

// groupsByRow reports whether rows are grouped by what identifies those of the first
// dataset, going by its name: "id", "customer id".
func (t *Table) groupsByRow() bool {
	groups, first := t.Query.Select.Group, t.Query.Select.From[0].Ref()
	if len(groups) != 1 {
		return false
	}
	c, ok := groups[0].(tree.Column)
	name := strings.ToLower(english.Spaced(c.Name))
	own := name == "id" && c.Source == first
	return ok && (own || name == strings.ToLower(Noun(t.phrase.Noun, 1))+" id")
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

// topRows names the first n: "3 products with the largest price", "status with the
// topMeasure orders", "city of the 3 customers with the largest balance".
func (t *Table) topRows(name int, n int64) string {
	count := ""
	if n > 1 {
		count = Count(n) + " "
	}
	v := t.phrase.Values[name]
	if len(t.phrase.Groups) > 0 && !t.standsForRow(name) {
		if n > 1 {
			return fmt.Sprintf("%svalues of %s with the %s", count, Escape(v.Name), t.topMeasure())
		}
		return fmt.Sprintf("%s with the %s", Escape(v.Name), t.topMeasure())
	}
	rows := count + t.rowsWithConditions(n) + " with the " + t.topMeasure()
	if t.standsForRow(name) {
		rows = count + Escape(Noun(t.phrase.Noun, n)+t.phrase.Conditions) + " with the " + t.topMeasure()
	}
	switch {
	case t.isLabel(name) && (!t.phrase.Joined || t.standsForRow(name)):
		return rows
	case n == 1:
		return Escape(v.Name) + " of the " + rows
	}
	return "values of " + Escape(v.Name) + " of the " + rows
}

// topMeasure says in which way the first rows are first.
func (t *Table) topMeasure() string {
	order := t.Query.Order[0]
	name, measure := t.nameAndMeasure()
	such := t.rowsWithConditions(2)
	if t.standsForRow(name) {
		such = Escape(Noun(t.phrase.Beside, 2))
	}
	counts := false
	if a, ok := t.sortValue().(tree.Aggregate); ok {
		_, rows := a.Arg.(tree.Star)
		counts = a.Func == tree.Count && rows
	}
	switch {
	case counts && order.Desc:
		return "most " + such
	case counts:
		return "fewest " + such
	}
	text := "smallest "
	if order.Desc {
		text = "largest "
	}
	if measure >= 0 && t.Columns[measure].Type.Temporal() {
		text = "earliest "
		if order.Desc {
			text = "latest "
		}
		if t.phrase.Values[measure].Func == "" {
			text += "value of "
		}
	}
	text += Escape(t.phrase.Order)
	if len(t.phrase.Groups) > 0 && !t.standsForRow(name) {
		text += " of " + t.uncountedRows()
	}
	return text
}

// sortValue is the value that rows are sorted by first.
func (t *Table) sortValue() tree.Expr {
	for i, v := range t.phrase.Values {
		if v.Sorts {
			return t.Query.Select.Items[i].Expr
		}
	}
	return t.Query.Order[0].Expr
}
