package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestMoreThanTheAverageOwner: totals of owners are compared with the average total.
func TestMoreThanTheAverageOwner(t *testing.T) {
	t.Parallel()
	nlqtest.Workshop(t).Answers(map[string]string{
		"Which owners have paid more than the average owner?":              "Ann Vale; Bo Carr",
		"Who has paid us more than twice what the average owner has paid?": "Ann Vale",
		"Which owners have paid less than the average owner?":              "Cy Dunn; Di Earl",
		"Which jobs have a higher price than the average job?":             "101; 102; 103",
		"Which owners have had a job that cost more than the average job?": "Ann Vale; Bo Carr",
		"How many jobs cost more than the average job?":                    "3",
	})
}
