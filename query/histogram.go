package query

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/catalog"
	"quern/tree"
)

// HistogramKind is what the values of a histogram are.
type HistogramKind string

// The kinds. Values of none have no order that people know: JSON.
const (
	NumberHistogram   HistogramKind = "number"
	TimeHistogram     HistogramKind = "time"
	CategoryHistogram HistogramKind = "category"
	NoHistogram       HistogramKind = "none"
)

// Histogram tells how the values of a column are spread.
type Histogram struct {
	Column      quern.Column
	Kind        HistogramKind
	Rows, Nulls int64
	Bins        []Bin   // of numbers and times, in order, without gaps
	Values      []Value // of categories, the most frequent first
	// OtherValues and OtherRows are what Values has no room for.
	OtherValues, OtherRows int64
}

// Bin is a span of values, of which it holds the lower bound; the last bin holds both.
type Bin struct {
	From, To any // float64, or a date or an instant as text
	Count    int64
}

// Value is one value with how often it is there. Text is cut after maxCategory
// characters.
type Value struct {
	Value any
	Count int64
}

const (
	// maxCategory is the most characters of a text in a histogram.
	maxCategory = 200
	// valueName is what a histogram's queries call the column.
	valueName = "value"
)

// Histogram tells how the values of a dataset's column are spread, over about as many
// bins as asked for, or in as many of the most frequent values. It reads that column
// and those of the filter alone. NotFound when the column is not there, Invalid when
// the filter is wrong.
func (s *Service) Histogram(ctx context.Context, p quern.Principal, path quern.DatasetPath, column, filter string, bins int) (Histogram, error) {
	snap, err := s.catalog.Snapshot(ctx, p, path)
	if err != nil {
		return Histogram{}, err
	}
	columns := catalog.Columns(snap.Dataset)
	at := slices.IndexFunc(columns, func(c quern.Column) bool { return tree.SameName(c.Name, column) })
	if at < 0 {
		return Histogram{}, quern.E(quern.NotFound, quern.CodeNotFound, "there is no such column")
	}
	selected, err := selection(snap.Dataset, Window{Filter: filter})
	if err != nil {
		return Histogram{}, err
	}
	selected.Select.Items = []tree.Item{{Expr: tree.Column{Name: columns[at].Name}, Alias: valueName}}
	values, err := tree.SQL(selected)
	if err != nil {
		return Histogram{}, err
	}
	table, err := s.open(ctx, snap)
	if err != nil {
		return Histogram{}, err
	}
	defer table.held.release()
	table.table.RowIDs = false
	h := &histogram{
		Histogram: Histogram{Column: columns[at], Kind: histogramKind(columns[at].Type)}, bins: bins, values: values,
		all: func(sql string) ([][]any, error) { return table.all(ctx, p, sql) },
	}
	if snap.Dataset.Rows == 0 {
		return h.Histogram, nil
	}
	return h.Histogram, h.fill()
}

func histogramKind(t quern.Type) HistogramKind {
	switch {
	case t.Numeric():
		return NumberHistogram
	case t.Temporal():
		return TimeHistogram
	case t == quern.JSON:
		return NoHistogram
	}
	return CategoryHistogram
}

// histogram is one in the making.
type histogram struct {
	Histogram
	bins   int
	values string // the query of the values
	all    func(sql string) ([][]any, error)
}

func (h *histogram) fill() error {
	low, high := "min("+valueName+")", "max("+valueName+")"
	switch {
	case h.Column.Type == quern.Double: // which can be no number, or an endless one
		finite := "CASE WHEN isfinite(" + valueName + ") THEN " + valueName + " END"
		low, high = "min("+finite+")", "max("+finite+")"
	case h.Kind == NumberHistogram:
		low, high = "CAST("+low+" AS DOUBLE)", "CAST("+high+" AS DOUBLE)"
	case h.Kind != TimeHistogram:
		low, high = "NULL", "NULL"
	}
	found, err := h.all("SELECT count(*), count(" + valueName + "), " + low + ", " + high + " FROM (" + h.values + ")")
	if err != nil {
		return err
	}
	rows, _ := found[0][0].(int64)
	some, _ := found[0][1].(int64)
	h.Rows, h.Nulls = rows, rows-some
	if some == 0 {
		return nil
	}
	switch h.Kind {
	case NumberHistogram:
		return h.fillNumbers(found[0][2], found[0][3])
	case TimeHistogram:
		return h.fillTimes(found[0][2], found[0][3])
	case CategoryHistogram:
		return h.fillCategories(some)
	}
	return nil
}

// fillNumbers counts numbers in bins whose bounds are easy to read.
func (h *histogram) fillNumbers(from, to any) error {
	low, okLow := from.(float64)
	high, okHigh := to.(float64)
	if !okLow || !okHigh {
		return nil // no value is a finite number
	}
	width, start := binWidth(low, high, h.bins, h.Column.Type == quern.Integer)
	n, place := 1, "0"
	if width > 0 {
		n = int(math.Floor((high-start)/width)) + 1
		place = fmt.Sprintf("CAST(floor((CAST(%s AS DOUBLE) - %s) / %s) AS BIGINT)", valueName, number(start), number(width))
	}
	found, err := h.all(fmt.Sprintf("SELECT %s, count(*) FROM (%s) WHERE CAST(%s AS DOUBLE) BETWEEN %s AND %s GROUP BY 1",
		place, h.values, valueName, number(low), number(high)))
	if err != nil {
		return err
	}
	if n == 1 { // it shows what there is, and no more
		h.Bins = []Bin{{From: low, To: high}}
	}
	for i := 0; i < n && n > 1; i++ {
		h.Bins = append(h.Bins, Bin{From: tidy(start+float64(i)*width, width), To: tidy(start+float64(i+1)*width, width)})
	}
	for _, row := range found {
		bin, _ := row[0].(int64)
		count, _ := row[1].(int64)
		h.Bins[min(max(bin, 0), int64(n-1))].Count += count
	}
	return nil
}

