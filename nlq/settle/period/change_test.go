package period_test

import (
	"reflect"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
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

// TestChangesHaveASign: this year against last is what this year has more.
func TestChangesHaveASign(t *testing.T) {
	t.Parallel()
	h := nlqtest.BoxOffice(t)
	got := h.Read("number of bookings this year against last year", nil)
	if got.Clarification != nil || !strings.HasPrefix(h.RowsOf(h.Ada, got), "3 1") || strings.Contains(h.RowsOf(h.Ada, got), "-2") {
		t.Errorf("Translate() = %s, which gives %s, want 3, 1 and no -2", got.SQL, h.RowsOf(h.Ada, got))
	}
}

// TestDifferencesAlone: by how much is one number.
func TestDifferencesAlone(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	h.Answers(map[string]string{"By how much did the total price of orders differ between 2021 and 2022?": "154.5"})
}

// By how many percent something grew is reckoned from two periods.
func TestGrowthInPercent(t *testing.T) {
	t.Parallel()
	nlqtest.Pantry(t).Answers(map[string]string{
		"By how many percent did the total ml grow from 2024 to 2025?":        "200",
		"What was the percentage increase of the total ml from 2024 to 2025?": "200",
	})
}
