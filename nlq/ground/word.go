package ground

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/schema"
	"quern/tree"
)

// IsSaid reports whether conditions say what the one value of a column is.
func IsSaid(where tree.Cond, column tree.Column) bool {
	return slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		_, isLiteral := compare.Right.(tree.Literal)
		return ok && isLiteral && compare.Op == tree.Equal && compare.Left == tree.Expr(column)
	})
}

// IsNumbering reports whether a column is named like a number of rows.
func IsNumbering(c schema.Column) bool { return slices.ContainsFunc(c.Words, english.Numbering.Has) }

// placeNames are the names of columns that say which place somebody came in at.
var placeNames = []string{"place", "position", "pos", "rank", "placing", "finish"}

// IsPlace reports whether a column says which place somebody came in at: the first is the least.
func IsPlace(c schema.Column) bool {
	return c.Type.Numeric() && len(c.Words) > 0 && slices.Contains(placeNames, c.Words[len(c.Words)-1]) && (c.Min == "1" || c.Min == "1.0")
}

// WhichAsked finds what a text asks which of.
var WhichAsked = regexp.MustCompile(`(?i)\b(?:which|what) (?P<what>\w+)`)

// ComparedKind returns a condition on a column of kinds of rows, other than yes and no, and the
// value that it is compared with.
func (g *Grounding) ComparedKind(from []tree.Source, c tree.Cond) (compare tree.Compare, value string, ok bool) {
	compare, isCompare := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	k, isLiteral := compare.Right.(tree.Literal)
	id, known := g.View.ColumnOf(from, column)
	if !isCompare || !isColumn || !isLiteral || !known || k.Kind != tree.Text || !g.View.Columns[id].Category() {
		return compare, "", false
	}
	_, _, truth := g.View.Columns[id].Truth()
	return compare, k.Text, !truth
}

// HasWords reports whether a text has some words, next to each other.
func HasWords(text, words string) bool { return len(PlacesOf(text, words)) > 0 }

// PlacesOf returns where a text in small letters has some words that are no parts of others.
func PlacesOf(text, words string) (starts []int) {
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

// SaysTable reports whether a word of the text is of a table's name.
func (g *Grounding) SaysTable(table int) bool {
	return slices.ContainsFunc(g.Features.Tables, func(row []uint8) bool {
		return row[table] == feature.TablePartial || row[table] == feature.TableExact
	})
}

// NameWhole returns the items of a select, with what people call the rows of a dataset
// instead of all their columns, which no sum has.
func (g *Grounding) NameWhole(s *tree.Select) []tree.Item {
	if len(s.Items) != 1 {
		return slices.Clone(s.Items)
	}
	star, ok := s.Items[0].Expr.(tree.Star)
	if !ok || star.Source == "" {
		return slices.Clone(s.Items)
	}
	for _, source := range s.From {
		for _, i := range g.View.ColumnsOf(source) {
			if c := g.View.Columns[i]; source.Ref() == star.Source && g.IsLabel(c) {
				return []tree.Item{{Expr: tree.Column{Source: star.Source, Name: c.Name}}}
			}
		}
	}
	return slices.Clone(s.Items)
}

// IsKindNamed reports whether the text names a column whose values many rows share, and
// by which no row is called: the guests of bookings.
func (g *Grounding) IsKindNamed(column int) bool {
	c := g.View.Columns[column]
	return !c.Type.Numeric() && !c.Key() && 2*c.Distinct <= c.Rows && !g.IsLabel(c) && g.TimesNamed(column) > 0
}

// RefersTo reports whether a link leads from a column of one table, in which values
// repeat, to a key of another.
func (g *Grounding) RefersTo(many, one int) bool {
	return slices.ContainsFunc(g.View.Links, func(l schema.Link) bool {
		from, to := g.View.Columns[l.From], g.View.Columns[l.To]
		if from.Table == one {
			from, to = to, from
		}
		return from.Table == many && to.Table == one && to.Key() && !from.Key()
	})
}

// IsWholeName reports whether a word is all of a column's name.
func IsWholeName(relation uint8) bool {
	return relation < feature.ColumnSimilar && relation/feature.ValueRelations == feature.NameExact
}

// WordAt returns where a text has words, from the start of one to the end of one; -1 when it
// does not.
func WordAt(text, words string) int {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(words):])
		first, size := utf8.DecodeRuneInString(words)
		last, _ := utf8.DecodeLastRuneInString(words)
		if !(isPart(before) && isPart(first)) && !(isPart(after) && isPart(last)) {
			return i
		}
		from = i + max(size, 1)
	}
}

// TimesNamed returns how many words of the text are of a column's name.
func (g *Grounding) TimesNamed(column int) int {
	times := 0
	for _, related := range g.Features.Columns {
		if match := related[column] / feature.ValueRelations; match == feature.NamePartial || match == feature.NameExact {
			times++
		}
	}
	return times
}
