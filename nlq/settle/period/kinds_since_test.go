package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNotSince: the clients without a trip since some day, not the trips since.
func TestNotSince(t *testing.T) {
	t.Parallel()
	nlqtest.Garage(t).Answers(map[string]string{
		"clients we haven't had since the end of April": "Otto",
		"Which trips have there been since September?":  "4; 5",
	})
}
