// Package knowledge owns what the people of a namespace teach Quern about it: other
// words for datasets, columns and values, measures, named conditions, verified
// questions. One document for each namespace, kept in all its versions.
//
//	written ──► limits ──► guard of expressions ──► rights, entry by entry ──► next version
//	read    ──► the entries whose datasets the reader sees, and what is wrong with them now
//
// It never answers a question and never shows an entry about a dataset that its
// reader does not see. The failure it is built around is the lost lesson: a write
// names the version that it changes, and takes nothing away that its writer does
// not see.
package knowledge

import "time"

// Document is the knowledge of a namespace. Datasets are named as in the
// namespace, columns as dataset.column, and both may be missing yet: such entries
// wait.
type Document struct {
	Words      []Word      `json:"words,omitempty" yaml:"words,omitempty"`
	Adjectives []Adjective `json:"adjectives,omitempty" yaml:"adjectives,omitempty"`
	Measures   []Measure   `json:"measures,omitempty" yaml:"measures,omitempty"`
	Conditions []Condition `json:"conditions,omitempty" yaml:"conditions,omitempty"`
	Datasets   []Dataset   `json:"datasets,omitempty" yaml:"datasets,omitempty"`
	Links      []Link      `json:"links,omitempty" yaml:"links,omitempty"`
	OutOfScope []Topic     `json:"outOfScope,omitempty" yaml:"outOfScope,omitempty"`
	Verified   []Verified  `json:"verified,omitempty" yaml:"verified,omitempty"`
	Tests      []Test      `json:"tests,omitempty" yaml:"tests,omitempty"`
}

// Word is another word for a dataset, for a column, or for a value of a column.
type Word struct {
	Word  string `json:"word" yaml:"word"`
	Means string `json:"means" yaml:"means"` // dataset or dataset.column
	// Value is the value of the column that the word stands for; nil: the column
	// itself, or the dataset.
	Value *string `json:"value,omitempty" yaml:"value,omitempty"`
}

// Adjective says which end of a column an adjective means: "old" the lowest birth
// date.
type Adjective struct {
	Word     string `json:"word" yaml:"word"`
	Opposite string `json:"opposite,omitempty" yaml:"opposite,omitempty"`
	Column   string `json:"column" yaml:"column"`
	End      string `json:"end" yaml:"end"` // Highest or Lowest
}

// The ends of a column.
const (
	Highest = "highest"
	Lowest  = "lowest"
)

// Measure is a value of each row of a dataset that has a name.
type Measure struct {
	Name       string   `json:"name" yaml:"name"`
	Words      []string `json:"words,omitempty" yaml:"words,omitempty"` // what else it is called
	Dataset    string   `json:"dataset" yaml:"dataset"`
	Expression string   `json:"expression" yaml:"expression"`                   // over columns and other measures of the dataset
	Aggregate  string   `json:"aggregate,omitempty" yaml:"aggregate,omitempty"` // what of several rows is meant
	Never      []string `json:"never,omitempty" yaml:"never,omitempty"`         // the aggregates that make no sense
	Unit       string   `json:"unit,omitempty" yaml:"unit,omitempty"`
}

// Condition is what holds for rows of a dataset that have a name: "active".
type Condition struct {
	Name    string   `json:"name" yaml:"name"`
	Words   []string `json:"words,omitempty" yaml:"words,omitempty"`
	Dataset string   `json:"dataset" yaml:"dataset"`
	Where   string   `json:"where" yaml:"where"`
	// Always says that questions are about such rows alone, unless they have one of
	// the words that lift it.
	Always bool     `json:"always,omitempty" yaml:"always,omitempty"`
	Lift   []string `json:"lift,omitempty" yaml:"lift,omitempty"`
}

// Dataset is what is to be known of the columns of a dataset.
type Dataset struct {
	Dataset string   `json:"dataset" yaml:"dataset"`
	Time    string   `json:"time,omitempty" yaml:"time,omitempty"`     // the column that "when" means
	Label   string   `json:"label,omitempty" yaml:"label,omitempty"`   // the column that names a row to people
	Unused  []string `json:"unused,omitempty" yaml:"unused,omitempty"` // the columns that questions are never about
	Key     string   `json:"key,omitempty" yaml:"key,omitempty"`       // the column that tells rows apart
	// FiscalYear is the day on which it begins, as month and day: "10-01"; empty: that
	// of the calendar. It is called by the year in which it ends unless
	// FiscalYearNamed is YearOfStart.
	FiscalYear      string `json:"fiscalYear,omitempty" yaml:"fiscalYear,omitempty"`
	FiscalYearNamed string `json:"fiscalYearNamed,omitempty" yaml:"fiscalYearNamed,omitempty"`
	Week            string `json:"week,omitempty" yaml:"week,omitempty"` // the day on which it begins; empty: monday
}

// The years that a fiscal year is called by.
const (
	YearOfStart = "start"
	YearOfEnd   = "end"
)

// Link says that the values of one column are found in another, and which words
// mean this way from one dataset to the other.
type Link struct {
	From  string   `json:"from" yaml:"from"`
	To    string   `json:"to" yaml:"to"`
	Words []string `json:"words,omitempty" yaml:"words,omitempty"`
}

// Topic is what questions are not answered about.
type Topic struct {
	Topic  string   `json:"topic" yaml:"topic"`
	Words  []string `json:"words,omitempty" yaml:"words,omitempty"`
	Answer string   `json:"answer,omitempty" yaml:"answer,omitempty"`
}

// Verified is a question whose query somebody vouches for.
type Verified struct {
	Name string `json:"name" yaml:"name"`
	// Questions are its wordings, with parameters in braces: "orders from {city}".
	Questions  []string    `json:"questions" yaml:"questions"`
	Query      string      `json:"query" yaml:"query"`
	Parameters []Parameter `json:"parameters,omitempty" yaml:"parameters,omitempty"`
	By         string      `json:"by,omitempty" yaml:"by,omitempty"` // who vouches; set when it is saved
}

// Parameter is what may be another value in a verified question: the constants of
// its query that have its value.
type Parameter struct {
	Name  string `json:"name" yaml:"name"`
	Value string `json:"value" yaml:"value"`
}

// Test is a question that measures and never teaches.
type Test struct {
	Question string  `json:"question" yaml:"question"`
	Query    *string `json:"query" yaml:"query"` // nil: the data do not answer it
}

// Version is a version of a document: who made it, when, and what it changed.
type Version struct {
	Number  int64
	By      string // a username
	At      time.Time
	Changes []string // as Diff tells them, of entries that the reader sees
}

// Problem is what is wrong with an entry.
type Problem struct {
	Entry   string // kind and key: "measures revenue"
	Message string
}
