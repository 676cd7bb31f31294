package embedded

import (
	"slices"
	"strings"
	"unicode/utf8"

	"quern/english"
	"quern/tree"
)

// settleLonger compares with the longest value of a column that the text says, where a reading
// took a part of it that is a value as well: goats in kid are no kids.
func (g *grounding) settleLonger(q *tree.Query) {
	g.replaceKinds(q, func(is tree.Compare, column int, value string) tree.Cond {
		longest := value
		for _, other := range g.view.Columns[column].Values.All() {
			if len(other) > len(longest) && hasWords(other, value) && hasWords(g.text, other) && len(placesOf(g.text, value)) == len(placesOf(g.text, other)) {
				longest = other
			}
		}
		is.Right = tree.Literal{Kind: tree.Text, Text: longest}
		return is
	})
}

// replaceKinds replaces the conditions of a query that a column of kinds of rows has a value.
func (g *grounding) replaceKinds(q *tree.Query, fn func(is tree.Compare, column int, value string) tree.Cond) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		if is, value, ok := g.comparedKind(q.Select.From, c); ok && is.Op == tree.Equal {
			id, _ := g.view.ColumnOf(q.Select.From, is.Left.(tree.Column))
			conds[i] = fn(is, id, value)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// hasWords reports whether a text has some words, next to each other.
func hasWords(text, words string) bool { return len(placesOf(text, words)) > 0 }

// placesOf returns where a text in small letters has some words that are no parts of others.
func placesOf(text, words string) (starts []int) {
	text, words = strings.ToLower(text), strings.ToLower(words)
	for at := 0; words != "" && at < len(text); {
		found := strings.Index(text[at:], words)
		if found < 0 {
			break
		}
		start, end := at+found, at+found+len(words)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		behind, _ := utf8.DecodeRuneInString(text[end:])
		if !english.IsWordRune(before) && !english.IsWordRune(behind) {
			starts = append(starts, start)
		}
		at = end
	}
	return starts
}
