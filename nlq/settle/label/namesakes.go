package label

import (
	"fmt"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// NoteNamesakes tells of whom an answer is where the question has only a part of a name that several
// people have, and the answer does not show their names: what Anna spent is what all three of them did.
func NoteNamesakes(r *ground.Asked, t *nlq.Translation) {
	before := len(t.Notes)
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		column, part, found := namesMeant(r, from, c)
		id, known := r.Whole.ColumnOf(from, column)
		if !known || lists(t.Query, column) {
			return ""
		}
		of := r.Whole.Columns[id]
		if !of.HoldsPeople() && !r.Whole.IsOfPeople(of.Table) {
			return ""
		}
		const most = 5
		n := len(found)
		if n < 2 {
			return ""
		}
		if n > most {
			found = append(slices.Clone(found[:most]), fmt.Sprintf("%d others", n-most))
		}
		return fmt.Sprintf("%d are called %s: %s. This is about all of them.", n, part, english.List(found, "and"))
	})
	t.Doubt = t.Doubt || len(t.Notes) > before
}

// namesMeant returns the column and the texts that a condition holds to as those which have a part in common
// that the question says, and that part.
func namesMeant(r *ground.Asked, from []tree.Source, c tree.Cond) (column tree.Column, part string, found []string) {
	switch c := c.(type) {
	case tree.Match:
		column, _ = c.Expr.(tree.Column)
		id, known := r.Whole.ColumnOf(from, column)
		part = strings.TrimSpace(c.Text)
		if !known || c.Op != tree.StartsWith || r.Whole.Columns[id].Values == nil {
			return column, part, nil
		}
		found = slices.DeleteFunc(r.Whole.Columns[id].Values.With(part), func(v string) bool { return !strings.HasPrefix(strings.ToLower(v), strings.ToLower(c.Text)) })
	case tree.In:
		column, _ = c.Expr.(tree.Column)
		for _, k := range c.List {
			found = append(found, k.Text)
		}
		if isSaid := func(name string) bool { return ground.HasWords(lex.Fold(r.Question.Text), lex.Fold(name)) }; slices.ContainsFunc(found, isSaid) {
			return column, "", nil // they are said one by one
		}
		for _, w := range lex.Tokens(r.Question.Text) {
			isIn := func(name string) bool { return slices.Contains(strings.Fields(lex.Fold(name)), lex.Fold(w.Text)) }
			if len(w.Text) > 2 && !slices.ContainsFunc(found, func(name string) bool { return !isIn(name) }) {
				part = w.Text
			}
		}
		if part == "" {
			return column, "", nil
		}
	}
	return column, asWritten(part, found), found
}

// asWritten returns a part of names as the first of them has it: Anna, for anna.
func asWritten(part string, names []string) string {
	for _, name := range names {
		for _, w := range strings.Fields(name) {
			if lex.Fold(w) == lex.Fold(part) {
				return w
			}
		}
	}
	return part
}

// lists reports whether a query shows a column.
func lists(q *tree.Query, column tree.Column) bool {
	return q.Select != nil && slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool {
		_, isStar := i.Expr.(tree.Star)
		c, _, _ := shownColumn(i)
		return isStar || c == column
	})
}
