package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestBirthdays: a birthday is in every year, but who joined in October did so in one.
func TestBirthdays(t *testing.T) {
	t.Parallel()
	nlqtest.Boathouse(t).Answers(map[string]string{
		"Who has a birthday this month?":                     "Ivy Lunn; Kit Moss; Max Orme",
		"Which rowers have a birthday in May?":               "Lou Nash",
		"Whose birthday is it today?":                        "Max Orme",
		"Who has a birthday next week?":                      "Ivy Lunn",
		"Which rowers were born in November?":                "Nan Pike",
		"Which rowers were born in 1985?":                    "Lou Nash; Max Orme",
		"Which rowers were born in May 1985?":                "Lou Nash",
		"Which rowers joined in May 2023?":                   "Max Orme",
		"How many hires in the Shed were booked this month?": "0",
		"How many rowers joined in October 2022":             "1",
	})
}
