package place

import (
	"math"
	"strings"
)

// Kind is what sort of place a value names.
type Kind uint8

// The kinds.
const (
	Point   Kind = iota // coordinates
	City                // a city, by its name or the code of its airports
	Country             // a country, by its name or one of its ISO codes
)

// Place is somewhere on Earth.
type Place struct {
	Kind Kind
	// Name is the place's own name; empty for coordinates.
	Name string
	// Code is the ISO code of the country, two letters; empty for coordinates.
	Code string
	// Lat and Lon are in degrees. Those of a country are its capital's, for display.
	Lat, Lon   float64
	Population int64
}

// earthRadius is the mean radius of the Earth in kilometres.
const earthRadius = 6371.0088

// Distance returns how far apart two places are, in kilometres, along a great circle.
func Distance(a, b Place) float64 {
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	dLat, dLon := lat2-lat1, radians(b.Lon-a.Lon)
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(lat1)*math.Cos(lat2)*math.Pow(math.Sin(dLon/2), 2)
	return 2 * earthRadius * math.Asin(math.Min(1, math.Sqrt(h)))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }

// Near reports whether two places are at most a distance apart, in kilometres. A
// country is near itself alone: it has no one place to measure from.
func Near(a, b Place, kilometres float64) bool {
	if a.Kind == Country || b.Kind == Country {
		return a.Kind == b.Kind && a.Code == b.Code
	}
	return Distance(a, b) <= kilometres
}

// Find returns the place that a text names. Codes of three letters are countries'
// first and airports' otherwise.
func Find(text string) (Place, bool) { return find(text, false) }

// FindAll returns the places that the values of one column name; the zero Place,
// which has no name, for a value that names none and false in known. Codes of
// three letters are all countries', or all airports', whichever fits more values.
func FindAll(values []string) (places []Place, known []bool) {
	countries, airports := 0, 0
	for _, v := range values {
		v = strings.TrimSpace(v)
		if !isCode(v, 3) {
			continue
		}
		if _, ok := countryByCode(v); ok {
			countries++
		}
		if _, ok := embedded.airport(v); ok {
			airports++
		}
	}
	places, known = make([]Place, len(values)), make([]bool, len(values))
	for i, v := range values {
		places[i], known[i] = find(v, airports > countries)
	}
	return places, known
}

func find(text string, airportsFirst bool) (Place, bool) {
	text = strings.TrimSpace(text)
	const longest = 200
	if text == "" || len(text) > longest {
		return Place{}, false
	}
	if p, ok := ParsePoint(text); ok {
		return p, true
	}
	if p, ok := findCode(text, airportsFirst); ok {
		return p, true
	}
	if c, ok := countryByName(text); ok {
		return c, true
	}
	name, within, qualified := cutQualifier(text)
	if !qualified {
		return embedded.city(text, "")
	}
	if p, ok := embedded.city(name, within); ok {
		return p, true
	}
	return embedded.city(text, "") // a name with a comma of its own
}

func findCode(text string, airportsFirst bool) (Place, bool) {
	if !isCode(text, 2) && !isCode(text, 3) {
		return Place{}, false
	}
	if airportsFirst {
		if p, ok := embedded.airport(text); ok {
			return p, true
		}
	}
	if c, ok := countryByCode(text); ok {
		return c, true
	}
	return embedded.airport(text)
}

// isCode reports whether a text is n capital letters.
func isCode(text string, n int) bool {
	return len(text) == n && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// cutQualifier takes "Paris, France", "Portland, OR" and "Paris (US)" apart, and
// returns the code of the country or region behind the name.
func cutQualifier(text string) (name, within string, ok bool) {
	open := strings.LastIndexAny(text, ",(")
	if open <= 0 {
		return text, "", false
	}
	name = strings.TrimSpace(text[:open])
	rest := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text[open+1:]), ")"))
	if first, _, more := strings.Cut(name, ","); more {
		name = strings.TrimSpace(first) // "Portland, Oregon, USA"
	}
	if c, found := countryByCode(strings.ToUpper(rest)); found && len(rest) == 3 {
		return name, c.Code, true
	}
	if c, found := countryByName(rest); found {
		return name, c.Code, true
	}
	return name, strings.ToUpper(rest), len(rest) == 2
}
