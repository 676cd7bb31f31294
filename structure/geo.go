package structure

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"quern"
	"quern/place"
)

// nearCity is how far away in kilometres a city may be that coordinates are told to
// be in; further off only the country is told.
const nearCity = 50

// geoStep finds the places that coordinates are in.
type geoStep struct {
	about
	lat, lon string // the columns of a pair; empty: one column has both
	from     string // the column that has both
	decided  bool
}

func (s *geoStep) run(_ context.Context, rows []Row) ([]Row, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	if !s.decided {
		if err := s.findColumns(rows); err != nil {
			return nil, err
		}
	}
	base := ""
	if s.from != "" {
		base = s.from + "_"
	}
	for i := range rows {
		p, given, ok := s.point(&rows[i])
		if !given {
			continue
		}
		at, km, found := place.Place{}, 0.0, false
		if ok {
			at, km, found = place.Nearest(p)
		}
		if !found {
			s.report().Unread++
			s.note("row %d: no place is known at %s", rows[i].Source+1, quern.Clip(s.text(&rows[i]), 60))
			continue
		}
		s.add(&rows[i], base, at, km)
	}
	return rows, nil
}

// add tells the place in columns of their own.
func (s *geoStep) add(r *Row, base string, at place.Place, km float64) {
	const near, far = 0.95, 0.7
	told := provenance{From: s.source(), By: "gazetteer", Confidence: near, Note: fmt.Sprintf("%s is %.1f km away", at.Name, km)}
	if km > nearCity/2 {
		told.Confidence = far
	}
	country, _ := place.CountryOf(at)
	for _, m := range []struct {
		name, value string
	}{{"city", at.Name}, {"country", country.Name}, {"country_code", at.Code}} {
		if m.name == "city" && km > nearCity {
			continue
		}
		name := base + m.name
		if existing := r.find(name); existing >= 0 && r.Members[existing].Value != nil {
			name += "_2"
		}
		r.set(Member{Name: name, Value: m.value})
		r.set(Member{Name: quern.ProvenancePrefix + name, Value: told.json()})
	}
}

func (s *geoStep) source() string {
	if s.from != "" {
		return s.from
	}
	return s.lat + ", " + s.lon
}

// findColumns decides where the coordinates are.
func (s *geoStep) findColumns(rows []Row) error {
	s.decided = true
	if s.DeriveFrom != "" {
		if !hasColumn(rows, s.DeriveFrom) {
			return missing(s.at("deriveFrom"), s.DeriveFrom, rows)
		}
		s.from = s.DeriveFrom
		return nil
	}
	for _, name := range columnsOf(rows) {
		switch loose(name) {
		case "lat", "latitude":
			s.lat = name
		case "lon", "lng", "long", "longitude":
			s.lon = name
		}
	}
	if s.lat != "" && s.lon != "" {
		return nil
	}
	s.lat, s.lon = "", ""
	for _, name := range columnsOf(rows) {
		points, values := 0, 0
		for i := range rows {
			if text := rows[i].text(name); text != "" {
				values++
				if _, ok := place.ParsePoint(text); ok {
					points++
				}
			}
		}
		if points > 0 && points*2 > values {
			s.from = name
			return nil
		}
	}
	return invalid(quern.Fault("required", s.at("deriveFrom"), "is required: no column looks like coordinates"))
}

func (s *geoStep) text(r *Row) string {
	if s.from != "" {
		return r.text(s.from)
	}
	return strings.TrimSpace(r.text(s.lat) + ", " + r.text(s.lon))
}

// point returns a row's coordinates; given is false when it has none, ok when they
// are none.
func (s *geoStep) point(r *Row) (p place.Place, given, ok bool) {
	if s.from != "" {
		at := r.find(s.from)
		if at < 0 || r.Members[at].Value == nil {
			return p, false, false
		}
		if nested, isNested := r.Members[at].Value.(json.RawMessage); isNested {
			p, ok = nestedPoint(nested)
			return p, true, ok
		}
		p, ok = place.ParsePoint(strings.TrimSpace(textOf(r.Members[at].Value)))
		return p, true, ok
	}
	lat, lon := r.text(s.lat), r.text(s.lon)
	if lat == "" || lon == "" {
		return p, lat != "" || lon != "", false
	}
	p, ok = place.PointAt(lat, lon)
	return p, true, ok
}

// nestedPoint reads coordinates as JSON has them: an object that names them, or
// latitude and longitude in a list.
func nestedPoint(value json.RawMessage) (place.Place, bool) {
	var named map[string]json.Number
	if json.Unmarshal(value, &named) == nil {
		var lat, lon string
		for name, n := range named {
			switch loose(name) {
			case "lat", "latitude":
				lat = n.String()
			case "lon", "lng", "long", "longitude":
				lon = n.String()
			}
		}
		return place.PointAt(lat, lon)
	}
	var pair []json.Number
	if json.Unmarshal(value, &pair) != nil || len(pair) != 2 {
		return place.Place{}, false
	}
	return place.PointAt(pair[0].String(), pair[1].String())
}
