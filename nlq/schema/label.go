package schema

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/tree"
)

// LabelsOf returns the columns by which people call the rows of a table: what was
// taught, a name or a title, the column that is named like the table, the two parts of
// a person's name, the maker and the model of a thing, or the first text that tells nearly all rows apart and is no number of
// them; none where people have nothing but a number.
func (v View) LabelsOf(table int) []int {
	t := v.Tables[table]
	var found labels
	for i := t.First; i < t.First+t.Len; i++ {
		if t.Label != "" && tree.SameName(t.Label, v.Columns[i].Name) {
			return []int{i}
		}
		v.addLabel(&found, i)
	}
	return found.best()
}

// AboutOf returns the column that says what the rows of a table are of, several of which may be of the
// same: what was bought, what for.
func (v View) AboutOf(table int) (id int, ok bool) {
	t := v.Tables[table]
	for i := t.First; i < t.First+t.Len; i++ {
		if c := v.Columns[i]; c.Type == quern.Text && english.About.Has(strings.Join(c.Words, "")) && 2*c.Rows > t.Rows {
			return i, true
		}
	}
	return 0, false
}

// labels are columns by which people may call the rows of a table.
type labels struct {
	name, code, first, last, make, model, whole, number, unique []int
}

// addLabel notes what a column could be.
func (v View) addLabel(to *labels, i int) {
	c := v.Columns[i]
	t := v.Tables[c.Table]
	switch part := english.NamePart(c.Words); {
	case v.isName(c):
		to.addName(c, i)
	case c.Type == quern.Text && part == english.FirstName:
		to.first = append(to.first, i)
	case c.Type == quern.Text && part == english.LastName:
		to.last = append(to.last, i)
	case isOneWord(c, english.Makes.Has):
		to.make = append(to.make, i)
	case isOneWord(c, func(word string) bool { return word == "model" }) && 5*c.Distinct >= 4*c.Rows:
		to.model = append(to.model, i)
	case v.namesOwnRows(c):
		to.whole = append(to.whole, i)
	case c.Type == quern.Text && isNearlyKey(c) && c.Rows >= t.Rows && !clock.MatchString(c.Min) && !slices.ContainsFunc(c.Words, english.NoLabels.Has) && !v.namesOthers(i):
		to.unique = append(to.unique, i)
	}
}

// addName notes a column that is named as names are: it holds those, or codes or numbers.
func (l *labels) addName(c Column, i int) {
	switch {
	case isCode(c):
		l.code = append(l.code, i)
	case c.Type == quern.Integer:
		l.number = append(l.number, i)
	default:
		l.name = append(l.name, i)
	}
}

// isCode reports whether a column of texts that is named like its table holds codes rather
// than names: P24007.
func isCode(c Column) bool {
	return c.Type == quern.Text && c.Key() && code.MatchString(c.Min) && code.MatchString(c.Max)
}

// code is a text by which nobody calls anything who knows its name.
var code = regexp.MustCompile(`^\pL{0,3}-?\d[\d-]*$`)

// IsCode reports whether a column is named like its table and holds codes or numbers of its
// rows, which have a name of their own.
func (v View) IsCode(i int) bool {
	c := v.Columns[i]
	return v.isName(c) && (isCode(c) || c.Type == quern.Integer) && !slices.Contains(v.LabelsOf(c.Table), i)
}

// isOneWord reports whether a column of texts is named by one word that is such.
func isOneWord(c Column, such func(word string) bool) bool {
	return c.Type == quern.Text && len(c.Words) == 1 && such(c.Words[0])
}

// namesOthers reports whether a column of a table that has a key of its own is the key of
// rows of another: the job of an invoice, which has a number.
func (v View) namesOthers(i int) bool {
	own := v.Columns[i].Table
	key, ok := v.KeyOf(own)
	return ok && key != i && slices.ContainsFunc(v.Links, func(l Link) bool { return l.From == i && v.Columns[l.To].Table != own })
}

func (l labels) best() []int {
	switch {
	case len(l.name) > 0:
		return l.name[:1]
	case len(l.first) == 1 && len(l.last) == 1:
		return []int{min(l.first[0], l.last[0]), max(l.first[0], l.last[0])}
	case len(l.whole) > 0:
		return l.whole[:1]
	case len(l.code) > 0:
		return l.code[:1]
	case len(l.make) == 1 && len(l.model) == 1:
		return []int{min(l.make[0], l.model[0]), max(l.make[0], l.model[0])}
	case len(l.number) > 0:
		return l.number[:1]
	case len(l.unique) > 0:
		return l.unique[:1]
	}
	return nil
}

// isNearlyKey reports whether the values of a column tell nearly all rows apart: two
// customers may have one name.
func isNearlyKey(c Column) bool { return c.Key() || c.Rows > 0 && 10*c.Distinct >= 9*c.Rows }

// isName reports whether a column is a name or a title of rows, or is named like its
// table.
func (v View) isName(c Column) bool {
	words := english.Stems(c.Words)
	if slices.Equal(words, english.Stems(v.Tables[c.Table].Words)) {
		return c.Type == quern.Text || c.Type == quern.Integer && c.Key()
	}
	return c.Type == quern.Text && len(words) == 1 && (slices.Contains(english.Stems(english.Labels.Words()), words[0]) || v.isShortName(c))
}

// isShortName reports whether a column is called name behind the first letters of its table:
// the vname of varieties.
func (v View) isShortName(c Column) bool {
	const longest = 3
	first, ok := strings.CutSuffix(c.Words[0], "name")
	table := v.Tables[c.Table].Words
	return ok && first != "" && len(first) <= longest && len(table) > 0 && strings.HasPrefix(table[len(table)-1], first)
}

// namesOwnRows reports whether the name of a column ends in name or title, and the rest
// of it is of the table's name or says that it is all of a name: route name, full name.
func (v View) namesOwnRows(c Column) bool {
	n := len(c.Words) - 1
	if c.Type != quern.Text || n < 1 || !english.Labels.Has(c.Words[n]) {
		return false
	}
	table := english.Stems(v.Tables[c.Table].Words)
	return !slices.ContainsFunc(c.Words[:n], func(w string) bool {
		return !english.WholeNames.Has(w) && !slices.Contains(table, english.Stem(w))
	})
}

// KeyOf returns the column that tells all rows of a table apart; ok is false when there
// is none.
func (v View) KeyOf(table int) (id int, ok bool) {
	t := v.Tables[table]
	for i := t.First; i < t.First+t.Len; i++ {
		if c := v.Columns[i]; c.Key() && c.Rows >= t.Rows {
			return i, true
		}
	}
	return 0, false
}
