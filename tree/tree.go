package tree

import "quern"

// Name addresses a dataset as a query writes it; parts that were not written
// are empty.
type Name = quern.DatasetPath

// Query is one Select, or one Set of two queries, with an order and a limit
// over its rows.
type Query struct {
	Select *Select
	Set    *Set
	Order  []Order
	Limit  *int64 // nil: none
	Offset int64  // how many rows are passed over first; only with a limit
}

// Set combines the rows of two queries.
type Set struct {
	Op          SetOp
	All         bool // keeps duplicates; of unions only
	Left, Right *Query
}

// SetOp is an operation on two sets of rows.
type SetOp string

// The set operations.
const (
	Union     SetOp = "UNION"
	Intersect SetOp = "INTERSECT"
	Except    SetOp = "EXCEPT"
)

// Select takes columns and values from rows of datasets.
type Select struct {
	Distinct bool
	Items    []Item
	From     []Source
	Where    Cond // nil: all rows
	Group    []Expr
	Having   Cond
}

// Item is one column of a result.
type Item struct {
	Expr  Expr
	Alias string
}

// Source is a dataset that a Select reads. How one after the first hangs
// together with those before it is in On, or implied by links when On is empty.
type Source struct {
	Dataset Name
	Alias   string // empty: the dataset's own name
	Outer   bool   // keeps rows that On finds no partner for
	On      []Pair
}

// Ref is the name under which columns refer to the source.
func (s Source) Ref() string {
	if s.Alias != "" {
		return s.Alias
	}
	return s.Dataset.Dataset
}

// Pair is two columns that must be equal for rows to belong together.
type Pair struct{ Left, Right Column }

// Order is one key that rows are sorted by.
type Order struct {
	Expr  Expr
	Desc  bool
	Nulls Nulls
}

// Nulls says where an order puts nulls; empty leaves it to the engine.
type Nulls string

// The places for nulls.
const (
	NullsFirst Nulls = "FIRST"
	NullsLast  Nulls = "LAST"
)

// Expr is a value: a Column, Star, Literal, Aggregate, Share, Portion, Arith,
// Duration, Call or Subquery.
type Expr interface{ isExpr() }

// Column is a column of a source; Source is empty where only one can be meant.
type Column struct{ Source, Name string }

// Star is every column of a source, or of all; under count, every row.
type Star struct{ Source string }

// Literal is a constant. Text is the value without quotes.
type Literal struct {
	Kind LiteralKind
	Text string
}

// LiteralKind is the type of a constant.
type LiteralKind uint8

// The kinds of constants.
const (
	Text LiteralKind = iota
	Number
	Boolean
	Date
	Timestamp
)

// Aggregate makes one value of the values of many rows.
type Aggregate struct {
	Func     Func
	Distinct bool
	Arg      Expr
	Percent  int  // of a Percentile: how much of the values lies below it, 1 to 99
	Where    Cond // which of the group's rows count; nil: all
}

// Func is an aggregate function.
type Func string

// The aggregate functions.
const (
	Count Func = "count"
	Sum   Func = "sum"
	Avg   Func = "avg"
	Min   Func = "min"
	Max   Func = "max"
	Any   Func = "any_value" // of a column that is the same in all rows of a group

	Median     Func = "median"
	Percentile Func = "quantile_cont"

	// Of times, the whole days from each day to the next one: functions of the engine's.
	LongestGap  Func = "longest_gap"
	ShortestGap Func = "shortest_gap"
	AverageGap  Func = "average_gap"
)

// OfGaps reports whether a function is one of what lies between times.
func (f Func) OfGaps() bool { return f == LongestGap || f == ShortestGap || f == AverageGap }

// Share is how much the rows that fulfil a condition have of what all rows of
// their group have, in percent, rounded to two decimals; null where that is
// nothing.
type Share struct {
	Where Cond
	Of    Expr // an Aggregate without conditions of its own; nil: the number of rows
}

// Portion is how much a group has of what all groups have together, in percent,
// rounded to two decimals; null where that is nothing.
type Portion struct{ Of Aggregate }

// Percent is the Func of a Share in a Phrase.
const Percent Func = "percent"

// Arith is arithmetic between two values; Op is one of + - * / %.
type Arith struct {
	Op          byte
	Left, Right Expr
}

// Call applies one of the Functions to values.
type Call struct {
	Func string
	Args []Expr
}

// Subquery is the one value of a query with one row and one column.
type Subquery struct{ Query *Query }

func (Column) isExpr()    {}
func (Star) isExpr()      {}
func (Literal) isExpr()   {}
func (Aggregate) isExpr() {}
func (Share) isExpr()     {}
func (Portion) isExpr()   {}
func (Duration) isExpr()  {}
func (Arith) isExpr()     {}
func (Call) isExpr()      {}
func (Subquery) isExpr()  {}

// signature is what a function takes and returns.
type signature struct {
	min, max  int
	takes     quern.Class // quern.ClassUnknown: every type
	returns   quern.Class // quern.ClassUnknown: what it takes
	inEnglish string
	format    string // of a time that is written: what strftime takes; empty: the engine has the function
}

// Coalesce is the function that gives its second value where the first is missing.
const Coalesce = "coalesce"

// functions are the functions that a Call may name.
var functions = map[string]signature{
	"year":    {1, 1, quern.ClassTime, quern.ClassNumber, "year", ""},
	"quarter": {1, 1, quern.ClassTime, quern.ClassNumber, "quarter", ""},
	"month":   {1, 1, quern.ClassTime, quern.ClassNumber, "month", ""},
	"day":     {1, 1, quern.ClassTime, quern.ClassNumber, "day", ""},
	"hour":    {1, 1, quern.ClassTime, quern.ClassNumber, "hour", ""},
	"dayname": {1, 1, quern.ClassTime, quern.ClassText, "weekday", ""},
	"lower":   {1, 1, quern.ClassText, quern.ClassText, "lower case", ""},
	"upper":   {1, 1, quern.ClassText, quern.ClassText, "upper case", ""},
	"length":  {1, 1, quern.ClassText, quern.ClassNumber, "length", ""},
	"abs":     {1, 1, quern.ClassNumber, quern.ClassNumber, "absolute value", ""},
	"round":   {1, 2, quern.ClassNumber, quern.ClassNumber, "rounded value", ""},
	Coalesce:  {2, 2, quern.ClassNumber, quern.ClassNumber, "", ""},

	YearQuarter: {1, 1, quern.ClassTime, quern.ClassText, "quarter", quarterFormat},
	YearMonth:   {1, 1, quern.ClassTime, quern.ClassText, "month", "%Y-%m"},
	YearWeek:    {1, 1, quern.ClassTime, quern.ClassText, "week", "%G-W%V"},
	CalendarDay: {1, 1, quern.ClassTime, quern.ClassText, "day", "%Y-%m-%d"},
	Clock:       {1, 1, quern.ClassText, quern.ClassTime, "", ""},
	TimeOfDay:   {1, 1, quern.ClassTime, quern.ClassText, "time of day", "%H:%M"},
}
