package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestHowLongSo: how long somebody has worked here is reckoned from when they began, and is neither a
// number of hours nor long hair.
func TestHowLongSo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("staff", `[{"staff_id":"S1","name":"Ann Lee","job":"dentist","started":"2011-03-01","hrs_week":32,"hair":"long"},{"staff_id":"S2","name":"Bert Roy","job":"nurse","started":"2019-09-02","hrs_week":36,"hair":"short"},
		{"staff_id":"S3","name":"Cleo Fay","job":"nurse","started":"2021-01-02","hrs_week":20,"hair":"long"},{"staff_id":"S4","name":"Dan Ives","job":"nurse","started":"2016-01-02","hrs_week":20,"hair":"short"}]`)
	h.Answers(map[string]string{
		"how long has Bert Roy worked here?":        "4",
		"how long has Bert Roy been with us?":       "4",
		"how many hours a week does Bert Roy work?": "36",
		"which staff have long hair?":               "Ann Lee; Cleo Fay",
	})
}
