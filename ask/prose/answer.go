// Package prose owns the words of answers: sentences, lists and tables about the
// rows of a step, written by templates.
//
// It never runs a query and never computes but a difference and a ratio, which it
// says. Every value it writes is escaped, for values are others' words. The
// failures it is built around are the value that forges a table or a link, and
// the sentence that is no English because of a noun's number.
package prose

import (
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/tree"
)

// The most values that a sentence lists, and how long one of them may be.
const (
	listedValues = 10
	listedLength = 40
	listedPairs  = 4
	saidColumns  = 4
)

// Answer returns the answer to one step: a sentence, a list or a table.
func Answer(s quern.Step) string {
	t := NewTable(s)
	switch {
	case len(t.Rows) == 0 && s.Truncated:
		return fmt.Sprintf("The result has %s %s, too large to be kept: ask for fewer columns.", Count(s.TotalCount), Rows(s.TotalCount))
	case len(t.Rows) == 0:
		return t.answerNone()
	case t.isTotals() && len(t.Columns) == 1:
		return t.answerTotal()
	case t.isTotals():
		return t.answerTotals()
	case t.isTop():
		return t.answerTop()
	case len(t.Rows) == 1 && t.Total() == 1:
		return t.answerRow()
	case t.isShort():
		return t.answerList()
	}
	return t.introduction() + "\n\n" + t.markdown()
}

// rowsWithConditions names n rows of the first dataset with their conditions, escaped.
func (t *Table) rowsWithConditions(n int64) string {
	which := t.phrase.Which
	if n == 1 {
		which = t.phrase.WhichOne
	}
	return Escape(Noun(t.phrase.Noun, n) + which)
}

// uncountedRows names the rows with their conditions where they are not counted.
func (t *Table) uncountedRows() string {
	if !isCountable(t.phrase.Noun) {
		return Escape(t.phrase.Noun + t.phrase.Which)
	}
	return t.rowsWithConditions(2)
}

// answerNone answers from no rows.
func (t *Table) answerNone() string {
	switch {
	case !t.plain:
		return "Nothing was found. The question was read like this: " + Escape(english.EndSentence(lowerFirst(t.step.Reasoning)))
	case t.phrase.Having != "":
		groups, having := Escape(english.List(t.phrase.Groups, "and")), Escape(t.phrase.Having)
		return "There are no " + t.rowsWithConditions(0) + " for which, per " + groups + ", the " + having + "."
	}
	return "There are no " + t.rowsWithConditions(0) + "."
}

// isTotals reports whether the result is one row of aggregates over all rows.
func (t *Table) isTotals() bool {
	if !t.plain || len(t.Query.Select.Group) > 0 || len(t.Rows) != 1 || len(t.phrase.Values) != len(t.Columns) {
		return false
	}
	return !slices.ContainsFunc(t.phrase.Values, func(v tree.Value) bool { return !v.Reckoned && v.Func == "" })
}

// answerShare answers with a percentage of some rows, or of what they add up to.
func (t *Table) answerShare(of string) string {
	share := english.Capitalize(t.proseValue(0, 0))
	if whole, part, sums := strings.Cut(of, " that is of "); sums {
		return fmt.Sprintf("%s %% %s is that of %s.", share, Escape(whole), Escape(part))
	}
	return fmt.Sprintf("%s %% of %s %s.", share, t.uncountedRows(), Escape(saidOf(of)))
}

// saidOf makes what says which rows are meant what is said of them: "that are not paid" is
// "are not paid", "with newsletter yes" is "have newsletter yes".
func saidOf(which string) string {
	for before, said := range map[string]string{"that ": "", "with ": "have ", "called ": "are called "} {
		if rest, ok := strings.CutPrefix(which, before); ok {
			return said + rest
		}
	}
	return "are those " + which
}

