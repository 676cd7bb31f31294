package english

import "strings"

// participles are the forms of verbs that say what was done and follow no rule.
var participles = func() map[string]bool {
	all := map[string]bool{"born": true}
	for _, e := range read("verbs.txt") {
		all[e.fields[len(e.fields)-1]] = true
	}
	return all
}()

// IsVerb reports whether a word is a form of a common verb that follows no rule: made.
func IsVerb(word string) bool { return verbForms[word] }

var verbForms = func() map[string]bool {
	all := map[string]bool{}
	for _, e := range read("verbs.txt") {
		all[e.word] = true
		for _, form := range e.fields {
			all[form] = true
		}
	}
	return all
}()

// Happening returns what happened to rows at the times of a column, as its name says
// it: "ordered" of "ordered on", "built" of built; empty when the name says nothing of
// the sort, as that of "due date".
func Happening(name string) string {
	words := strings.Fields(strings.ToLower(name))
	for len(words) > 1 && Framing.Has(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || len(words) > 2 {
		return ""
	}
	last := words[len(words)-1]
	regular := strings.HasSuffix(last, "ed") && len(last) > 4
	if !regular && !participles[last] {
		return ""
	}
	return strings.Join(words, " ")
}
