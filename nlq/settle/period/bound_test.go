package period_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestBoundsAndEndsOfGroups: what stands behind a number says which side of it is meant,
// a superlative takes its end of each group, and a condition that is said twice is one.
func TestBoundsAndEndsOfGroups(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("dogs", `[{"dog":"Bess","breed":"collie","born":"2015-03-01","weight_kg":19},{"dog":"Rex","breed":"collie","born":"2021-06-01","weight_kg":22},
		{"dog":"Tiny","breed":"terrier","born":"2018-01-09","weight_kg":7},{"dog":"Zoe","breed":"terrier","born":"2012-02-02","weight_kg":8}]`)
	h.Put("hives", `[{"hive":"H1","queen_year":2021},{"hive":"H2","queen_year":2022},{"hive":"H3","queen_year":2023}]`)
	h.Answers(map[string]string{
		"how many hives have a queen year of 2022 or earlier?": "2",
		"how many hives have a queen year of 2022 or later?":   "2",
		"how many dogs weigh 19 kg or more?":                   "2",
		"how many dogs weigh 19 kg or less?":                   "3",
	})
	for text, want := range map[string]string{"the oldest dog in each breed": "Bess"} {
		got := h.Read(text, nil)
		if got.Query == nil || !strings.Contains(h.RowsOf(h.Ada, got), want) {
			t.Errorf("Translate(%q) = %s, want %s among them", text, got.SQL, want)
		}
	}
}
