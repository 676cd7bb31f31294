package tree

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	article := ""
	if _, nested := e.Right.(Arith); w.spoken && !nested && (aggregates(e.Right) || isDuration(e.Right)) {
		article = "the "
	}
	return w.operand(e.Left) + " " + arithWords[e.Op] + " " + article + w.operand(e.Right)
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
// arrived to departed", or "number of days from the arrived date to the departed date".
func (w *wording) duration(e Duration) string {
	if w.spoken {
		return "number of " + string(e.Unit) + "s from " + w.moment(e.From) + " to " + w.moment(e.Until)
	}
	return string(e.Unit) + "s from " + w.operand(e.From) + " to " + w.operand(e.Until)
}

func isDuration(e Expr) bool {
	_, is := e.(Duration)
	return is
}

// moment names a time in a sentence: "the bought date" of bought on, "2026-11-20".
func (w *wording) moment(e Expr) string {
	if _, isColumn := e.(Column); !isColumn {
		return w.operand(e)
	}
	return "the " + english.TimeNoun(w.value(e))
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
	if e.Where != nil && w.spoken {
		return w.aggregateOfThose(e)
	}
	words := []string{aggregateWords[e.Func], w.operand(e.Arg)}
	if e.Func == Percentile {
		words[0] = ordinal(e.Percent) + " percentile of"
	}
	if e.Where != nil {
		words = append(words, "where", w.cond(e.Where))
	}
	if e.Func == Sum && strings.HasPrefix(words[1], "total") { // no "total total"
		words[0] = "sum of"
		if w.spoken {
			words[0] = ""
		}
	}
	if e.Distinct {
		words[1] = w.differentThings(e.Arg)
	} else if _, rows := e.Arg.(Star); e.Func == Count && !rows {
		words = slices.Insert(words, 1, "known")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// aggregateOfThose says what is reckoned of some of the rows: "total price of those that
// are paid".
func (w *wording) aggregateOfThose(e Aggregate) string {
	those := "those" + w.conditions(e.Where)
	e.Where = nil
	if _, rows := e.Arg.(Star); rows && e.Func == Count {
		return "number of " + those
	}
	return w.aggregate(e) + " of " + those
}

func literalWords(l Literal) string {
	if l.Kind == Text {
		return quoteText(l.Text)
	}
	return l.Text
}
