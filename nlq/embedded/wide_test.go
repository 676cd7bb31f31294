package embedded_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// wide makes many datasets of many columns, and trade among them.
func wide(t testing.TB, h *nlqtest.House, datasets, columns int) {
	t.Helper()
	h.Trade()
	nouns := strings.Fields("river tower garden engine bridge forest planet guitar camera rocket island window")
	for d := range datasets {
		cells := make([]string, columns)
		for c := range cells {
			cells[c] = fmt.Sprintf(`"%s_%d":%d`, nouns[c%len(nouns)], c, d+c)
		}
		cells[1] = fmt.Sprintf(`"label":"%s %d"`, nouns[d%len(nouns)], d)
		h.Put(fmt.Sprintf("%s_log_%d", nouns[d%len(nouns)], d), `[{`+strings.Join(cells, ",")+`}]`)
	}
}

func TestManyDatasets(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	const datasets, columns = 60, 20
	wide(t, h, datasets, columns)
	for _, c := range [][2]string{
		{"How many orders are open?", "3"},
		{"list the name of shops that have cancelled orders", "Harbour; Market"},
		{"What is the average price of orders?", "116.5"},
	} {
		got := h.Read(c[0], nil)
		if got.Query == nil || nlqtest.Sorted(h.RowsOf(h.Ada, got)) != c[1] {
			t.Errorf("Translate(%q) among many datasets = %+v, want %s", c[0], got, c[1])
		}
	}
	// What a follow-up changes need not be what its own words are about.
	got := h.Read("only the open ones", parsed(t, inParis))
	if got.Query == nil || h.RowsOf(h.Ada, got) != "11" {
		t.Errorf("a follow-up among many datasets = %+v, want 11", got)
	}
	back := h.Read("asdf qwer", nil)
	if back.Clarification == nil || !strings.Contains(back.Clarification.Question, fmt.Sprintf("and %d more", datasets+2-8)) {
		t.Errorf("Translate(asdf qwer) = %+v, want a question back that names some datasets", back)
	}
}
