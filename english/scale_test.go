package english_test

import (
	"testing"

	"quern/english"
)

func TestScaleOf(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]english.Scale{
		"kg": {Kind: "weight", Size: 1e6}, "Kilos": {Kind: "weight", Size: 1e6}, "litres": {Kind: "volume", Size: 1000}, "km": {Kind: "length", Size: 1e6}, "as": {}, "price": {},
	} {
		if got, ok := english.ScaleOf(word); got != want || ok != (want.Kind != "") {
			t.Errorf("ScaleOf(%q) = %v, %t, want %v", word, got, ok, want)
		}
	}
}

func TestUnitTimes(t *testing.T) {
	t.Parallel()
	for want, of := range map[string]struct {
		unit  string
		times float64
	}{"km": {"m", 1000}, "g": {"kg", 0.001}, "l": {"ml", 1000}, "t": {"kg", 1000}, "mb": {"GB", 0.001}} {
		if got, ok := english.UnitTimes(of.unit, of.times); got != want || !ok {
			t.Errorf("UnitTimes(%s, %v) = %s, %t, want %s", of.unit, of.times, got, ok, want)
		}
	}
	for unit, times := range map[string]float64{"m": 7, "EUR": 1000, "": 1} {
		if got, ok := english.UnitTimes(unit, times); ok {
			t.Errorf("UnitTimes(%q, %v) = %s, want none", unit, times, got)
		}
	}
}
