package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
)

// withTheir asks, behind what is asked of some rows, for more of the same: the parents of those who
// were ill, with their phone.
var withTheir = regexp.MustCompile(`(?i)^\W*(?P<asks>(?:(?:show|list|give|me|us|the|all|which|what|please)\s+)*)(?P<what>[a-z]+)(?P<of>\s+of\s+.*?)(?P<more>,?\s+(?:with|and|plus)\s+their\s+(?P<also>[a-z]+))(?P<end>\W*)$`)

// besideTheirs returns a text with what it asks for behind what it asks of some rows as the second
// thing that it asks for, where both are columns of one dataset: parents and phones of those who were ill.
func (r Rules) besideTheirs(text string) string {
	m, ok := english.Groups(withTheir, text)
	if !ok || r.Whole.MentionsTable(m.Text("what")) || !r.areBeside(m.Text("what"), m.Text("also")) {
		return text
	}
	_, behind := m.Span("what")
	start, end := m.Span("more")
	return text[:behind] + " and " + m.Text("also") + text[behind:start] + text[end:]
}

// areBeside reports whether two words name columns of one dataset, and of no other.
func (r Rules) areBeside(one, other string) bool {
	tables := func(word string) (all []int) {
		word = english.Singular(strings.ToLower(word))
		for _, c := range r.Whole.Columns {
			if len(c.Words) == 1 && c.Words[0] == word && !slices.Contains(all, c.Table) {
				all = append(all, c.Table)
			}
		}
		return all
	}
	of, also := tables(one), tables(other)
	return len(of) == 1 && slices.Contains(also, of[0])
}
