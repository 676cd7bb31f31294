package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestAverageOfItsKind: a van is compared with vans where the text says so.
func TestAverageOfItsKind(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{
		"Which vans have a day rate above that of the average van?": "V2",
		"which vans are cheaper per day than the average van?":      "V1",
	})
}
