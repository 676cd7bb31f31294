package nlqtest

import "testing"

// Workshop makes a house with the files of a bicycle workshop: owners, jobs for them that cost something,
// the parts that went into jobs, and those on the shelves.
func Workshop(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("owners", `[{"owner_id":"O1","name":"Ann Vale","town":"Alton"},{"owner_id":"O2","name":"Bo Carr","town":"Alton"},{"owner_id":"O3","name":"Cy Dunn","town":"Bury"},
		{"owner_id":"O4","name":"Di Earl","town":"Bury"}]`)
	h.Put("jobs", `[
		{"job_no":101,"owner":"O1","bike":"Raven","brought":"2023-01-02","promised":"2023-01-05","finished":"2023-01-04","price":110},
		{"job_no":102,"owner":"O1","bike":"Raven","brought":"2023-02-02","promised":"2023-02-05","finished":"2023-02-09","price":70},
		{"job_no":103,"owner":"O2","bike":"Swift","brought":"2023-03-02","promised":"2023-03-05","finished":"2023-03-04","price":100},
		{"job_no":104,"owner":"O3","bike":"Heron","brought":"2023-04-02","promised":"2023-04-05","finished":"2023-04-03","price":20},
		{"job_no":105,"owner":"O3","bike":"Heron","brought":"2023-05-02","promised":"2023-05-05","finished":"2023-05-05","price":15},
		{"job_no":106,"owner":"O4","bike":"Swift","brought":"2023-09-28","promised":"2023-10-05","finished":null,"price":30}]`)
	h.Put("parts", `[{"part_code":"P1","description":"brake pad","unit_cost":4,"qty":10,"min_qty":5},{"part_code":"P2","description":"chain","unit_cost":12.5,"qty":2,"min_qty":4},
		{"part_code":"P3","description":"bell","unit_cost":3,"qty":0,"min_qty":1}]`)
	h.Put("fitted", `[{"job_no":101,"part_code":"P1","pcs":1},{"job_no":101,"part_code":"P2","pcs":1},{"job_no":104,"part_code":"P1","pcs":9},{"job_no":104,"part_code":"P3","pcs":2},
		{"job_no":105,"part_code":"P1","pcs":8},{"job_no":103,"part_code":"P3","pcs":1}]`)
	h.Link(h.Ada, "ada.trade.jobs.owner", "ada.trade.owners.owner_id")
	h.Link(h.Ada, "ada.trade.fitted.job_no", "ada.trade.jobs.job_no")
	h.Link(h.Ada, "ada.trade.fitted.part_code", "ada.trade.parts.part_code")
	return h
}
