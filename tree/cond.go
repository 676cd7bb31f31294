package tree

import "reflect"

// Cond is a condition: And, Or, Not, Compare, Between, In, Match, IsNull,
// Exists, Period, Search or Linked.
type Cond interface{ isCond() }

// And holds when all of at least two conditions do. All makes one.
type And struct{ Conds []Cond }

// Or holds when one of at least two conditions does.
type Or struct{ Conds []Cond }

// Not holds when its condition does not.
type Not struct{ Cond Cond }

// Compare compares two values.
type Compare struct {
	Op          CompareOp
	Left, Right Expr
}

// CompareOp is a comparison.
type CompareOp string

// The comparisons.
const (
	Equal     CompareOp = "="
	NotEqual  CompareOp = "<>"
	Less      CompareOp = "<"
	LessEq    CompareOp = "<="
	Greater   CompareOp = ">"
	GreaterEq CompareOp = ">="
)

// Between holds for values from Low to High, both included.
type Between struct{ Expr, Low, High Expr }

// In holds for values that are in a list of constants, or in the one column of
// a query.
type In struct {
	Expr  Expr
	List  []Literal
	Query *Query // instead of List
}

// Match compares a text with a pattern or a part.
type Match struct {
	Op   MatchOp
	Expr Expr
	Text string
	Fold bool // case does not count; Text is in lower case then, unless Op is Like
}

// MatchOp is a way of matching text.
type MatchOp string

// The ways of matching text.
const (
	Like       MatchOp = "like" // % any text, _ any character
	Contains   MatchOp = "contains"
	StartsWith MatchOp = "starts_with"
	EndsWith   MatchOp = "ends_with"
)

// IsNull holds for missing values.
type IsNull struct{ Expr Expr }

// Exists holds when a query has a row.
type Exists struct{ Query *Query }

// Period holds for times from From on and before Until, both dates or both
// timestamps.
type Period struct {
	Expr        Expr
	From, Until Literal
}

// Search holds for rows in whose columns all words occur, or for the engine
// others spelled alike, in any order and whatever their case. Words are in lower
// case. Resolve fills in the text columns of its sources when it has none.
type Search struct {
	Words   []string
	Columns []Column
}

// Linked holds for rows that are linked to a row of a query over one dataset.
// With Column, the link is that of the column, and the Select's own dataset is
// where it leads. With Via, it is the links of all these columns of the Query's
// dataset, to the Select's own dataset or, when that is not named, to where they
// lead. Otherwise it is the shortest path of at most Within links (0: MaxPath).
// Resolve replaces it with In or Exists.
type Linked struct {
	Query  *Query
	Column string
	Via    []string
	Within int
}

func (And) isCond()     {}
func (Or) isCond()      {}
func (Not) isCond()     {}
func (Compare) isCond() {}
func (Between) isCond() {}
func (In) isCond()      {}
func (Match) isCond()   {}
func (IsNull) isCond()  {}
func (Exists) isCond()  {}
func (Period) isCond()  {}
func (Search) isCond()  {}
func (Linked) isCond()  {}

// Conjuncts returns the conditions that all must hold for one to hold: none for nil.
func Conjuncts(c Cond) []Cond {
	switch c := c.(type) {
	case nil:
		return nil
	case And:
		return c.Conds
	}
	return []Cond{c}
}

// All returns the condition that all of conds hold: nil for none, the one for
// one. Two neighbours that bound a time from below and above become a Period.
func All(conds ...Cond) Cond {
	var merged []Cond
	for _, c := range conds {
		if c == nil {
			continue
		}
		if n := len(merged); n > 0 {
			if p, ok := period(merged[n-1], c); ok {
				merged[n-1] = p
				continue
			}
		}
		merged = append(merged, c)
	}
	switch len(merged) {
	case 0:
		return nil
	case 1:
		return merged[0]
	}
	return And{merged}
}

func period(a, b Cond) (Period, bool) {
	low, okLow := a.(Compare)
	high, okHigh := b.(Compare)
	if !okLow || !okHigh || low.Op != GreaterEq || high.Op != Less || !reflect.DeepEqual(low.Left, high.Left) {
		return Period{}, false
	}
	from, okFrom := low.Right.(Literal)
	until, okUntil := high.Right.(Literal)
	timed := from.Kind == until.Kind && (from.Kind == Date || from.Kind == Timestamp)
	return Period{low.Left, from, until}, okFrom && okUntil && timed
}
