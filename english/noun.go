package english

import (
	"slices"
	"strings"
)

// The forms of nouns that follow no rule (nouns.txt): of one, the usual form for
// many; of many, the form for one; and those of the latter that stems know.
var plurals, singulars, stemmable = nounForms()

func nounForms() (plurals, singulars, stemmable map[string]string) {
	plurals, singulars, stemmable = map[string]string{}, map[string]string{}, map[string]string{}
	for _, e := range read("nouns.txt") {
		if e.section != "irregular" && e.section != "unstemmed" {
			continue
		}
		plurals[e.word] = e.fields[0]
		for _, many := range e.fields {
			singulars[many] = e.word
			if e.section == "irregular" {
				stemmable[many] = e.word
			}
		}
	}
	return plurals, singulars, stemmable
}

// Kinds of nouns (nouns.txt).
var (
	invariable = marked("nouns.txt", "invariable")
	// Uncountable cannot be counted: data, equipment.
	Uncountable = marked("nouns.txt", "uncountable")
	// NotNouns end names of columns that are no nouns: sold, launched at.
	NotNouns = marked("nouns.txt", "notnouns")
)

// Singular returns the form of a noun, in lower case, for one.
func Singular(noun string) string {
	if one, ok := singulars[noun]; ok {
		return one
	}
	if _, isOne := plurals[noun]; isOne || invariable.Has(noun) {
		return noun
	}
	return singularByRule(noun)
}

// singularByRule takes the ending of a plural off.
func singularByRule(noun string) string {
	switch {
	case !strings.HasSuffix(noun, "s") || endsIn(noun, "ss", "us", "is"):
		return noun
	case strings.HasSuffix(noun, "ies") && len(noun) > 4 && !isVowel(noun[len(noun)-4]):
		return strings.TrimSuffix(noun, "ies") + "y"
	case endsIn(noun, "auses", "ouses"):
		return strings.TrimSuffix(noun, "s") // cause, house
	case endsIn(noun, "sses", "shes", "ches", "xes", "zzes", "uses"):
		return strings.TrimSuffix(noun, "es")
	}
	return strings.TrimSuffix(noun, "s")
}

// Plural returns the form of a noun, in lower case, for many.
func Plural(noun string) string {
	if many, ok := plurals[noun]; ok {
		return many
	}
	switch {
	case invariable.Has(noun):
		return noun
	case endsIn(noun, "s", "sh", "ch", "x", "z"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && len(noun) > 1 && !isVowel(noun[len(noun)-2]):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

func isVowel(letter byte) bool { return strings.IndexByte("aeiou", letter) >= 0 }

func endsIn(word string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(word, e) })
}
