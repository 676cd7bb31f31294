package nlqtest

import "testing"

// Boathouse makes a house with the files of a rowing club: tours from one day to another, outings, hires
// that were booked on one day for another, rowers with their days of birth. Some of all are still to come.
func Boathouse(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("tours", `[{"tour":"Daffodil","river":"Wye","from":"2022-04-01","to":"2022-04-03"},{"tour":"Heatwave","river":"Severn","from":"2023-07-01","to":"2023-07-08"},
		{"tour":"Pumpkin","river":"Dee","from":"2023-10-20","to":"2023-10-22"},{"tour":"Snowdrop","river":"Tay","from":"2024-02-05","to":"2024-02-07"}]`)
	h.Put("outings", `[{"no":1,"date":"2022-09-04","boat":"Kestrel","miles":4.0,"result":"done"},{"no":2,"date":"2022-12-02","boat":"Merlin","miles":3.0,"result":"done"},
		{"no":3,"date":"2023-09-03","boat":"Kestrel","miles":5.0,"result":"done"},{"no":4,"date":"2023-09-20","boat":"Merlin","miles":2.0,"result":"abandoned"},
		{"no":5,"date":"2023-11-04","boat":"Kestrel","miles":9.0,"result":"planned"}]`)
	h.Put("hires", `[{"hire":"H1","kind":"regatta","booked_on":"2023-02-01","hire_date":"2023-06-10","hall":"Shed"},{"hire":"H2","kind":"party","booked_on":"2023-05-01","hire_date":"2023-07-10","hall":"Loft"},
		{"hire":"H3","kind":"regatta","booked_on":"2023-08-01","hire_date":"2024-03-03","hall":"Loft"},{"hire":"H4","kind":"party","booked_on":"2023-09-09","hire_date":"2023-12-12","hall":"Shed"},
		{"hire":"H5","kind":"regatta","booked_on":"2023-09-10","hire_date":"2023-12-20","hall":"Shed"}]`)
	h.Put("rowers", `[{"rower_id":1,"name":"Ivy Lunn","dob":"1980-10-03","joined":"2021-05-01"},{"rower_id":2,"name":"Kit Moss","dob":"1991-10-30","joined":"2022-10-04"},
		{"rower_id":3,"name":"Lou Nash","dob":"1985-05-16","joined":"2023-02-01"},{"rower_id":4,"name":"Max Orme","dob":"1985-10-01","joined":"2023-05-09"},{"rower_id":5,"name":"Nan Pike","dob":"2001-11-02","joined":"2020-01-09"}]`)
	return h
}
