package chart

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/tree"
)

// role is what a column can be in a chart.
type role uint8

const (
	other    role = iota // nothing: JSON, the first of some times
	measure              // a value
	category             // a name
	instant              // a place in time
	cycle                // a part of a cycle of the calendar: a weekday, a month of the year
	key                  // never an axis
)

// column is a column of the rows with what it can be.
type column struct {
	name     string
	role     role
	unit     string // what its numbers are in; empty: nothing says it
	scale    string // numbers with the same fit on one axis
	additive bool   // sums of it mean something
	portion  bool   // how much of the whole it is, in percent
}

// figure is the rows of a step, looked at for a chart.
type figure struct {
	columns []column
	data    []json.RawMessage
	rows    []map[string]json.RawMessage // of data, each nil until it is needed
	total   int64
	listing bool              // rows are rows of the data: no groups, no aggregates
	units   map[string]string // of columns of the query, where their names do not say them

	measures, categories, times, cycles, keys []column
}

func newFigure(q *tree.Query, s quern.Step) *figure {
	f := &figure{data: s.Data, rows: make([]map[string]json.RawMessage, len(s.Data)), total: max(s.TotalCount, int64(len(s.Data))),
		units: s.Units}
	shown := slices.DeleteFunc(slices.Clone(s.Columns), func(c quern.Column) bool { return !quern.IsShown(c.Name) })
	items := itemsOf(q, len(shown))
	f.listing = isListing(q)
	for i, c := range shown {
		found := f.look(c, items[i])
		f.columns = append(f.columns, found)
		switch found.role {
		case measure:
			f.measures = append(f.measures, found)
		case category:
			f.categories = append(f.categories, found)
		case instant:
			f.times = append(f.times, found)
		case cycle:
			f.cycles = append(f.cycles, found)
		case key:
			f.keys = append(f.keys, found)
		}
	}
	return f
}

// itemsOf returns what each column of a result is in its query; nil where that is not
// known.
func itemsOf(q *tree.Query, columns int) []tree.Expr {
	items := make([]tree.Expr, columns)
	if q == nil || q.Select == nil || len(q.Select.Items) != columns {
		return items
	}
	for i, item := range q.Select.Items {
		if _, all := item.Expr.(tree.Star); !all {
			items[i] = item.Expr
		}
	}
	return items
}

// isListing reports whether the rows of a query are rows of the data. Those of one that
// is not known as a tree are taken for made ones: somebody wrote it for a purpose.
func isListing(q *tree.Query) bool {
	if q == nil || q.Select == nil {
		return false
	}
	made := slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool { return aggregated(i.Expr) })
	return len(q.Select.Group) == 0 && !made && !q.Select.Distinct
}

func aggregated(e tree.Expr) bool {
	switch e := e.(type) {
	case tree.Aggregate, tree.Share, tree.Portion:
		return true
	case tree.Arith:
		return aggregated(e.Left) || aggregated(e.Right)
	case tree.Call:
		return slices.ContainsFunc(e.Args, aggregated)
	}
	return false
}

// look finds out what a column can be, from what it is in the query, its type, its name
// and its values.
func (f *figure) look(c quern.Column, e tree.Expr) column {
	found := column{name: c.Name, role: f.roleOf(c, e)}
	if found.role != measure {
		return found
	}
	found.unit, found.scale = unitOf(c.Name), "column "+quern.NameKey(c.Name)
	switch e := e.(type) {
	case tree.Portion:
		found.unit, found.portion = "%", true
	case tree.Share:
		found.unit = "%"
	case tree.Aggregate:
		found.additive = e.Func == tree.Sum || e.Func == tree.Count && !e.Distinct
		if of, ok := e.Arg.(tree.Column); ok && e.Func != tree.Count {
			found.unit, found.scale = f.unitOf(of), "column "+quern.NameKey(of.Name)
		}
		if e.Func == tree.Count {
			found.unit, found.scale = "", "count"
		}
	case tree.Column:
		found.unit = f.unitOf(e)
	}
	if found.unit != "" {
		found.scale = "unit " + found.unit
	}
	return found
}

// unitOf is what the numbers of a column are in; empty when nothing says it.
func (f *figure) unitOf(c tree.Column) string {
	return cmp.Or(unitOf(c.Name), f.units[c.Source+"."+c.Name])
}

func unitOf(name string) string {
	_, unit := english.WithoutUnit(english.Spaced(name))
	return unit
}

