package follow

import (
	"regexp"
	"strings"
)

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// match returns the named groups of a pattern in a text; ok is false when the text
// does not match.
func match(p *regexp.Regexp, text string) (groups map[string]string, ok bool) {
	found := p.FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	groups = map[string]string{}
	for i, name := range p.SubexpNames() {
		if name != "" {
			groups[name] = found[i]
		}
	}
	return groups, true
}
