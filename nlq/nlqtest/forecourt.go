package nlqtest

import "testing"

// Forecourt makes a house with vehicles and what was noted of them at the pump.
func Forecourt(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("vehicles", `[{"name":"Octavia","kind":"car","in_use":"yes","mot_due":"2023-11-04"},{"name":"Fiesta","kind":"car","in_use":"yes","mot_due":"2023-10-20"},
		{"name":"Trailer","kind":"trailer","in_use":"no","mot_due":"2023-05-01"},{"name":"Corsa","kind":"car","in_use":"no","mot_due":"2023-08-01"}]`)
	h.Put("log", `[{"date":"2022-03-01","vehicle":"Octavia","type":"fuel","odo_km":50000,"litres":40,"cost":72,"remark":"full service too"},
		{"date":"2023-02-01","vehicle":"Octavia","type":"fuel","odo_km":60000,"litres":42,"cost":70},{"date":"2023-08-01","vehicle":"Octavia","type":"fuel","odo_km":64500,"litres":38,"cost":68},
		{"date":"2023-03-01","vehicle":"Fiesta","type":"fuel","odo_km":20000,"litres":38,"cost":51},{"date":"2023-07-01","vehicle":"Fiesta","type":"service","odo_km":21500,"cost":180},
		{"date":"2022-05-01","vehicle":"Trailer","type":"repair","cost":90}]`)
	h.Link(h.Ada, "ada.trade.log.vehicle", "ada.trade.vehicles.name")
	return h
}
