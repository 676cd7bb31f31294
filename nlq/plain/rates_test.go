package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPaidPerHour: who earns more an hour has the higher rate, where one column has that.
func TestPaidPerHour(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("tutors", `[{"tutor":"Ann Vale","subject":"maths","hourly rate":31.5,"hours":10},{"tutor":"Bo Carr","subject":"music","hourly rate":24,"hours":4},
		{"tutor":"Cy Dunn","subject":"maths","hourly rate":28,"hours":30}]`)
	h.Answers(map[string]string{
		"Who earns more per hour than Bo Carr?":       "Ann Vale; Cy Dunn",
		"Who is paid less an hour than Ann Vale?":     "Bo Carr; Cy Dunn",
		"Which tutors have more hours than Ann Vale?": "Cy Dunn",
	})
}
