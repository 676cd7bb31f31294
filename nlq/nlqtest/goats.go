package nlqtest

import "testing"

// Goats makes a house with a herd whose animals see a vet, and the guests of a farm.
func Goats(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("goats", `[
		{"goat":"Ada","breed":"Boer","born":"2025-03-10","weight_kg":60,"last_vet_visit":"2026-04-20","price":100},
		{"goat":"Bea","breed":"Boer","born":"2025-07-01","weight_kg":40,"last_vet_visit":"2026-11-01","price":120},
		{"goat":"Cid","breed":"Pygmy","born":"2025-05-31","weight_kg":20,"last_vet_visit":null,"price":80},
		{"goat":"Dot","breed":"Pygmy","born":"2024-04-01","weight_kg":30,"last_vet_visit":"2025-06-01","price":90},
		{"goat":"Eli","breed":"Saanen","born":"2025-10-01","weight_kg":70,"last_vet_visit":"2026-10-10","price":150},
		{"goat":"Fay","breed":"Saanen","born":"2024-09-01","weight_kg":50,"last_vet_visit":"2026-09-10","price":150}]`)
	h.Put("bookings", `[
		{"booking_id":1,"guest":"Ann Lee","people":2,"paid":"yes","no_show":"no","email":"a@x.org"},{"booking_id":2,"guest":"Bob Ray","people":4,"paid":"no","no_show":"yes","email":"b@x.org"},
		{"booking_id":3,"guest":"Cy Fox","people":1,"paid":"no","no_show":"no","email":null},{"booking_id":4,"guest":"Di Oak","people":5,"paid":"yes","no_show":"yes","email":"d@x.org"}]`)
	h.Put("kilns", `[{"kiln":1,"swept":"2023-03-20"},{"kiln":2,"swept":"2023-05-01"},{"kiln":3,"swept":"2022-01-01"}]`)
	h.Put("stalls", `[{"stall":1,"paid":"yes","rented":"2026-11-01"},{"stall":2,"paid":"no","rented":"2026-11-02"},{"stall":3,"paid":"no","rented":"2025-11-02"}]`)
	h.Put("families", `[{"family":"Ash","no_of_children":0},{"family":"Oak","no_of_children":1},{"family":"Elm","no_of_children":1}]`)
	return h
}
