package tree_test

import (
	"strings"
	"testing"

	"quern/tree"
)

// TestLabelsTellReadingsApart: readings that are offered side by side are asked for by their
// words, so conditions that differ are worded differently.
func TestLabelsTellReadingsApart(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for where, want := range map[string]string{
		`paid = true`:                          "that are paid",
		`paid = false`:                         "that are not paid",
		`paid is null`:                         "whose paid is missing",
		`newsletter = true`:                    "with newsletter yes",
		`newsletter = false`:                   "with newsletter no",
		`is_student = false`:                   "that are marked as not student",
		`paid = false and active = true`:       "that are active and not paid",
		`paid = true and active = false`:       "that are paid and not active",
		`starts_with(name, 'ben')`:             "whose name starts with 'ben'",
		`starts_with(name, 'ben ')`:            "whose name starts with the word 'ben'",
		`starts_with(name, ' ben')`:            "whose name starts with ' ben'",
		`contains(name, 'ben ')`:               "whose name contains 'ben '",
		`not ends_with(remarks, ' a b')`:       "whose remarks do not end with the words 'a b'",
		`paid = true and city = 'Kiel'`:        "that are paid and whose city is 'Kiel'",
		`newsletter = true and days in (1, 2)`: "with newsletter yes whose days are one of 1 or 2",
	} {
		q, err := tree.Parse(`select count(*) from customers where ` + where)
		if err != nil {
			t.Fatal(err)
		}
		got := tree.English(q)
		if got != "Counts customers "+want {
			t.Errorf("English(where %s) = %q, want it to end with %q", where, got, want)
		}
		if other, twice := seen[strings.ToLower(got)]; twice {
			t.Errorf("%s and %s are both %q", where, other, got)
		}
		seen[strings.ToLower(got)] = where
	}
}
