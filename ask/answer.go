package ask

import (
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/tree"
)

// The most values that a sentence lists, and how long one of them may be.
const (
	listedValues = 10
	listedLength = 40
	listedPairs  = 4
	saidColumns  = 4
)

// tell answers from one step.
func tell(s quern.Step) string {
	t := newTable(s)
	switch {
	case len(t.rows) == 0 && s.Truncated:
		return fmt.Sprintf("The result has %s %s, too large to be kept: ask for fewer columns.", grouped(fmt.Sprint(s.TotalCount)), rowsOf("", s.TotalCount))
	case len(t.rows) == 0:
		return t.nothing()
	case t.isTotals() && len(t.columns) == 1:
		return t.oneTotal()
	case t.isTotals():
		return t.totals()
	case t.isTop():
		return t.top()
	case len(t.rows) == 1 && t.total() == 1:
		return t.oneRow()
	case t.isShort():
		return t.list()
	}
	return t.lead() + "\n\n" + t.markdown()
}

// such names n rows of the first dataset with their conditions, escaped.
func (t *table) such(n int64) string {
	which := t.phrase.Which
	if n == 1 {
		which = strings.Replace(which, " that mention ", " that mentions ", 1)
		which = strings.Replace(which, " with their ", " with its ", 1)
	}
	return escape(noun(t.phrase.Noun, n) + which)
}

// those names the rows with their conditions where they are not counted.
func (t *table) those() string {
	if !countable(t.phrase.Noun) {
		return escape(t.phrase.Noun + t.phrase.Which)
	}
	return t.such(2)
}

// nothing answers from no rows.
func (t *table) nothing() string {
	switch {
	case !t.plain:
		return "Nothing was found. The question was read like this: " + escape(sentenceEnd(lower(t.step.Reasoning)))
	case t.phrase.Having != "":
		return "There are no " + t.such(0) + " for which, per " + escape(joined(t.phrase.Groups)) + ", " + escape(t.phrase.Having) + "."
	}
	return "There are no " + t.such(0) + "."
}

// isTotals reports whether the query gives one row of aggregates over all rows.
func (t *table) isTotals() bool {
	if !t.plain || len(t.query.Select.Group) > 0 || len(t.rows) != 1 || len(t.phrase.Values) != len(t.columns) {
		return false
	}
	return !slices.ContainsFunc(t.phrase.Values, func(v tree.Value) bool { return v.Func == "" })
}

// oneTotal answers with a single number.
func (t *table) oneTotal() string {
	v, raw := t.phrase.Values[0], t.rows[0][0]
	n, whole := rational(raw)
	switch {
	case v.Func == tree.Percent && whole:
		return fmt.Sprintf("%s %% of %s are those %s.", t.inProse(0, 0), t.those(), escape(strings.TrimPrefix(v.Name, "percentage ")))
	case v.Func == tree.Count && whole && n.IsInt():
		return t.counted(v, n.Num().Int64(), t.inProse(0, 0))
	case v.Func == tree.Percent:
		return fmt.Sprintf("There is no %s to give: there are no %s.", escape(v.Name), t.such(0))
	case isNull(raw):
		return fmt.Sprintf("There is no %s to give: there are no %s, or their %s is not known.", escape(v.Name), t.such(0), escape(v.Bare))
	}
	return fmt.Sprintf("The %s %s is %s.", escape(t.timed(0)), t.those(), t.inProse(0, 0))
}

// counted answers how many.
func (t *table) counted(v tree.Value, n int64, number string) string {
	there := map[bool]string{true: "There is ", false: "There are "}[n == 1] + number
	if n == 0 {
		there = "There are no"
	}
	a, _ := t.query.Select.Items[0].Expr.(tree.Aggregate)
	if _, rows := a.Arg.(tree.Star); rows {
		return there + " " + t.such(n) + "."
	}
	values := map[bool]string{true: " different values of ", false: " known values of "}[a.Distinct]
	if n == 1 {
		values = " value of "
	}
	return there + values + escape(v.Bare) + " among " + t.those() + "."
}

// timed names value i and what it is one of, in the words of time where it is a
// time: "average price of", "latest value of launched among".
func (t *table) timed(i int) string {
	v := t.value(i)
	first := map[tree.Func]string{tree.Max: "latest", tree.Min: "earliest"}[v.Func]
	if first == "" || !t.columns[i].Type.Temporal() {
		return v.Name + " of"
	}
	return first + " value of " + v.Bare + " among"
}

// thing names a value of a single row: what is no noun becomes a value of it.
func thing(v tree.Value) string {
	words := strings.Fields(v.Bare)
	if v.Func != "" || len(words) == 0 {
		return v.Name
	}
	if last := strings.ToLower(words[len(words)-1]); notNouns[last] || strings.HasSuffix(last, "ed") && len(last) > 4 {
		return "value of " + v.Name
	}
	return v.Name
}

// things names the values of several rows.
func things(v tree.Value) string {
	if one := thing(v); one != v.Name {
		return "values of " + v.Name
	}
	return v.Name
}

var notNouns = map[string]bool{"at": true, "on": true, "by": true, "in": true, "is": true, "from": true, "to": true, "until": true, "since": true,
	"seen": true, "sold": true, "paid": true, "born": true, "known": true, "made": true, "begun": true, "sent": true, "built": true, "open": true, "active": true}

