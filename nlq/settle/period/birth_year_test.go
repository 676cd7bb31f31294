package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestAgesByBirthYears: how old people are is reckoned from the year of their birth, where the data have
// no more.
func TestAgesByBirthYears(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"member_no":101,"name":"Anna","birth_year":1950,"town":"Riverton"},{"member_no":102,"name":"Ben","birth_year":1999,"town":"Riverton"},{"member_no":103,"name":"Cleo","birth_year":1985,"town":"Ashby"},
		{"member_no":104,"name":"Dan","birth_year":2010,"town":"Ashby"}]`)
	h.Answers(map[string]string{
		"members over 60":                           "Anna",
		"members between 30 and 40 years old":       "Cleo",
		"how old is Ben?":                           "24",
		"how old is our oldest member":              "73",
		"in which year was our oldest member born?": "1950",
		"how old is our youngest member":            "13",
		"in which year was Anna born?":              "1950",
		"members born after 1990":                   "Ben; Dan",
		"members in their twenties":                 "Ben",
	})
}
