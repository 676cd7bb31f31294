package nlqtest

import "testing"

// Agency makes carers, some of whom have left, clients, who have a main carer, and visits: done, missed,
// cancelled and planned.
func Agency(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("carers", `[
		{"carer_id":1,"name":"Ann Lee","contract":"full-time","hourly_pay":14,"left_on":null,"mobile":"0701"},
		{"carer_id":2,"name":"Bo Kay","contract":"part-time","hourly_pay":12,"left_on":"2023-05-01","mobile":"0702"},
		{"carer_id":3,"name":"Cy Orr","contract":"part-time","hourly_pay":13,"left_on":null,"mobile":"0703"}]`)
	h.Put("clients", `[
		{"client_no":11,"ClientName":"Ida Moor","town":"Ashby","main_carer":1,"end_dt":null},
		{"client_no":12,"ClientName":"Jo Finch","town":"Ashby","main_carer":3,"end_dt":"2023-06-30"},
		{"client_no":13,"ClientName":"Kit Ray","town":"Kirk","main_carer":1,"end_dt":null}]`)
	h.Put("visits", `[
		{"visit_id":501,"client":11,"carer":1,"day":"2023-08-03","mins":30,"status":"done"},
		{"visit_id":502,"client":11,"carer":3,"day":"2023-09-05","mins":45,"status":"done"},
		{"visit_id":503,"client":12,"carer":3,"day":"2023-06-01","mins":30,"status":"done"},
		{"visit_id":504,"client":13,"carer":1,"day":"2023-09-20","mins":30,"status":"missed"},
		{"visit_id":505,"client":13,"carer":3,"day":"2023-09-02","mins":60,"status":"done"},
		{"visit_id":506,"client":11,"carer":1,"day":"2023-10-09","mins":30,"status":"planned"},
		{"visit_id":507,"client":12,"carer":1,"day":"2023-06-10","mins":30,"status":"cancelled"},
		{"visit_id":508,"client":12,"carer":1,"day":"2023-05-10","mins":30,"status":"done"},
		{"visit_id":509,"client":13,"carer":1,"day":"2023-07-11","mins":45,"status":"done"}]`)
	for from, to := range map[string]string{"clients.main_carer": "carers.carer_id", "visits.client": "clients.client_no", "visits.carer": "carers.carer_id"} {
		h.Link(h.Ada, "ada.trade."+from, "ada.trade."+to)
	}
	return h
}
