package embedded_test

import "testing"

// lodge makes the files of an outdoor pool: members of kinds, some of whom have left, bookings that
// were made on one day for another, takings by day.
func (h *house) lodge() *house {
	h.dataset(at("members"), `[{"mem_no":1,"name":"Ann Vale","type":"honorary","left_on":null},{"mem_no":2,"name":"Bo Carr","type":"student","left_on":null},
		{"mem_no":3,"name":"Cy Dunn","type":"student","left_on":"2022-03-01"},{"mem_no":4,"name":"Di Earl","type":"family","left_on":null},
		{"mem_no":5,"name":"Ed Ford","type":"family","left_on":"2021-05-05"},{"mem_no":6,"name":"Flo Gray","type":"family","left_on":null}]`)
	h.dataset(at("bookings"), `[{"bk":10,"mem_no":1,"booked_on":"2023-08-01","swim_date":"2023-11-04","status":"booked","hrly_rate":9.0},{"bk":11,"mem_no":1,"booked_on":"2023-08-09","swim_date":"2023-09-02","status":"cancelled","hrly_rate":11.0},
		{"bk":12,"mem_no":2,"booked_on":"2023-09-10","swim_date":"2023-10-01","status":"done","hrly_rate":14.0},{"bk":13,"mem_no":4,"booked_on":"2023-09-12","swim_date":"2023-09-30","status":"done","hrly_rate":9.0},
		{"bk":14,"mem_no":1,"booked_on":"2023-09-20","swim_date":"2023-11-11","status":"cancelled","hrly_rate":15.0}]`)
	h.dataset(at("days"), `[{"day":"2022-08-10","takings":100.0},{"day":"2022-08-20","takings":150.0},{"day":"2023-08-10","takings":90.0},{"day":"2023-08-21","takings":60.0},{"day":"2023-09-01","takings":10.0}]`)
	h.Link(h.ada, "ada.trade.bookings.mem_no", "ada.trade.members.mem_no")
	return h
}

// TestRowsThatCountAsWell: what counts in any case is no condition.
func TestRowsThatCountAsWell(t *testing.T) {
	t.Parallel()
	newHouse(t).lodge().answers(map[string]string{
		"Which member has made the most bookings, cancelled ones included?":   "Ann Vale",
		"How many bookings do we have, cancelled or not?":                     "5",
		"Number of bookings, no matter how they ended":                        "5",
		"How many bookings are there? Don't bother with the cancelled ones.":  "3",
		"How many bookings are there all told?":                               "5",
		"How many bookings does each member have, including those with none?": "Ann Vale 3; Bo Carr 1; Cy Dunn 0; Di Earl 1; Ed Ford 0; Flo Gray 0",
	})
}

// TestWhoIsStillThere: those of now have not left, and kinds that stand side by side are both meant.
func TestWhoIsStillThere(t *testing.T) {
	t.Parallel()
	newHouse(t).lodge().answers(map[string]string{
		"How many members do we have of each type at the moment?": "family 2; honorary 1; student 1",
		"How many members do we have of each type?":               "family 3; honorary 1; student 2",
		"Which members are honorary or student?":                  "Ann Vale; Bo Carr; Cy Dunn",
		"List the honorary and student members.":                  "Ann Vale; Bo Carr; Cy Dunn",
	})
}

// TestTimesThatAColumnHas: a period is of the column that has such times; this August is compared
// with the one before.
func TestTimesThatAColumnHas(t *testing.T) {
	t.Parallel()
	newHouse(t).lodge().answers(map[string]string{
		"How many bookings are there in November 2023?":           "2",
		"How much less did we take this August than last August?": "100",
		"Which bookings cost more than thirteen pounds an hour?":  "12; 14",
	})
}
