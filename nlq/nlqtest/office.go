package nlqtest

import "testing"

// Office makes a house with the files of a translators' office: clients in countries, jobs with languages
// and deadlines, invoices with taxes, equipment under warranty, visits by times of day.
func Office(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("clients", `[{"id":1,"client":"Nordlicht Verlag","country":"DE","contact":"Ute Lorenz","phone":null},{"id":2,"client":"Alpenwerk","country":"CH","contact":"Urs Frei","phone":"044 1"},
		{"id":3,"client":"Kanal Vier","country":"DE","contact":"Jan Roth","phone":"030 2"},{"id":4,"client":"Tulip BV","country":"NL","contact":null,"phone":"020 3"}]`)
	h.Put("jobs", `[{"job_no":11,"client_id":1,"src":"DE","tgt":"EN","fee":400.0,"deadline":"2023-09-01","delivered":"2023-08-30"},{"job_no":12,"client_id":2,"src":"NL","tgt":"EN","fee":250.0,"deadline":"2023-09-20","delivered":null},
		{"job_no":13,"client_id":3,"src":"EN","tgt":"DE","fee":0.0,"deadline":"2023-10-20","delivered":null},{"job_no":14,"client_id":4,"src":"NL","tgt":"EN","fee":310.0,"deadline":"2023-09-28","delivered":"2023-09-30"}]`)
	h.Put("invoices", `[{"inv_no":"R1","job_no":11,"due":"2023-09-15","amount":400.0,"vat_pct":19,"paid_on":"2023-09-10"},{"inv_no":"R2","job_no":12,"due":"2023-09-20","amount":200.0,"vat_pct":10,"paid_on":null},
		{"inv_no":"R3","job_no":14,"due":"2023-10-30","amount":300.0,"vat_pct":20,"paid_on":null}]`)
	h.Put("equipment", `[{"tag":"E1","kind":"laptop","cost":900.0,"warranty_end":"2023-05-01"},{"tag":"E2","kind":"laptop","cost":1000.0,"warranty_end":"2024-05-01"},
		{"tag":"E3","kind":"monitor","cost":200.0,"warranty_end":"2022-01-01"},{"tag":"E4","kind":"monitor","cost":300.0,"warranty_end":"2025-01-01"},{"tag":"E5","kind":"phone","cost":500.0,"warranty_end":null},{"tag":"E6","kind":"phone","cost":300.0,"warranty_end":"2023-12-01"}]`)
	h.Link(h.Ada, "ada.trade.jobs.client_id", "ada.trade.clients.id")
	h.Link(h.Ada, "ada.trade.invoices.job_no", "ada.trade.jobs.job_no")
	return h
}
