package ask

import (
	"fmt"
	"strings"

	"quern/tree"
)

// isTop reports whether the rows are the first few by some value, each with a
// name: "the three products with the largest price".
func (t *table) isTop() bool {
	if !t.plain || t.query.Limit == nil || t.phrase.Order == "" || t.query.Select.Distinct || len(t.query.Order) > 2 {
		return false
	}
	if len(t.rows) > listedValues || t.step.Truncated || len(t.phrase.Values) != len(t.columns) {
		return false
	}
	name, measure := t.named()
	if name < 0 || len(t.columns) > 2 || len(t.columns) == 2 && measure < 0 {
		return false
	}
	for i := range t.rows {
		if len(t.inProse(i, name)) > listedLength {
			return false
		}
	}
	return len(t.phrase.Groups) < 2
}

// named gives the column that names rows and the one they are sorted by; -1
// where there is none.
func (t *table) named() (name, measure int) {
	name, measure = -1, -1
	for i, v := range t.phrase.Values {
		switch {
		case v.Name == "":
			return -1, -1
		case v.Sorts:
			measure = i
		case t.stands(i):
			name = i
		case v.Func != "" || len(t.phrase.Groups) > 0 && !v.Group:
		case name < 0:
			name = i
		}
	}
	return name, measure
}

// stands reports whether a value is one that stands for all rows of a group that
// are the same row of the first dataset, each with another beside it.
func (t *table) stands(i int) bool {
	a, ok := t.query.Select.Items[i].Expr.(tree.Aggregate)
	c, column := a.Arg.(tree.Column)
	return ok && column && a.Func == tree.Any && t.phrase.Beside != "" && c.Source == t.query.Select.From[0].Ref() && t.byRow()
}

// byRow reports whether rows are grouped by what identifies those of the first
// dataset, going by its name: "id", "customer id".
func (t *table) byRow() bool {
	groups, first := t.query.Select.Group, t.query.Select.From[0].Ref()
	if len(groups) != 1 {
		return false
	}
	c, ok := groups[0].(tree.Column)
	words := strings.FieldsFunc(strings.ToLower(c.Name), func(r rune) bool { return r == '_' || r == ' ' || r == '-' })
	name := strings.Join(words, " ")
	return ok && (name == "id" && c.Source == first || name == strings.ToLower(noun(t.phrase.Noun, 1))+" id")
}

// top answers with the first few.
func (t *table) top() string {
	name, measure := t.named()
	all := make([]string, len(t.rows))
	for i := range t.rows {
		all[i] = t.inProse(i, name)
		if measure >= 0 {
			all[i] += " (" + t.inProse(i, measure) + ")"
		}
	}
	n := int64(len(t.rows))
	who := t.who(name, n)
	if n == 1 {
		return fmt.Sprintf("The %s is %s.", who, all[0])
	}
	return fmt.Sprintf("The %s are %s.", who, joined(all))
}

// who names the first n: "3 products with the largest price", "status with the
// most orders", "city of the 3 customers with the largest balance".
func (t *table) who(name int, n int64) string {
	count := ""
	if n > 1 {
		count = grouped(fmt.Sprint(n)) + " "
	}
	v := t.phrase.Values[name]
	if len(t.phrase.Groups) > 0 && !t.stands(name) {
		if n > 1 {
			return fmt.Sprintf("%svalues of %s with the %s", count, escape(v.Name), t.most())
		}
		return fmt.Sprintf("%s with the %s", escape(v.Name), t.most())
	}
	rows := count + t.such(n) + " with the " + t.most()
	if t.stands(name) {
		rows = count + escape(noun(t.phrase.Noun, n)+t.phrase.Conditions) + " with the " + t.most()
	}
	switch {
	case t.labels(name) && (!t.phrase.Joined || t.stands(name)):
		return rows
	case n == 1:
		return escape(v.Name) + " of the " + rows
	}
	return "values of " + escape(v.Name) + " of the " + rows
}

// most says in which way the first rows are first.
func (t *table) most() string {
	order := t.query.Order[0]
	name, measure := t.named()
	such := t.such(2)
	if t.stands(name) {
		such = escape(noun(t.phrase.Beside, 2))
	}
	counts := false
	if a, ok := t.sortedBy().(tree.Aggregate); ok {
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
	if measure >= 0 && t.columns[measure].Type.Temporal() {
		text = map[bool]string{true: "latest ", false: "earliest "}[order.Desc]
		if t.phrase.Values[measure].Func == "" {
			text += "value of "
		}
	}
	text += escape(t.phrase.Order)
	if len(t.phrase.Groups) > 0 && !t.stands(name) {
		text += " of " + t.those()
	}
	return text
}

// sortedBy is the value that rows are sorted by first.
func (t *table) sortedBy() tree.Expr {
	for i, v := range t.phrase.Values {
		if v.Sorts {
			return t.query.Select.Items[i].Expr
		}
	}
	return t.query.Order[0].Expr
}
