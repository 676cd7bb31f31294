package nlqtest

import "testing"

// Garage makes a house with cars, the trips they made and where they were given petrol.
func Garage(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("cars", `[{"reg":"AB1","make":"Ford","bay":"left"},{"reg":"CD2","make":"Fiat","bay":"right"},{"reg":"EF3","make":"Opel","bay":"left"}]`)
	h.Put("trips", `[{"trip":1,"reg":"AB1","client":"Nora","day":"2023-02-03"},{"trip":2,"reg":"CD2","client":"Otto","day":"2023-04-09"},
		{"trip":3,"reg":"CD2","client":"Nora","day":"2023-08-11"},{"trip":4,"reg":"EF3","client":"Pia","day":"2023-09-12"},{"trip":5,"reg":"EF3","client":"Nora","day":"2023-09-20"}]`)
	h.Put("fuel_stops", `[{"stop":1,"reg":"AB1","garage":"Apex","litres":30,"stopped":"2023-05-01"},{"stop":2,"reg":"AB1","garage":"Bolt","litres":25,"stopped":"2023-06-02"},{"stop":3,"reg":"CD2","garage":"Apex","litres":11,"stopped":"2023-09-03"}]`)
	h.Link(h.Ada, "ada.trade.trips.reg", "ada.trade.cars.reg")
	h.Link(h.Ada, "ada.trade.fuel_stops.reg", "ada.trade.cars.reg")
	return h
}
