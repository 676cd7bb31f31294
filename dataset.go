package quern

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Type is the type of a column as callers see it.
type Type string

// The column types. A decimal names its precision and scale, as in
// "decimal(18,4)"; the others stand alone.
const (
	Boolean   Type = "boolean"
	Integer   Type = "integer" // 64 bits, signed
	Double    Type = "double"
	Date      Type = "date"
	Timestamp Type = "timestamp" // an instant, with zone, to the microsecond
	Text      Type = "text"
	JSON      Type = "json"
)

// MaxDecimalDigits is the most digits a decimal can hold.
const MaxDecimalDigits = 38

// Decimal is the type of exact numbers with precision digits, scale of them
// behind the point.
func Decimal(precision, scale int) Type {
	return Type(fmt.Sprintf("decimal(%d,%d)", precision, scale))
}

// DecimalSize returns a decimal's precision and scale; ok is false for other types.
func (t Type) DecimalSize() (precision, scale int, ok bool) {
	if !strings.HasPrefix(string(t), "decimal(") {
		return 0, 0, false
	}
	n, err := fmt.Sscanf(string(t), "decimal(%d,%d)", &precision, &scale)
	return precision, scale, err == nil && n == 2
}

// Column is one column of a table.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}

// Dataset is a table of an owner's, at one version.
type Dataset struct {
	ID            DatasetID
	Namespace     Namespace
	Name          string
	Version       int64 // grows with every change of data
	Rows          int64
	NextRow       int64 // the id that the next row gets
	Columns       []DatasetColumn
	Journal       Stored // of its rows, those that are not in a segment yet
	Definition    InferDefinition
	SortOrder     []string     // columns in the order to show them; may name fewer than there are
	LinkOptions   *LinkOptions // how links are looked for; nil for the defaults
	CreatedAt     time.Time
	DataChangedAt time.Time
	// Draft says that the dataset was never made: an ingestion that was to make it has
	// not completed. Only whoever started that knows of it.
	Draft bool
	// MadeFor is the dataset whose ingestion made this one for another table of the same
	// file; empty for others.
	MadeFor DatasetID
}

// Path addresses the dataset.
func (d Dataset) Path() DatasetPath {
	return DatasetPath{d.Namespace.Owner, d.Namespace.Name, d.Name}
}

// DatasetColumn is a column of a dataset with what is known of its values.
type DatasetColumn struct {
	Column
	Stats ColumnStats `json:"stats"`
	// BoundsUnknown says that Stats' bounds are those of a former type: they
	// hold again once the segments were rewritten.
	BoundsUnknown bool `json:"boundsUnknown,omitempty"`
	Digits
	// Unit is what the numbers are counted in, such as €, % or kg; empty when that is
	// not known.
	Unit string `json:"unit,omitempty"`
	// Widened lists the types the column had before, oldest first.
	Widened []Widening `json:"widened,omitempty"`
}

// Digits bounds the decimal digits of a column's numbers before and behind the
// point, so that a change of type can be known to lose none.
type Digits struct {
	Whole    int `json:"whole,omitempty"`
	Fraction int `json:"fraction,omitempty"`
}

// Widening records that a column had Type until a version.
type Widening struct {
	Type  Type  `json:"type"`
	Until int64 `json:"until"`
}

// MaxDescription is the most characters a data description may have.
const MaxDescription = 10_000

// InferDefinition guides how extracted data is structured. A nil member was
// never given, or was cleared.
type InferDefinition struct {
	DataDescription  *string           `json:"dataDescription,omitempty"`
	SchemaDefinition map[string]string `json:"schemaDefinition,omitempty"`
}

// Or returns the definition with what it does not say taken from another.
func (d InferDefinition) Or(other InferDefinition) InferDefinition {
	if d.DataDescription == nil {
		d.DataDescription = other.DataDescription
	}
	if d.SchemaDefinition == nil {
		d.SchemaDefinition = other.SchemaDefinition
	}
	return d
}

// Field is a column that a dataset has or had, under the number that it keeps.
type Field struct {
	Column
	ID int `json:"id"`
}

// Fields returns the fields of a dataset that had known ones and has columns now, and
// of these the fields of the columns, in their order. A name that was there before,
// whatever its capitals, keeps its number.
func Fields(known []Field, columns []Column) (all, now []Field) {
	all = slices.Clone(known)
	at := make(map[string]int, len(all))
	for i, f := range all {
		at[NameKey(f.Name)] = i
	}
	for _, c := range columns {
		i, ok := at[NameKey(c.Name)]
		if !ok {
			i = len(all)
			at[NameKey(c.Name)] = i
			all = append(all, Field{ID: i + 1})
		}
		all[i].Column = c
		now = append(now, all[i])
	}
	return all, now
}

// Segment is one immutable piece of a dataset's table: an object in the store.
type Segment struct {
	ID       SegmentID
	Dataset  DatasetID
	Key      string // of the object
	FirstRow int64  // the id of its first row
	Rows     int64
	Bytes    int64
	Columns  []Column // what the object holds, in order
	// Bounds says what is known of the values of each column; nil where nothing is.
	Bounds []Bounds
	// Foot is the end of the object, where it is to be kept beside it; nil when segments are
	// listed.
	Foot []byte
	// Lines are the rows themselves where they are still in the journal and there is no
	// object: NDJSON, with members named by the positions of columns.
	Lines []byte
}

// InJournal reports whether the rows are still in the journal, and so not an object.
func (s Segment) InJournal() bool { return len(s.Lines) > 0 }

// Bounds is what is known of the values of one column of a segment.
type Bounds struct {
	Nulls int64  `json:"nulls"`
	Min   string `json:"min,omitempty"` // as text, its beginning where it is long
	Max   string `json:"max,omitempty"`
}

// Snapshot is a dataset and the segments of exactly that version.
type Snapshot struct {
	Dataset  Dataset
	Segments []Segment // by row id
}
