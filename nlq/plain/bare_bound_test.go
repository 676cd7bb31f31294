package plain_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestBareBounds: a number without a sign bounds the one column of money that rows come to, where no
// other number of theirs can be meant.
func TestBareBounds(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bills", `[{"bill_no":"A1","issued":"2023-05-02","amount":80,"paid":80,"reminders":0},{"bill_no":"A2","issued":"2023-06-02","amount":210.5,"paid":0,"reminders":2},
		{"bill_no":"A3","issued":"2023-06-20","amount":160,"paid":100,"reminders":1},{"bill_no":"A4","issued":"2023-07-01","amount":12,"paid":null,"reminders":3}]`)
	h.Put("parcels", `[{"parcel":"P1","price":9,"weight":40},{"parcel":"P2","price":60,"weight":15},{"parcel":"P3","price":25,"weight":70}]`)
	h.Answers(map[string]string{
		"how many bills over 150":                   "2",
		"how many bills of more than 100 are there": "2",
	})
	for text, unwanted := range map[string]string{
		"parcels over 20":      `"over 20" as`, // of money, or of weight
		"bills over 2":         `"over 2" as`,
		"bills over 30 days":   `"over 30" as`,
		"bills with 2 or more": `as "with`,
	} {
		if got := strings.Join(h.Read(text, nil).Notes, " "); strings.Contains(got, unwanted) {
			t.Errorf("Translate(%q) notes %s, want no column supposed", text, got)
		}
	}
}
