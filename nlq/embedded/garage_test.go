package embedded_test

import "testing"

// garage makes cars, the trips they made and where they were given petrol.
func (h *house) garage() *house {
	h.t.Helper()
	h.dataset(at("cars"), `[{"reg":"AB1","make":"Ford","bay":"left"},{"reg":"CD2","make":"Fiat","bay":"right"},{"reg":"EF3","make":"Opel","bay":"left"}]`)
	h.dataset(at("trips"), `[{"trip":1,"reg":"AB1","client":"Nora","day":"2023-02-03"},{"trip":2,"reg":"CD2","client":"Otto","day":"2023-04-09"},
		{"trip":3,"reg":"CD2","client":"Nora","day":"2023-08-11"},{"trip":4,"reg":"EF3","client":"Pia","day":"2023-09-12"},{"trip":5,"reg":"EF3","client":"Nora","day":"2023-09-20"}]`)
	h.dataset(at("fuel_stops"), `[{"stop":1,"reg":"AB1","garage":"Apex","litres":30,"stopped":"2023-05-01"},{"stop":2,"reg":"AB1","garage":"Bolt","litres":25,"stopped":"2023-06-02"},{"stop":3,"reg":"CD2","garage":"Apex","litres":11,"stopped":"2023-09-03"}]`)
	h.Link(h.ada, "ada.trade.trips.reg", "ada.trade.cars.reg")
	h.Link(h.ada, "ada.trade.fuel_stops.reg", "ada.trade.cars.reg")
	return h
}

// TestOnlyOnce: what was so only once has one row, neither several nor none.
func TestOnlyOnce(t *testing.T) {
	t.Parallel()
	newHouse(t).garage().answers(map[string]string{
		"clients that only show up once":               "Otto; Pia",
		"Which clients have used us just once?":        "Otto; Pia",
		"Which cars had only one trip?":                "AB1",
		"Which cars made a trip only once?":            "AB1",
		"Which clients have used us more than once?":   "Nora",
		"Which cars never made a trip to a fuel stop?": "EF3",
		"How many trips did each client make?":         "Nora 3; Otto 1; Pia 1",
		"clients who made a trip more than once":       "Nora",
	})
}

// TestNotSince: the clients without a trip since some day, not the trips since.
func TestNotSince(t *testing.T) {
	t.Parallel()
	newHouse(t).garage().answers(map[string]string{
		"clients we haven't had since the end of April": "Otto",
		"Which trips have there been since September?":  "4; 5",
	})
}

// TestFillingUp: a car that is filled up is given fuel.
func TestFillingUp(t *testing.T) {
	t.Parallel()
	newHouse(t).garage().answers(map[string]string{
		"Are there cars that have never been filled up?": "EF3",
	})
}
