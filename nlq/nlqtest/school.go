package nlqtest

import "testing"

// School makes a house with pupils and teachers who share classrooms, courses of departments, and halls
// with numbers in the names of their columns.
func School(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("pupils", `[
		{"pupil_no":1,"first_name":"Ann","last_name":"Lee","grade":4,"classroom":108},{"pupil_no":2,"first_name":"Ben","last_name":"Orr","grade":4,"classroom":108},
		{"pupil_no":3,"first_name":"Cara","last_name":"Pitt","grade":5,"classroom":110},{"pupil_no":4,"first_name":"Ann","last_name":"Moor","grade":5,"classroom":108}]`)
	h.Put("teachers", `[{"last_name":"Covin","first_name":"Jerome","classroom":108},{"last_name":"Otha","first_name":"Moyer","classroom":110}]`)
	h.Put("courses", `[
		{"course_id":1,"title":"Logic","dept":"Statistics"},{"course_id":2,"title":"Logic","dept":"Psychology"},
		{"course_id":3,"title":"Sampling","dept":"Statistics"},{"course_id":4,"title":"Memory","dept":"Psychology"}]`)
	h.Put("halls", `[
		{"hall_id":1,"name":"Arena","capacity":70000,"lane_600":3,"open_date":"1840-05-01","wind_speed_mph":14},
		{"hall_id":2,"name":"Dome","capacity":900,"lane_600":5,"open_date":"1907-03-09","wind_speed_mph":22}]`)
	h.Link(h.Ada, "ada.trade.pupils.classroom", "ada.trade.teachers.classroom")
	return h
}
