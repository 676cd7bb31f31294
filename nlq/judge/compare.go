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

// Same reports whether two results are the same: equal as multisets of rows,
// whatever the order and names of columns; in the same order when ordered.
// Numbers are equal within a tolerance, and to a text that writes them.
func Same(a, b [][]any, ordered bool) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	if len(a[0]) != len(b[0]) {
		return false
	}
	x, y := canonical(a), canonical(b)
	rowsX, rowsY := sorted(x), sorted(y)
	if ordered && !slices.Equal(rowsX, rowsY) || !maps.Equal(counted(rowsX), counted(rowsY)) {
		return false
	}
	return sameColumns(x, y)
}

// sameColumns reports whether the columns hold the same values, in some order.
func sameColumns(a, b [][]string) bool {
	columns := func(rows [][]string) []string {
		all := sorted(transposed(rows))
		slices.Sort(all)
		return all
	}
	return slices.Equal(columns(a), columns(b))
}

// sorted writes each row as one text, whatever the order of its values.
func sorted(rows [][]string) []string {
	all := make([]string, len(rows))
	for i, row := range rows {
		row = slices.Clone(row)
		slices.Sort(row)
		all[i] = strings.Join(row, "\x1f")
	}
	return all
}

func counted(rows []string) map[string]int {
	counts := make(map[string]int, len(rows))
	for _, r := range rows {
		counts[r]++
	}
	return counts
}

func transposed(rows [][]string) [][]string {
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
