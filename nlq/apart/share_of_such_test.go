package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestSharesOfSuch: the whole of a share is only of such rows as the text says.
func TestSharesOfSuch(t *testing.T) {
	t.Parallel()
	nlqtest.Workshop(t).Answers(map[string]string{
		"Late jobs as a percentage of all jobs that have been finished": "20",
		"Jobs finished after promised as a percentage of all jobs":      "16.666666666666668",
	})
}
