// Package engine says what a query engine must do for Quern: read immutable
// Parquet segments as tables, run people's read-only SQL over them inside a
// sandbox, and write new segments.
//
// It owns the promise, not an implementation; engine/duckdb keeps it, and
// enginetest holds every keeper to it. It never decides who may see a table:
// callers hand in a resolver that already knows.
package engine

import (
	"context"
	"time"

	"quern"
	"quern/tree"
)

// Segment is one immutable Parquet file as the engine reads it.
type Segment struct {
	Path     string         // a local file; empty where Query.Files tells
	Columns  []quern.Column // what the file holds, in file order
	FirstRow int64          // the row id of the file's first row
	Rows     int64
	// Content is the same for files that hold the same; empty: it is not known.
	Content string `json:",omitempty"`
	// Sparse names the file where it has the foot of the segment and otherwise only what
	// Query.Fetch brought: what is read elsewhere are zeros. Empty: the file is whole.
	Sparse string `json:",omitempty"`
}

// Span is bytes of a sparse segment: those from an offset up to, but not including, another.
type Span struct {
	Sparse   string // as Segment.Sparse
	From, To int64
}

// Table is what a reader sees of a dataset at one version. A segment that lacks
// a column reads as null there; one that holds a narrower type is cast.
type Table struct {
	Columns  []quern.Column
	Segments []Segment
	// WasText names JSON columns that were text before: what their segments hold
	// in narrower types reads as strings, as it did then.
	WasText map[string]bool
	// RowIDs adds quern.RowColumn after the columns in queries: the rows' ids,
	// null where the engine cannot tell them. A table without columns has none.
	RowIDs bool
	// Labels adds further columns behind that one, in the same way. Neither they nor
	// the row ids are part of a query's *.
	Labels []Label
	// Dataset and Version are what an engine on other machines reads instead of the
	// segments; the version is 0 where the table has no rows.
	Dataset quern.DatasetID
	Version int64
}

// Label is a column that is stored in no segment: neighbouring rows share its values.
type Label struct {
	Column quern.Column // of text or integers
	Runs   []LabelRun   // in order of rows, none overlapping; other rows have null
}

// LabelRun says that the rows from an id up to, but not including, another have a value.
type LabelRun struct {
	From, To int64
	Value    string // as SQL would write it, without quotes
}

// Ref is a dataset as a query's text names it: `dataset`, `namespace.dataset`
// or `"owner/namespace/dataset"`. Parts that were not written are empty.
type Ref struct {
	Owner, Namespace, Dataset string
}

// Query is a caller's SQL together with what it may touch.
type Query struct {
	SQL string
	// Tree is what SQL was printed from, where it was: engines of another dialect print
	// it anew. It stays as it is.
	Tree *tree.Query
	// Sign makes a token with which an engine on other machines reads datasets as the
	// asker does, for a while; nil where no engine needs one.
	Sign func(ctx context.Context, datasets []quern.DatasetID, life time.Duration) (Token, error)
	// Resolve returns the table behind a name. A quern.NotFound error becomes an
	// Invalid one that points at the name in SQL; other errors pass unchanged.
	Resolve func(context.Context, Ref) (Table, error)
	// Files returns the same table with the files of its segments, where Resolve returned
	// one whose segments have no Path. An engine asks for them when it has to read them.
	Files func(context.Context, Ref) (Table, error)
	// Fetch brings bytes of sparse segments into their files. An engine asks for all that a
	// query reads before it runs it.
	Fetch func(context.Context, []Span) error
	// User is whom the query runs for: places are shared fairly between users.
	User string
	// MaxRows caps the rows that Rows yields; the rest is only counted. There is
	// no cap when it is 0.
	MaxRows int
}

// Token is a token, with the id that tells it from others.
type Token struct{ Secret, ID string }

// Rows is a stream of result rows. It is not safe for concurrent use.
type Rows interface {
	// Columns describes the result. Names are unique, ignoring case.
	Columns() []quern.Column
	// Next moves to the next row and reports whether there is one.
	Next() bool
	// Row is the current row, valid until Next: nil, bool, int64, float64,
	// json.Number (decimals), string (text, dates as 2006-01-02, timestamps in
	// RFC 3339 UTC) or json.RawMessage (JSON and nested values).
	Row() []any
	// Total is the number of rows of the whole result, known once Next has
	// returned false without an error; it exceeds the rows yielded when MaxRows
	// cut the stream.
	Total() int64
	// Err is the error that ended the stream early, if one did.
	Err() error
	// Close frees the stream's resources. Closing twice is harmless.
	Close() error
}

// Walker is an ability that Rows may have: it hands over the values of the current
// row without making a Go value of each, which is most of the work of a long result.
type Walker interface {
	// Walk calls one method of to for every column, in order. It may be called once
	// after each Next.
	Walk(to Values)
}

