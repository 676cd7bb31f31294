package propose

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/place"
)

const (
	// mostListed is how many values of a column a description lists.
	mostListed = 8
	// longestListed is the most characters of a value that is listed.
	longestListed = 30
)

// Definition proposes a definition of a dataset: what its rows are, and what each of
// its columns holds.
func Definition(d Dataset) quern.InferDefinition {
	fields := make(map[string]string, len(d.Columns))
	for _, c := range d.Columns {
		fields[c.Name] = d.Field(c)
	}
	text := d.Description()
	return quern.InferDefinition{DataDescription: &text, SchemaDefinition: fields}
}

// Description proposes a description of a dataset: what a row is, and what is known
// of each.
func (d Dataset) Description() string {
	rows := "Rows"
	if noun := strings.Join(expanded(d.Name), " "); noun != "" && english.IsPlain(strings.ReplaceAll(noun, " ", "")) {
		rows = english.Capitalize(english.DatasetNoun(noun))
	}
	var names []string
	for _, c := range d.Columns {
		noun, _ := c.noun()
		names = append(names, noun)
	}
	text := rows
	if len(names) > 0 {
		text += " with " + english.List(names, "and")
	}
	if from, to, ok := d.period(); ok {
		text += fmt.Sprintf(", from %s to %s", from, to)
	}
	return quern.Clip(text, quern.MaxDescription-1) + "."
}

// period returns the days between which rows of the one column of time are.
func (d Dataset) period() (from, to string, ok bool) {
	for _, c := range d.Columns {
		if c.Type != quern.Date && c.Type != quern.Timestamp || c.Min == "" {
			continue
		}
		if ok {
			return "", "", false
		}
		from, to, ok = day(c.Min), day(c.Max), true
	}
	return from, to, ok
}

func day(text string) string {
	before, _, _ := strings.Cut(text, "T")
	return before
}

// Field proposes a description of a column of the dataset.
func (d Dataset) Field(c Column) string {
	noun, unit := c.noun()
	if unit != "" {
		noun += " in " + unit
	}
	if kind := c.kind(); kind != "" {
		noun += "; " + kind
	}
	switch {
	case c.isKey(d.Rows) && c.endsIn(english.KeyNames):
		return noun + "; tells the rows apart"
	case c.Type == quern.Boolean:
		return noun + "; yes or no"
	case (c.isNumber() || c.Type == quern.Date || c.Type == quern.Timestamp) && c.Min != "" && c.Min != c.Max:
		return fmt.Sprintf("%s; from %s to %s", noun, day(c.Min), day(c.Max))
	}
	if listed := c.listed(); listed != "" {
		noun += "; " + listed
	}
	if empty := d.Rows - c.Filled; d.Rows > 0 && c.Filled > 0 && empty*2 > d.Rows {
		noun += "; mostly empty"
	}
	return noun
}

// noun returns what a column's name says that it holds, and in which unit.
func (c *Column) noun() (noun, unit string) {
	bare, unit := english.WithoutUnit(english.Spaced(c.Name))
	words := expanded(bare)
	if happened := english.Happening(strings.Join(words, " ")); happened != "" && (c.Type == quern.Date || c.Type == quern.Timestamp) {
		return "when it was " + happened, ""
	}
	if len(words) == 0 {
		return c.Name, unit
	}
	return strings.Join(words, " "), unit
}

// listed names values that the column has: all where they are few, otherwise one.
func (c *Column) listed() string {
	if c.Type == quern.JSON || len(c.Values) == 0 {
		return ""
	}
	for _, v := range c.Values {
		if utf8.RuneCountInString(v) > longestListed || strings.ContainsAny(v, "\n;") {
			return ""
		}
	}
	isCode := c.Type == quern.Text && !c.endsIn(english.Identifiers)
	if isCode && c.All && len(c.Values) <= mostListed && c.Filled > int64(len(c.Values)) {
		return "one of " + english.List(c.Values, "or")
	}
	return "such as " + c.Values[0]
}

var phone = regexp.MustCompile(`^\+?[0-9][0-9 ()/.-]{6,}$`)

// kinds are what texts can be seen to be, by a test that all values pass.
var kinds = []struct {
	name string
	is   func(string) bool
}{
	{"an e-mail address", func(v string) bool {
		a, err := mail.ParseAddress(v)
		return err == nil && a.Address == v
	}},
	{"an address on the web", func(v string) bool {
		u, err := url.Parse(v)
		return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	}},
	{"a phone number", phone.MatchString},
	{"a country", func(v string) bool {
		found, ok := place.Find(v)
		return ok && found.Kind == place.Country
	}},
}

// kind says what the values of a column can be seen to be; empty: nothing beyond
// their type.
func (c *Column) kind() string {
	const fewest = 2
	if c.Type != quern.Text || len(c.Values) < fewest {
		return ""
	}
	for _, k := range kinds {
		all := true
		for _, v := range c.Values {
			all = all && k.is(v)
		}
		if all {
			return k.name
		}
	}
	return ""
}
