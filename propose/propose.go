// Package propose owns the rules by which definitions and knowledge are proposed for
// datasets that nobody has described yet: from the names of columns, their types,
// units and values.
//
// It never saves anything and asks nobody: what it returns is for people to accept,
// and says nothing that the names and values do not show. The failure it is built
// around is the confident guess: a name that says nothing gets no meaning made up.
package propose

import (
	"encoding/json"
	"slices"
	"strings"

	"quern"
	"quern/english"
)

// MostValues is how many different values of a column are looked at.
const MostValues = 50

// Dataset is what proposals are made from.
type Dataset struct {
	Name    string // empty: not known
	Rows    int64
	Columns []Column
}

// Column is a column and what is known of its values.
type Column struct {
	quern.Column
	Values   []string // some, each once
	All      bool     // Values are all there are
	Min, Max string   // empty: not known
	Filled   int64    // rows that have a value
	Distinct int64    // about
}

// Of returns what is known of a stored dataset.
func Of(d quern.Dataset) Dataset {
	made := Dataset{Name: d.Name, Rows: d.Rows}
	for _, c := range d.Columns {
		known := Column{Column: c.Column, Values: c.Stats.Examples, Filled: d.Rows - c.Stats.Nulls, Distinct: c.Stats.Distinct.Estimate()}
		if !c.BoundsUnknown {
			known.Min, known.Max = c.Stats.Min, c.Stats.Max
		}
		made.Columns = append(made.Columns, known)
	}
	return made
}

// Sample returns what rows, JSON objects, show of columns.
func Sample(name string, columns []quern.Column, rows []json.RawMessage) Dataset {
	made := Dataset{Name: name, Rows: int64(len(rows))}
	for _, c := range columns {
		made.Columns = append(made.Columns, Column{Column: c, All: true})
	}
	for _, row := range rows {
		var members map[string]any
		if json.Unmarshal(row, &members) != nil {
			continue
		}
		for i := range made.Columns {
			if v := members[made.Columns[i].Name]; v != nil {
				made.Columns[i].add(v)
			}
		}
	}
	return made
}

// add counts a value in.
func (c *Column) add(v any) {
	text, ok := v.(string)
	if !ok {
		encoded, err := json.Marshal(v)
		if err != nil {
			return
		}
		text = string(encoded)
	}
	if text == "" {
		return
	}
	c.Filled++
	if slices.Contains(c.Values, text) {
		return
	}
	c.Distinct++
	if len(c.Values) == MostValues {
		c.All = false
		return
	}
	c.Values = append(c.Values, text)
}

// isKey reports whether the column tells the rows apart, as far as can be seen.
func (c *Column) isKey(rows int64) bool { return rows > 1 && c.Filled == rows && c.Distinct >= rows }

// words returns the words of a column's name without its unit, abbreviations written
// out.
func (c *Column) words() []string {
	bare, _ := english.WithoutUnit(english.Spaced(c.Name))
	return expanded(bare)
}

func expanded(name string) []string {
	var all []string
	for _, w := range english.NameWords(name) {
		if long, ok := english.Abbreviations[w]; ok {
			all = append(all, long...)
			continue
		}
		all = append(all, w)
	}
	return all
}

// endsIn reports whether the last word of the column's name is one of a set.
func (c *Column) endsIn(set english.Set) bool {
	words := c.words()
	return len(words) > 0 && (set.Has(words[len(words)-1]) || set.Has(strings.ToLower(c.Name)))
}

// isNumber reports whether the values are amounts: numbers that are no names.
func (c *Column) isNumber() bool {
	return c.Type.Numeric() && !c.endsIn(english.Identifiers) && !c.endsIn(english.KeyNames)
}
