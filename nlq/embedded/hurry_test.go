package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTypedInAHurry: words that people shorten are read as what they mean, a month
// without a year is of the year that is spoken of, and a bill is called by its own number.
func TestTypedInAHurry(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("jobs", `[{"job":"J1","client":"Alba"},{"job":"J2","client":"Brix"},{"job":"J3","client":"Alba"},{"job":"J4","client":"Corde"}]`)
	h.Put("invoices", `[{"inv_no":"2025-001","job":"J1","issued":"2025-03-02","amt":900,"paid_on":"2025-05-20"},
		{"inv_no":"2025-002","job":"J2","issued":"2025-06-02","amt":100,"paid_on":null},
		{"inv_no":"2026-001","job":"J3","issued":"2026-01-02","amt":150,"paid_on":"2026-02-01"},
		{"inv_no":"2026-002","job":"J4","issued":"2026-03-09","amt":120,"paid_on":null}]`)
	h.Answers(map[string]string{
		"hw mny invoices issued b4 2026":                          "2",
		"Which invoices are not paid?":                            "2025-002; 2026-002",
		"total amt of invoices by quarter for 2025 and 2026":      "2025-Q1 900; 2025-Q2 100; 2026-Q1 270",
		"invoices more than twice as high as the average invoice": "2025-001",
	})
}

// TestMostPopular: a thing that others refer to is popular by how many do, even where two
// have one name, and what rows are called is not shown where it is said.
func TestMostPopular(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("courses", `[{"code":"K1","title":"Throwing","tutor":"Joan"},{"code":"K2","title":"Glazing","tutor":"Davide"},
		{"code":"K3","title":"Throwing","tutor":"Joan"},{"code":"K4","title":"Raku","tutor":"Davide"}]`)
	h.Put("enrolments", `[{"no":1,"code":"K2","who":"Ann","fee":20},{"no":2,"code":"K2","who":"Bo","fee":25},{"no":3,"code":"K1","who":"Cy","fee":90},
		{"no":4,"code":"K2","who":"Cy","fee":35},{"no":5,"code":"K4","who":"Di","fee":30}]`)
	const said = "Which course was booked most often in the enrolments?"
	h.Answers(map[string]string{said: "Glazing"})
}
