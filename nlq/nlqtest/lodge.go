package nlqtest

import "testing"

// Lodge makes a house with the files of an outdoor pool: members of kinds, some of whom have left,
// bookings that were made on one day for another, takings by day.
func Lodge(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("members", `[{"mem_no":1,"name":"Ann Vale","type":"honorary","left_on":null},{"mem_no":2,"name":"Bo Carr","type":"student","left_on":null},
		{"mem_no":3,"name":"Cy Dunn","type":"student","left_on":"2022-03-01"},{"mem_no":4,"name":"Di Earl","type":"family","left_on":null},
		{"mem_no":5,"name":"Ed Ford","type":"family","left_on":"2021-05-05"},{"mem_no":6,"name":"Flo Gray","type":"family","left_on":null}]`)
	h.Put("bookings", `[{"bk":10,"mem_no":1,"booked_on":"2023-08-01","swim_date":"2023-11-04","status":"booked","hrly_rate":9.0},{"bk":11,"mem_no":1,"booked_on":"2023-08-09","swim_date":"2023-09-02","status":"cancelled","hrly_rate":11.0},
		{"bk":12,"mem_no":2,"booked_on":"2023-09-10","swim_date":"2023-10-01","status":"done","hrly_rate":14.0},{"bk":13,"mem_no":4,"booked_on":"2023-09-12","swim_date":"2023-09-30","status":"done","hrly_rate":9.0},
		{"bk":14,"mem_no":1,"booked_on":"2023-09-20","swim_date":"2023-11-11","status":"cancelled","hrly_rate":15.0}]`)
	h.Put("days", `[{"day":"2022-08-10","takings":100.0},{"day":"2022-08-20","takings":150.0},{"day":"2023-08-10","takings":90.0},{"day":"2023-08-21","takings":60.0},{"day":"2023-09-01","takings":10.0}]`)
	h.Link(h.Ada, "ada.trade.bookings.mem_no", "ada.trade.members.mem_no")
	return h
}
