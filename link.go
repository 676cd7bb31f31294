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
		if _, user := Username(c.Owner); (user || c.Owner == Self) && ValidName(c.Namespace) && ValidName(c.Dataset) && c.Column != "" {
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
	Score               float64 // how sure it is, 0 to 1
	Cardinality         Cardinality
	Decision            LinkDecision
	DecidedAt           time.Time // zero when nobody decided
}

// LinkMatch is how values of the two ends are compared.
type LinkMatch string

// ExactMatch means that values are equal.
const ExactMatch LinkMatch = "ExactMatch"

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
