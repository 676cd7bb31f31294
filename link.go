package quern

import (
	"strings"
	"time"
)

// ColumnPath addresses a column of a dataset.
type ColumnPath struct {
	DatasetPath
	Column string
}

// resourcePrefix starts a column's address as one word.
const resourcePrefix = "ri."

// Resource writes the path as one word: ri.owner.namespace.dataset.column.
func (c ColumnPath) Resource() string {
	return resourcePrefix + strings.Join([]string{c.Owner, c.Namespace, c.Dataset, c.Column}, ".")
}

// ColumnPaths reads what Resource writes. Usernames and columns may hold dots,
// so that there may be several readings, or none.
func ColumnPaths(resource string) []ColumnPath {
	rest, ok := strings.CutPrefix(resource, resourcePrefix)
	if !ok {
		return nil
	}
	var all []ColumnPath
	parts := strings.Split(rest, ".")
	for i := 1; i+2 < len(parts); i++ {
		c := ColumnPath{DatasetPath{strings.Join(parts[:i], "."), parts[i], parts[i+1]}, strings.Join(parts[i+2:], ".")}
		_, user := Username(c.Owner)
		owned := user || c.Owner == Self
		if owned && ValidName(c.Namespace) && ValidName(c.Dataset) && c.Column != "" {
			all = append(all, c)
		}
	}
	return all
}

// Link says that values of one column are found in another, so that rows of the
// two datasets belong together.
type Link struct {
	Origin, Destination ColumnPath
	Hits                int64 // distinct values of the origin that the destination has, about
	Match               LinkMatch
	Distance            float64 // how far apart two places may be, in kilometres; of GeoMatch
	Score               float64 // how sure it is, 0 to 1
	Cardinality         Cardinality
	Decision            LinkDecision
	DecidedAt           time.Time // zero when nobody decided
}

// LinkMatch is how values of the two ends are compared.
type LinkMatch string

// The ways to compare: values are equal, or name places close to each other.
const (
	ExactMatch LinkMatch = "ExactMatch"
	GeoMatch   LinkMatch = "GeoMatch"
)

// LinkOptions says how links of a dataset are looked for. The zero value looks
// for equal values in all columns.
type LinkOptions struct {
	Exact MatchOptions `json:"exact,omitzero"`
	// Geo is nil when places are not compared.
	Geo *MatchOptions `json:"geo,omitempty"`
	// Curate says that found links worth keeping are kept as if people had added them.
	Curate bool `json:"curate,omitempty"`
}

// MatchOptions narrows which columns are compared and, of places, how.
type MatchOptions struct {
	MinDistinct   float64  `json:"minDistinct,omitempty"`  // the least distinct values for each row, also one without a value
	MinVariation  float64  `json:"minVariation,omitempty"` // the least distinct values for each row that has one
	TargetColumns []string `json:"targetColumns,omitempty"`
	IgnorePrivate bool     `json:"ignorePrivate,omitempty"` // leaves out columns that begin with an underscore
	Distance      float64  `json:"distance,omitempty"`      // in kilometres
}

// Cardinality is how many rows of each end belong together.
type Cardinality string

// The cardinalities, origin first. Unknown when there was no data to tell by.
const (
	ManyToOne          Cardinality = "many-to-one"
	OneToOne           Cardinality = "one-to-one"
	ManyToMany         Cardinality = "many-to-many"
	OneToMany          Cardinality = "one-to-many"
	UnknownCardinality Cardinality = "unknown"
)

// LinkDecision is what people decided about a link. It wins over discovery.
type LinkDecision string

// The decisions. Undecided links come and go with the data.
const (
	LinkUndecided LinkDecision = ""
	LinkAdded     LinkDecision = "added"
	LinkRemoved   LinkDecision = "removed"
)
