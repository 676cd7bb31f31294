package english

import "regexp"

// Match is where a regular expression matched a text. Its groups are read by
// their names.
type Match struct {
	re   *regexp.Regexp
	text string
	at   []int
}

// Groups matches a regular expression with named groups; ok is false where it
// does not match.
func Groups(re *regexp.Regexp, text string) (m Match, ok bool) {
	at := re.FindStringSubmatchIndex(text)
	return Match{re, text, at}, at != nil
}

// Expand returns a replacement with its ${names} replaced by what the groups matched.
func (m Match) Expand(replacement string) string {
	return string(m.re.ExpandString(nil, replacement, m.text, m.at))
}

// Text returns what a group matched; empty when it took no part in the match.
func (m Match) Text(group string) string {
	start, end := m.Span(group)
	if start < 0 {
		return ""
	}
	return m.text[start:end]
}

// Has reports whether a group took part in the match, be it with an empty text.
func (m Match) Has(group string) bool {
	start, _ := m.Span(group)
	return start >= 0
}

// Span returns where a group begins and ends in the text, in bytes; -1 when it
// took no part in the match. The group "" is all that matched. A group that the
// expression does not have is a fault of the program.
func (m Match) Span(group string) (start, end int) {
	i := 0
	if group != "" {
		if i = m.re.SubexpIndex(group); i < 0 {
			panic("the expression has no group " + group + ": " + m.re.String())
		}
	}
	return m.at[2*i], m.at[2*i+1]
}
