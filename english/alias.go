package english

import (
	"slices"
	"strings"
)

// aliases returns, for a word or words in lower case, what else a value may be
// called (aliases.txt).
var aliases = func() map[string][]string {
	all, groups := map[string][]string{}, map[string][]string{}
	for _, e := range read("aliases.txt") {
		others := spaces(e.fields)
		switch e.section {
		case "same":
			groups[e.word] = append(groups[e.word], others...)
			group := append([]string{e.word}, others...)
			for _, name := range group {
				for _, other := range group {
					if name != other {
						all[name] = append(all[name], other)
					}
				}
			}
		case "people":
			for _, name := range others {
				all[name] = append(append(all[name], e.word), groups[e.word]...)
				all[e.word] = append(all[e.word], name)
			}
		case "ambiguous":
			delete(all, e.word)
		}
	}
	return all
}()

// placeCodes returns, for the name of a country, of its people or of a language, the codes by which
// lists have it (aliases.txt).
var placeCodes = func() map[string][]string {
	all := map[string][]string{}
	for _, e := range read("aliases.txt") {
		switch e.section {
		case "countries":
			for _, name := range append([]string{e.word}, aliases[e.word]...) {
				all[name] = append(all[name], e.fields...)
			}
		case "languages":
			all[e.word] = append(slices.Clone(e.fields), all[e.word]...)
		}
	}
	return all
}()

// PlaceCodes returns the codes that a country, a people or a language may stand as in a column of
// codes: german is de.
func PlaceCodes(text string) []string { return placeCodes[text] }

func spaces(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = strings.ReplaceAll(w, "-", " ")
	}
	return all
}

// Aliases returns what else a value may be written as that a text in lower case
// means: canadian is canada, female is f, ohio is oh. Which of them there are, the
// data must show.
func Aliases(text string) []string {
	if found := aliases[text]; found != nil {
		return found
	}
	if base, ok := irregular[text]; ok {
		return aliases[base]
	}
	if short, ok := strings.CutSuffix(text, "ies"); ok {
		return aliases[short+"y"]
	}
	if short, ok := strings.CutSuffix(text, "s"); ok && len(short) > 3 {
		return aliases[short]
	}
	return nil
}
