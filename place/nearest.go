package place

import (
	"math"
	"sync"
)

// cellsAround is how many degrees around a point are searched for a city.
const cellsAround = 3

// cities are the places of the gazetteer by the degree of latitude and longitude
// that they lie in.
var cities = sync.OnceValue(func() map[[2]int16][]uint32 {
	all := map[[2]int16][]uint32{}
	for i := range uint32(len(embedded.places) / placeSize) {
		p := embedded.place(i)
		at := cell(p.Lat, p.Lon)
		all[at] = append(all[at], i)
	}
	return all
})

func cell(lat, lon float64) [2]int16 { return [2]int16{int16(math.Floor(lat)), int16(math.Floor(lon))} }

// Nearest returns the city that a point lies in, or else the one that is nearest to
// it, and how far away its middle is in kilometres; ok is false when there is none
// within a few hundred. Quarters of large cities are not told apart from them.
func Nearest(p Place) (city Place, kilometres float64, ok bool) {
	const degree = 111 // kilometres, at least, of latitude
	for around := 1; around <= cellsAround; around++ {
		city, kilometres, ok = nearestWithin(p, around)
		if ok && kilometres <= float64(around)*degree {
			break
		}
	}
	return city, kilometres, ok
}

// nearestWithin looks in the degrees around a point.
func nearestWithin(p Place, around int) (city Place, kilometres float64, ok bool) {
	const halfTurn, turn, steepest = 180, 360, 0.1
	kilometres = math.Inf(1)
	middle, inside := cell(p.Lat, p.Lon), false
	// Degrees of longitude are narrower towards the poles.
	wide := int(math.Ceil(float64(around) / max(math.Cos(radians(p.Lat)), steepest)))
	for dLat := -around; dLat <= around; dLat++ {
		for dLon := -wide; dLon <= wide; dLon++ {
			lon := (int(middle[1])+dLon+halfTurn+turn)%turn - halfTurn
			for _, i := range cities()[[2]int16{middle[0] + int16(dLat), int16(lon)}] {
				c := embedded.place(i)
				d := Distance(p, c)
				within := d <= c.radius()
				larger := within && (!inside || c.Population > city.Population)
				if larger || !inside && d < kilometres {
					city, kilometres, inside, ok = c, d, within, true
				}
			}
		}
	}
	return city, kilometres, ok
}

// radius is how far a city of its population reaches, in kilometres.
func (p Place) radius() float64 {
	const peoplePerSquareKilometre = 5000
	return math.Sqrt(float64(p.Population) / peoplePerSquareKilometre / math.Pi)
}

// CountryOf returns the country that a place is in.
func CountryOf(p Place) (Place, bool) { return countryByCode(p.Code) }

// PointAt returns the point of a latitude and a longitude, each a number in degrees.
func PointAt(lat, lon string) (Place, bool) { return point(lat, lon) }
