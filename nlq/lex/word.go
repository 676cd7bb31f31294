package lex

import (
	"strings"

	"quern/english"
)

// Words takes a raw name apart into words in lower case: first_name, firstName,
// "First Name" and first-name are the same. Frequent abbreviations are written
// out. A name without any seam (countrycode) is taken apart where known, which
// may be nil, knows all parts and not the whole.
func Words(name string, known func(string) bool) []string {
	var all []string
	for _, w := range english.NameWords(name) {
		for _, part := range splitUnseamed(w, known) {
			all = append(all, Expand(part)...)
		}
	}
	return all
}

// Expand writes an abbreviation out; other words stay as they are.
func Expand(word string) []string {
	if long, ok := english.Abbreviations[word]; ok {
		return long
	}
	return []string{word}
}

// longestUnseamed bounds the work for a name without seams.
const longestUnseamed = 40

// splitUnseamed takes a word apart that has no seam: behind it a head, or into two
// known parts, or three.
func splitUnseamed(w string, known func(string) bool) []string {
	if known == nil || len(w) < 4 || len(w) > longestUnseamed || !english.IsPlain(w) || known(w) {
		return []string{w}
	}
	if _, short := english.Abbreviations[w]; short {
		return []string{w}
	}
	isLong := func(part string) bool { return len(part) >= 4 && known(part) }
	isPart := func(part string) bool { return english.ShortParts.Has(part) || isLong(part) }
	if cut := middle(w, isPart); cut > 0 && !strings.HasSuffix(w, "id") {
		return []string{w[:cut], w[cut:]}
	}
	for _, head := range english.NameHeads.Words() {
		if rest, ok := strings.CutSuffix(w, head); ok && rest != "" {
			return append(splitUnseamed(rest, known), head)
		}
	}
	return splitInThree(w, known)
}

// splitInThree cuts a word into three known parts, if it has them.
func splitInThree(w string, known func(string) bool) []string {
	isLong := func(part string) bool {
		if part == "of" {
			return true
		}
		return len(part) >= 4 && known(part)
	}
	for i := len(w) - 6; i >= 4; i-- {
		if !isLong(w[:i]) {
			continue
		}
		if cut := middle(w[i:], isLong); cut > 0 {
			return []string{w[:i], w[i : i+cut], w[i+cut:]}
		}
	}
	return []string{w}
}

// middle returns where to cut a word into two parts, the shorter of them as long
// as can be; 0 when it has no such two.
func middle(w string, isPart func(string) bool) int {
	best, longest := 0, 0
	for i := 2; i <= len(w)-2; i++ {
		if shorter := min(i, len(w)-i); shorter > longest && isPart(w[:i]) && isPart(w[i:]) {
			best, longest = i, shorter
		}
	}
	return best
}