// calendarCalls are what functions of times give: a place in time, or a part of a cycle.
var calendarCalls = map[string]role{
	"year": instant, tree.YearQuarter: instant, tree.YearMonth: instant, tree.YearWeek: instant, tree.CalendarDay: instant,
	"quarter": cycle, "month": cycle, "day": cycle, "hour": cycle, "dayname": cycle, tree.TimeOfDay: cycle,
}

func (f *figure) roleOf(c quern.Column, e tree.Expr) role {
	if call, ok := e.(tree.Call); ok && calendarCalls[call.Func] != other {
		return calendarCalls[call.Func]
	}
	if aggregated(e) {
		if c.Type.Numeric() {
			return measure
		}
		return other
	}
	switch {
	case c.Type.Temporal():
		return instant
	case c.Type == quern.JSON || c.Type == "":
		return other
	case f.isYear(c):
		return instant
	case english.IsIdentifier(nameIn(c, e)):
		return key
	case c.Type == quern.Text && f.isWeekdayOrMonth(c):
		return cycle
	case c.Type.Numeric() && f.listing, c.Type.Numeric() && e == nil:
		return measure
	}
	if _, plain := e.(tree.Column); c.Type.Numeric() && !plain {
		return measure // something reckoned from a row
	}
	return category
}

// nameIn is the name of the column that a value is taken from as it is, or else its own.
func nameIn(c quern.Column, e tree.Expr) string {
	if of, ok := e.(tree.Column); ok {
		return of.Name
	}
	return c.Name
}

// isYear reports whether a column holds years by its name and all of its values.
func (f *figure) isYear(c quern.Column) bool {
	if words := english.NameWords(c.Name); !slices.Contains(words, "year") || c.Type != quern.Integer {
		return false
	}
	return f.every(c.Name, func(text string) bool { return len(text) == 4 && text >= "1000" })
}

// isWeekdayOrMonth reports whether all values of a column are names of weekdays, or of
// months.
func (f *figure) isWeekdayOrMonth(c quern.Column) bool {
	for _, names := range [][]string{weekdays, months} {
		named := func(text string) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				return strings.EqualFold(text, name) || strings.EqualFold(text, name[:3])
			})
		}
		if f.every(c.Name, func(raw string) bool { return named(strings.Trim(raw, `"`)) }) {
			return true
		}
	}
	return false
}

var (
	weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
	months   = []string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	}
)

// value returns a value of a row as it is written.
func (f *figure) value(row int, name string) string {
	if f.rows[row] == nil {
		f.rows[row] = map[string]json.RawMessage{}
		_ = json.Unmarshal(f.data[row], &f.rows[row]) // a row that is none has no values
	}
	return string(f.rows[row][name])
}

// every reports whether there are values in a column and all of them fit.
func (f *figure) every(name string, fits func(raw string) bool) bool {
	some := false
	for i := range f.rows {
		raw := f.value(i, name)
		if raw == "" || raw == "null" {
			continue
		}
		if some = true; !fits(raw) {
			return false
		}
	}
	return some
}

// axes are the columns that rows can be told apart by, in their order.
func (f *figure) axes() []column {
	return f.which(f.columns, func(c column) bool { return c.role == category || c.role == instant || c.role == cycle })
}

// others reports whether there are columns that no chart has a place for, beside keys.
func (f *figure) others() bool {
	known := len(f.measures) + len(f.axes()) + len(f.keys)
	return known != len(f.columns) || len(f.axes()) == 0
}

func (f *figure) which(columns []column, fits func(column) bool) (some []column) {
	for _, c := range columns {
		if fits(c) {
			some = append(some, c)
		}
	}
	return some
}

func (f *figure) names(columns []column) (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// oneUnit reports whether the values fit on one axis.
func (f *figure) oneUnit() bool {
	return !slices.ContainsFunc(f.measures, func(c column) bool { return c.scale != f.measures[0].scale })
}

// unit is what all values are in; empty when nothing says it, or they differ.
func (f *figure) unit() string {
	if len(f.measures) == 0 || !f.oneUnit() {
		return ""
	}
	return f.measures[0].unit
}

// coordinates are what latitudes and longitudes are called.
var coordinates = map[string][]string{"lat": {"lat", "latitude"}, "lon": {"lon", "lng", "long", "longitude"}}

// place returns the column of one coordinate; empty when there is none.
func (f *figure) place(which string) string {
	for _, c := range f.measures {
		words := english.NameWords(c.name)
		if len(words) > 0 && slices.Contains(coordinates[which], words[len(words)-1]) {
			return c.name
		}
	}
	return ""
}
