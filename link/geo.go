package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/place"
	"quern/store"
)

const (
	// mostPlaces bounds the distinct values of a column that are looked up as places.
	mostPlaces = 5_000
	// leastPlaces is the share of a column's distinct values that are places for it
	// to be a column of places.
	leastPlaces = 0.8
	// leastExamples is the share of a column's known examples that are places for
	// its values to be looked up at all.
	leastExamples = 0.5
	// mostGeoDatasets bounds the datasets of a namespace whose places are compared.
	mostGeoDatasets = 100
	// kilometresPerDegree is a little less than a degree of latitude has anywhere.
	kilometresPerDegree = 110.5
)

// placeColumn is a column whose values are places.
type placeColumn struct {
	name   string
	rows   int64         // with a value
	places []place.Place // of the distinct values that are one, by latitude
	values int           // distinct ones
}

// isKey reports whether values identify rows, but for a few.
func (c placeColumn) isKey() bool { return float64(c.values) >= leastUnique*float64(c.rows) }

// hits returns how many places of a column have one of another's near.
func (c placeColumn) hits(other placeColumn, kilometres float64) int {
	found, span := 0, kilometres/kilometresPerDegree
	for _, p := range c.places {
		from, _ := slices.BinarySearchFunc(other.places, p.Lat-span, func(o place.Place, lat float64) int { return cmp.Compare(o.Lat, lat) })
		for _, o := range other.places[from:] {
			if o.Lat > p.Lat+span {
				break
			}
			if place.Near(p, o, kilometres) {
				found++
				break
			}
		}
	}
	return found
}

// geoTable is a dataset with its columns of places.
type geoTable struct {
	dataset quern.Dataset
	columns []placeColumn
}

