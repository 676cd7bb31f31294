package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsNext: the next event is the first that is still to come.
func TestWhatIsNext(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{"What is the next event?": "Quiz", "Which upcoming events are there?": "Carols; Quiz"})
}

// TestTimesToCome: what is still to come is of the time that reaches beyond today, and the next of
// something is the first of it that is still to come.
func TestTimesToCome(t *testing.T) {
	t.Parallel()
	nlqtest.Boathouse(t).Answers(map[string]string{
		"Which party hires are still to come?":                "H4",
		"How many hires are there in the Loft in March 2024?": "1",
		"next tour?":                            "Pumpkin",
		"What is the next tour?":                "Pumpkin",
		"When is the next regatta?":             "2023-12-20",
		"Which tours are there on the Tay?":     "Snowdrop",
		"Which hires were booked in September?": "H4; H5",
	})
}
