// Package chart owns the rule by which rows are drawn: which chart fits a query's
// groups and aggregates, and why.
//
// It never draws, and never looks further than the rows of a step. The failure it is
// built around is a chart that shows what the rows do not say: an axis of keys, values
// of two units on one scale, a hundred bars. What fits no rule is a table.
package chart

import (
	"fmt"
	"strings"

	"quern"
	"quern/tree"
)

// The bounds of the rule.
const (
	maxNumbers   = 4    // values of one row that are shown large
	maxShares    = 6    // parts of a whole
	leastLine    = 3    // points of a line
	maxLines     = 4    // values along one time
	maxSeries    = 8    // lines of one value
	topSeries    = 7    // of them, where there are more
	maxBars      = 25   // bars
	maxCategory  = 100  // categories of which the first are shown
	maxGroup     = 3    // bars next to each other, of several values
	maxStack     = 4    // bars next to each other, of one value
	maxHeat      = 30   // rows and columns of a grid
	maxScattered = 5000 // points
)

// Choose returns the chart for the rows of a step; q is the query that they came from,
// nil where it is not known as a tree. The first rule that fits decides.
func Choose(q *tree.Query, s quern.Step) quern.Chart {
	f := newFigure(q, s)
	for _, rule := range []func() *quern.Chart{
		f.numbers, f.places, f.unfit, f.shares, f.calendar, f.line, f.lines, f.bars, f.groups, f.grid, f.histogram, f.scatter,
	} {
		if c := rule(); c != nil {
			c.Reason = strings.TrimSpace(c.Reason)
			return *c
		}
	}
	return *table("No chart shows these columns together.")
}

func table(reason string) *quern.Chart { return &quern.Chart{Kind: quern.ChartTable, Reason: reason} }

// numbers is one row with a few values.
func (f *figure) numbers() *quern.Chart {
	measures, others := len(f.measures), len(f.columns)-len(f.measures)
	labelled := others == 1 && len(f.axes()) == 1
	if f.total != 1 || measures == 0 || measures > maxNumbers || others != 0 && !labelled {
		return nil
	}
	c := &quern.Chart{Kind: quern.ChartNumbers, Y: f.names(f.measures), Unit: f.unit(), Reason: "One row: its values say it all."}
	if labelled {
		c.X = f.axes()[0].name
	}
	return c
}

// places is points on the earth.
func (f *figure) places() *quern.Chart {
	latitude, longitude := f.place("lat"), f.place("lon")
	if latitude == "" || longitude == "" || f.total == 0 {
		return nil
	}
	return &quern.Chart{
		Kind: quern.ChartScatter, X: longitude, Y: []string{latitude}, Reason: "Latitude and longitude: each row is a place.",
	}
}

// unfit is what is best read.
func (f *figure) unfit() *quern.Chart {
	switch {
	case f.total == 0:
		return table("There are no rows to draw.")
	case len(f.measures) == 0:
		return table("There is no value to draw, only text, keys or times.")
	case f.listing && len(f.columns) > 2:
		return table("A list of rows with several columns is best read.")
	case f.listing && len(f.keys) > 0:
		return table("A list of rows with a key is best read.")
	}
	return nil
}

// shares is parts of a whole.
func (f *figure) shares() *quern.Chart {
	portions := f.which(f.measures, func(c column) bool { return c.portion })
	if len(portions) != 1 || len(f.axes()) != 1 || f.total > maxShares || f.others() {
		return nil
	}
	return &quern.Chart{
		Kind: quern.ChartShares, X: f.axes()[0].name, Y: f.names(portions), Unit: "%",
		Reason: fmt.Sprintf("Shares of a whole in %d parts.", f.total),
	}
}

// calendar is values of days of the week or months of the year, or of very few times.
func (f *figure) calendar() *quern.Chart {
	if len(f.measures) != 1 || len(f.axes()) != 1 || f.others() {
		return nil
	}
	c := &quern.Chart{Kind: quern.ChartCalendar, X: f.axes()[0].name, Y: f.names(f.measures), Unit: f.unit()}
	switch {
	case len(f.cycles) == 1:
		c.Reason = "A value for each part of a cycle, in the order of the calendar."
	case len(f.times) == 1 && f.distinct(f.times[0]) < leastLine:
		c.Reason = "Fewer than three points in time make no line."
	default:
		return nil
	}
	return c
}

// line is values over time.
func (f *figure) line() *quern.Chart {
	n := len(f.measures)
	if len(f.times) != 1 || len(f.axes()) != 1 || n > maxLines || !f.oneUnit() || f.others() {
		return nil
	}
	reason := "A value over time."
	if n > 1 {
		reason = "Values of one unit over time."
	}
	return &quern.Chart{Kind: quern.ChartLine, X: f.times[0].name, Y: f.names(f.measures), Unit: f.unit(), Reason: reason}
}

