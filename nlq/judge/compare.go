package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Same reports whether a result is one that is wanted: equal as multisets of rows, whatever the
// order and names of columns, with the columns by which the wanted rows are ordered in their order.
// Numbers are equal within a tolerance, and to a text that writes them.
func Same(want, got [][]any, order Order) bool {
	a, b := want, got
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	if len(a[0]) != len(b[0]) {
		return false
	}
	x, y := transpose(canonical(a)), transpose(canonical(b))
	by := make([]bool, len(x))
	for i := range by {
		by[i] = order.All || slices.Contains(order.By, i)
	}
	return columnsMatch(x, y, make([]string, len(a)), make([]string, len(b)), by)
}

// columnsMatch reports whether the columns of y can be put in an order in which its
// rows are those of x, and those columns by which x is ordered are the same one below the other.
// What stands before the columns is the rows so far, which are the same already.
func columnsMatch(x, y [][]string, beforeX, beforeY []string, ordered []bool) bool {
	if len(x) == 0 {
		return true
	}
	rowsX := appendColumn(beforeX, x[0])
	counts := countRows(rowsX)
	for i, column := range y {
		if slices.ContainsFunc(y[:i], func(tried []string) bool { return slices.Equal(tried, column) }) {
			continue
		}
		rowsY := appendColumn(beforeY, column)
		if ordered[0] && !slices.Equal(x[0], column) || !maps.Equal(counts, countRows(rowsY)) {
			continue
		}
		if columnsMatch(x[1:], slices.Concat(y[:i], y[i+1:]), rowsX, rowsY, ordered[1:]) {
			return true
		}
	}
	return false
}

// appendColumn returns rows with one more value each.
func appendColumn(rows, column []string) []string {
	all := make([]string, len(rows))
	for i, row := range rows {
		all[i] = row + "\x1f" + column[i]
	}
	return all
}

func countRows(rows []string) map[string]int {
	counts := make(map[string]int, len(rows))
	for _, r := range rows {
		counts[r]++
	}
	return counts
}

func transpose(rows [][]string) [][]string {
	columns := make([][]string, len(rows[0]))
	for _, row := range rows {
		for i, v := range row {
			columns[i] = append(columns[i], v)
		}
	}
	return columns
}

func canonical(rows [][]any) [][]string {
	all := make([][]string, len(rows))
	for i, row := range rows {
		all[i] = make([]string, len(row))
		for j, v := range row {
			all[i][j] = value(v)
		}
	}
	return all
}

// value writes a value so that equal ones are written alike.
func value(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		if v {
			return "1"
		}
		return "0"
	case int64:
		return number(float64(v))
	case float64:
		return number(v)
	case json.Number:
		return text(v.String())
	case time.Time:
		return text(v.UTC().Format(time.DateTime))
	case []byte:
		return text(string(v))
	case string:
		return text(v)
	}
	return fmt.Sprint(v)
}

func text(s string) string {
	if s == "" {
		return value(nil) // a number that is missing is an empty text in some databases
	}
	const whole = " 00:00:00"
	if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && !math.IsNaN(f) && !math.IsInf(f, 0) {
		return number(f)
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			return "'" + strings.TrimSuffix(t.UTC().Format(time.DateTime), whole)
		}
	}
	return "'" + s
}

func number(f float64) string {
	const tolerance = 1e4
	if math.Abs(f) < 1e12 {
		f = math.Round(f*tolerance) / tolerance
	}
	if f == 0 {
		f = 0 // not the negative one
	}
	return strconv.FormatFloat(f, 'g', 12, 64)
}
