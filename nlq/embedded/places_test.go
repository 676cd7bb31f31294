package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestRoomFor: what takes something has room for it and more.
func TestRoomFor(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("moorings", `[{"berth":"A1","kind":"swing","max_len_m":8},{"berth":"A2","kind":"swing","max_len_m":10},{"berth":"A3","kind":"swing","max_len_m":12},{"berth":"B1","kind":"pontoon","max_len_m":12},{"berth":"B2","kind":"pontoon","max_len_m":9}]`)
	h.Put("orders", `[{"order_no":1,"total":10,"paid":"no","status":"done"},{"order_no":2,"total":25,"paid":"yes","status":"done"},{"order_no":3,"total":7,"paid":"no","status":"baking"},{"order_no":4,"total":12,"paid":"no","status":"done"},{"order_no":5,"total":12,"paid":"yes","status":"done"}]`)
	h.Answers(map[string]string{
		"Which swing moorings would take a 10 metre boat?":        "A2; A3",
		"how much are we owed in total for orders that are done?": "22",
	})
}
