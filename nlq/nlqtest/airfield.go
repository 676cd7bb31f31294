package nlqtest

import "testing"

// Airfield makes a house with the files of a gliding club: days and times of day apart, names cut short,
// yes and no in columns that nobody names, flights that are still to come.
func Airfield(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("pilots", `[{"id":1,"nm":"Una Bell","hr_rate":20.0,"vol":"yes"},{"id":2,"nm":"Vic Stone","hr_rate":35.0,"vol":"no"},{"id":3,"nm":"Wes Moor","hr_rate":28.0,"vol":"yes"}]`)
	h.Put("flights", `[{"fl_no":101,"dt":"2023-08-01","takeoff":"06:30:00","pilot_id":1,"state":"flown"},{"fl_no":102,"dt":"2023-08-01","takeoff":"09:15:00","pilot_id":2,"state":"flown"},
		{"fl_no":103,"dt":"2023-08-09","takeoff":"07:45:00","pilot_id":2,"state":"cancelled"},{"fl_no":104,"dt":"2023-09-03","takeoff":"17:00:00","pilot_id":1,"state":"flown"},
		{"fl_no":105,"dt":"2023-10-20","takeoff":"10:00:00","pilot_id":2,"state":"booked"},{"fl_no":106,"dt":"2023-11-02","takeoff":"06:50:00","pilot_id":3,"state":"booked"}]`)
	h.Put("tickets", `[{"tkt":7001,"fl_no":101,"qty":2,"amt":80.0,"pd":"yes"},{"tkt":7002,"fl_no":101,"qty":1,"amt":40.0,"pd":"no"},{"tkt":7003,"fl_no":102,"qty":3,"amt":120.0,"pd":"yes"},
		{"tkt":7004,"fl_no":104,"qty":1,"amt":40.0,"pd":"yes"},{"tkt":7005,"fl_no":105,"qty":2,"amt":90.0,"pd":"no"},{"tkt":7006,"fl_no":106,"qty":1,"amt":30.0,"pd":"no"}]`)
	h.Link(h.Ada, "ada.trade.flights.pilot_id", "ada.trade.pilots.id")
	h.Link(h.Ada, "ada.trade.tickets.fl_no", "ada.trade.flights.fl_no")
	return h
}
