package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
)

// titled is a name behind the title of whom it is of: Dr Aziz.
var titled = regexp.MustCompile(`\b(?P<title>[Mm]rs|[Mm]r|[Mm]s|[Mm]x|Miss|[Dd]r|Doctor|[Pp]rof|Professor|Sir|Dame|Father|Sister|Rev)\b\.? (?P<name>\p{L}[\p{L}-]{2,})`)

// inTitles returns names behind titles as the one name of the data that is meant: with the same title and
// more between the two (Dr Tariq Aziz), or without any (Colin Shaw).
func (r Rules) inTitles(text string) (changes []english.Change) {
	for _, at := range titled.FindAllStringSubmatchIndex(text, -1) {
		title, name := text[at[2]:at[3]], text[at[4]:at[5]]
		if meant, ok := r.calledSo(strings.ToLower(title), lex.Fold(name)); ok {
			changes = append(changes, english.Change{Start: at[0], End: at[1], By: meant})
		}
	}
	return changes
}

// calledSo returns the one name of the data that has a name as its last word: of those with a title where
// some have it, or else of those that have none.
func (r Rules) calledSo(title, name string) (meant string, ok bool) {
	var same, bare []string
	for i := range r.Whole.Columns {
		c := &r.Whole.Columns[i]
		if c.Type != quern.Text || c.Values == nil {
			continue
		}
		for _, v := range c.Values.With(name) {
			words := strings.Fields(strings.ToLower(v))
			first, last := strings.TrimSuffix(words[0], "."), lex.Fold(words[len(words)-1])
			switch {
			case last != name:
			case first == title && len(words) == 2:
				return "", false // the data have it as it is said
			case first == title:
				same = appendOnce(same, v)
			case !titled.MatchString(v):
				bare = appendOnce(bare, v)
			}
		}
	}
	if len(same) == 0 {
		same = bare
	}
	if len(same) != 1 {
		return "", false
	}
	return same[0], true
}

// appendOnce appends a text to some that do not have it.
func appendOnce(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
