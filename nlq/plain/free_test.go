package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsFree: what is free has a fee of nothing.
func TestWhatIsFree(t *testing.T) {
	t.Parallel()
	nlqtest.Office(t).Answers(map[string]string{"which jobs were free?": "13", "How many free jobs were there?": "1"})
}
