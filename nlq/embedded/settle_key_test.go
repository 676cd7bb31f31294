package embedded_test

import (
	"strings"
	"testing"
)

// herd is a stable of hives, which have no names of their own, with what was taken from
// each.
func herd(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	h.dataset(at("hives"), `[{"hive_id":"H1","apiary":"Orchard","hive_type":"National"},{"hive_id":"H2","apiary":"Orchard","hive_type":"Langstroth"},
		{"hive_id":"H3","apiary":"Heath","hive_type":"National"},{"hive_id":"H4","apiary":"Heath","hive_type":"Warre"}]`)
	h.dataset(at("harvests"), `[{"harvest_no":1,"hive_id":"H1","taken_on":"2025-07-01","jars":10},{"harvest_no":2,"hive_id":"H2","taken_on":"2025-07-01","jars":12},
		{"harvest_no":3,"hive_id":"H3","taken_on":"2025-08-01","jars":21},{"harvest_no":4,"hive_id":"H1","taken_on":"2026-07-01","jars":5}]`)
	h.Link(h.ada, "ada.trade.harvests.hive_id", "ada.trade.hives.hive_id")
	return h
}

// Each hive is a hive, whatever it shares with others.
func TestEachOfThemIsOne(t *testing.T) {
	t.Parallel()
	h := herd(t)
	h.answers(map[string]string{
		"which hive gave the most jars overall":                   "H3",
		"how many jars did we get from each apiary":               "Heath 21; Orchard 27",
		"what is the difference in jars between 2026 and 2025":    "5 43 -38",
		"jars of honey taken from each hive, in the order of ids": "H1 15; H2 12; H3 21",
	})
}

// A kind that the data do not have is none that they have, and neither is a name.
func TestKindsThatAreNotThere(t *testing.T) {
	t.Parallel()
	h := herd(t)
	for text, want := range map[string]string{
		"how many Dadant hives are there":      "Dadant",
		"which hives are the best ones?":       "name what to compare by",
		"whats the average":                    "of what",
		"take the hive H1 off the list":        "change nothing",
		"how busy will the hives be in August": "not what will be",
	} {
		got := h.read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, want) {
			t.Errorf("Translate(%q) = %+v %+v, want a question back with %q", text, got.SQL, got.Clarification, want)
		}
	}
}

// Either of two values of a column belongs to whatever else is asked for, and weeks are
// compared by their days.
func TestEitherAndWeeks(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("repairs"), `[{"job":1,"area":"Kitchen","urgent":"Y","cost":80,"reported":"2025-01-01","mended":"2025-01-16"},
		{"job":2,"area":"Kitchen","urgent":"Y","cost":20,"reported":"2025-01-01","mended":"2025-01-15"},
		{"job":3,"area":"Hall","urgent":"N","cost":90,"reported":"2025-01-01","mended":"2025-01-02"},
		{"job":4,"area":"Hall","urgent":"Y","cost":70,"reported":"2025-01-01","mended":"2025-02-02"},
		{"job":5,"area":"Stage","urgent":"Y","cost":70,"reported":"2025-01-01","mended":"2025-01-03"}]`)
	h.answers(map[string]string{
		"how many urgent repairs in the Kitchen or the Hall cost more than 50": "2",
		"how many repairs took more than two weeks to be mended":               "2",
	})
}
