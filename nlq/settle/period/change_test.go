package period_test

import (
	"reflect"
	"testing"

	"quern/nlq/settle/period"
	"quern/tree"
)

// TestWithinPeriods: what is shown by quarter has no column for each of two years, of
// which a quarter is in one.
func TestWithinPeriods(t *testing.T) {
	t.Parallel()
	const (
		y25     = "(day >= DATE '2025-01-01' AND day < DATE '2026-01-01')"
		y26     = "(day >= DATE '2026-01-01' AND day < DATE '2027-01-01')"
		columns = "sum(amt) FILTER (WHERE " + y25 + "), sum(amt) FILTER (WHERE " + y26 + "), sum(amt) FILTER (WHERE " + y26 + ") - sum(amt) FILTER (WHERE " + y25 + ")"
		month   = "strftime(day, '%Y-%m')"
	)
	read := func(sql string) *tree.Query {
		q, err := tree.Parse(sql)
		if err != nil {
			t.Fatalf("Parse(%s) = %v", sql, err)
		}
		return q
	}
	for sql, want := range map[string]string{
		"SELECT " + month + ", " + columns + " FROM bills WHERE kind = 'x' GROUP BY " + month: "SELECT " + month + ", sum(amt) FROM bills WHERE kind = 'x' AND (" + y25 + " OR " + y26 + ") GROUP BY " + month,
		"SELECT month(day), " + columns + " FROM bills GROUP BY month(day)":                   "SELECT month(day), " + columns + " FROM bills GROUP BY month(day)",
		"SELECT kind, " + columns + " FROM bills GROUP BY kind":                               "SELECT kind, " + columns + " FROM bills GROUP BY kind",
	} {
		q := read(sql)
		period.WithinPeriods(q)
		if want := read(want); !reflect.DeepEqual(q, want) {
			t.Errorf("%s is read as\n%+v, want\n%+v", sql, q.Select, want.Select)
		}
	}
}
