package ask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quern"
	"quern/tree"
)

// The bounds of a table in an answer.
const (
	shownRows    = 20
	shownColumns = 12
)

// unknown stands for null in a sentence, and none in a table.
const (
	unknown = "unknown"
	none    = "—"
)

// table is the rows of a step, ready to be written about.
type table struct {
	step    quern.Step
	columns []quern.Column // without the internal ones
	rows    [][]json.RawMessage
	query   *tree.Query // nil when the step has no tree
	phrase  tree.Phrase
	plain   bool // whether phrase describes one select
}

func newTable(s quern.Step) *table {
	t := &table{step: s}
	columns := s.Columns
	if len(columns) == 0 && len(s.Data) > 0 {
		columns = columnsOf(s.Data[0])
	}
	for _, c := range columns {
		if !strings.HasPrefix(c.Name, "__") {
			t.columns = append(t.columns, c)
		}
	}
	for _, raw := range s.Data {
		var row map[string]json.RawMessage
		if json.Unmarshal(raw, &row) != nil {
			continue
		}
		values := make([]json.RawMessage, len(t.columns))
		for i, c := range t.columns {
			values[i] = row[c.Name]
		}
		t.rows = append(t.rows, values)
	}
	if q, err := tree.Parse(s.Tree); err == nil {
		t.query = q
		t.phrase, t.plain = tree.Describe(q)
	}
	return t
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

// value gives what column i is, in words; the column's name where the tree does
// not say.
func (t *table) value(i int) tree.Value {
	if t.plain && len(t.phrase.Values) == len(t.columns) && t.phrase.Values[i].Name != "" {
		return t.phrase.Values[i]
	}
	return tree.Value{Name: t.columns[i].Name, Bare: t.columns[i].Name}
}

// digits writes the numbers of a column.
func (t *table) digits(column int) func(string) string {
	v := t.value(column)
	countsThem := v.Func == tree.Count || v.Func == tree.Sum || v.Func == tree.Avg
	if !countsThem && (isName(v.Bare) || t.years(column)) {
		return func(number string) string { return number }
	}
	return grouped
}

// years reports whether all numbers of a column could be years.
func (t *table) years(column int) bool {
	some := false
	for _, row := range t.rows {
		if raw := row[column]; isNumber(raw) {
			if some = true; !looksLikeYear(string(raw)) {
				return false
			}
		}
	}
	return some
}

// inProse writes a value for a sentence.
func (t *table) inProse(row, column int) string {
	raw := t.rows[row][column]
	switch text, isText := unquote(raw); {
	case isNull(raw):
		return unknown
	case isNumber(raw):
		return shortened(string(raw), t.digits(column))
	case isText && t.columns[column].Type == quern.Date:
		return escapeCell(dateWords(text))
	case isText && t.columns[column].Type == quern.Timestamp:
		return escapeCell(timeWords(text, "2 January 2006,"))
	case isText && clean(text) == "":
		return "empty text"
	}
	return t.inTable(row, column)
}

// inTable writes a value for a cell.
func (t *table) inTable(row, column int) string {
	raw := t.rows[row][column]
	text, isText := unquote(raw)
	switch {
	case isNull(raw):
		return none
	case isNumber(raw):
		return t.digits(column)(t.sure(string(raw), column))
	case isText && t.columns[column].Type == quern.Timestamp:
		return escapeCell(timeWords(text, "2006-01-02"))
	case isText:
		return escapeCell(text)
	case string(raw) == "true":
		return "yes"
	case string(raw) == "false":
		return "no"
	}
	return escapeCell(string(raw))
}

// sure gives the digits of a number without those that adding up floating-point
// numbers makes: 22871.649999999998 is 22871.65.
func (t *table) sure(number string, column int) string {
	v, err := strconv.ParseFloat(number, 64)
	if t.value(column).Func == "" || t.columns[column].Type != quern.Double || err != nil || !strings.Contains(number, ".") {
		return number
	}
	if short := strconv.FormatFloat(v, 'g', 14, 64); !strings.Contains(short, "e") {
		return short
	}
	return number
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func unquote(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// markdown writes the table, as much of it as an answer shows, and what it
// leaves out.
func (t *table) markdown() string {
	var b strings.Builder
	columns := min(len(t.columns), shownColumns)
	b.WriteString("|")
	for i := range columns {
		b.WriteString(" " + escapeCell(t.heading(i)) + " |")
	}
	b.WriteString("\n|")
	for i := range columns {
		b.WriteString(t.rule(i))
	}
	for row := range min(len(t.rows), shownRows) {
		b.WriteString("\n|")
		for i := range columns {
			b.WriteString(" " + t.inTable(row, i) + " |")
		}
	}
	if rest := t.rest(); len(rest) > 0 {
		b.WriteString("\n\n" + capital(strings.Join(rest, "; ")) + ".")
	}
	return b.String()
}

// heading names a column for people.
func (t *table) heading(i int) string {
	v := t.value(i)
	if v.Func != "" || clean(v.Name) == "" {
		return v.Name
	}
	return t.columns[i].Name
}

// rule is the line under a heading: numbers stand to the right.
func (t *table) rule(column int) string {
	for row := range t.rows {
		if raw := t.rows[row][column]; !isNull(raw) {
			if isNumber(raw) {
				return " ---: |"
			}
			return " --- |"
		}
	}
	return " --- |"
}

// rest says what a table does not show.
func (t *table) rest() []string {
	var all []string
	if more := t.total() - int64(min(len(t.rows), shownRows)); more > 0 {
		all = append(all, fmt.Sprintf("and %s more %s", grouped(fmt.Sprint(more)), rowsOf("", more)))
	}
	if t.step.Truncated {
		all = append(all, fmt.Sprintf("only %s of the %s rows %s kept", grouped(fmt.Sprint(len(t.rows))), grouped(fmt.Sprint(t.total())), are(int64(len(t.rows)))))
	}
	if more := len(t.columns) - shownColumns; more == 1 {
		all = append(all, "1 more column is not shown")
	} else if more > 1 {
		all = append(all, fmt.Sprintf("%d more columns are not shown", more))
	}
	return all
}

func are(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// total is how many rows the whole result has.
func (t *table) total() int64 { return max(t.step.TotalCount, int64(len(t.rows))) }
