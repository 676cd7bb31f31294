package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

var (
	// forMonth finds the month that something is for: hasn't paid for September.
	forMonth = regexp.MustCompile(`(?i)\b(?P<for>for|of)(?: the month of)? (?P<month>(?:january|february|march|april|may|june|july|august|september|october|november|december)(?: (?:of )?(?:\d{4}|this year|last year))?)\b`)
	// writtenMonth is a month as texts have it.
	writtenMonth = regexp.MustCompile(`^\d{4}-(?:0[1-9]|1[0-2])$`)
)

// inWrittenMonths returns the month that something is for as a value of the one column that has
// months in writing: the fees for September are those of which the month is 2026-09. When they were
// paid or due is in another month.
func (r Rules) inWrittenMonths(text string) []english.Change {
	m, ok := english.Groups(forMonth, text)
	if !ok {
		return nil
	}
	column, ok := r.monthColumn(text)
	if !ok {
		return nil
	}
	periods := lex.Periods(lex.Tokens("in "+m.Text("month")), r.Question.Now)
	if len(periods) != 1 || periods[0].From.IsZero() {
		return nil
	}
	value := monthIn(column, periods[0])
	if value == "" {
		return nil
	}
	start, end := m.Span("")
	return []english.Change{{Start: start, End: end, By: m.Text("for") + " " + strings.Join(column.Words, " ") + " " + value}}
}

// monthIn returns the value of a column of months in writing that is a period: of a month without
// its year the last one that has begun, or else the next one.
func monthIn(c schema.Column, p lex.Period) (value string) {
	said, month := p.From.Format("2006-01"), p.From.Format("-01")
	all := slices.Sorted(slices.Values(c.Values.All()))
	if slices.Contains(all, said) || !p.Yearless {
		if !slices.Contains(all, said) {
			return ""
		}
		return said
	}
	for _, v := range all {
		if strings.HasSuffix(v, month) && (value == "" || v <= said) {
			value = v
		}
	}
	return value
}

// monthColumn returns the one column that has months in writing, unless a text names a dataset with
// times of its own to which the rows of that column do not belong.
func (r Rules) monthColumn(text string) (column schema.Column, ok bool) {
	n := 0
	for _, c := range r.Whole.Columns {
		if c.Type == quern.Text && c.Values != nil && c.Values.Len() > 0 && !slices.ContainsFunc(c.Values.All(), func(v string) bool { return !writtenMonth.MatchString(v) }) {
			column, n = c, n+1
		}
	}
	if n != 1 || r.Whole.Mention(text, column.Table) >= 0 {
		return column, n == 1
	}
	for table := range r.Whole.Tables {
		hasTimes := slices.ContainsFunc(r.columnsIn(table), func(id int) bool { return r.Whole.Columns[id].Type.Temporal() })
		belongs := slices.ContainsFunc(r.Whole.Links, func(l schema.Link) bool {
			return r.Whole.Columns[l.From].Table == column.Table && r.Whole.Columns[l.To].Table == table
		})
		if hasTimes && !belongs && r.Whole.Mention(text, table) >= 0 {
			return column, false
		}
	}
	return column, true
}
