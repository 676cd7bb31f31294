package absence_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// practice makes a house with a list of visits to doctors and one of medicines, which no key connects, and
// what was bought, some of it for an animal.
func practice(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	doctors, fields := []string{"Dr. Marsh", "Dr. Poole", "Dr. Quick", "Dr. Low", "Dr. Ash"}, []string{"teeth", "skin", "eyes", "skin", "ears"}
	var visits, medicines []string
	for i := range 20 {
		visits = append(visits, fmt.Sprintf(`{"date":"2023-0%d-1%d","doctor":%q,"field":%q,"cost":%d}`, i%9+1, i%10, doctors[i%5], fields[i%5], 20+i*5))
	}
	for i, name := range strings.Fields("Balm Drops Rinse Paste Oil Syrup Gel Cream Pills Tea") {
		doctor := "null"
		if i%4 > 0 {
			doctor = fmt.Sprintf("%q", doctors[i%4-1])
		}
		medicines = append(medicines, fmt.Sprintf(`{"name":%q,"doctor":%s,"price":%d}`, name, doctor, 3+i))
	}
	h.Put("visits", "["+strings.Join(visits, ",")+"]")
	h.Put("medicines", "["+strings.Join(medicines, ",")+"]")
	h.Put("animals", `[{"animal":"A1","name":"Bess"},{"animal":"A2","name":"Tom"},{"animal":"A3","name":"Flo"}]`)
	h.Put("purchases", `[{"bought":"2023-01-03","item":"rope","animal":"A1","price":4},{"bought":"2023-01-04","item":"lamp","price":14},
		{"bought":"2023-01-05","item":"brush","animal":"A2","price":6},{"bought":"2023-01-06","item":"broom","price":8},{"bought":"2023-01-07","item":"rug","animal":"A1","price":24}]`)
	h.Link(h.Ada, "ada.trade.purchases.animal", "ada.trade.animals.animal")
	return h
}

// TestNothingIsLeftOutOfItself: what is left out of rows is not the same rows, but those of the
// dataset or the column that the text denies.
func TestNothingIsLeftOutOfItself(t *testing.T) {
	t.Parallel()
	practice(t).Answers(map[string]string{
		"Which doctors have I visited but never got a medicine from?": "Dr. Ash; Dr. Low",
		"Which doctors never prescribed a medicine?":                  "Dr. Ash; Dr. Low",
		"What did I buy that wasn't for any particular animal?":       "broom; lamp",
		"Which items did we buy for no animal?":                       "broom; lamp",
		"medicines that no doctor prescribed":                         "Balm; Oil; Pills",
	})
}

// TestPeopleWithoutKey: what two lists say of one person is found by the name, without repeating
// the rows of either.
func TestPeopleWithoutKey(t *testing.T) {
	t.Parallel()
	practice(t).Answers(map[string]string{
		"Which field is the doctor who prescribed Rinse?": "skin",
		"medicines of the teeth doctor":                   "Drops; Syrup; Tea",
		"total price of the medicines of teeth doctors":   "24",
		"How many visits cost more than 100?":             "3",
	})
}
