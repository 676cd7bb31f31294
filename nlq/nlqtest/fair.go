package nlqtest

import "testing"

// Fair makes a house with the files of a fair with names in short: weights in grams, codes that say who,
// days by their dates, and times at which passes end.
func Fair(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("staff", `[{"s_id":"S01","nm":"Una Bell","hr_rate":14.5},{"s_id":"S02","nm":"Vic Stone","hr_rate":17.0},{"s_id":"S03","nm":"Wes Moor","hr_rate":12.0}]`)
	h.Put("days", `[{"dt":"2022-05-01","weather":"rain","in_charge":"S02"},{"dt":"2022-05-02","weather":"sun","in_charge":"S01"},
		{"dt":"2022-05-03","weather":"rain","in_charge":"S03"},{"dt":"2022-05-04","weather":"sun","in_charge":"S01"}]`)
	h.Put("shop", `[{"no":1,"dt":"2022-05-01","prod":"mug","qty":2,"unit_cost":4.0},{"no":2,"dt":"2022-05-02","prod":"kite","qty":9,"unit_cost":1.0},
		{"no":3,"dt":"2022-05-02","prod":"mug","qty":1,"unit_cost":4.0},{"no":4,"dt":"2022-05-04","prod":"flag","qty":1,"unit_cost":5.0}]`)
	h.Put("ponies", `[{"p_id":1,"name":"Bramble","wt_g":210000,"lvl":3,"fee":20.0,"min_age":4},{"p_id":2,"name":"Clover","wt_g":180000,"lvl":3,"fee":30.0,"min_age":9},
		{"p_id":3,"name":"Daisy","wt_g":160000,"lvl":2,"fee":15.0,"min_age":6}]`)
	h.Put("passes", `[{"card":1,"holder":"Ada Lowe","exp":"2021-12-31","dd":"yes","paid":"yes"},{"card":2,"holder":"Ben Finch","exp":"2031-05-01","dd":"no","paid":"no"},
		{"card":3,"holder":"Cleo Marsh","exp":"2022-01-31","dd":"yes","paid":"no"},{"card":4,"holder":"Dai Rees","exp":"2031-06-01","dd":"no","paid":"yes"}]`)
	h.Put("deliveries", `[{"del_no":"D1","amt":250.0,"reason":"new","tgt":"hall"},{"del_no":"D2","amt":90.0,"reason":"broken","tgt":"tent"},{"del_no":"D3","amt":310.0,"reason":"broken","tgt":"hall"}]`)
	h.Put("pay", `[{"pay_id":1,"crew":"Ruthie","wage":50.0,"expenses":5.0},{"pay_id":2,"crew":"Ruthie","wage":40.0,"expenses":null},{"pay_id":3,"crew":"Wes","wage":10.0,"expenses":1.0}]`)
	h.Link(h.Ada, "ada.trade.days.in_charge", "ada.trade.staff.s_id")
	return h
}
