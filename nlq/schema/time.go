package schema

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// TimeColumn is a column of dates or instants, as a query names it.
type TimeColumn struct {
	tree.Column
	Of Column
}

// TimesOf returns the columns of times of the table that a source reads; first the
// one that times are taught to be of.
func (v View) TimesOf(source tree.Source) []TimeColumn {
	var all []TimeColumn
	for _, i := range v.ColumnsOf(source) {
		if c := v.Columns[i]; c.Type.Temporal() {
			all = append(all, TimeColumn{tree.Column{Source: source.Ref(), Name: c.Name}, c})
		}
	}
	if t, ok := v.TableOf(source); ok && v.Tables[t].Time != "" {
		slices.SortStableFunc(all, func(a, b TimeColumn) int { return v.preference(t, a) - v.preference(t, b) })
	}
	return all
}

// preference is 0 of the column that a table's times are taught to be of, and 1 of
// others.
func (v View) preference(table int, c TimeColumn) int {
	if tree.SameName(c.Name, v.Tables[table].Time) {
		return 0
	}
	return 1
}

// Within returns the condition that a time is in a period, which may be open on
// one side.
func (t TimeColumn) Within(p lex.Period) tree.Cond {
	literal := func(at interface{ Format(string) string }) tree.Literal {
		if t.Of.Type == quern.Timestamp {
			return tree.Literal{Kind: tree.Timestamp, Text: at.Format("2006-01-02T15:04:05Z")}
		}
		return tree.Literal{Kind: tree.Date, Text: at.Format("2006-01-02")}
	}
	switch {
	case p.Until.IsZero():
		return tree.Compare{Op: tree.GreaterEq, Left: t.Column, Right: literal(p.From.UTC())}
	case p.From.IsZero():
		return tree.Compare{Op: tree.Less, Left: t.Column, Right: literal(p.Until.UTC())}
	}
	return tree.Period{Expr: t.Column, From: literal(p.From.UTC()), Until: literal(p.Until.UTC())}
}

// NamedTimes returns those of some columns of times that one of some words is
// related to: "arrivals" names the column "arrived".
func NamedTimes(all []TimeColumn, words []string) []TimeColumn {
	return slices.DeleteFunc(slices.Clone(all), func(t TimeColumn) bool {
		return !slices.ContainsFunc(EventWords(t.Of.Words), func(name string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return Related(name, w) })
		})
	})
}

// EventWords returns the words of a column's name that say what happened or is
// the case: "paid" of "is paid", "delivery" of "delivery date".
func EventWords(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), english.Framing.Has)
}

// Related reports whether two words are forms of one, as "arrived" and "arrival".
func Related(a, b string) bool {
	const least = 4 // letters of a stem that another may begin with
	a, b = english.Stem(a), english.Stem(b)
	return a == b || begins(b, a, least) || begins(a, b, least)
}

func begins(long, short string, least int) bool {
	return len(short) >= least && strings.HasPrefix(long, short)
}
