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

// inTitles returns names behind titles as the one name of the data that has the same title and more between
// the two: Dr Tariq Aziz.
func (r Rules) inTitles(text string) (changes []english.Change) {
	for _, at := range titled.FindAllStringSubmatchIndex(text, -1) {
		title, name := text[at[2]:at[3]], text[at[4]:at[5]]
		if meant, ok := r.calledSo(strings.ToLower(title), lex.Fold(name)); ok {
			changes = append(changes, english.Change{Start: at[0], End: at[1], By: meant})
		}
	}
	return changes
}

// calledSo returns the one name of the data that begins with a title and ends in a name.
func (r Rules) calledSo(title, name string) (meant string, ok bool) {
	var same []string
	for i := range r.Whole.Columns {
		c := &r.Whole.Columns[i]
		if c.Type != quern.Text || c.Values == nil {
			continue
		}
		for _, v := range c.Values.With(name) {
			words := strings.Fields(strings.ToLower(v))
			first, last := strings.TrimSuffix(words[0], "."), lex.Fold(words[len(words)-1])
			switch {
			case last != name || first != title:
			case len(words) == 2:
				return "", false // the data have it as it is said
			case !slices.Contains(same, v):
				same = append(same, v)
			}
		}
	}
	if len(same) != 1 {
		return "", false
	}
	return same[0], true
}
