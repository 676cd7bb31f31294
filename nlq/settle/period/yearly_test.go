package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestMonthsOfAYear: what is paid each month comes to twelve times as much in a year.
func TestMonthsOfAYear(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("subscriptions", `[{"service":"Paper","per_month":10,"category":"news"},{"service":"Gym","per_month":30,"category":"sport"},{"service":"Radio","per_month":5,"category":"news"}]`)
	h.Answers(map[string]string{
		"What do all subscriptions cost us over a year?": "540",
		"What do all subscriptions cost us per month?":   "45",
	})
}
