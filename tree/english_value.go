package tree

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quern"
	"quern/english"
)

var aggregateWords = map[Func]string{Count: "number of", Sum: "total", Avg: "average", Min: "smallest", Max: "largest", Any: "", Median: "median",
	LongestGap: "longest gap in days in", ShortestGap: "shortest gap in days in", AverageGap: "average gap in days in"}

var arithWords = map[byte]string{'+': "plus", '-': "minus", '*': "times", '/': "divided by", '%': "modulo"}

// value names a value, without an article.
func (w *wording) value(e Expr) string {
	switch e := e.(type) {
	case Column:
		return w.column(e)
	case Star:
		return w.rowNoun
	case Literal:
		return literalWords(e)
	case Aggregate:
		return w.aggregate(e)
	case Share:
		return w.share(e)
	case Portion:
		return "percentage of all " + w.aggregate(e.Of)
	case Duration:
		return w.duration(e)
	case Arith:
		return w.arith(e)
	case Call:
		if e.Func == Coalesce {
			return w.operand(e.Args[0]) + " or " + w.operand(e.Args[1])
		}
		if e.Func == Clock {
			return w.operand(e.Args[0])
		}
		return functions[e.Func].inEnglish + " of " + w.operand(e.Args[0])
	case Subquery:
		return w.noun(e.Query) + w.ending(e.Query)
	}
	return ""
}

// arith names what is reckoned: a growth, an amount in another unit, or what it is made of.
func (w *wording) arith(e Arith) string {
	if g, ok := growthOf(e); ok {
		return "percentage by which the " + w.aggregate(g.later) + " is " + g.direction + " the " + w.aggregate(g.earlier)
	}
	if amount, unit, ok := scaled(e); ok {
		before := w.bare
		w.bare = true
		name := w.value(amount)
		if w.bare = before; !w.bare {
			name += " in " + unit
		}
		return name
	}
	return w.operand(e.Left) + " " + arithWords[e.Op] + " " + w.operand(e.Right)
}

// growth is by how many percent a number is above or below one before.
type growth struct {
	later, earlier Aggregate
	direction      string
}

// growthOf returns the growth that a value is.
func growthOf(e Arith) (g growth, ok bool) {
	top, isProduct := e.Left.(Arith)
	percent, isNumber := top.Left.(Literal)
	more, isDifference := top.Right.(Arith)
	if e.Op != '/' || !isProduct || top.Op != '*' || !isNumber || percent.Text != "100.0" || !isDifference || more.Op != '-' {
		return g, false
	}
	left, isLeft := more.Left.(Aggregate)
	right, isRight := more.Right.(Aggregate)
	if !isLeft || !isRight {
		return g, false
	}
	if reflect.DeepEqual(e.Right, more.Right) {
		return growth{left, right, "above"}, true
	}
	return growth{right, left, "below"}, reflect.DeepEqual(e.Right, more.Left)
}

// scaled returns the amount that a value is in another unit, and that unit: length_m / 1000
// is a length in km.
func scaled(e Expr) (amount Expr, other string, ok bool) {
	a, isArith := e.(Arith)
	by, isNumber := a.Right.(Literal)
	times, err := strconv.ParseFloat(by.Text, 64)
	if !isArith || !isNumber || by.Kind != Number || err != nil || a.Op != '/' && a.Op != '*' {
		return nil, "", false
	}
	if a.Op == '*' {
		times = 1 / times
	}
	other, ok = english.UnitTimes(unit(a.Left), times)
	return a.Left, other, ok
}

// column names a column and, where it has to, whose it is: "customer city", or
// "city of log 2" where the dataset's name is no word.
func (w *wording) column(c Column) string {
	name, whose := w.columnName(c.Name), english.DatasetNoun(w.names[c.Source])
	if whose == "" {
		return name
	}
	at := strings.LastIndexByte(whose, ' ') + 1
	owner := strings.ToLower(whose[:at]) + english.Singular(strings.ToLower(whose[at:]))
	switch {
	case !isWords(whose):
		return name + " of " + whose
	case strings.HasPrefix(strings.ToLower(name)+" ", owner+" "):
		return name
	}
	return owner + " " + name
}

// columnName names a column by itself, with its unit, if it has one, as people say
// it: "fee in EUR".
func (w *wording) columnName(name string) string {
	bare, unit := english.WithoutUnit(english.ColumnNoun(name))
	if unit == "" || w.bare {
		return bare
	}
	return bare + " in " + unit
}

// isWords reports whether a name is made of letters alone.
func isWords(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) })
}

func (w *wording) operand(e Expr) string {
	if _, nested := e.(Arith); nested {
		return "(" + w.value(e) + ")"
	}
	return w.value(e)
}

// share says a percentage, and of what unless it is of rows.
func (w *wording) share(e Share) string {
	if e.Of == nil {
		return "percentage" + w.conditions(e.Where)
	}
	return "percentage of the " + w.value(e.Of) + " that is of " + w.rowNoun + w.conditions(e.Where)
}

// duration says how much time has passed from one time to another: "days from
// arrived to departed".
func (w *wording) duration(e Duration) string {
	return string(e.Unit) + "s from " + w.operand(e.From) + " to " + w.operand(e.Until)
}

// ordinal writes a number as a place: 1st, 90th.
func ordinal(n int) string {
	ending := "th"
	if n/10%10 != 1 {
		ending = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	}
	return strconv.Itoa(n) + cmp.Or(ending, "th")
}

