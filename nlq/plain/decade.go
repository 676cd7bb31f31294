package plain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// ofDecade says of people how old they are: in their thirties, in her 40s.
var ofDecade = regexp.MustCompile(`(?i)\bin (?:his|her|their|one's) (?:(?P<word>teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)|(?P<years>[2-9]0)['’]?s)\b`)

// decades are what they are called, from the twenties on.
var decades = []string{"twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"}

// inDecades returns how old people are said to be in words as years, where the data know when somebody
// was born or how old they are.
func (r Rules) inDecades(text string) []english.Change {
	m, ok := english.Groups(ofDecade, text)
	knowsAge := func(c schema.Column) bool {
		isBirth := slices.ContainsFunc(c.Words, english.Births.Has)
		return isBirth || c.Type.Numeric() && slices.Contains(c.Words, "age")
	}
	if !ok || !slices.ContainsFunc(r.Whole.Columns, knowsAge) {
		return nil
	}
	const years, teens = 10, 13
	first := teens
	if m.Has("years") {
		first, _ = strconv.Atoi(m.Text("years"))
	} else if at := slices.Index(decades, strings.ToLower(m.Text("word"))); at >= 0 {
		first = (at + 2) * years
	}
	start, end := m.Span("")
	return []english.Change{{Start: start, End: end, By: fmt.Sprintf("aged %d to %d", first, first/years*years+years-1)}}
}
