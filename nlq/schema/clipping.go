package schema

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

// mostClippings is how many other names a name has for what it cuts short.
const mostClippings = 12

// unclipped returns what else a name may be called: each of its words that is cut short as one
// that it may stand for. The name itself is not among them: vol is volunteer, where volume is
// what it is read as.
func unclipped(name string) (names [][]string) {
	parts := english.NameWords(name)
	written := expandAll(parts)
	for i, part := range parts {
		for _, long := range english.Clippings[part] {
			other := slices.Concat(expandAll(parts[:i]), strings.Split(long, "_"), expandAll(parts[i+1:]))
			if len(names) < mostClippings && !slices.Equal(other, written) {
				names = append(names, other)
			}
		}
	}
	return names
}

// expandAll writes out the abbreviations of a name.
func expandAll(parts []string) (words []string) {
	for _, part := range parts {
		words = append(words, lex.Expand(part)...)
	}
	return words
}
