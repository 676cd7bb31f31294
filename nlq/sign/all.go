package sign

import (
	"math"
	"strings"
)

// view is a reading as signs see it.
type view struct {
	*Question
	*parts
	Reading
	taken []bool // the words that are constants
}

// sign is one thing that speaks for or against a reading.
type sign struct {
	name string
	of   func(v *view) float64
}

// is makes a sign of a condition.
func is(name string, holds func(v *view) bool) sign {
	return sign{name, func(v *view) float64 {
		if holds(v) {
			return 1
		}
		return 0
	}}
}

// all are the signs. The last are the same for all readings of a question: they
// say nothing about which is right, but about how likely the best is.
var all = []sign{
	{"share", func(v *view) float64 { return math.Log(v.Odds.Share + 1e-6) }},
	{"mass", func(v *view) float64 { return math.Log(v.Odds.Mass + 1e-6) }},
	{"rival", func(v *view) float64 { return math.Log(v.Odds.Rival + 1e-3) }},
	is("first", func(v *view) bool { return v.Odds.First }),

	is("failed", func(v *view) bool { return v.Result.Failed }),
	is("empty", func(v *view) bool { return v.Result.Rows == 0 }),
	is("nulls", func(v *view) bool { return v.Result.Rows > 0 && v.Result.Nulls }),
	is("zero", func(v *view) bool { return v.Result.Zero }),
	is("one row", func(v *view) bool { return v.Result.Rows == 1 }),
	is("many rows", func(v *view) bool { return v.Result.Rows > 100 }),
	{"rows", func(v *view) float64 { return math.Log(1 + float64(v.Result.Rows)) }},
	is("one column repeats", func(v *view) bool { return v.Result.Repeats && v.items == 1 }),
	is("all rows repeat", func(v *view) bool { return v.Result.Repeats && len(v.conditions) == 0 }),

	{"inexact", func(v *view) float64 { return 1 - v.Score }},
	{"values unused", (*view).valuesUnused},
	{"numbers unused", (*view).numbersUnused},
	{"constant misplaced", (*view).constantsMisplaced},
	{"operator turned", (*view).operatorsTurned},

	is("count missing", func(v *view) bool { return v.asks.count && !v.has("count", "sum") }),
	is("count unasked", func(v *view) bool {
		return !v.asks.count && v.has("count") && !v.has("GROUP") && !v.asks.superlative && !v.compares()
	}),
	is("count shown unasked", func(v *view) bool {
		return v.items > 1 && !v.asks.countShown && v.shows(func(m mention) bool { return m.aggregate == "count" })
	}),
	is("average missing", func(v *view) bool { return v.asks.average && !v.has("avg", "/") }),
	is("average unasked", func(v *view) bool { return !v.asks.average && v.has("avg") }),
	is("total missing", func(v *view) bool { return v.asks.total && !v.has("sum", "count") }),
	is("total unasked", func(v *view) bool { return !v.asks.total && v.has("sum") }),
	is("least unasked", func(v *view) bool { return !v.asks.least && v.has("min") }),
	is("superlative unmet", func(v *view) bool {
		return v.asks.superlative && !v.has("LIMIT", "max", "min", "ASC", "DESC", "percentile")
	}),
	is("limit unasked", func(v *view) bool { return !v.asks.superlative && v.has("LIMIT") }),
	is("negation missing", func(v *view) bool { return v.asks.negation && !v.negates() }),
	is("negation unasked", func(v *view) bool { return !v.asks.negation && v.negates() }),
	is("more unmet", func(v *view) bool { return v.asks.more && !v.asks.less && !v.has(">", ">=") }),
	is("less unmet", func(v *view) bool { return v.asks.less && !v.asks.more && !v.has("<", "<=") }),
	is("order missing", func(v *view) bool { return v.asks.sorted && !v.has("ASC", "DESC") }),
	is("order turned", (*view).orderTurned),
	is("both unmet", func(v *view) bool { return v.asks.both && v.items < 2 && !v.has("INTERSECT", "AND") }),
	is("both unasked", func(v *view) bool { return !v.asks.both && !v.asks.and && v.has("INTERSECT") }),
	is("name not shown", func(v *view) bool {
		return v.asks.name && !v.shows(func(m mention) bool { return m.column >= 0 && v.isName(m.column) })
	}),
	{"keys shown unasked", (*view).keysUnasked},
	is("rows shown unasked", func(v *view) bool {
		return !v.asks.rows && v.shows(func(m mention) bool { return m.column < 0 && m.aggregate == "" })
	}),
	{"fewer than wanted", func(v *view) float64 { return float64(max(0, v.asks.wanted-v.items)) }},

	{"joins", func(v *view) float64 { return float64(strings.Count(v.SQL, " JOIN ")) }},
	{"tables", func(v *view) float64 { return float64(len(v.tables)) }},
	{"tables unnamed", (*view).tablesUnnamed},
	{"tables idle", (*view).tablesIdle},
	{"least table", (*view).leastTable},
	{"words ignored", func(v *view) float64 { _, ignored := v.Ignored(v.Tokens); return float64(ignored) }},
	{"words alike", (*view).wordsAlike},
	{"names alike", (*view).namesAlike},
	{"conditions said", (*view).conditionsSaid},
	{"conditions shown", (*view).conditionsShown},
	is("group", func(v *view) bool { return v.has("GROUP") }),
	is("limit", func(v *view) bool { return v.has("LIMIT") }),
	is("or", func(v *view) bool { return v.has("OR") }),
	{"any of group", func(v *view) float64 { return float64(strings.Count(v.SQL, "any_value(")) }},
	{"odd group", (*view).oddGroups},
	{"odd pair", (*view).oddPairs},
	is("same sides", (*view).sameSides),

	is("how many", func(v *view) bool { return v.asks.count }),
	is("superlative", func(v *view) bool { return v.asks.superlative }),
	is("negation", func(v *view) bool { return v.asks.negation }),
	is("each", func(v *view) bool { return v.asks.each }),
	{"words", func(v *view) float64 { return float64(len(v.features.Tokens)) / 10 }},
}
