package prose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quern"
	"quern/english"
	"quern/tree"
)

// The bounds of a table in an answer.
const (
	ShownRows    = 20
	ShownColumns = 12
)

// unknown stands for null in a sentence, and none in a table.
const (
	unknown = "unknown"
	none    = "—"
)

// Table is the rows of a step, ready to be written about.
type Table struct {
	Columns []quern.Column // without those that are not shown
	Rows    [][]json.RawMessage
	Query   *tree.Query // nil when the step has no tree
	step    quern.Step
	phrase  tree.Phrase
	plain   bool // whether phrase describes one select
	cents   bool // whether an amount of money is none of whole coins
}

// NewTable reads the rows of a step.
func NewTable(s quern.Step) *Table {
	t := &Table{step: s}
	columns := s.Columns
	if len(columns) == 0 && len(s.Data) > 0 {
		columns = columnsOf(s.Data[0])
	}
	for _, c := range columns {
		if quern.IsShown(c.Name) {
			t.Columns = append(t.Columns, c)
		}
	}
	for _, raw := range s.Data {
		var row map[string]json.RawMessage
		if json.Unmarshal(raw, &row) != nil {
			continue
		}
		values := make([]json.RawMessage, len(t.Columns))
		for i, c := range t.Columns {
			values[i] = row[c.Name]
		}
		t.Rows = append(t.Rows, values)
	}
	if q, err := tree.Parse(s.Tree); err == nil {
		t.Query = q
		t.phrase, t.plain = tree.Describe(q)
		t.describeUnits()
	}
	t.cents = t.hasCents()
	return t
}

// describeUnits adds the units that are known of columns to values whose names have none.
func (t *Table) describeUnits() {
	if t.Query.Select == nil || len(t.Query.Select.Items) != len(t.phrase.Values) {
		return
	}
	for i, item := range t.Query.Select.Items {
		v := &t.phrase.Values[i]
		e := item.Expr
		if a, ok := e.(tree.Aggregate); ok && a.Func != tree.Count {
			e = a.Arg
		}
		if c, ok := e.(tree.Column); ok && v.Unit == "" {
			v.Unit = t.step.Units[c.Source+"."+c.Name]
		}
	}
}

// columnsOf reads the names of a row's members, in order.
func columnsOf(row json.RawMessage) (columns []quern.Column) {
	dec := json.NewDecoder(bytes.NewReader(row))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		text, ok := name.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return columns
		}
		columns = append(columns, quern.Column{Name: text})
	}
	return columns
}

// value returns what column i is, in words; the column's name where the tree does
// not say.
func (t *Table) value(i int) tree.Value {
	if t.plain && len(t.phrase.Values) == len(t.Columns) && t.phrase.Values[i].Name != "" {
		return t.phrase.Values[i]
	}
	return tree.Value{Name: t.Columns[i].Name, Bare: t.Columns[i].Name}
}

// digitFormat writes the numbers of a column.
func (t *Table) digitFormat(column int) func(string) string {
	v := t.value(column)
	countsThem := v.Func == tree.Count || v.Func == tree.Sum || v.Func == tree.Avg || v.Reckoned && v.Func == ""
	namesThem := english.IsIdentifier(v.Bare) || t.looksLikeYears(column)
	if namesThem && !countsThem {
		return func(number string) string { return number }
	}
	return GroupDigits
}

// looksLikeYears reports whether all numbers of a column could be years.
func (t *Table) looksLikeYears(column int) bool {
	some := false
	for _, row := range t.Rows {
		if raw := row[column]; isNumber(raw) {
			if some = true; !looksLikeYear(string(raw)) {
				return false
			}
		}
	}
	return some
}

// proseValue writes a value for a sentence.
func (t *Table) proseValue(row, column int) string {
	raw := t.Rows[row][column]
	switch text, isText := TextOf(raw); {
	case isNull(raw):
		return unknown
	case isNumber(raw):
		return roundForProse(t.number(string(raw), column), t.digitFormat(column)) + t.unit(column)
	case isText && t.Columns[column].Type == quern.Date:
		return EscapeCell(dateWords(text))
	case isText && t.Columns[column].Type == quern.Timestamp:
		return EscapeCell(timeWords(text, "2 January 2006,"))
	case isText && t.isMonth(column):
		return EscapeCell(monthWords(text))
	case isText && Clean(text) == "":
		return "empty text"
	}
	return t.cellValue(row, column)
}

// isMonth reports whether the values of a column are months of years.
func (t *Table) isMonth(column int) bool {
	if !t.plain || len(t.Query.Select.Items) != len(t.Columns) {
		return false
	}
	call, ok := t.Query.Select.Items[column].Expr.(tree.Call)
	return ok && call.Func == tree.YearMonth
}

// number writes a number of a column, an amount of money with all digits of its cents where
// it or one beside it has some.
func (t *Table) number(number string, column int) string {
	number = t.withoutFloatNoise(number, column)
	if !t.isMoney(column) {
		return number
	}
	return withCents(number, t.cents)
}

