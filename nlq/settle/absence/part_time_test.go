package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartTimers: who works part time is not who works full time.
func TestPartTimers(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("nurses", `[{"no":1,"name":"Ada","ward":"A","full_time":"yes"},{"no":2,"name":"Bea","ward":"A","full_time":"no"},{"no":3,"name":"Cid","ward":"B","full_time":"no"},{"no":4,"name":"Dan","ward":"B","full_time":"yes"}]`)
	h.Answers(map[string]string{
		"part-timers on ward A":                     "Bea",
		"Which nurses work part time?":              "Bea; Cid",
		"Which nurses work full time?":              "Ada; Dan",
		"Which nurses do not work full time?":       "Bea; Cid",
		"How many full-timers are there on ward B?": "1",
	})
}
