package place_test

import (
	"fmt"
	"math"
	"testing"

	"quern/place"
)

func TestPlacesAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Paris": "Paris FR", "paris": "Paris FR", "Paris, France": "Paris FR", "Paris, US": "Paris US", "Paris, TX": "Paris US",
		"München": "Munich DE", "munich": "Munich DE", "Munchen": "Munich DE", "São Paulo": "São Paulo BR", "Sao Paulo": "São Paulo BR",
		"Köln": "Köln DE", "Lisbon (PT)": "Lisbon PT", "Portland, OR": "Portland US", "New York City": "New York City US",
		"London": "London GB", "London, Canada": "London CA", "London, GBR": "London GB",
		"France": "country FR", "FR": "country FR", "FRA": "country FR", "USA": "country US", "United States": "country US",
		"germany": "country DE", "Côte d'Ivoire": "country CI", "UK": "country GB",
		"JFK": "none", "LHR": "none", "NYC": "New York City US", "48.8566, 2.3522": "48.86 2.35", "(48.8566,2.3522)": "48.86 2.35",
		"33.87 S 151.21 E": "-33.87 151.21", "40.7° N, 74.0° W": "40.70 -74.00", "POINT(2.35 48.85)": "48.85 2.35",
		"12, 13": "none", "91.0, 1.0": "none", "1.0, 181.0": "none", "": "none", "Nowhere at all": "none", "x": "none", "de": "none",
	} {
		p, ok := place.Find(text)
		got := fmt.Sprintf("%s %s", p.Name, p.Code)
		switch {
		case !ok:
			got = "none"
		case p.Kind == place.Country:
			got = "country " + p.Code
		case p.Kind == place.Point:
			got = fmt.Sprintf("%.2f %.2f", p.Lat, p.Lon)
		}
		if got != want {
			t.Errorf("Find(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestDistancesAreKnownOnes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want float64
	}{
		{"Paris", "London", 344}, {"New York City", "Los Angeles", 3936}, {"Sydney", "Auckland", 2156},
		{"0.0, 0.0", "0.0, 180.0", 20015}, {"Berlin", "52.52437, 13.41053", 0}, {"51.5, -179.9", "51.5, 179.9", 13.8},
	} {
		a, okA := place.Find(tt.a)
		b, okB := place.Find(tt.b)
		if got := place.Distance(a, b); !okA || !okB || math.Abs(got-tt.want) > 1+tt.want/200 {
			t.Errorf("Distance(%s, %s) = %.1f, want %.1f", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestNearness(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		km   float64
		want bool
	}{
		{"Paris", "48.86, 2.35", 2, true}, {"Paris", "London", 300, false}, {"Paris", "London", 350, true},
		{"France", "FR", 0, true}, {"France", "Paris", 1000, false}, {"France", "Spain", 20000, false}, {"Munich", "München", 0, true},
	} {
		a, _ := place.Find(tt.a)
		b, _ := place.Find(tt.b)
		if got := place.Near(a, b, tt.km); got != tt.want {
			t.Errorf("Near(%s, %s, %v) = %v, want %v", tt.a, tt.b, tt.km, got, tt.want)
		}
	}
}

func TestAColumnOfCodesIsOfOneKind(t *testing.T) {
	t.Parallel()
	airports, known := place.FindAll([]string{"FRA", "MUC", "CDG", "LIS", "OPO", "nothing"})
	if !known[0] || airports[0].Kind != place.City || known[5] {
		t.Errorf("FindAll of airports = %v, %v, want cities", airports, known)
	}
	codes, known := place.FindAll([]string{"FRA", "DEU", "PRT", "ESP"})
	if !known[0] || codes[0].Kind != place.Country {
		t.Errorf("FindAll of countries = %v, %v, want countries", codes, known)
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"Paris, France", "POINT(1.5 2.5)", "(((", "é,É", "1.5;-2.5", "\xff\xfe"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := place.Find(text)
		if ok && (math.Abs(p.Lat) > 90 || math.Abs(p.Lon) > 180) {
			t.Errorf("Find(%q) = %+v, which is nowhere", text, p)
		}
	})
}