// totals answers with several numbers about the same rows.
func (t *table) totals() string {
	return "For " + t.those() + ", " + joined(t.pairs(0, "the ", " is ")) + "."
}

// pairs names the values of a row.
func (t *table) pairs(row int, before, between string) []string {
	all := make([]string, len(t.columns))
	for i := range t.columns {
		all[i] = before + escape(t.value(i).Name) + between + t.inProse(row, i)
	}
	return all
}

// oneRow answers with the one row there is.
func (t *table) oneRow() string {
	switch {
	case !t.plain:
		return t.lead() + "\n\n" + t.fields()
	case len(t.columns) == 1 && !t.phrase.Joined && len(t.phrase.Groups) == 0 && !t.query.Select.Distinct:
		return fmt.Sprintf("The %s of the %s is %s.", escape(thing(t.value(0))), t.such(1), t.inProse(0, 0))
	case len(t.columns) == 1:
		return t.lead() + " " + t.inProse(0, 0) + "."
	case t.isPairs():
		return t.list()
	case len(t.columns) <= saidColumns:
		return t.lead() + " " + joined(t.pairs(0, "", " ")) + "."
	}
	return t.lead() + "\n\n" + t.fields()
}

// fields lists the columns of the first row, one on a line.
func (t *table) fields() string {
	lines := make([]string, 0, shownColumns+1)
	for i := range t.columns {
		if i == shownColumns {
			more := len(t.columns) - i
			lines = append(lines, fmt.Sprintf("- and %d more %s", more, map[bool]string{true: "column", false: "columns"}[more == 1]))
			break
		}
		lines = append(lines, "- "+escape(t.heading(i))+": "+t.inProse(0, i))
	}
	return strings.Join(lines, "\n")
}

// isPairs reports whether each row is a group and one number about it.
func (t *table) isPairs() bool {
	return t.plain && len(t.columns) == 2 && len(t.phrase.Groups) == 1 && t.value(0).Group && t.value(1).Func != ""
}

// isShort reports whether the rows are few, and short enough to be listed in a
// sentence.
func (t *table) isShort() bool {
	most := map[bool]int{true: listedPairs, false: listedValues}[t.isPairs()]
	if len(t.columns) != 1 && !t.isPairs() || len(t.rows) > most || t.step.Truncated {
		return false
	}
	for i := range t.rows {
		if len(t.inProse(i, 0)) > listedLength {
			return false
		}
	}
	return true
}

// list answers with a short list.
func (t *table) list() string {
	all := make([]string, len(t.rows))
	for i := range t.rows {
		all[i] = t.inProse(i, 0)
		if len(t.columns) == 2 {
			all[i] += " (" + t.inProse(i, 1) + ")"
		}
	}
	return t.lead() + " " + joined(all) + "."
}

// lead introduces rows, ending in a colon.
func (t *table) lead() string {
	n := t.total()
	number := grouped(fmt.Sprint(n))
	if !t.plain {
		return escape(capital(clean(strings.TrimRight(t.step.Reasoning, ".")))) + ":"
	}
	grouping := len(t.phrase.Groups) > 0
	switch v := t.value(0); {
	case t.query.Select.Distinct && len(t.columns) == 1 && !grouping && !t.cut():
		return capital(fmt.Sprintf("there %s %s different %s of %s among %s:", are(n), number, map[bool]string{true: "value", false: "values"}[n == 1], escape(v.Bare), t.those()))
	case grouping, t.query.Select.Distinct, t.phrase.Joined:
		return escape(capital(t.phrase.All)) + ":"
	case t.cut() && t.phrase.Order != "" && n == 1:
		return fmt.Sprintf("Here is the first of the %s%s:", t.such(2), t.sorted())
	case t.cut() && t.phrase.Order != "":
		return fmt.Sprintf("Here are the first %s of the %s%s:", number, t.such(2), t.sorted())
	case t.cut():
		return fmt.Sprintf("Here %s %s of the %s%s:", are(n), number, t.such(2), t.sorted())
	case len(t.columns) == 1 && !t.labels(0) && v.Name != "":
		return fmt.Sprintf("The %s of the %s %s%s:", escape(things(v)), number, t.such(n), t.sorted())
	}
	return fmt.Sprintf("There %s %s %s%s:", are(n), number, t.such(n), t.sorted())
}

// cut reports whether the query asked for fewer rows than there may be.
func (t *table) cut() bool { return t.query.Limit != nil && t.total() >= *t.query.Limit }

// sorted says by what the rows are sorted.
func (t *table) sorted() string {
	if t.phrase.Order == "" {
		return ""
	}
	text := ", sorted by " + escape(t.phrase.Order)
	if t.query.Order[0].Desc {
		text += ", descending"
	}
	return text
}

// labels reports whether the values of a column are what its rows are called.
func (t *table) labels(column int) bool {
	bare := strings.ToLower(t.value(column).Bare)
	one := strings.ToLower(noun(t.phrase.Noun, 1))
	return bare == "name" || bare == "title" || bare == "full name" || bare == "label" || bare == one || bare == one+" name" || bare == one+" title"
}

func lower(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
