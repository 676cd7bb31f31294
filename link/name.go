package link

import (
	"slices"
	"strings"
	"unicode"
)

// generic are the words that say nothing of which thing a column identifies.
var generic = func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields("id ids key code number no num nr name title label ref uuid pk fk idx") {
		all[w] = true
	}
	return all
}()

// words takes a name apart: order_id, orderId and "Order ID" are the same. Each
// word is in lower case and without a plural's ending.
func words(name string) []string {
	var all []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			all = append(all, singular(strings.ToLower(string(runes[start:end]))))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i == start:
		case unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			cut(i)
		case unicode.IsDigit(r) != unicode.IsDigit(runes[i-1]):
			cut(i)
		}
	}
	cut(len(runes))
	return all
}

// singular takes the ending of a plural off.
func singular(w string) string {
	switch {
	case len(w) > 3 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// special gives the words that are not generic.
func special(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(w string) bool { return generic[w] })
}

// likeness is how much the name of an origin's column speaks for a destination,
// 0 to 1. leading says that the destination is its table's first column.
func likeness(column, toTable, toColumn string, leading bool) float64 {
	from, table, to := words(column), words(toTable), words(toColumn)
	fromSpecial, toSpecial := special(from), special(to)
	if slices.Equal(from, to) || strings.Join(from, "") == strings.Join(to, "") {
		if len(toSpecial) == 0 {
			return 0.3 // id, id
		}
		return 1
	}
	if len(fromSpecial) > 0 && len(toSpecial) > 0 && endsWith(from, to) {
		return 0.9 // home_team_id, team_id
	}
	named := identifies(to, table)
	if len(fromSpecial) == 0 || !named && !leading {
		return 0
	}
	switch {
	case !named && endsWith(fromSpecial, table):
		return 0.8 // patient, patients.ssn
	case !named:
		return 0
	case slices.Equal(fromSpecial, table), strings.Join(fromSpecial, "") == strings.Join(table, ""):
		return 1 // team_id, teams.id
	case endsWith(fromSpecial, table):
		return 0.9 // home_team, teams
	case endsWith(table, fromSpecial):
		return 0.75 // company_id, operating_companies
	}
	return 0.8 * overlap(fromSpecial, table) * overlap(table, fromSpecial)
}

// identifies reports whether a column is named like the identity of its own
// table's rows: id, or after the table.
func identifies(column, table []string) bool {
	return overlap(special(column), table) == 1 || len(special(column)) == 0
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
