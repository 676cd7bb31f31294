package tree

import (
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
)

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
		return w.subject(c.Expr, "is between") + " " + w.value(c.Low) + " and " + w.value(c.High)
	case In:
		return w.in(c, "is one of", "is among")
	case Match:
		return w.subject(c.Expr, matchWords[c.Op]) + " " + matchedText(c)
	case IsNull:
		return w.subject(c.Expr, "is missing")
	case Exists:
		return "there are " + w.noun(c.Query)
	case Period:
		return w.subject(c.Expr, "is") + " " + periodWords(c.From, c.Until)
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
	return w.subject(c.Left, words) + " " + w.value(c.Right)
}

func (w *wording) in(c In, list, among string) string {
	if c.Query != nil {
		return w.subject(c.Expr, among) + " " + w.nounOfMany(c.Query) + w.ending(c.Query)
	}
	values := make([]string, len(c.List))
	for i, l := range c.List {
		values[i] = literalWords(l)
	}
	return w.subject(c.Expr, list) + " " + english.List(values, "or")
}

func (w *wording) negation(c Cond) string {
	switch c := c.(type) {
	case IsNull:
		return w.subject(c.Expr, "is known")
	case In:
		return w.in(c, "is none of", "is not among")
	case Between:
		return w.subject(c.Expr, "is not between") + " " + w.value(c.Low) + " and " + w.value(c.High)
	case Match:
		does := map[MatchOp]string{
			Like: "is not like", Contains: "does not contain", StartsWith: "does not start with", EndsWith: "does not end with",
		}
		return w.subject(c.Expr, does[c.Op]) + " " + matchedText(c)
	}
	return "not (" + w.cond(c) + ")"
}

// matchedText is a text that others are matched with: a word where blanks bound it.
func matchedText(c Match) string {
	word := strings.TrimSpace(c.Text)
	bounded := map[MatchOp]string{StartsWith: word + " ", EndsWith: " " + word, Contains: " " + word + " "}
	switch {
	case word == "" || bounded[c.Op] != c.Text:
		return quoteText(c.Text)
	case strings.Contains(word, " "):
		return "the words " + quoteText(word)
	}
	return "the word " + quoteText(word)
}

// subject begins a condition: the value that it is on and its verb in the form for that.
func (w *wording) subject(e Expr, predicate string) string {
	verb, _, _ := strings.Cut(predicate, " ")
	if many := verbsOfMany[verb]; many != "" && w.isMany(e) {
		predicate = many + strings.TrimPrefix(predicate, verb)
	}
	return w.value(e) + " " + predicate
}

var verbsOfMany = map[string]string{"is": "are", "contains": "contain", "starts": "start", "ends": "end", "does": "do"}

// isMany reports whether a value is named by a noun for many: days, remarks.
func (w *wording) isMany(e Expr) bool {
	switch e := e.(type) {
	case Column:
		return english.IsMany(bare(e))
	case Duration:
		return !w.spoken
	}
	return false
}

// havingWords says a condition on groups.
func (w *wording) havingWords(c Cond) string {
	compare, ok := c.(Compare)
	if w.spoken && ok && aggregates(compare.Left) {
		return "the " + w.cond(c)
	}
	return w.cond(c)
}

// nounOfMany names what a query returns, where others are held against all of it: the ids
// of customers.
func (w *wording) nounOfMany(q *Query) string {
	if !w.spoken || q.Select == nil || len(q.Select.Items) != 1 || q.Select.Distinct {
		return w.noun(q)
	}
	s := w.inside(q.Select)
	column, isColumn := q.Select.Items[0].Expr.(Column)
	names, ok := english.NameOfMany(s.value(column))
	if !isColumn || !ok || slices.Contains(english.NameWords(column.Name), "of") {
		return w.noun(q)
	}
	return "the " + names + " of " + s.rows(q)
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
