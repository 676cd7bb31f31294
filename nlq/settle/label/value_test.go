package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNumbersOfTheFirst: the heaviest thing in kilos is a number.
func TestNumbersOfTheFirst(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("parcels", `[{"parcel":1,"weight_kg":12,"price":5},{"parcel":2,"weight_kg":31,"price":9},{"parcel":3,"weight_kg":7,"price":4}]`)
	h.Answers(map[string]string{
		"What's the heaviest parcel we carried, in kg?": "31",
		"What does our most expensive parcel cost?":     "9",
		"What was the most expensive parcel?":           "2",
	})
}

// TestAmountsOfDeals: the largest payment and the average sale are money, and hours that a column
// counts this year are of those who came earlier, too.
func TestAmountsOfDeals(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("payments", `[{"pay_ref":"P1","payer":"Ann","method":"cash","amt":20},{"pay_ref":"P2","payer":"Bert","method":"card","amt":95},{"pay_ref":"P3","payer":"Ann","method":"card","amt":20},{"pay_ref":"P4","payer":"Dot","method":"cash","amt":35}]`)
	h.Put("volunteers", `[{"vol_id":1,"name":"Eve","joined":"2019-04-01","hrs_this_yr":40,"newsletter":"Y"},{"vol_id":2,"name":"Fay","joined":"2023-02-01","hrs_this_yr":12,"newsletter":"N"},
		{"vol_id":3,"name":"Gus","joined":"2021-02-01","hrs_this_yr":12,"newsletter":"N"},{"vol_id":4,"name":"Hal","joined":"2023-05-01","hrs_this_yr":31,"newsletter":"N"}]`)
	h.Put("sales", `[{"no":1,"outlet":"online","qty":9,"total":12},{"no":2,"outlet":"shop","qty":1,"total":40},{"no":3,"outlet":"online","qty":7,"total":20},{"no":4,"outlet":"shop","qty":2,"total":60},{"no":5,"outlet":"shop","qty":2,"total":50}]`)
	h.Answers(map[string]string{
		"What is the biggest payment we ever had?":      "95",
		"who has given the most hours this year?":       "Eve",
		"how many volunteers said no to the newsletter": "3",
	})
}
