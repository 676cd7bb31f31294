package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestThisOrNext: this week or next is both of them, of birthdays too.
func TestThisOrNext(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t) // today is a Sunday, 1 October 2023
	h.Put("visits", `[{"visit":"A","day":"2023-09-24"},{"visit":"B","day":"2023-09-26"},{"visit":"C","day":"2023-10-08"},{"visit":"D","day":"2023-10-09"}]`)
	h.Put("volunteers", `[{"name":"Ann","born":"1990-09-26"},{"name":"Bert","born":"1985-10-07"},{"name":"Cleo","born":"1999-10-19"}]`)
	h.Answers(map[string]string{
		"visits this week or next":                            "B; C",
		"which volunteers have a birthday this week or next?": "Ann; Bert",
	})
}
