package sign

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/schema"
)

// negates reports whether a reading leaves rows out by what they are or lack.
func (v *view) negates() bool {
	return v.has("EXCEPT", "!in", "<>", "!contains", "!like", "!null", "null")
}

// compares reports whether a reading counts rows to hold them against others: a share,
// two periods, so many for each.
func (v *view) compares() bool { return v.has("percent", "portion", "only", "change", "/") }

// orderTurned reports whether rows are sorted the other way round than is asked.
func (v *view) orderTurned() bool {
	up := v.asks.down && v.has("ASC")
	down := v.asks.up && v.has("DESC")
	return up || down
}

// isKey reports whether a column is there to tell rows apart or to link them.
func (q *Question) isKey(column int) bool {
	return slices.ContainsFunc(q.schema.Columns[column].Words, english.KeyNames.Has) ||
		slices.ContainsFunc(q.schema.Links, func(l schema.Link) bool { return l.From == column || l.To == column })
}

func (q *Question) isName(column int) bool {
	return slices.ContainsFunc(q.schema.Columns[column].Words, english.Labels.Has)
}

// keysUnasked counts the keys that are shown though the question speaks of none.
func (v *view) keysUnasked() float64 {
	if v.asks.key {
		return 0
	}
	return float64(v.in("SEL", func(m mention) bool { return m.depth == 0 && m.column >= 0 && m.aggregate == "" && v.isKey(m.column) }))
}

// conditionsShown counts the shown columns that have a condition, so that they
// tell what the question has said.
func (v *view) conditionsShown() float64 {
	return float64(v.in("SEL", func(m mention) bool {
		return m.depth == 0 && m.column >= 0 && m.aggregate == "" &&
			v.in("WHERE", func(o mention) bool { return o.depth == 0 && o.column == m.column }) > 0
	}))
}

// oddGroups counts the groups by columns that are neither keys nor shown.
func (v *view) oddGroups() float64 {
	return float64(v.in("GROUP", func(g mention) bool {
		return !v.isKey(g.column) && v.in("SEL", func(m mention) bool { return m.column == g.column }) == 0
	}))
}

// sameSides reports whether a set operation combines a table with itself, all of
// its rows on both sides.
func (v *view) sameSides() bool {
	s := v.Query.Set
	if s == nil || s.Left.Select == nil || s.Right.Select == nil {
		return false
	}
	a, b := s.Left.Select, s.Right.Select
	return a.Where == nil && b.Where == nil && a.Having == nil && b.Having == nil &&
		len(a.From) == len(b.From) && a.From[0].Dataset == b.From[0].Dataset
}

// oddPairs counts the columns that a nested list or a set operation compares
// with a column that is neither of the same name nor linked.
func (v *view) oddPairs() float64 {
	n := 0.0
	if v.has("EXCEPT", "INTERSECT") {
		if v.oddSides() {
			n++
		}
	}
	for i, t := range v.Tokens {
		if t.Kind != grammar.Column || i+2 >= len(v.Tokens) || v.Tokens[i+2].String() != "SEL" {
			continue
		}
		if op := v.Tokens[i+1].String(); op != "in" && op != "!in" {
			continue
		}
		if other := firstColumn(v.Tokens[i+2:]); other >= 0 && !v.mayMatch(t.ID, other) {
			n++
		}
	}
	return n
}

// oddSides reports whether the first two queries of a set operation show columns
// first that cannot be the same, or the first shows no column.
func (v *view) oddSides() bool {
	shown := v.firstShown()
	if len(shown) < 2 {
		return false
	}
	left, right := shown[0], shown[1]
	if left < 0 {
		return true
	}
	return right >= 0 && !v.mayMatch(left, right)
}

// firstShown returns what each query shows first, -1 when that is no column.
func (v *view) firstShown() []int {
	var all []int
	for i, t := range v.Tokens {
		if t.String() != "SEL" {
			continue
		}
		next := v.Tokens[i+1]
		if slices.Contains([]string{"DISTINCT", "min", "max"}, next.String()) {
			next = v.Tokens[i+2]
		}
		if next.Kind == grammar.Column {
			all = append(all, next.ID)
		} else {
			all = append(all, -1)
		}
	}
	return all
}

func firstColumn(tokens []grammar.Token) int {
	for _, t := range tokens {
		if t.Kind == grammar.Column {
			return t.ID
		}
	}
	return -1
}

// mayMatch reports whether two columns may hold the same values.
func (q *Question) mayMatch(a, b int) bool {
	if strings.EqualFold(q.schema.Columns[a].Name, q.schema.Columns[b].Name) {
		return true
	}
	return slices.ContainsFunc(q.schema.Links, func(l schema.Link) bool {
		forth := l.From == a && l.To == b
		back := l.From == b && l.To == a
		return forth || back
	})
}
