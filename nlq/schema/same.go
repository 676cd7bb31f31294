package schema

import (
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
)

// Columns of two tables that no link connects may still hold the same: one doctor is in the
// list of medicines and in that of appointments, and one day in two diaries.
const (
	// mostCompared is how many values columns have at most that are compared.
	mostCompared = 2000
	// leastCommon is how many people two columns have in common at least.
	leastCommon = 2
)

// HoldsPeople reports whether a column is named after a part that somebody has, or holds names
// of two parts.
func (c Column) HoldsPeople() bool {
	return c.Type == quern.Text && c.Values != nil && (c.isRole() || c.hasWholeNames())
}

// HoldSamePeople reports whether two columns that hold people hold the same: they have one name
// or both names of two parts, and half of those of one at least are in the other.
func (s *Schema) HoldSamePeople(a, b int) bool {
	c, o := s.Columns[a], s.Columns[b]
	if !c.HoldsPeople() || !o.HoldsPeople() {
		return false
	}
	fewer := min(c.Values.Len(), o.Values.Len())
	areAlike := quern.NameKey(c.Name) == quern.NameKey(o.Name) || c.hasWholeNames() && o.hasWholeNames()
	if !areAlike || fewer > mostCompared {
		return false
	}
	common := c.Values.common(o.Values)
	return common >= leastCommon && 2*common >= fewer
}

// isRole reports whether a column is named after a part that somebody has: doctor.
func (c Column) isRole() bool {
	words := english.NameWords(c.Name)
	return len(words) > 0 && (english.Roles.Has(words[len(words)-1]) || english.Patrons.Has(words[len(words)-1]))
}

// hasWholeNames reports whether texts are names of two parts, as people have them.
func (c Column) hasWholeNames() bool { return english.IsWholeName(c.Min) && english.IsWholeName(c.Max) }

// ShareValues reports whether two columns have a good part of their values in common, as far as
// these are known.
func (s *Schema) ShareValues(a, b int) bool {
	c, o := s.Columns[a].Values, s.Columns[b].Values
	if c == nil || o == nil || !c.Complete() || !o.Complete() {
		return true
	}
	fewer := min(c.Len(), o.Len())
	return fewer > mostCompared || fewer > 0 && 4*c.common(o) >= fewer
}

// common counts the values that two columns have in common, however they are written.
func (v *Values) common(other *Values) (n int) {
	if v.Len() > other.Len() {
		v, other = other, v
	}
	for i := range v.values {
		if _, ok := other.folded[hash(v.values[i].folded)]; ok {
			n++
		}
	}
	return n
}

// SpansMost reports whether the times of a column span at least half of those of another.
func (s *Schema) SpansMost(a, b int) bool {
	from, to, known := s.Columns[a].span()
	least, most, all := s.Columns[b].span()
	if !known || !all {
		return false
	}
	begin, end := slices.MaxFunc([]time.Time{from, least}, time.Time.Compare), slices.MinFunc([]time.Time{to, most}, time.Time.Compare)
	return !end.Before(begin) && 2*end.Sub(begin) >= most.Sub(least)
}

// span returns the first and the last day of a column of times.
func (c *Column) span() (from, to time.Time, ok bool) {
	day := func(text string) (time.Time, error) {
		text, _, _ = strings.Cut(strings.Replace(text, "T", " ", 1), " ")
		return time.Parse(time.DateOnly, text)
	}
	from, errFrom := day(c.Min)
	to, errTo := day(c.Max)
	return from, to, c.Type.Temporal() && errFrom == nil && errTo == nil
}