// answerTotal answers with a single number.
func (t *Table) answerTotal() string {
	v, raw := t.phrase.Values[0], t.Rows[0][0]
	n, whole := Rational(raw)
	switch {
	case v.Func == tree.Percent && whole:
		return t.answerShare(strings.TrimPrefix(v.Name, "percentage "))
	case v.Func == tree.Count && whole && n.IsInt():
		return t.answerCount(v, n.Num().Int64(), t.proseValue(0, 0))
	case v.Func == tree.Percent:
		return fmt.Sprintf("There is no %s to give: there are no %s.", Escape(v.Name), t.rowsWithConditions(0))
	case isNull(raw) && v.Bare == "":
		return fmt.Sprintf("There is no %s to give.", Escape(v.Name))
	case isNull(raw):
		return fmt.Sprintf("There is no %s to give: there are no %s, or their %s is not known.",
			Escape(v.Name), t.rowsWithConditions(0), Escape(v.Bare))
	}
	switch counts := "number of " + t.phrase.Noun + " "; {
	case v.Func != "" && !t.ofThose():
		return fmt.Sprintf("The %s %s is %s.", Escape(t.valueOf(0)), t.uncountedRows(), t.proseValue(0, 0))
	case t.phrase.Which == "" && strings.HasPrefix(v.Name, counts):
		return fmt.Sprintf("The %s is %s.", Escape(v.Name), t.proseValue(0, 0))
	}
	return t.answerTotals()
}

// ofThose reports whether the first value is reckoned of some of the rows only.
func (t *Table) ofThose() bool {
	a, ok := t.Query.Select.Items[0].Expr.(tree.Aggregate)
	return ok && a.Where != nil
}

// answerCount answers how many.
func (t *Table) answerCount(v tree.Value, n int64, number string) string {
	there := "There " + isOrAre(n) + " " + number
	if n == 0 {
		there = "There are no"
	}
	a, _ := t.Query.Select.Items[0].Expr.(tree.Aggregate)
	switch {
	case a.Where != nil:
		return t.answerTotals()
	case v.Things == "":
	case v.Things == t.phrase.Noun || v.Things == "rows":
		return there + " " + t.rowsWithConditions(n) + "."
	default:
		return there + " " + Escape(Noun(v.Things, n)) + " of " + t.uncountedRows() + "."
	}
	among := " among " + t.uncountedRows() + "."
	switch things, isDistinct := strings.CutPrefix(v.Name, "number of different "); {
	case isDistinct && a.Distinct && n > 1:
		return there + " different " + Escape(things) + among
	case isDistinct && a.Distinct:
		return there + " " + Escape(numberedName(things, n)) + among
	case n == 1:
		return there + " value of " + Escape(v.Bare) + among
	}
	return there + " known values of " + Escape(v.Bare) + among
}

// answerTotals answers with several numbers about the same rows.
func (t *Table) answerTotals() string {
	return "For " + t.uncountedRows() + ", " + english.List(t.namedValues(0, "the ", " is "), "and") + "."
}

// namedValues names the values of a row.
func (t *Table) namedValues(row int, before, between string) []string {
	all := make([]string, len(t.Columns))
	for i := range t.Columns {
		all[i] = before + Escape(t.value(i).Name) + between + t.proseValue(row, i)
	}
	return all
}

// answerRow answers with the one row there is.
func (t *Table) answerRow() string {
	switch {
	case !t.plain:
		return t.introduction() + "\n\n" + t.fieldList()
	case len(t.Columns) == 1 && !t.phrase.Joined && len(t.phrase.Groups) == 0 && !t.Query.Select.Distinct:
		return t.answerValue()
	case len(t.Columns) == 1 && t.isChosenGroups():
		return t.answerList()
	case len(t.Columns) == 1:
		return t.introduction() + " " + t.proseValue(0, 0) + "."
	case t.isPairs():
		return t.answerList()
	case len(t.Columns) <= saidColumns:
		return t.introduction() + " " + english.List(t.namedValues(0, "", " "), "and") + "."
	}
	return t.introduction() + "\n\n" + t.fieldList()
}

// answerValue answers with one value of one row.
func (t *Table) answerValue() string {
	v, of, is := t.value(0), t.rowsWithConditions(1), "is"
	if v.Many {
		is = "are"
	}
	if _, isColumn := t.Query.Select.Items[0].Expr.(tree.Column); isColumn && t.isEmpty(0, 0) {
		return fmt.Sprintf("No %s %s entered for the %s.", Escape(oneValue(v)), is, of)
	}
	return fmt.Sprintf("The %s of the %s %s %s.", Escape(oneValue(v)), of, is, t.proseValue(0, 0))
}

// fieldList lists the columns of the first row, one on a line.
func (t *Table) fieldList() string {
	lines := make([]string, 0, ShownColumns+1)
	for i := range t.Columns {
		if i == ShownColumns {
			more := len(t.Columns) - i
			lines = append(lines, fmt.Sprintf("- and %d more %s", more, numbered("column", int64(more))))
			break
		}
		lines = append(lines, "- "+Escape(t.heading(i))+": "+t.proseValue(0, i))
	}
	return strings.Join(lines, "\n")
}

