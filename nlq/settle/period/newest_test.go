package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// gauges makes a house with the readings of tanks, and the prices of goods over time.
func gauges(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("tank_levels", `[
		{"day":"2023-06-01","tank":"north","level":80,"checked_by":"Ann"},{"day":"2023-07-01","tank":"north","level":64,"checked_by":"Bo"},
		{"day":"2023-06-10","tank":"south","level":12,"checked_by":"Ann"},{"day":"2023-07-02","tank":"south","level":31,"checked_by":"Cy"},
		{"day":"2023-07-20","tank":"north","level":41,"checked_by":"Bo"}]`)
	return h
}

// TestNewestValues: the latest level is that of the newest row, not its day and not the largest.
func TestNewestValues(t *testing.T) {
	t.Parallel()
	gauges(t).Answers(map[string]string{
		"What is the latest level of each tank?":        "north 41; south 31",
		"what's the most recent level per tank":         "north 41; south 31",
		"When was the last level of each tank taken?":   "north 2023-07-20; south 2023-07-02",
		"When was each tank last checked?":              "north 2023-07-20; south 2023-07-02",
		"What is the highest level of each tank?":       "north 80; south 31",
		"What is the latest level of the south tank?":   "31",
		"What is the latest day we have for each tank?": "north 2023-07-20; south 2023-07-02",
	})
}
