package embedded_test

import (
	"testing"

	"quern/nlq"
)

// TestTypedInAHurry: words that people shorten are read as what they mean, a month
// without a year is of the year that is spoken of, and a bill is called by its own number.
func TestTypedInAHurry(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("jobs"), `[{"job":"J1","client":"Alba"},{"job":"J2","client":"Brix"},{"job":"J3","client":"Alba"},{"job":"J4","client":"Corde"}]`)
	h.dataset(at("invoices"), `[{"inv_no":"2025-001","job":"J1","issued":"2025-03-02","amt":900,"paid_on":"2025-05-20"},
		{"inv_no":"2025-002","job":"J2","issued":"2025-06-02","amt":100,"paid_on":null},
		{"inv_no":"2026-001","job":"J3","issued":"2026-01-02","amt":150,"paid_on":"2026-02-01"},
		{"inv_no":"2026-002","job":"J4","issued":"2026-03-09","amt":120,"paid_on":null}]`)
	h.answers(map[string]string{
		"hw mny invoices issued b4 2026":                          "2",
		"Which invoices are not paid?":                            "2025-002; 2026-002",
		"total amt of invoices by quarter for 2025 and 2026":      "2025-Q1 900; 2025-Q2 100; 2026-Q1 270",
		"invoices more than twice as high as the average invoice": "2025-001",
	})
}

// TestYearAfter: a year that is a number has one before and one after it.
func TestYearAfter(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("dues"), `[{"no":1,"member":"Ann","yr":2024,"amt":30},{"no":2,"member":"Bo","yr":2025,"amt":40},{"no":3,"member":"Ann","yr":2025,"amt":41},
		{"no":4,"member":"Bo","yr":2026,"amt":50}]`)
	first := h.read("What is the total amt of dues where yr is 2025?", nil)
	for said, want := range map[string]string{"and the year after?": "50", "and the year before?": "30"} {
		if got := h.read(said, &first); got.Query == nil || sorted(h.rows(h.ada, got)) != want {
			t.Errorf("Translate(%q) behind %s = %s, want the rows %s", said, first.SQL, got.SQL, want)
		}
	}
}

// TestMostPopular: a thing that others refer to is popular by how many do, even where two
// have one name, and what rows are called is not shown where it is said.
func TestMostPopular(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("courses"), `[{"code":"K1","title":"Throwing","tutor":"Joan"},{"code":"K2","title":"Glazing","tutor":"Davide"},
		{"code":"K3","title":"Throwing","tutor":"Joan"},{"code":"K4","title":"Raku","tutor":"Davide"}]`)
	h.dataset(at("enrolments"), `[{"no":1,"code":"K2","who":"Ann","fee":20},{"no":2,"code":"K2","who":"Bo","fee":25},{"no":3,"code":"K1","who":"Cy","fee":90},
		{"no":4,"code":"K2","who":"Cy","fee":35},{"no":5,"code":"K4","who":"Di","fee":30}]`)
	const said = "Which course was booked most often in the enrolments?"
	h.answers(map[string]string{said: "Glazing"})
}

// TestTheyOfATop: who is asked about behind a top is who came out on top.
func TestTheyOfATop(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("customers"), `[{"cust_no":1,"cust_name":"Castle Lofts","town":"Leeds"},{"cust_no":2,"cust_name":"Hargreave","town":"York"}]`)
	h.dataset(at("jobs"), `[{"job_no":11,"cust_no":2,"price":900},{"job_no":12,"cust_no":1,"price":100},{"job_no":13,"cust_no":1,"price":150}]`)
	const said = "which customer has had the most jobs"
	first := h.read(said, nil)
	after := question("how much have they spent in total")
	after.Previous = &nlq.Turn{Question: said, Said: []string{said}, Query: first.Query}
	got, err := h.Translate(t.Context(), h.ada, after)
	if err != nil || got.Query == nil || sorted(h.rows(h.ada, got)) != "250" {
		t.Errorf("Translate(%s) behind %s = %s, %v, want 250", after.Text, first.SQL, got.SQL, err)
	}
}
