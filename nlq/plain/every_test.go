package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhetherAllAre: whoever asks whether all are such is told which are not.
func TestWhetherAllAre(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("invoices", `[{"inv_no":"I1","client":"Ann","issued":"2023-08-01","due":"2023-08-31","total":100,"paid_on":"2023-08-20","sent":"yes"},{"inv_no":"I2","client":"Bert","issued":"2023-09-01","due":"2023-09-30","total":50,"paid_on":null,"sent":"yes"},
		{"inv_no":"I3","client":"Cleo","issued":"2023-09-14","due":"2023-10-14","total":80,"paid_on":null,"sent":"no"},{"inv_no":"I4","client":"Ann","issued":"2023-09-20","due":"2023-10-20","total":30,"paid_on":"2023-09-25","sent":"yes"}]`)
	h.Answers(map[string]string{
		"have all invoices been paid?":            "I2; I3",
		"are all the invoices paid?":              "I2; I3",
		"was every invoice sent?":                 "I3",
		"have all our invoices been sent?":        "I3",
		"Which invoices have been paid?":          "I1; I4",
		"how many of all invoices have been sent": "3",
	})
	got := h.Read("have all invoices been paid?", nil)
	if want := `I read "have all invoices been paid" as "which invoices have not been paid".`; len(got.Notes) == 0 || got.Notes[0] != want {
		t.Errorf("Translate(have all been paid) notes %q, want %q", got.Notes, want)
	}
}

// TestDecadesOfPeople: somebody in their thirties is 30 to 39 years old.
func TestDecadesOfPeople(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"no":1,"name":"Ann","born":"1990-03-01"},{"no":2,"name":"Bert","born":"1983-11-20"},{"no":3,"name":"Cleo","born":"2009-01-05"},{"no":4,"name":"Dan","born":"1975-06-30"}]`)
	h.Answers(map[string]string{
		"members in their thirties":          "Ann; Bert",
		"how many members are in their 40s?": "1",
		"which members are in their teens":   "Cleo",
	})
}
