package link

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
)

// name is a name taken apart, once for all that it is compared with.
type name struct {
	key     string   // as names are compared
	words   []string // as words returns them
	special []string // those of them that are not generic
	joined  string   // the words without their seams
}

func nameOf(text string) name {
	all := words(text)
	return name{key: quern.NameKey(text), words: all, special: special(all), joined: strings.Join(all, "")}
}

// words takes a name apart: order_id, orderId and "Order ID" are the same. Each
// word is in lower case and without a plural's ending.
func words(name string) []string {
	all := english.NameWords(name)
	for i, w := range all {
		if len(w) > 3 { // gps and pos are no plurals
			all[i] = english.Singular(w)
		}
	}
	return all
}

// special returns the words that are not generic.
func special(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), english.GenericNames.Has)
}

// isRemark reports whether a column holds what somebody remarked: notes.
func (n name) isRemark() bool { return english.IsRemark(n.key) }

// likeness is how much the name of an origin's column speaks for a destination,
// 0 to 1. leading says that the destination is its table's first column.
func likeness(column, toTable, toColumn name, leading bool) float64 {
	if column.joined == toColumn.joined {
		if len(toColumn.special) == 0 {
			return 0.3 // id, id
		}
		return 1
	}
	if len(column.special) > 0 && len(toColumn.special) > 0 && endsWith(column.words, toColumn.words) {
		return 0.9 // home_team_id, team_id
	}
	named := identifies(toColumn, toTable)
	if refers := named || leading; len(column.special) == 0 || !refers {
		return 0
	}
	switch {
	case !named && endsWith(column.special, toTable.words):
		return 0.8 // patient, patients.ssn
	case !named:
		return 0
	case strings.Join(column.special, "") == toTable.joined:
		return 1 // team_id, teams.id
	case endsWith(column.special, toTable.words):
		return 0.9 // home_team, teams
	case endsWith(toTable.words, column.special):
		return 0.75 // company_id, operating_companies
	}
	return 0.8 * overlap(column.special, toTable.words) * overlap(toTable.words, column.special)
}

// identifies reports whether a column is named like the identity of its own
// table's rows: id, or after the table.
func identifies(column, table name) bool {
	return overlap(column.special, table.words) == 1 || len(column.special) == 0
}

func endsWith(a, b []string) bool {
	return len(b) > 0 && len(a) >= len(b) && slices.Equal(a[len(a)-len(b):], b)
}

// overlap is the share of words that have a like one on the other side, where
// an abbreviation is like its word.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	found := 0
	for _, w := range a {
		if slices.ContainsFunc(b, func(other string) bool { return alike(w, other) }) {
			found++
		}
	}
	return float64(found) / float64(len(a))
}

// alike reports whether two words are the same or one abbreviates the other:
// cust, customer; dept, department.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 || a[0] != b[0] {
		return false
	}
	i := 0
	for j := 0; j < len(b) && i < len(a); j++ {
		if a[i] == b[j] {
			i++
		}
	}
	return i == len(a)
}