func (w *wording) aggregate(e Aggregate) string {
	if things, ok := w.countedThings(e); ok && e.Where == nil {
		return "number of " + things
	}
	words := []string{aggregateWords[e.Func], w.operand(e.Arg)}
	if e.Func == Percentile {
		words[0] = ordinal(e.Percent) + " percentile of"
	}
	if e.Where != nil {
		words = append(words, "where", w.cond(e.Where))
	}
	if e.Func == Sum && strings.HasPrefix(words[1], "total") {
		words[0] = "sum of" // no "total total"
	}
	if e.Distinct {
		words[1] = w.differentThings(e.Arg)
	} else if _, rows := e.Arg.(Star); e.Func == Count && !rows {
		words = slices.Insert(words, 1, "known")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

func literalWords(l Literal) string {
	if l.Kind == Text {
		return quoteText(l.Text)
	}
	return l.Text
}

var comparisonWords = map[CompareOp]string{
	Equal: "is", NotEqual: "is not", Less: "is less than", LessEq: "is at most", Greater: "is more than", GreaterEq: "is at least",
}

var matchWords = map[MatchOp]string{Like: "is like", Contains: "contains", StartsWith: "starts with", EndsWith: "ends with"}

// cond says a condition.
func (w *wording) cond(c Cond) string {
	switch c := c.(type) {
	case And:
		return w.joinConds(c.Conds, " and ")
	case Or:
		return w.joinConds(c.Conds, " or ")
	case Not:
		return w.negation(c.Cond)
	case Compare:
		return w.compare(c)
	case Between:
		return w.value(c.Expr) + " is between " + w.value(c.Low) + " and " + w.value(c.High)
	case In:
		return w.in(c, "is one of ", "is among ")
	case Match:
		return w.value(c.Expr) + " " + matchWords[c.Op] + " " + quoteText(c.Text)
	case IsNull:
		return w.value(c.Expr) + " is missing"
	case Exists:
		return "there are " + w.noun(c.Query)
	case Period:
		return w.value(c.Expr) + " is " + periodWords(c.From, c.Until)
	case Search:
		return "any text mentions " + quotedWords(c.Words)
	case Linked:
		return "a link leads to " + w.noun(c.Query) + w.ending(c.Query)
	}
	return ""
}

func (w *wording) joinConds(conds []Cond, word string) string {
	parts := make([]string, len(conds))
	for i, c := range conds {
		parts[i] = w.part(c)
	}
	return strings.Join(parts, word)
}

// part says a condition inside another.
func (w *wording) part(c Cond) string {
	switch c.(type) {
	case And, Or:
		return "(" + w.cond(c) + ")"
	}
	return w.cond(c)
}

func (w *wording) compare(c Compare) string {
	if text, ok := w.othersMark(c); ok {
		return text
	}
	words := comparisonWords[c.Op]
	if l, ok := c.Right.(Literal); ok && l.class() == quern.ClassTime {
		timed := map[CompareOp]string{Less: "is before", Greater: "is after", LessEq: "is not after", GreaterEq: "is not before"}
		if text := timed[c.Op]; text != "" {
			words = text
		}
	}
	return w.value(c.Left) + " " + words + " " + w.value(c.Right)
}

func (w *wording) in(c In, list, among string) string {
	if c.Query != nil {
		return w.value(c.Expr) + " " + among + w.noun(c.Query) + w.ending(c.Query)
	}
	values := make([]string, len(c.List))
	for i, l := range c.List {
		values[i] = literalWords(l)
	}
	return w.value(c.Expr) + " " + list + english.List(values, "or")
}

func (w *wording) negation(c Cond) string {
	switch c := c.(type) {
	case IsNull:
		return w.value(c.Expr) + " is known"
	case In:
		return w.in(c, "is none of ", "is not among ")
	case Between:
		return w.value(c.Expr) + " is not between " + w.value(c.Low) + " and " + w.value(c.High)
	case Match:
		does := map[MatchOp]string{
			Like: "is not like", Contains: "does not contain", StartsWith: "does not start with", EndsWith: "does not end with",
		}
		return w.value(c.Expr) + " " + does[c.Op] + " " + quoteText(c.Text)
	}
	return "not (" + w.cond(c) + ")"
}

// isMidnight reports whether a day begins at a time, in UTC.
func isMidnight(t time.Time) bool { return t.UTC().Equal(t.UTC().Truncate(24 * time.Hour)) }

// periodWords says a period as people would.
func periodWords(from, until Literal) string {
	start, okStart := from.instant()
	end, okEnd := until.instant()
	if !okStart || !okEnd || !isMidnight(start) || !isMidnight(end) {
		return "from " + from.Text + " until before " + until.Text
	}
	switch {
	case start.AddDate(1, 0, 0).Equal(end) && start.YearDay() == 1:
		return start.Format("in 2006")
	case start.AddDate(0, 3, 0).Equal(end) && start.Day() == 1 && (start.Month()-1)%3 == 0:
		return "in quarter " + string(rune('1'+(start.Month()-1)/3)) + start.Format(" of 2006")
	case start.AddDate(0, 1, 0).Equal(end) && start.Day() == 1:
		return start.Format("in January 2006")
	case start.AddDate(0, 0, 1).Equal(end):
		return "on " + start.Format(time.DateOnly)
	}
	return "from " + from.Text + " to " + end.AddDate(0, 0, -1).Format(time.DateOnly)
}
