package period_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsSoInTwoPeriods: the sales that were refunded are not all sales of the two months.
func TestWhatIsSoInTwoPeriods(t *testing.T) {
	t.Parallel()
	h := nlqtest.Counter(t)
	for question, want := range map[string]string{
		"How many sales were refunded in September 2023 compared with August 2023?": "2 1",
		"How many sales did we make in September 2023 compared with August 2023?":   "3 2",
	} {
		got := h.Read(question, nil)
		if got.Clarification != nil || !strings.HasPrefix(h.RowsOf(h.Ada, got), want) && !strings.HasPrefix(h.RowsOf(h.Ada, got), want[2:]+" "+want[:1]) {
			t.Errorf("Translate(%q) = %+v, want %s", question, got.SQL, want)
		}
	}
}
