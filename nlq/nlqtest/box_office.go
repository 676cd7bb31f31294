package nlqtest

import "testing"

// BoxOffice makes a house with the files of a theatre: bookings of several tickets at a price each, donors
// with their years of birth, vans and coaches, events that were and are to come.
func BoxOffice(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("tickets", `[{"booking":"B1","customer":"Elsie Fox","qty":1,"price_each":10.0,"paid":"Y","booked_on":"2022-05-01"},{"booking":"B2","customer":"Elsie Fox","qty":1,"price_each":12.5,"paid":"N","booked_on":"2023-05-01"},
		{"booking":"B3","customer":"Ann Lock","qty":4,"price_each":10.0,"paid":"N","booked_on":"2023-06-01"},{"booking":"B4","customer":"Leo Marchetti","qty":2,"price_each":12.5,"paid":"Y","booked_on":"2023-06-09"}]`)
	h.Put("donors", `[{"donor_id":1,"name":"Xenia Lowe","joined":"2020-03-05","yob":1990},{"donor_id":2,"name":"Abe Cole","joined":"2022-03-05","yob":1941},{"donor_id":3,"name":"Una Bell","joined":"2023-04-01","yob":1975}]`)
	h.Put("vehicles", `[{"reg":"V1","type":"van","day_rate":50.0},{"reg":"V2","type":"van","day_rate":90.0},{"reg":"V3","type":"coach","day_rate":400.0},{"reg":"V4","type":"coach","day_rate":500.0},{"reg":"V5","type":"van","day_rate":70.0}]`)
	h.Put("events", `[{"event":"Fair","date":"2023-06-10","raised":500.0,"kind":"fair"},{"event":"Quiz","date":"2023-10-12","raised":null,"kind":"quiz"},{"event":"Carols","date":"2023-12-15","raised":null,"kind":"concert"}]`)
	return h
}
