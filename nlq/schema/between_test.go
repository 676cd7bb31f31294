package schema_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestRowsBetweenTwo: whoever visited a client is found by the visits, whoever their main carer is.
func TestRowsBetweenTwo(t *testing.T) {
	t.Parallel()
	nlqtest.Agency(t).Answers(map[string]string{
		"which clients did Cy Orr visit in September":    "Ida Moor; Kit Ray",
		"how many visits did each carer do for Ida Moor": "Ann Lee 1; Cy Orr 1",
		"which clients is Ann Lee the main carer of":     "Ida Moor; Kit Ray",
		"Who is the main carer of the client Jo Finch?":  "Cy Orr",
	})
}
