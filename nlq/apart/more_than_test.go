package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestMoreOfOneKind: two kinds of rows are compared in each group, by what they amount to.
func TestMoreOfOneKind(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("sales", `[{"shop":"Corner","drink":"tea","cups":9},{"shop":"Corner","drink":"coffee","cups":4},{"shop":"Corner","drink":"coffee","cups":3},
		{"shop":"Market","drink":"tea","cups":4},{"shop":"Market","drink":"coffee","cups":8},{"shop":"Pier","drink":"tea","cups":1}]`)
	h.Put("clubs", `[{"town":"Alm","sex":"women","count":40},{"town":"Alm","sex":"men","count":9},{"town":"Bek","sex":"women","count":12},
		{"town":"Bek","sex":"men","count":30}]`)
	h.Answers(map[string]string{
		"shops that sold more tea than coffee":    "Corner; Pier",
		"towns of clubs with more women than men": "Alm",
	})
}
