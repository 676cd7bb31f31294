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

// NoteOwner says whose something is where the text asks for what is somebody's and the answer shows what
// another has who belongs to them: the phone number of her carer is not that of a client.
func NoteOwner(r *ground.Asked, t *nlq.Translation) {
	if t.Query == nil || t.Query.Select == nil || len(t.Query.Select.Items) != 1 {
		return
	}
	s := t.Query.Select
	shown, ok := s.Items[0].Expr.(tree.Column)
	id, known := r.Whole.ColumnOf(s.From, shown)
	if !ok || !known {
		return
	}
	of := r.Whole.Columns[id].Table
	if !r.Whole.IsOfPeople(of) || slices.Contains(r.Whole.LabelsOf(of), id) || speaksOf(r, of) {
		return
	}
	tree.EachQuery(t.Query, func(inner *tree.Query) {
		if inner.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(inner.Select.Where) {
			who, table, ok := somebody(r, inner.Select.From, c)
			if ok && table != of && isOwner(r.Question.Text, who) {
				t.Notes = append(t.Notes, fmt.Sprintf("This is the %s of %s, not of %s.", strings.ToLower(english.Spaced(shown.Name)), r.Whole.Tables[of].Path.Dataset, who))
				t.Doubt = true
			}
		}
	})
}

// somebody returns whom a condition names, and the table of people that they are in.
func somebody(r *ground.Asked, from []tree.Source, c tree.Cond) (name string, table int, ok bool) {
	compare, isCompare := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	who, isLiteral := compare.Right.(tree.Literal)
	id, known := r.Whole.ColumnOf(from, column)
	if !isCompare || !isColumn || !isLiteral || !known || compare.Op != tree.Equal {
		return "", 0, false
	}
	table = r.Whole.Columns[id].Table
	return who.Text, table, r.Whole.IsOfPeople(table) && slices.Contains(r.Whole.LabelsOf(table), id)
}

// isOwner reports whether a text asks for what is somebody's.
func isOwner(text, who string) bool {
	text, who = strings.ToLower(text), strings.ToLower(who)
	return slices.ContainsFunc(ground.PlacesOf(text, who), func(at int) bool {
		behind := text[at+len(who):]
		return strings.HasPrefix(behind, "'s ") || strings.HasPrefix(behind, "’s ") || strings.HasPrefix(behind, "' ")
	})
}

// speaksOf reports whether the question has a word for the rows of a table, or one of the name of a
// column that says which of them is meant.
func speaksOf(r *ground.Asked, table int) bool {
	names := slices.Clone(r.Whole.Tables[table].Words)
	for _, l := range r.Whole.Links {
		if r.Whole.Columns[l.To].Table == table {
			names = append(names, r.Whole.Columns[l.From].Words...)
		}
	}
	names = english.Stems(names)
	return slices.ContainsFunc(lex.Lower(lex.Tokens(r.Question.Text)), func(word string) bool { return slices.Contains(names, english.Stem(word)) })
}
