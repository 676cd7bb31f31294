package prose

import (
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

// numberedName returns what n things are called whose many are called so: "customer",
// "value of price".
func numberedName(many string, n int64) string {
	values, areValues := strings.CutPrefix(many, "values of ")
	one, ok := english.NameOfOne(many)
	switch {
	case n != 1:
		return many
	case areValues:
		return "value of " + values
	case ok:
		return one
	}
	return many
}

// valueOf names value i and what it is one of, in the words of time where it is a
// time: "average price of", "latest value of launched among".
func (t *Table) valueOf(i int) string {
	v := t.value(i)
	first := map[tree.Func]string{tree.Max: "latest", tree.Min: "earliest"}[v.Func]
	if first == "" || !t.Columns[i].Type.Temporal() {
		return v.Name + " of"
	}
	return first + " value of " + v.Bare + " among"
}

// oneValue names a value of a single row: what is no noun becomes a value of it.
func oneValue(v tree.Value) string {
	words := strings.Fields(v.Bare)
	if v.Func != "" || len(words) == 0 {
		return v.Name
	}
	last := strings.ToLower(words[len(words)-1])
	participle := strings.HasSuffix(last, "ed") && len(last) > 4
	if participle || english.NotNouns.Has(last) {
		return "value of " + v.Name
	}
	return v.Name
}

// severalValues names the values of several rows.
func severalValues(v tree.Value) string {
	if one := oneValue(v); one != v.Name {
		return "values of " + v.Name
	}
	if many, ok := english.NameOfMany(v.Name); ok && v.Func == "" {
		return many
	}
	return v.Name
}

// differentThings names n values of the only column, each once: those that rows are called
// by as these, others by their column's name.
func (t *Table) differentThings(n int64) string {
	v, different := t.value(0), "different "
	if n == 1 {
		different = ""
	}
	things := severalValues(v)
	if c, ok := columnIn(t.Query.Select.Items[0].Expr); ok {
		switch of := t.datasetOf(c); {
		case !isCountable(of) || !isLabelOf(of, v.Bare):
		case of == t.phrase.Noun:
			return different + t.rowsWithConditions(n)
		default:
			return different + Escape(Noun(of, n)) + " among " + t.uncountedRows()
		}
	}
	return different + Escape(numberedName(things, n)) + " among " + t.uncountedRows()
}

// isLabel reports whether the values of a column are what its rows are called.
func (t *Table) isLabel(column int) bool { return isLabelOf(t.phrase.Noun, t.value(column).Bare) }

// isLabelOf reports whether rows of a dataset are called by a column.
func isLabelOf(dataset, column string) bool {
	bare, one := strings.ToLower(column), strings.ToLower(Noun(dataset, 1))
	return slices.Contains([]string{"name", "title", "full name", "label", one, one + " name", one + " title"}, bare)
}
