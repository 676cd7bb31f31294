package nlqtest

import "testing"

// Counter makes a house with the sales of some shops: by whom, of what, how far they are and whether the
// money was given back.
func Counter(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("sales", `[
		{"sale":1,"shop":"Bell & Son","goods":"oil","clerk":"Lin","amount":12.5,"refunded":"no","stage":"on hold list","sold_on":"2023-08-02"},
		{"sale":2,"shop":"Bell & Son","goods":"paint","clerk":"Cap","amount":30.0,"refunded":"yes","stage":"shipped","sold_on":"2023-08-20"},
		{"sale":3,"shop":"Bell & Son","goods":"oil","clerk":"Cap","amount":14.0,"refunded":"no","stage":"waiting list","sold_on":"2023-09-05"},
		{"sale":4,"shop":"Marlow","goods":"paint","clerk":"Lin","amount":20.0,"refunded":"yes","stage":"waiting list","sold_on":"2023-09-12"},
		{"sale":5,"shop":"Marlow","goods":"nails","clerk":"Lin","amount":4.0,"refunded":"yes","stage":"shipped","sold_on":"2023-09-21"},
		{"sale":6,"shop":"Quill","goods":"oil","clerk":"Lin","amount":9.0,"refunded":"no","stage":"shipped","sold_on":"2023-05-14"}]`)
	return h
}
