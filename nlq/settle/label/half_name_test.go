package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestHalfOfAName: a word that is all of a value is not half of the name of a column of yes and no.
func TestHalfOfAName(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"mno":1,"name":"Ann","side":"First","pos":"keeper","first_aid":"Y"},{"mno":2,"name":"Bert","side":"First","pos":"defender","first_aid":"N"},{"mno":3,"name":"Cleo","side":"Reserves","pos":"defender","first_aid":"Y"},
		{"mno":4,"name":"Dan","side":"Veterans","pos":"keeper","first_aid":"Y"},{"mno":5,"name":"Eve","side":"First","pos":"keeper","first_aid":"N"},{"mno":6,"name":"Fay","side":"Reserves","pos":"keeper","first_aid":"N"}]`)
	h.Answers(map[string]string{
		"keepers in the First team": "Ann; Eve",
		"who can do first aid?":     "Ann; Cleo; Dan",
	})
}