// number writes a number so that the engine takes it for a double.
func number(f float64) string { return fmt.Sprintf("CAST('%g' AS DOUBLE)", f) }

// binWidth returns the width of bins that people can read, 1, 2 or 5 with any number of
// noughts, and where the first begins. The width is 0 where one bin does for all.
func binWidth(low, high float64, bins int, whole bool) (width, start float64) {
	span := (high - low) / float64(bins)
	if span == 0 || math.IsInf(span, 0) {
		return 0, low
	}
	width = math.Pow(10, math.Floor(math.Log10(span)))
	for _, times := range []float64{1, 2, 5, 10} {
		if width*times >= span {
			width *= times
			break
		}
	}
	if whole {
		width = max(1, width)
	}
	return width, math.Floor(low/width) * width
}

// tidy rounds a bound to what its width can tell: 0.3, not 0.30000000000000004.
func tidy(bound, width float64) float64 {
	steps := math.Round(bound/width*1e6) / 1e6
	if digits := math.Ceil(-math.Log10(width)); digits > 0 && digits < 300 {
		scale := math.Pow(10, digits)
		return math.Round(steps*width*scale) / scale
	}
	return steps * width
}

// timeUnit is a span of the calendar.
type timeUnit struct {
	name                string  // as date_trunc knows it
	seconds             float64 // about
	years, months, days int
	exact               time.Duration
}

const day = 24 * 60 * 60.0

var timeUnits = []timeUnit{
	{name: "second", seconds: 1, exact: time.Second},
	{name: "minute", seconds: 60, exact: time.Minute},
	{name: "hour", seconds: 3600, exact: time.Hour},
	{name: "day", seconds: day, days: 1},
	{name: "week", seconds: 7 * day, days: 7},
	{name: "month", seconds: 30 * day, months: 1},
	{name: "quarter", seconds: 91 * day, months: 3},
	{name: "year", seconds: 365 * day, years: 1},
	{name: "decade", seconds: 3652 * day, years: 10},
	{name: "century", seconds: 36524 * day, years: 100},
	{name: "millennium", seconds: 365242 * day, years: 1000},
}

func (u timeUnit) after(t time.Time) time.Time {
	return t.AddDate(u.years, u.months, u.days).Add(u.exact)
}

// unitOf returns the smallest unit of the calendar of which at most bins lie between two
// times.
func unitOf(low, high time.Time, bins int, dates bool) timeUnit {
	for _, u := range timeUnits {
		fine := dates && u.exact != 0
		if seconds := float64(high.Unix() - low.Unix()); !fine && seconds/u.seconds < float64(bins) {
			return u
		}
	}
	return timeUnits[len(timeUnits)-1]
}

// fillTimes counts times in units of the calendar.
func (h *histogram) fillTimes(from, to any) error {
	low, errLow := readTime(from)
	high, errHigh := readTime(to)
	if errLow != nil || errHigh != nil {
		return nil //nolint:nilerr // a time that the engine writes otherwise, as endless ones, has no place on an axis
	}
	dates := h.Column.Type == quern.Date
	unit := unitOf(low, high, h.bins, dates)
	found, err := h.all(fmt.Sprintf("SELECT date_trunc('%s', %s), count(*) FROM (%s) WHERE %[2]s IS NOT NULL GROUP BY 1 ORDER BY 1",
		unit.name, valueName, h.values))
	if err != nil {
		return err
	}
	var at time.Time
	for _, row := range found {
		begins, err := readTime(row[0])
		if err != nil {
			return fmt.Errorf("query: a bin begins at %v: %w", row[0], err)
		}
		for !at.IsZero() && at.Before(begins) { // where there is nothing, nothing is counted
			h.Bins = append(h.Bins, timeBin(at, unit, dates, 0))
			at = unit.after(at)
		}
		count, _ := row[1].(int64)
		h.Bins = append(h.Bins, timeBin(begins, unit, dates, count))
		at = unit.after(begins)
	}
	return nil
}

func timeBin(from time.Time, unit timeUnit, dates bool, count int64) Bin {
	layout := time.RFC3339
	if dates {
		layout = time.DateOnly
	}
	return Bin{From: from.Format(layout), To: unit.after(from).Format(layout), Count: count}
}

// readTime reads a date or an instant as engine.Rows has it.
func readTime(v any) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, errors.New("not a time")
	}
	if !strings.Contains(text, "T") {
		return time.Parse(time.DateOnly, text)
	}
	return time.Parse(time.RFC3339Nano, text)
}

// fillCategories counts the most frequent values.
func (h *histogram) fillCategories(some int64) error {
	shown := valueName
	if h.Column.Type == quern.Text {
		shown = fmt.Sprintf("left(%s, %d)", valueName, maxCategory)
	}
	found, err := h.all(fmt.Sprintf("SELECT %s, n, kinds FROM (SELECT %s, n, count(*) OVER () AS kinds FROM "+
		"(SELECT %[2]s, count(*) AS n FROM (%[3]s) WHERE %[2]s IS NOT NULL GROUP BY %[2]s) ORDER BY n DESC, %[2]s LIMIT %[4]d) ORDER BY n DESC, %[2]s",
		shown, valueName, h.values, h.bins))
	if err != nil {
		return err
	}
	h.OtherRows = some
	for _, row := range found {
		count, _ := row[1].(int64)
		kinds, _ := row[2].(int64)
		h.Values = append(h.Values, Value{row[0], count})
		h.OtherRows, h.OtherValues = h.OtherRows-count, kinds-int64(len(found))
	}
	return nil
}
