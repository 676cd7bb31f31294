package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"quern/client"
)

const (
	// maxBarsDrawn is how many bars a terminal is shown.
	maxBarsDrawn = 40
	// histogramBins is how many bars show how values are spread.
	histogramBins = 10
	// maxLabel is the most columns of a bar's label.
	maxLabel = 30
)

// bar is one bar of a chart.
type bar struct {
	label, shown string
	value        float64
}

// chartText draws the rows of a step as the server says that they are drawn. It fails,
// saying why, for what cannot be drawn with bars.
func chartText(step client.Step, wide int) (string, error) {
	c := step.Chart
	if c == nil {
		return "", errors.New("the server says of no chart for these rows")
	}
	rows, err := step.Rows()
	if err != nil {
		return "", err
	}
	switch c.Kind {
	case "bars", "calendarBars", "shares", "line", "groupedBars", "stackedBars", "numbers":
	case "histogram":
		return barsText(c.X, spread(values(rows, c.X)), wide), nil
	case "table":
		return "", errors.New("these rows are best read as a table: " + c.Reason)
	default:
		return "", fmt.Errorf("what fits these rows (%s) cannot be drawn as text; the console draws it", c.Kind)
	}
	var out strings.Builder
	for i, y := range c.Y {
		if i > 0 {
			out.WriteString("\n")
		}
		title := y
		if c.Unit != "" {
			title += " (" + c.Unit + ")"
		}
		out.WriteString(barsText(title, barsOf(rows, *c, y), wide))
	}
	return out.String(), nil
}

// barsOf makes a bar of each row.
func barsOf(rows client.Result, c client.Chart, y string) []bar {
	value := slices.Index(rows.Columns, y)
	var bars []bar
	for _, row := range rows.Rows {
		if value < 0 || value >= len(row) {
			continue
		}
		number, err := strconv.ParseFloat(cell(row[value]), 64)
		if err != nil {
			continue // null, or no number
		}
		var names []string
		for _, column := range []string{c.X, c.Series} {
			if at := slices.Index(rows.Columns, column); at >= 0 && at < len(row) {
				names = append(names, cell(row[at]))
			}
		}
		bars = append(bars, bar{strings.Join(names, ", "), withoutNoise(cell(row[value])), number})
	}
	return bars
}

// values are the numbers of a column.
func values(rows client.Result, column string) []float64 {
	var all []float64
	at := slices.Index(rows.Columns, column)
	for _, row := range rows.Rows {
		if at < 0 || at >= len(row) {
			continue
		}
		var number float64
		if json.Unmarshal(row[at], &number) == nil && string(row[at]) != "null" {
			all = append(all, number)
		}
	}
	return all
}

// spread counts values in bins of the same width.
func spread(all []float64) []bar {
	if len(all) == 0 {
		return nil
	}
	least, most := slices.Min(all), slices.Max(all)
	step := (most - least) / histogramBins
	if step == 0 || math.IsInf(step, 0) || math.IsNaN(step) {
		return []bar{{short(least), strconv.Itoa(len(all)), float64(len(all))}}
	}
	counts := make([]int, histogramBins)
	for _, v := range all {
		counts[min(int((v-least)/step), histogramBins-1)]++
	}
	bars := make([]bar, histogramBins)
	for i, n := range counts {
		from := least + float64(i)*step
		bars[i] = bar{short(from) + " to " + short(from+step), strconv.Itoa(n), float64(n)}
	}
	return bars
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// barsText draws bars under a title, each from zero; what is below it is drawn lighter.
func barsText(title string, bars []bar, wide int) string {
	left := len(bars) - min(len(bars), maxBarsDrawn)
	bars = bars[:len(bars)-left]
	labels, shown, most := 0, 0, 0.0
	for _, b := range bars {
		labels = max(labels, min(textWidth(b.label), maxLabel))
		shown = max(shown, textWidth(b.shown))
		most = max(most, math.Abs(b.value))
	}
	room := max(wide-labels-shown-2*columnGap, 5)
	var out strings.Builder
	out.WriteString(printable(title) + "\n")
	for _, b := range bars {
		label := cut(printable(b.label), maxLabel)
		n := 0
		if most > 0 {
			n = int(math.Round(math.Abs(b.value) / most * float64(room)))
		}
		if n == 0 && b.value != 0 {
			n = 1
		}
		fill := "█"
		if b.value < 0 {
			fill = "░"
		}
		out.WriteString(label + strings.Repeat(" ", labels-textWidth(label)+columnGap))
		out.WriteString(strings.Repeat(fill, n) + " " + printable(b.shown) + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&out, "and %d more\n", left)
	}
	return out.String()
}