// Values takes the values of a row. Text is valid during the call.
type Values interface {
	Int(v int64)
	Float(v float64)
	Text(v []byte)
	Other(v any) // what Row has; also null
}

// Source is the file that Write reads. Unless CSV says otherwise it is NDJSON: one
// object per line, its members named by position, c0, c1, …, in the order of
// Columns. A missing member is null.
type Source struct {
	Path    string
	Columns []quern.Column
	CSV     *CSV
	Rows    int64 // about how many there are; 0 when that is not known
	// Feed brings the rows, in the place of a file. Write calls it once, beside its own
	// work, and fails with its error. Its context ends when no more rows are needed.
	Feed func(ctx context.Context, to Blocks) error
	// Bare says that nothing has to be known of the values: the file is for a while only.
	Bare bool
}

// CSV says how a source of delimited text in UTF-8 is written. All records have
// as many cells. Quotes are double ones, doubled inside of a cell, and stand
// around all of it. An empty cell without quotes is null. Values are written as
// in JSON, without its quotes and, in decimals, without an exponent; a timestamp
// may have a space for its T and lack its zone.
type CSV struct {
	Delimiter byte
	Header    bool  // the first line is not a record
	Returns   bool  // every line ends with a carriage return and a line feed
	Wrapped   bool  // cells may hold the ends of lines
	Cells     int   // of a record
	At        []int // per column, which cell it is
}

// Blocks takes the rows of a Feed. Blocks may be filled side by side.
type Blocks interface {
	// Empty returns a block to fill. It may be put into another write of the same columns.
	Empty() Block
	// Put takes a block whose rows stand behind those of the blocks before. It waits while the
	// engine has enough to write, and fails when ctx ends.
	Put(ctx context.Context, b Block) error
}

// Block is some rows on their way into a segment.
type Block interface {
	// Cell appends the value of a cell of delimited text, as CSV describes it, to a column. It is
	// false when the text is in no form that is taken at once; the block is of no use then.
	Cell(column int, text []byte, quoted bool) bool
	// Column appends the values of all records' cells at a place to a column of a block that has no rows, as
	// Cell does one by one, and tells what it has seen of numbers. When all columns are there, EndRows ends their rows.
	Column(column int, cells Cells, at int) (seen Seen, ok bool)
	// EndRows ends the rows of all columns.
	EndRows(rows int)
	// Value appends the value that text, which may be JSON, begins with to a column, and returns its
	// length and, of a number, how many digits it has. The length is 0, and nothing has happened, when
	// the text begins with no value of the column's type in a form that is taken at once. What stands behind
	// the value is not looked at, but for the end of a number.
	Value(column int, text []byte) (n int, digits quern.Digits)
	// Line appends a row as a line of a source's file has it, without its end. It is false when
	// it is in no form that is taken at once; the block is of no use then.
	Line(text []byte) bool
	// Undo takes the values back that a row has so far.
	Undo()
	// EndRow ends a row. Columns that have no value of it have null there.
	EndRow()
}

// Written describes a segment that the engine wrote.
type Written struct {
	Rows    int64
	Bytes   int64
	Columns []quern.ColumnStats // one per column, in order; see stats.go and sketch.go in the root package; none of a bare source
	Foot    []byte              // the end of the file, which tells where its columns are; none of a bare source
}

// Querier is the half of an engine that answers queries. It is safe for concurrent
// use, and stops soon after its context ends.
type Querier interface {
	// Query checks SQL and runs it. SQL that is wrong or forbidden, or names
	// what Resolve does not find, is Invalid with code INVALID_QUERY and a
	// message that points at the place; running past the time limit is Timeout,
	// past the memory limit Invalid, past the queue of waiting queries
	// Unavailable.
	Query(ctx context.Context, q Query) (Rows, error)
}

// Writer is the half of an engine that reads and writes segments as they are. Its
// methods are safe for concurrent use; each stops soon after its context ends.
type Writer interface {
	// Scan yields the rows of t whose id is at least from, in order of id, at
	// most limit of them (no cap when limit is negative). Memory use does not
	// grow with the number of rows.
	Scan(ctx context.Context, t Table, from, limit int64) (Rows, error)
	// Write turns a source into one Parquet file at path, in the source's row
	// order, and describes it. A value that does not fit its column's type fails
	// the whole write, Invalid; after an error there is no file at path.
	Write(ctx context.Context, src Source, path string) (Written, error)
	// Copy writes all rows of t, in order of id, to one Parquet file at path, and
	// describes it. After an error there is no file at path.
	Copy(ctx context.Context, t Table, path string) (Written, error)
	// Import yields the rows of any Parquet file at path, in file order; nested
	// values come as JSON. A file that cannot be read as Parquet is Invalid,
	// be it found out at once or by the rows' Err.
	Import(ctx context.Context, path string) (Rows, error)
}

// Engine does both on this machine.
type Engine interface {
	Querier
	Writer
	// Close waits for running work and frees everything.
	Close() error
}
