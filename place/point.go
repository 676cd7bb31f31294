package place

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A pair of coordinates: latitude and longitude, each perhaps with a degree sign
// and a letter for its half of the Earth; or longitude and latitude as WKT has it.
var (
	pointText = regexp.MustCompile(`^[(\[]?\s*(?P<lat>[-+]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?P<ns>[NSns]?)\s*(?:[,;]\s*|\s+)` +
		`(?P<lon>[-+]?\d{1,3}(?:\.\d+)?)\s*°?\s*(?P<ew>[EWew]?)\s*[)\]]?$`)
	pointWKT = regexp.MustCompile(`(?i)^POINT\s*\(\s*(?P<lon>[-+]?\d{1,3}(?:\.\d+)?)\s+(?P<lat>[-+]?\d{1,3}(?:\.\d+)?)\s*\)$`)
)

// ParsePoint reads coordinates: "48.8566, 2.3522", "48.8566 N 2.3522 E",
// "POINT(2.3522 48.8566)". Two whole numbers without a comma are none.
func ParsePoint(text string) (Place, bool) {
	if m := pointWKT.FindStringSubmatch(text); m != nil {
		return point(m[pointWKT.SubexpIndex("lat")], m[pointWKT.SubexpIndex("lon")])
	}
	m := pointText.FindStringSubmatch(text)
	if m == nil {
		return Place{}, false
	}
	lat, lon := m[pointText.SubexpIndex("lat")], m[pointText.SubexpIndex("lon")]
	if !strings.Contains(lat+lon, ".") {
		return Place{}, false // as likely two counts
	}
	p, ok := point(lat, lon)
	if strings.EqualFold(m[pointText.SubexpIndex("ns")], "s") {
		p.Lat = -p.Lat
	}
	if strings.EqualFold(m[pointText.SubexpIndex("ew")], "w") {
		p.Lon = -p.Lon
	}
	return p, ok
}

func point(lat, lon string) (Place, bool) {
	p := Place{Kind: Point}
	var errLat, errLon error
	p.Lat, errLat = strconv.ParseFloat(lat, 64)
	p.Lon, errLon = strconv.ParseFloat(lon, 64)
	const mostLat, mostLon = 90, 180
	inside := math.Abs(p.Lat) <= mostLat && math.Abs(p.Lon) <= mostLon
	return p, errLat == nil && errLon == nil && inside
}
