package place

import (
	_ "embed"
	"encoding/binary"
	"sort"
	"strings"
	"sync"
)

//go:embed places.bin
var data string

// Licence is the terms of the gazetteer, which go with every copy.
//
//go:embed LICENSE
var Licence string

// The gazetteer is read where it lies, so that it costs neither time nor memory
// to open. All numbers are little-endian, 32 bits wide:
//
//	magic, number of places, names, airports and countries
//	places:    latitude and longitude in 1e-5 degrees, population, country (two
//	           letters), region (two letters or zeros), where its name is
//	names:     where the key is, place; by key, the largest place first
//	airports:  code (three letters and a zero), place; by code
//	countries: ISO codes (two letters, three letters, padded to eight bytes), where
//	           the name is, place of the capital plus one
//	texts:     each with its length (one byte) before it
const (
	magic       = "QPL1"
	headerSize  = 20
	placeSize   = 20
	nameSize    = 8
	airportSize = 8
	countrySize = 16
)

type gazetteer struct {
	places, names, airports, countries, texts string
}

var embedded = open(data)

// open takes the gazetteer apart. One that is not whole is a fault of the build,
// which the tests find.
func open(data string) gazetteer {
	if len(data) < headerSize || data[:4] != magic {
		panic("place: places.bin is not a gazetteer")
	}
	g, at := gazetteer{}, headerSize
	for i, part := range []struct {
		into *string
		size int
	}{{&g.places, placeSize}, {&g.names, nameSize}, {&g.airports, airportSize}, {&g.countries, countrySize}} {
		n := int(number(data, 4+4*i)) * part.size
		*part.into = data[at : at+n]
		at += n
	}
	g.texts = data[at:]
	return g
}

func number(data string, at int) uint32 {
	return binary.LittleEndian.Uint32([]byte(data[at : at+4]))
}

func (g gazetteer) text(at uint32) string {
	n := uint32(g.texts[at])
	return g.texts[at+1 : at+1+n]
}

func (g gazetteer) place(i uint32) Place {
	const degree = 1e5
	r := g.places[i*placeSize : (i+1)*placeSize]
	return Place{
		Kind: City, Name: g.text(number(r, 16)), Code: r[12:14], Population: int64(number(r, 8)),
		Lat: float64(int32(number(r, 0))) / degree, Lon: float64(int32(number(r, 4))) / degree,
	}
}

// city returns the largest city of a name, in the country or region with a code
// when that is not empty.
func (g gazetteer) city(name, within string) (Place, bool) {
	key := Key(name)
	if key == "" {
		return Place{}, false
	}
	count := len(g.names) / nameSize
	from := sort.Search(count, func(i int) bool { return g.text(number(g.names, i*nameSize)) >= key })
	for i := from; i < count && g.text(number(g.names, i*nameSize)) == key; i++ {
		at := number(g.names, i*nameSize+4)
		r := g.places[at*placeSize : (at+1)*placeSize]
		if within == "" || r[12:14] == within || r[14:16] == within {
			return g.place(at), true
		}
	}
	return Place{}, false
}

func (g gazetteer) airport(code string) (Place, bool) {
	count := len(g.airports) / airportSize
	i := sort.Search(count, func(i int) bool { return g.airports[i*airportSize:i*airportSize+3] >= code })
	if i == count || g.airports[i*airportSize:i*airportSize+3] != code {
		return Place{}, false
	}
	return g.place(number(g.airports, i*airportSize+4)), true
}

// countries are the countries by code and by the key of their name.
var countries = sync.OnceValue(func() map[string]Place {
	all := map[string]Place{}
	for i := 0; i < len(embedded.countries); i += countrySize {
		r := embedded.countries[i : i+countrySize]
		c := Place{Kind: Country, Code: r[:2], Name: embedded.text(number(r, 8))}
		if capital := number(r, 12); capital > 0 {
			p := embedded.place(capital - 1)
			c.Lat, c.Lon = p.Lat, p.Lon
		}
		all[c.Code], all[r[2:5]], all[Key(c.Name)] = c, c, c
	}
	for alias, code := range aliases {
		all[alias] = all[code]
	}
	return all
})

// aliases are names of countries, as keys, that the gazetteer has otherwise.
var aliases = map[string]string{
	"usa": "US", "united states of america": "US", "america": "US", "uk": "GB", "great britain": "GB", "britain": "GB",
	"england": "GB", "scotland": "GB", "wales": "GB", "holland": "NL", "the netherlands": "NL", "netherlands": "NL",
	"czech republic": "CZ", "czechia": "CZ", "south korea": "KR", "korea": "KR", "north korea": "KP", "russian federation": "RU",
	"viet nam": "VN", "uae": "AE", "ivory coast": "CI", "cote divoire": "CI", "burma": "MM", "swaziland": "SZ", "turkiye": "TR",
	"turkey": "TR", "macedonia": "MK", "cape verde": "CV", "east timor": "TL", "bolivia": "BO", "venezuela": "VE", "iran": "IR",
	"syria": "SY", "tanzania": "TZ", "moldova": "MD", "laos": "LA", "brunei": "BN", "dr congo": "CD", "congo": "CG",
}

func countryByCode(code string) (Place, bool) {
	if !isCode(code, 2) && !isCode(code, 3) {
		return Place{}, false
	}
	c, ok := countries()[code]
	return c, ok && c.Name != ""
}

func countryByName(name string) (Place, bool) {
	if key := Key(name); len(key) > 2 || strings.EqualFold(key, "uk") {
		c, ok := countries()[key]
		return c, ok && c.Name != ""
	}
	return Place{}, false
}
