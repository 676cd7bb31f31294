package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatHasNotEnded: what still runs has no time at which it ended; what is not among the data's
// things does not run.
func TestWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("memberships", `[{"holder":"Eve Frost","kind":"gold","fee":20.0,"began":"2021-01-01","cancelled":null},{"holder":"Fay Grant","kind":"silver","fee":10.0,"began":"2021-03-01","cancelled":"2022-01-01"},
		{"holder":"Gil Hurst","kind":"gold","fee":20.0,"began":"2022-01-01","cancelled":null},{"holder":"Hal Innes","kind":"silver","fee":10.0,"began":"2022-06-01","cancelled":null}]`)
	h.Answers(map[string]string{
		"How many running memberships are there per kind?": "gold 2; silver 1",
		"Which active memberships are there?":              "Eve Frost; Gil Hurst; Hal Innes",
		"Which memberships are still active?":              "Eve Frost; Gil Hurst; Hal Innes",
		"How many memberships are there?":                  "4",
		"Which memberships were cancelled in 2022?":        "Fay Grant",
	})
}