// lines is one value over time for each category.
func (f *figure) lines() *quern.Chart {
	if len(f.times) != 1 || len(f.categories) != 1 || len(f.axes()) != 2 || len(f.measures) != 1 || f.others() {
		return nil
	}
	c := &quern.Chart{
		Kind: quern.ChartLine, X: f.times[0].name, Y: f.names(f.measures), Series: f.categories[0].name, Unit: f.unit(),
		Reason: "A value over time for each of a few categories.",
	}
	if series := f.distinct(f.categories[0]); series > maxSeries {
		c.Top, c.Summed = topSeries, f.measures[0].additive
		rest := "are counted, for they cannot be added up"
		if c.Summed {
			rest = "are added up"
		}
		c.Reason = fmt.Sprintf("A value over time for each of %d categories: the top %d, the others %s.", series, topSeries, rest)
	}
	return c
}

// bars is one value for each category.
func (f *figure) bars() *quern.Chart {
	if len(f.categories) != 1 || len(f.axes()) != 1 || len(f.measures) != 1 || f.others() || f.total < 2 {
		return nil
	}
	c := &quern.Chart{Kind: quern.ChartBars, X: f.categories[0].name, Y: f.names(f.measures), Unit: f.unit()}
	c.Reason = "A value for each category."
	switch {
	case f.total > maxCategory:
		return table(fmt.Sprintf("%d categories are too many for bars.", f.total))
	case f.total > maxBars:
		c.Top = maxBars
		c.Reason = fmt.Sprintf("A value for each of %d categories: the top %d, the others counted.", f.total, maxBars)
	}
	return c
}

// groups is a few values of one unit for each category.
func (f *figure) groups() *quern.Chart {
	n, few := len(f.measures), f.total <= maxBars
	if len(f.times) != 0 || len(f.axes()) != 1 || n < 2 || n > maxGroup || !few || !f.oneUnit() || f.others() {
		return nil
	}
	return &quern.Chart{
		Kind: quern.ChartGrouped, X: f.axes()[0].name, Y: f.names(f.measures), Unit: f.unit(),
		Reason: "Several values of one unit for each category.",
	}
}

// grid is one value for each pair of categories.
func (f *figure) grid() *quern.Chart {
	axes := f.axes()
	if len(axes) != 2 || len(f.times) != 0 || len(f.measures) != 1 || f.others() {
		return nil
	}
	x, series := axes[0], axes[1]
	if f.distinct(x) < f.distinct(series) {
		x, series = series, x
	}
	c := &quern.Chart{Kind: quern.ChartGrouped, X: x.name, Y: f.names(f.measures), Series: series.name, Unit: f.unit()}
	switch wide, deep := f.distinct(x), f.distinct(series); {
	case deep <= maxStack && wide <= maxBars && f.measures[0].additive:
		c.Kind, c.Reason = quern.ChartStacked, "Sums for two categories, of which one has few values: they add up."
	case deep <= maxStack && wide <= maxBars:
		c.Reason = "A value for each pair of two categories, of which one has few values."
	case wide <= maxHeat && deep <= maxHeat:
		c.Kind, c.Reason = quern.ChartHeat, "A value for each pair of two categories with many values."
	default:
		return nil
	}
	return c
}

// histogram is the values of one column.
func (f *figure) histogram() *quern.Chart {
	if len(f.columns) != 1 || len(f.measures) != 1 {
		return nil
	}
	return &quern.Chart{
		Kind: quern.ChartHistogram, X: f.measures[0].name, Unit: f.unit(), Reason: "The values of one column: how they are spread.",
	}
}

// scatter is the values of two columns.
func (f *figure) scatter() *quern.Chart {
	if len(f.columns) != 2 || len(f.measures) != 2 {
		return nil
	}
	c := &quern.Chart{
		Kind: quern.ChartScatter, X: f.measures[0].name, Y: f.names(f.measures[1:]), Reason: "Two values of each row: how they go together.",
	}
	if f.total > maxScattered {
		c.Kind = quern.ChartBinned
		c.Reason = fmt.Sprintf("Two values of each of %d rows: counted in cells, for so many points hide each other.", f.total)
	}
	return c
}

// distinct counts the values of a column, null among them.
func (f *figure) distinct(c column) int {
	seen := map[string]bool{}
	for i := range f.rows {
		seen[f.value(i, c.name)] = true
	}
	return len(seen)
}
