// Package schema owns what the translator knows of a namespace: its tables and
// columns in words, the values in them, and the links between them, as one
// asker sees them.
//
// It never answers a question and never keeps what an asker may not see: every
// dataset in a Schema came from catalog as the asker. The failure it is built
// around is the stale or foreign value: an index belongs to one version of one
// dataset.
package schema

import (
	"context"
	"regexp"

	"quern"
	"quern/knowledge"
	"quern/nlq/encoder"
	"quern/tree"
)

// Source says what askers see of namespaces; *Service is one.
type Source interface {
	// Schema returns what the principal sees of a namespace, or of one dataset in
	// it. NotFound when there is no such thing for the principal. About is asked where
	// so many datasets are new that the links of those alone are waited for that it
	// names; nil: of none.
	Schema(ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string, about About) (*Schema, error)
}

// About says which tables of a schema, which has no links yet, matter to whoever wants it,
// those that matter most first.
type About func(*Schema) (tables []int)

var _ Source = (*Service)(nil)

// Schema is what an asker sees of a namespace. Links and Tables refer to
// Columns by their index.
type Schema struct {
	Tables  []Table
	Columns []Column
	Links   []Link
	Taught  *knowledge.Taught // what is taught about datasets that the asker all sees; nil: nothing
	Guesses []Guess           // the words that nobody taught

	lessons []lesson   // what verified questions may teach
	learned []taughtBy // what they do
	// taughtWords are the words among that.
	taughtWords []Guess
	known       func(string) bool
}

// Table is a dataset in words.
type Table struct {
	Path quern.DatasetPath
	// Words are what people call it, in lower case: its name, split and expanded, or
	// what its description calls it where the name says nothing.
	Words       []string
	Names       [][]string // what else it is called, in words
	Description string
	Described   []string // the words of the description that can mean something
	Rows        int64
	First, Len  int          // its columns: Columns[First : First+Len]
	Time, Label string       // the columns that times are of and that name rows, where that is taught
	Rules       []Rule       // what always holds
	Encoded     encoder.Name // nil: not encoded
}

// Column is a column in words.
type Column struct {
	Table       int
	Name        string     // as queries write it
	Words       []string   // as those of a table
	Names       [][]string // what else it is called, in words
	Description string
	Described   []string // the words of the description that can mean something
	Type        quern.Type
	Rows        int64 // that have a value
	Distinct    int64 // about
	Min, Max    string
	Values      *Values // nil: not indexed
	// What is taught of the column.
	Formula    *Formula // what it stands for; nil: the dataset has it
	Adjectives []Adjective
	Aggregate  tree.Func    // what of several rows is usually meant; empty: not told
	Never      []string     // the aggregates that make no sense
	Unit       string       // of its numbers, taught or as files write it
	TaughtKey  bool         // it tells rows apart
	Encoded    encoder.Name // nil: not encoded
}

// Key reports whether the column tells the rows of its table apart.
func (c Column) Key() bool { return c.TaughtKey || c.Rows > 0 && c.Distinct >= c.Rows }

// HoldsClocks reports whether a column of texts has times of day that are in order as texts,
// such as 09:30 or 09:30:00.
func (c Column) HoldsClocks() bool {
	isClock := func(text string) bool { return clock.MatchString(text) && text[2] == ':' }
	return c.Type == quern.Text && isClock(c.Min) && isClock(c.Max)
}

// clock is a time of day as texts have it.
var clock = regexp.MustCompile(`^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?$`)

// mostKinds is how many values a column has at most that tells kinds of rows apart.
const mostKinds = 50

// Category reports whether the column tells kinds of rows apart rather than rows, so
// that a word which is a value of it is hardly one by accident.
func (c Column) Category() bool {
	return c.Values != nil && c.Values.Len() <= mostKinds && 2*c.Distinct <= c.Rows
}

// Link says that the values of one column are found in another.
type Link struct {
	From, To int
	Score    float64
	Words    []string // that mean this link rather than another
}
