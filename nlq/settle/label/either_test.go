package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// Either of two values of a column belongs to whatever else is asked for, and weeks are
// compared by their days.
func TestEitherAndWeeks(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("repairs", `[{"job":1,"area":"Kitchen","urgent":"Y","cost":80,"reported":"2025-01-01","mended":"2025-01-16"},
		{"job":2,"area":"Kitchen","urgent":"Y","cost":20,"reported":"2025-01-01","mended":"2025-01-15"},
		{"job":3,"area":"Hall","urgent":"N","cost":90,"reported":"2025-01-01","mended":"2025-01-02"},
		{"job":4,"area":"Hall","urgent":"Y","cost":70,"reported":"2025-01-01","mended":"2025-02-02"},
		{"job":5,"area":"Stage","urgent":"Y","cost":70,"reported":"2025-01-01","mended":"2025-01-03"}]`)
	h.Answers(map[string]string{
		"how many urgent repairs in the Kitchen or the Hall cost more than 50": "2",
		"how many repairs took more than two weeks to be mended":               "2",
	})
}