// isMoney reports whether the numbers of a column are amounts of money: by their unit, or by
// the column's name where nothing says what they are in.
func (t *Table) isMoney(column int) bool {
	v := t.value(column)
	if v.Unit != "" {
		return english.IsMoney(v.Unit)
	}
	return v.Money && v.Func != tree.Count
}

// hasCents reports whether some amount of money is not a whole number.
func (t *Table) hasCents() bool {
	for column := range t.Columns {
		if !t.isMoney(column) {
			continue
		}
		for _, row := range t.Rows {
			if n, ok := Rational(row[column]); ok && !n.IsInt() {
				return true
			}
		}
	}
	return false
}

// isEmpty reports whether nothing stands in a cell.
func (t *Table) isEmpty(row, column int) bool {
	text, isText := TextOf(t.Rows[row][column])
	return isNull(t.Rows[row][column]) || isText && Clean(text) == ""
}

// unit is what stands behind the numbers of a column, where that is known.
func (t *Table) unit(column int) string {
	if unit := t.value(column).Unit; unit != "" {
		return " " + unit
	}
	return ""
}

// cellValue writes a value for a cell.
func (t *Table) cellValue(row, column int) string {
	raw := t.Rows[row][column]
	text, isText := TextOf(raw)
	switch {
	case isNull(raw):
		return none
	case isNumber(raw) && t.value(column).Func == tree.Avg:
		return strings.TrimPrefix(roundForProse(t.number(string(raw), column), t.digitFormat(column)), about)
	case isNumber(raw):
		return t.digitFormat(column)(t.number(string(raw), column))
	case isText && t.Columns[column].Type == quern.Timestamp:
		return EscapeCell(timeWords(text, "2006-01-02"))
	case isText:
		return EscapeCell(text)
	case string(raw) == "true":
		return "yes"
	case string(raw) == "false":
		return "no"
	}
	return EscapeCell(string(raw))
}

// withoutFloatNoise returns the digits of a number without those that adding up
// floating-point numbers makes: 22871.649999999998 is 22871.65.
func (t *Table) withoutFloatNoise(number string, column int) string {
	v, err := strconv.ParseFloat(number, 64)
	if isRead := t.value(column).Func == "" && !t.value(column).Reckoned; isRead || t.Columns[column].Type != quern.Double || err != nil || !strings.Contains(number, ".") {
		return number
	}
	if short := strconv.FormatFloat(v, 'g', 14, 64); !strings.Contains(short, "e") {
		return short
	}
	return number
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// TextOf returns the text of a value; ok is false when it is no text.
func TextOf(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// markdown writes the table, as much of it as an answer shows, and what it
// leaves out.
func (t *Table) markdown() string {
	var b strings.Builder
	columns := min(len(t.Columns), ShownColumns)
	b.WriteString("|")
	for i := range columns {
		b.WriteString(" " + EscapeCell(t.heading(i)) + " |")
	}
	b.WriteString("\n|")
	for i := range columns {
		b.WriteString(t.alignment(i))
	}
	for row := range min(len(t.Rows), ShownRows) {
		b.WriteString("\n|")
		for i := range columns {
			b.WriteString(" " + t.cellValue(row, i) + " |")
		}
	}
	if rest := t.omissions(); len(rest) > 0 {
		b.WriteString("\n\n" + english.Capitalize(strings.Join(rest, "; ")) + ".")
	}
	return b.String()
}

// heading names a column for people.
func (t *Table) heading(i int) string {
	v := t.value(i)
	switch {
	case v.Func != "" && v.Unit != "":
		return v.Name + " (" + v.Unit + ")"
	case v.Func != "" || Clean(v.Name) == "":
		return v.Name
	}
	if _, named := english.WithoutUnit(english.Spaced(t.Columns[i].Name)); v.Unit != "" && named == "" {
		return t.Columns[i].Name + " (" + v.Unit + ")"
	}
	return t.Columns[i].Name
}

// alignment is the line under a heading: numbers stand to the right.
func (t *Table) alignment(column int) string {
	for row := range t.Rows {
		if raw := t.Rows[row][column]; !isNull(raw) {
			if isNumber(raw) {
				return " ---: |"
			}
			return " --- |"
		}
	}
	return " --- |"
}

// omissions says what a table does not show.
func (t *Table) omissions() []string {
	var all []string
	if more := t.Total() - int64(min(len(t.Rows), ShownRows)); more > 0 {
		all = append(all, fmt.Sprintf("and %s more %s", Count(more), Rows(more)))
	}
	if t.step.Truncated {
		all = append(all, fmt.Sprintf("only %s of the %s rows %s kept", Count(len(t.Rows)), Count(t.Total()), isOrAre(int64(len(t.Rows)))))
	}
	if more := len(t.Columns) - ShownColumns; more == 1 {
		all = append(all, "1 more column is not shown")
	} else if more > 1 {
		all = append(all, fmt.Sprintf("%d more columns are not shown", more))
	}
	return all
}

func isOrAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Total is how many rows the whole result has.
func (t *Table) Total() int64 { return max(t.step.TotalCount, int64(len(t.Rows))) }