// isPairs reports whether each row is a group and one number about it.
func (t *Table) isPairs() bool {
	return t.plain && len(t.Columns) == 2 && len(t.phrase.Groups) == 1 && t.value(0).Group && t.value(1).Func != ""
}

// isShort reports whether the rows are few, and short enough to be listed in a
// sentence.
func (t *Table) isShort() bool {
	most := listedValues
	switch {
	case t.isPairs():
		most = listedPairs
	case len(t.Columns) != 1:
		return false
	}
	if len(t.Rows) > most || t.step.Truncated {
		return false
	}
	for i := range t.Rows {
		if len(t.proseValue(i, 0)) > listedLength {
			return false
		}
	}
	return true
}

// answerList answers with a short list.
func (t *Table) answerList() string {
	all := make([]string, len(t.Rows))
	for i := range t.Rows {
		all[i] = t.proseValue(i, 0)
		if len(t.Columns) == 2 {
			all[i] += " (" + t.proseValue(i, 1) + ")"
		}
	}
	if t.isChosenGroups() {
		n := t.Total()
		verb := " are "
		if n == 1 {
			verb = " is "
		}
		return "The " + Escape(t.groupNoun(0, n)) + " for which the " + Escape(t.phrase.Having) + verb + english.List(all, "and") + "."
	}
	return t.introduction() + " " + english.List(all, "and") + "."
}

// isChosenGroups reports whether the rows are nothing but the names of groups of which
// something is so.
func (t *Table) isChosenGroups() bool {
	return t.plain && len(t.Columns) == 1 && len(t.phrase.Groups) == 1 && t.phrase.Having != "" && t.phrase.Which == "" &&
		(t.value(0).Group || t.standsForGroup(0)) && t.Query.Limit == nil
}

// introduction introduces rows, ending in a colon.
func (t *Table) introduction() string {
	n := t.Total()
	number := Count(n)
	if !t.plain {
		return Escape(english.Capitalize(Clean(strings.TrimRight(t.step.Reasoning, ".")))) + ":"
	}
	grouping := len(t.phrase.Groups) > 0
	switch v := t.value(0); {
	case t.Query.Select.Distinct && len(t.Columns) == 1 && !grouping && !t.isLimited():
		return fmt.Sprintf("There %s %s %s:", isOrAre(n), number, t.differentThings(n))
	case grouping, t.Query.Select.Distinct, t.phrase.Joined:
		return Escape(english.Capitalize(t.phrase.All)) + ":"
	case t.isLimited() && t.phrase.Order != "" && n == 1:
		return fmt.Sprintf("Here is the %s of the %s%s:", english.Ordinal(t.Query.Offset+1), t.rowsWithConditions(2), t.orderPhrase())
	case t.isLimited() && t.phrase.Order != "":
		return fmt.Sprintf("Here are the first %s of the %s%s:", number, t.rowsWithConditions(2), t.orderPhrase())
	case t.isLimited():
		return fmt.Sprintf("Here %s %s of the %s%s:", isOrAre(n), number, t.rowsWithConditions(2), t.orderPhrase())
	case len(t.Columns) == 1 && !t.isLabel(0) && v.Name != "":
		return fmt.Sprintf("The %s of the %s %s%s:", Escape(severalValues(v)), number, t.rowsWithConditions(n), t.orderPhrase())
	}
	return fmt.Sprintf("There %s %s %s%s:", isOrAre(n), number, t.rowsWithConditions(n), t.orderPhrase())
}

// isLimited reports whether the query asked for fewer rows than there may be.
func (t *Table) isLimited() bool { return t.Query.Limit != nil && t.Total() >= *t.Query.Limit }

// orderPhrase says by what the rows are sorted.
func (t *Table) orderPhrase() string {
	if t.phrase.Order == "" {
		return ""
	}
	text := ", sorted by " + Escape(t.phrase.Order)
	if t.Query.Order[0].Desc {
		text += ", descending"
	}
	return text
}

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}

// Summary says in a sentence how much a step found.
func Summary(s quern.Step) string {
	t := NewTable(s)
	switch n := len(t.Rows); {
	case t.step.Truncated:
		return fmt.Sprintf("Found %s rows; %s are kept here.", Count(t.step.TotalCount), Count(n))
	case n == 0:
		return "Nothing was found."
	case n == 1 && len(t.Columns) == 1:
		return "The result is " + t.proseValue(0, 0) + "."
	case n == 1:
		return "Found 1 row."
	default:
		return fmt.Sprintf("Found %s rows.", Count(n))
	}
}
