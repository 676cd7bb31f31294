package account

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/tree"
)

// operation is a kind of words that say what is done with rows.
type operation struct {
	words english.Set
	done  func(*uses) bool // whether a query does it
	means string           // what it was taken for, where it is done
	// strict says that a reading which does not do it is to be doubted whatever else
	// speaks for it.
	strict bool
}

// totals is what words for sums are taken for.
const totals = "a total"

// operations are the kinds, in the order in which a word is looked up.
var operations = []operation{
	{english.Middles, func(u *uses) bool { return u.has("median", "quantile", "percentile", "mode") }, "the value in the middle", true},
	{english.Averages, func(u *uses) bool { return u.has("avg", "median", "quotient") }, "an average", true},
	{english.Factors, func(u *uses) bool { return u.computes }, "a factor", true},
	{english.Differences, func(u *uses) bool { return u.computes || u.has("diff", "age") }, "a difference", true},
	{english.Changes, func(u *uses) bool { return u.computes || u.has("lag", "month", "year", "quarter", "week") }, "a change in time", true},
	{english.Gains, func(u *uses) bool { return u.computes }, "a difference", true},
	{english.Lastings, func(u *uses) bool { return u.has("diff") }, "how long it took", false},
	{english.Trades, func(u *uses) bool { return u.has("sum", "count") || len(u.tables) > 1 }, "what is traded", false},
	{english.Shares, func(u *uses) bool { return u.shares || u.computes }, "a share", true},
	{english.Sums, func(u *uses) bool { return u.has("sum", "count") }, totals, false},
	{english.Ends, func(u *uses) bool { return u.limited || u.ordered || u.has("min", "max") }, "an order", false},
	{english.Orders, func(u *uses) bool { return u.ordered }, "an order", false},
	{english.Uniques, func(u *uses) bool { return u.unique || u.has("count") }, "each once", false},
	{english.Absences, func(u *uses) bool { return u.negates }, "what is not so", false},
	{english.PeriodUnits.With(english.PeriodAdverbs).With(english.DurationUnits), func(u *uses) bool {
		return u.periods || u.has("year", "quarter", "month", "week", "day", "hour", "trunc", "diff")
	}, "a time", false},
	{english.More.With(english.Less), func(u *uses) bool { return len(u.constants) > 0 || u.has("min", "max", "avg") || u.limited }, "a comparison", false},
}

// longSuperlative are words in -est, which name an end of an order as the listed
// ones do.
var longSuperlative = regexp.MustCompile(`^\p{L}{3,}est$`)

// ends and compares are the operations of superlatives and of comparatives.
var (
	ends     = operationWith("highest")
	compares = operationWith("higher")
)

// operationWith returns the operation that a listed word asks for.
func operationWith(word string) operation {
	return operations[slices.IndexFunc(operations, func(o operation) bool { return o.words.Has(word) })]
}

// operationOf returns the operation that a word asks for: dearer compares, as the dearest is an end.
func operationOf(word string) (operation, bool) {
	for _, o := range operations {
		if o.words.Has(word) || o.words.Has(english.Singular(word)) {
			return o, true
		}
	}
	if stem, ok := strings.CutSuffix(word, "er"); ok {
		if _, _, ok := english.End(stem + "est"); ok {
			return compares, true
		}
	}
	return ends, longSuperlative.MatchString(word)
}

// isFiller reports whether a word says nothing of the data.
func isFiller(word string) bool {
	return lex.Command(word) || english.RowNouns.Has(word) || english.DataFillers.Has(word) ||
		english.Openers.Has(word) || english.Commands.Has(word) || english.Fillers.Has(word)
}

// isUnit reports whether a word stands right behind a number and says of what it is.
func (t Text) isUnit(token int) bool {
	return token > 0 && english.UnitNouns.Has(t.lower(token)) && t.Features.Kinds[token-1] == feature.NumberKind
}

// isFullName reports whether a token says that all of a name is meant: full names.
func (t Text) isFullName(token int) bool {
	switch t.lower(token) {
	case "full", "whole", "complete":
		return token+1 < len(t.Features.Tokens) && english.Singular(t.lower(token+1)) == "name"
	}
	return false
}

// speeds finds speeds that are written out, and what is short for them.
var speeds = regexp.MustCompile(`(?i)\b(?:(?P<mph>miles)|(?P<kph>km|kms|kilomet(?:er|re)s)) (?:per|an) hour\b`)

// changeBy is how much more or less something would be: 10 % higher.
var changeBy = regexp.MustCompile(`(?i)(?P<number>\d+(?:\.\d+)?) ?(?:%|percent|per cent) (?:higher|lower|more|less|cheaper|dearer|extra|greater|bigger|smaller)\b`)

// isChange reports whether a token is the number of a change that the query does not compute:
// as a bound of amounts it means something else.
func (t Text) isChange(u *uses, token int) bool {
	if u.computes || t.Features.Kinds[token] != feature.NumberKind {
		return false
	}
	m := changeBy.FindStringSubmatchIndex(t.Text)
	return m != nil && t.Features.Tokens[token].Start == m[2*changeBy.SubexpIndex("number")]
}

// speedWord is a word of a speed that is written out.
var speedWord = regexp.MustCompile(`^(?:miles|kms?|kilomet(?:er|re)s|per|an|hour)$`)

// isSpeed reports whether a token is of a speed in whose unit a used column is.
func (t Text) isSpeed(u *uses, token int) bool {
	if !speedWord.MatchString(t.lower(token)) {
		return false
	}
	at := t.Features.Tokens[token]
	m := speeds.FindStringSubmatchIndex(t.Text)
	if m == nil || at.Start < m[0] || at.End > m[1] {
		return false
	}
	isMiles := m[2*speeds.SubexpIndex("mph")] >= 0
	for id := range u.columns {
		if slices.ContainsFunc(t.View.Columns[id].Words, func(word string) bool {
			return isMiles && word == "mph" || !isMiles && (word == "kph" || word == "kmh")
		}) {
			return true
		}
	}
	return false
}

// factorPattern are the phrases that multiply or divide: three times the usual, a
// third of them.
var factorPattern = regexp.MustCompile(`(?i)\b(?P<factor>(?:\w+) times (?:the|as|more|higher|larger|bigger|that|their|its|our)|` +
	`(?:first|second|third|last) half|(?:one|a|two|three) (?:third|quarter|fifth|tenth)s?(?: of)?)\b`)

// factors returns the spans of bytes of phrases that multiply or divide.
func factors(text string) [][]int { return factorPattern.FindAllStringIndex(text, -1) }

func number(n int64) tree.Literal {
	return tree.Literal{Kind: tree.Number, Text: strconv.FormatInt(n, 10)}
}

// sameNumber reports whether two decimals are the same number.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, errA := strconv.ParseFloat(strings.TrimSpace(a), 64)
	y, errB := strconv.ParseFloat(strings.TrimSpace(b), 64)
	return errA == nil && errB == nil && x == y
}

// isPeriod reports whether a text begins with a period: second half of 2024.
func isPeriod(text string) bool {
	periods := lex.Periods(lex.Tokens(text), time.Now())
	return len(periods) > 0 && periods[0].First == 0
}
