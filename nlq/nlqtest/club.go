package nlqtest

import "testing"

// Club makes a house with members, and gifts of theirs, with columns of yes and no in three spellings.
func Club(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("members", `[
		{"member_no":1,"name":"Ann","town":"Lyon","level":"junior","active":true,"fee_paid":"yes"},
		{"member_no":2,"name":"Bob","town":"Paris","level":"senior","active":false,"fee_paid":"no"},
		{"member_no":3,"name":"Cy","town":"Lyon","level":"senior","active":true,"fee_paid":"no"},
		{"member_no":4,"name":"Dot","town":"Nice","level":"junior","active":true,"fee_paid":"yes"},
		{"member_no":5,"name":"Eve","town":"Paris","level":"junior","active":false,"fee_paid":"yes"}]`)
	h.Put("gifts", `[
		{"gift_no":11,"member_no":1,"kind":"town","amount":20.5,"receipt":"Y"},
		{"gift_no":12,"member_no":3,"kind":"club","amount":7,"receipt":"N"},
		{"gift_no":13,"member_no":3,"kind":"town","amount":12,"receipt":"N"},
		{"gift_no":14,"member_no":5,"kind":"club","amount":4,"receipt":"Y"}]`)
	h.Link(h.Ada, "ada.trade.gifts.member_no", "ada.trade.members.member_no")
	return h
}
