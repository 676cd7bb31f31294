package nlqtest

import "testing"

// Pantry makes a house with batches whose sizes are in units that people do not say.
func Pantry(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("batches", `[{"batch":1,"kind":"jam","ml":2500,"weight_g":3000,"sugar_g":1200,"made":"2024-05-01","eur_kg":4},
		{"batch":2,"kind":"jam","ml":1500,"weight_g":1800,"sugar_g":500,"made":"2025-05-01","eur_kg":5},
		{"batch":3,"kind":"juice","ml":6000,"weight_g":6000,"sugar_g":0,"made":"2025-06-01","eur_kg":2}]`)
	return h
}
