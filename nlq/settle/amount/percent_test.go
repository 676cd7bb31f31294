package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPercentsOfMoney: a tax in percent is a part of the amount, and is not added as it is.
func TestPercentsOfMoney(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("invoices", `[{"invoice":1,"net":400,"vat":20,"paid":"yes"},{"invoice":2,"net":1000,"vat":10,"paid":"no"},{"invoice":3,"net":300,"vat":0,"paid":"no"}]`)
	h.Answers(map[string]string{"What is the gross total of all invoices, net plus vat?": "1880"})
}

// TestSumsOfPercents: tax is what percents come to.
func TestSumsOfPercents(t *testing.T) {
	t.Parallel()
	nlqtest.Office(t).Answers(map[string]string{
		"How much vat have I charged altogether?": "156",
		"What is the average vat rate?":           "16.333333333333332",
	})
}

// TestPartOfAnAmount: how much of the subs due has been paid is one amount of another.
func TestPartOfAnAmount(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"mem_no":1,"name":"Ann","type":"full","subs_due":60,"subs_paid":60},{"mem_no":2,"name":"Bert","type":"full","subs_due":60,"subs_paid":30},{"mem_no":3,"name":"Cleo","type":"social","subs_due":40,"subs_paid":0},
		{"mem_no":4,"name":"Dan","type":"social","subs_due":40,"subs_paid":30}]`)
	h.Answers(map[string]string{"What percentage of the subs due has been paid so far?": "60"})
}
