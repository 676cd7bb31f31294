package embedded_test

import "testing"

// forecourt makes vehicles and what was noted of them at the pump.
func (h *house) forecourt() *house {
	h.t.Helper()
	h.dataset(at("vehicles"), `[{"name":"Octavia","kind":"car","in_use":"yes","mot_due":"2023-11-04"},{"name":"Fiesta","kind":"car","in_use":"yes","mot_due":"2023-10-20"},
		{"name":"Trailer","kind":"trailer","in_use":"no","mot_due":"2023-05-01"},{"name":"Corsa","kind":"car","in_use":"no","mot_due":"2023-08-01"}]`)
	h.dataset(at("log"), `[{"date":"2022-03-01","vehicle":"Octavia","type":"fuel","odo_km":50000,"litres":40,"cost":72,"remark":"full service too"},
		{"date":"2023-02-01","vehicle":"Octavia","type":"fuel","odo_km":60000,"litres":42,"cost":70},{"date":"2023-08-01","vehicle":"Octavia","type":"fuel","odo_km":64500,"litres":38,"cost":68},
		{"date":"2023-03-01","vehicle":"Fiesta","type":"fuel","odo_km":20000,"litres":38,"cost":51},{"date":"2023-07-01","vehicle":"Fiesta","type":"service","odo_km":21500,"cost":180},
		{"date":"2022-05-01","vehicle":"Trailer","type":"repair","cost":90}]`)
	h.Link(h.ada, "ada.trade.log.vehicle", "ada.trade.vehicles.name")
	return h
}

// TestCounters: an odometer is not added up.
func TestCounters(t *testing.T) {
	t.Parallel()
	h := newHouse(t).forecourt()
	h.answers(map[string]string{
		"How many km did the Octavia do in 2023?":        "4500",
		"What's the mileage on the Octavia now?":         "64500",
		"how far did each vehicle go in 2023":            "Fiesta 1500; Octavia 4500",
		"how many litres did the Octavia need":           "120",
		"What do we pay for a litre of fuel on average?": "1.6518987341772151",
	})
	if got := h.read("fiesta: litres per 100 km?", nil); got.Query != nil && !got.Doubt {
		t.Errorf("litres per 100 km = %s without doubt, want it declined or doubted", got.SQL)
	}
}

// TestStillInUse: what is still so is so.
func TestStillInUse(t *testing.T) {
	t.Parallel()
	newHouse(t).forecourt().answers(map[string]string{
		"which vehicles are still in use?":                   "Fiesta; Octavia",
		"which vehicles are no longer in use?":               "Corsa; Trailer",
		"vehicles that aren't still in use":                  "Corsa; Trailer",
		"vehicles that have no entry in the log this year":   "Corsa; Trailer",
		"Which car has its MOT due next, and when?":          "Fiesta 2023-10-20",
		"fule cost of the fiesta":                            "51",
		"what did the octavia cost us to look after in 2022": "72",
	})
}
