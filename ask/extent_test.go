package ask_test

import (
	"fmt"
	"testing"

	"quern/ask"
)

// What is asked of a period that the data do not reach is answered with nothing, and
// with where the data end.
func TestPeriodsBeyondTheDataAreSaidToBe(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 0)
	h.dataset("calls", `[{"ship":"A","arrived":"2025-01-07T11:35:00Z","day":"2025-01-07","fee":5},
		{"ship":"B","arrived":"2025-12-18T22:43:00Z","day":"2025-12-18","fee":0}]`)
	h.dataset("ships", `[{"ship":"A"},{"ship":"B"}]`)
	const late, early = "[the data have nothing that late: the last %s is 2025-12-18]", "[the data have nothing that early: the first %s is 2025-01-07]"
	for sql, want := range map[string]string{
		"select count(*) from calls where day >= date '2031-01-01' and day < date '2032-01-01'":                                                   fmt.Sprintf(late, "day"),
		"select ship from calls where arrived >= timestamptz '2031-01-01T00:00:00Z'":                                                              fmt.Sprintf(late, "arrived"),
		"select sum(fee) from calls where day < date '2020-01-01'":                                                                                fmt.Sprintf(early, "day"),
		"select count(*) from ships join calls on ships.ship = calls.ship where calls.day >= date '2026-01-01' and calls.day < date '2027-01-01'": fmt.Sprintf(late, "day"),
		"select count(*) from ships where ship in (select ship from calls where day > date '2030-01-01')":                                         fmt.Sprintf(late, "day"),
		"select count(*) from calls where day >= date '2025-02-01' and day < date '2025-03-01'":                                                   "[]",
		"select count(*) from calls where day >= date '2025-01-01' and day < date '2026-01-01'":                                                   "[]",
		"select sum(fee) from calls where day >= date '2025-12-01' and day < date '2026-01-01'":                                                   "[]",
		"select count(*) from calls where ship = 'C'":                                                                                             "[]",
	} {
		h.script.Knows(sql, sql)
		if _, result := h.run(ask.NewNL2QL(h.querier), h.work(sql)); fmt.Sprint(result.Notes) != want {
			t.Errorf("notes of %s = %q, want %s", sql, result.Notes, want)
		}
	}
}
