package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestUntilToday: how long what is not back has been out is until today.
func TestUntilToday(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("loans", `[{"loan":1,"item":"saw","taken":"2023-09-21","returned":null},{"loan":2,"item":"drill","taken":"2023-09-01","returned":"2023-09-03"},
		{"loan":3,"item":"ladder","taken":"2023-09-26","returned":null}]`)
	h.Answers(map[string]string{"loan lengths in days of what is not returned": "1 10; 3 5"})
}

// Durations are in the unit that is said, and from the time that is meant.
func TestDurationsAsTheyAreMeant(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("staff", `[{"name":"Ada Berg","born":"1960-01-05","hired":"2020-01-05","salary":10},{"name":"Ben Lind","born":"1990-01-05","hired":"2010-01-05","salary":20}]`)
	h.Put("tickets", `[{"ticket":"T1","opened":"2024-01-01T08:00:00Z","closed":"2024-01-01T20:00:00Z"},{"ticket":"T2","opened":"2024-01-02T08:00:00Z","closed":"2024-01-03T08:00:00Z"}]`)
	h.Answers(map[string]string{
		"average hours between opened and closed":           "18",
		"Which of the staff has been with us the longest?":  "Ben Lind",
		"average number of days between opened and closed?": "0.5",
	})
}
