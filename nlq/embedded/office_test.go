package embedded_test

import (
	"strings"
	"testing"
)

// office makes the files of a translators' office: clients in countries, jobs with languages and
// deadlines, invoices with taxes, equipment under warranty, visits by times of day.
func (h *house) office() *house {
	h.dataset(at("clients"), `[{"id":1,"client":"Nordlicht Verlag","country":"DE","contact":"Ute Lorenz","phone":null},{"id":2,"client":"Alpenwerk","country":"CH","contact":"Urs Frei","phone":"044 1"},
		{"id":3,"client":"Kanal Vier","country":"DE","contact":"Jan Roth","phone":"030 2"},{"id":4,"client":"Tulip BV","country":"NL","contact":null,"phone":"020 3"}]`)
	h.dataset(at("jobs"), `[{"job_no":11,"client_id":1,"src":"DE","tgt":"EN","fee":400.0,"deadline":"2023-09-01","delivered":"2023-08-30"},{"job_no":12,"client_id":2,"src":"NL","tgt":"EN","fee":250.0,"deadline":"2023-09-20","delivered":null},
		{"job_no":13,"client_id":3,"src":"EN","tgt":"DE","fee":0.0,"deadline":"2023-10-20","delivered":null},{"job_no":14,"client_id":4,"src":"NL","tgt":"EN","fee":310.0,"deadline":"2023-09-28","delivered":"2023-09-30"}]`)
	h.dataset(at("invoices"), `[{"inv_no":"R1","job_no":11,"due":"2023-09-15","amount":400.0,"vat_pct":19,"paid_on":"2023-09-10"},{"inv_no":"R2","job_no":12,"due":"2023-09-20","amount":200.0,"vat_pct":10,"paid_on":null},
		{"inv_no":"R3","job_no":14,"due":"2023-10-30","amount":300.0,"vat_pct":20,"paid_on":null}]`)
	h.dataset(at("equipment"), `[{"tag":"E1","kind":"laptop","cost":900.0,"warranty_end":"2023-05-01"},{"tag":"E2","kind":"laptop","cost":1000.0,"warranty_end":"2024-05-01"},
		{"tag":"E3","kind":"monitor","cost":200.0,"warranty_end":"2022-01-01"},{"tag":"E4","kind":"monitor","cost":300.0,"warranty_end":"2025-01-01"},{"tag":"E5","kind":"phone","cost":500.0,"warranty_end":null},{"tag":"E6","kind":"phone","cost":300.0,"warranty_end":"2023-12-01"}]`)
	h.Link(h.ada, "ada.trade.jobs.client_id", "ada.trade.clients.id")
	h.Link(h.ada, "ada.trade.invoices.job_no", "ada.trade.jobs.job_no")
	return h
}

// TestLimitsInTime: what has expired, is overdue or still holds is so by a time.
func TestLimitsInTime(t *testing.T) {
	t.Parallel()
	newHouse(t).office().answers(map[string]string{
		"which equipment is out of warranty?":     "E1; E3",
		"Which laptops are still under warranty?": "E2",
		"which invoices are overdue?":             "R2",
		"overdue jobs":                            "12",
		"How much do overdue invoices come to?":   "200",
	})
}

// TestLimitsDenied: what is not overdue is not what is.
func TestLimitsDenied(t *testing.T) {
	t.Parallel()
	h := newHouse(t).office()
	for _, text := range []string{"which invoices aren't overdue?", "which invoices arent overdue?", "Which invoices are not overdue?"} {
		if got := h.read(text, nil); got.Clarification == nil && h.rows(h.ada, got) == "R2" && !got.Doubt {
			t.Errorf("Translate(%q) = %s, the overdue ones", text, got.SQL)
		}
	}
}

// TestCodesOfPlaces: German is DE where columns have codes.
func TestCodesOfPlaces(t *testing.T) {
	t.Parallel()
	newHouse(t).office().answers(map[string]string{
		"How many German clients do we have?": "2",
		"Which clients are Swiss?":            "Alpenwerk",
	})
}

// TestSumsOfPercents: tax is what percents come to.
func TestSumsOfPercents(t *testing.T) {
	t.Parallel()
	newHouse(t).office().answers(map[string]string{
		"How much vat have I charged altogether?": "156",
		"What is the average vat rate?":           "16.333333333333332",
	})
}

// TestKindsSideBySide: kinds that the text names are those it is about.
func TestKindsSideBySide(t *testing.T) {
	t.Parallel()
	newHouse(t).office().answers(map[string]string{
		"average cost of a monitor vs a phone": "monitor 250; phone 400",
		"average cost per kind":                "laptop 950; monitor 250; phone 400",
	})
}

// TestWhatIsFree: what is free has a fee of nothing.
func TestWhatIsFree(t *testing.T) {
	t.Parallel()
	newHouse(t).office().answers(map[string]string{"which jobs were free?": "13", "How many free jobs were there?": "1"})
}

// TestMissingCells: a cell that is empty tells nothing.
func TestMissingCells(t *testing.T) {
	t.Parallel()
	h := newHouse(t).office()
	got := h.read("What is the phone number of Nordlicht Verlag?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "no phone") {
		t.Errorf("Translate() = %s %+v, want that there is no phone", got.SQL, got.Clarification)
	}
	h.answers(map[string]string{"What is the phone number of Alpenwerk?": "044 1"})
}