// discoverPlaces compares the places of a dataset with those of the datasets beside it.
// Two are compared when one of them asks for it.
func (s *Service) discoverPlaces(
	ctx context.Context, from content, o quern.LinkOptions, beside []store.Sketched, keep int,
) ([]store.Link, error) {
	var own *geoTable
	var found []store.Link
	for _, d := range beside[:min(len(beside), mostGeoDatasets)] {
		options := o.Geo
		if options == nil && d.Options != nil {
			options = d.Options.Geo
		}
		if options == nil {
			continue
		}
		snap, err := s.catalog.Table(ctx, d.ID)
		if quern.Is(err, quern.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if own == nil {
			if own, err = s.geoTable(ctx, from, options); err != nil {
				return nil, err
			}
		}
		other, err := s.geoTable(ctx, s.stored(snap), optionsOf(snap.Dataset).Geo)
		if err != nil {
			return nil, err
		}
		found = append(found, geoLinks(own, other, options)...)
	}
	return surest(found, keep), nil
}

// geoTable finds the columns of a dataset whose values are places.
func (s *Service) geoTable(ctx context.Context, from content, o *quern.MatchOptions) (*geoTable, error) {
	t := &geoTable{dataset: from.dataset}
	for i, c := range from.dataset.Columns {
		if i >= mostColumns {
			break
		}
		excluded := o != nil && !columnAllowed(*o, c.Name)
		if c.Type != quern.Text || excluded || !likelyPlaces(c.Stats.Examples) {
			continue
		}
		column, err := s.placeColumn(ctx, from, c.Name)
		switch {
		case quern.Is(err, quern.Timeout), quern.Is(err, quern.Invalid):
			continue // too large to look at
		case err != nil:
			return nil, err
		}
		if o != nil && !column.varied(*o, from.dataset.Rows) {
			continue
		}
		if column.values > 0 && float64(len(column.places)) >= leastPlaces*float64(column.values) {
			t.columns = append(t.columns, column)
		}
	}
	return t, nil
}

// varied reports whether a column has as many distinct values as options ask for.
func (c placeColumn) varied(o quern.MatchOptions, rows int64) bool {
	return float64(c.values) >= o.MinDistinct*float64(rows) && float64(c.values) >= o.MinVariation*float64(c.rows)
}

func likelyPlaces(examples []string) bool {
	_, known := place.FindAll(examples)
	n := 0
	for _, ok := range known {
		if ok {
			n++
		}
	}
	return len(examples) == 0 || float64(n) >= leastExamples*float64(len(examples))
}

// placeColumn looks the values of a column up.
func (s *Service) placeColumn(ctx context.Context, from content, name string) (placeColumn, error) {
	c := placeColumn{name: name}
	if from.dataset.Rows == 0 {
		return c, nil
	}
	table, release, err := from.open(ctx)
	if err != nil {
		return c, err
	}
	defer release()
	quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	sql := fmt.Sprintf("SELECT %[1]s AS v, count(*) AS n FROM t WHERE %[1]s IS NOT NULL GROUP BY v ORDER BY v LIMIT %[2]d", quoted, mostPlaces)
	var values []string
	err = s.each(ctx, table, sql, func(row []any) {
		value, _ := row[0].(string)
		n, _ := row[1].(int64)
		values, c.rows = append(values, value), c.rows+n
	})
	if err != nil {
		return c, err
	}
	c.values = len(values)
	places, known := place.FindAll(values)
	for i, ok := range known {
		if ok {
			c.places = append(c.places, places[i])
		}
	}
	slices.SortFunc(c.places, func(a, b place.Place) int { return cmp.Compare(a.Lat, b.Lat) })
	return c, nil
}

// geoLinks returns the links between the places of two datasets, from the one of
// which more rows share a place to the other.
func geoLinks(a, b *geoTable, o *quern.MatchOptions) (found []store.Link) {
	distance := cmp.Or(o.Distance, DefaultDistance)
	for _, x := range a.columns {
		for _, y := range b.columns {
			from, to, origin, destination := a, b, x, y
			if x.uniqueness() > y.uniqueness() {
				from, to, origin, destination = b, a, y, x
			}
			l, ok := geoLink(origin, destination, distance)
			if !ok {
				continue
			}
			l.Origin = quern.ColumnPath{DatasetPath: from.dataset.Path(), Column: origin.name}
			l.Destination = quern.ColumnPath{DatasetPath: to.dataset.Path(), Column: destination.name}
			found = append(found, store.Link{
				Link: l, OriginID: from.dataset.ID, DestinationID: to.dataset.ID,
				OriginOwner: from.dataset.Namespace.OwnerID, DestinationOwner: to.dataset.Namespace.OwnerID,
			})
		}
	}
	return found
}

func (c placeColumn) uniqueness() float64 { return float64(c.values) / float64(max(c.rows, 1)) }

// geoLink returns what is known of a link between two columns of places; ok is
// false when too few places are near.
func geoLink(origin, destination placeColumn, distance float64) (l quern.Link, ok bool) {
	hits := origin.hits(destination, distance)
	contained := float64(hits) / float64(max(len(origin.places), 1))
	places := float64(len(origin.places)) / float64(max(origin.values, 1))
	l = quern.Link{
		Match: quern.GeoMatch, Distance: distance, Hits: int64(hits), Score: contained * places,
		Cardinality: cardinality(origin.isKey(), destination.isKey()),
	}
	return l, hits > 0 && contained >= leastContained
}

// surest keeps, for every origin, the surest links, at most keep.
func surest(found []store.Link, keep int) (kept []store.Link) {
	slices.SortStableFunc(found, func(a, b store.Link) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Hits, a.Hits)) })
	taken := map[quern.ColumnPath]int{}
	for _, l := range found {
		if taken[l.Origin] < keep {
			taken[l.Origin]++
			kept = append(kept, l)
		}
	}
	return kept
}

// withPlaces adds links by place to exact ones, which win where both are found.
func withPlaces(exact, places []store.Link) []store.Link {
	linked := map[[2]quern.ColumnPath]bool{}
	for _, l := range exact {
		linked[[2]quern.ColumnPath{l.Origin, l.Destination}] = true
		linked[[2]quern.ColumnPath{l.Destination, l.Origin}] = true
	}
	for _, l := range places {
		if !linked[[2]quern.ColumnPath{l.Origin, l.Destination}] {
			exact = append(exact, l)
		}
	}
	return exact
}

// measurePlaces counts the places that the ends of a link have near each other.
func (s *Service) measurePlaces(ctx context.Context, l *store.Link) error {
	ends := make([]placeColumn, 0, 2)
	for _, end := range []struct {
		id     quern.DatasetID
		column string
	}{{l.OriginID, l.Origin.Column}, {l.DestinationID, l.Destination.Column}} {
		snap, err := s.catalog.Table(ctx, end.id)
		if err != nil {
			return err
		}
		if _, t := columnNamed(snap.Dataset, end.column); t != quern.Text {
			l.Hits, l.Cardinality = 0, quern.UnknownCardinality
			return nil
		}
		column, err := s.placeColumn(ctx, s.stored(snap), end.column)
		if err != nil {
			return err
		}
		ends = append(ends, column)
	}
	l.Hits, l.Cardinality = 0, quern.UnknownCardinality
	if len(ends[0].places) > 0 && len(ends[1].places) > 0 {
		counted, _ := geoLink(ends[0], ends[1], l.Distance)
		l.Hits, l.Cardinality = counted.Hits, counted.Cardinality
	}
	return nil
}
