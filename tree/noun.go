package tree

import "strings"

// irregular are nouns whose plural follows no rule, or that have but one form.
var irregular = map[string]string{
	"person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice", "goose": "geese",
	"foot": "feet", "tooth": "teeth", "ox": "oxen", "life": "lives", "wife": "wives", "knife": "knives", "leaf": "leaves",
	"half": "halves", "shelf": "shelves", "analysis": "analyses", "basis": "bases", "crisis": "crises", "thesis": "theses",
	"hypothesis": "hypotheses", "diagnosis": "diagnoses", "criterion": "criteria", "phenomenon": "phenomena", "index": "indexes",
	"matrix": "matrices", "vertex": "vertices", "datum": "data", "medium": "media", "hero": "heroes", "potato": "potatoes", "tomato": "tomatoes",
	"movie": "movies", "cookie": "cookies", "calorie": "calories", "pie": "pies", "tie": "ties", "die": "dice", "quiz": "quizzes", "bus": "buses",
	"gas": "gases", "axis": "axes", "shoe": "shoes", "canoe": "canoes", "zombie": "zombies", "genie": "genies", "lens": "lenses",
}

// invariable have one form for one and for many.
var invariable = map[string]bool{"series": true, "species": true, "sheep": true, "fish": true, "aircraft": true, "deer": true, "means": true,
	"headquarters": true, "moose": true, "spacecraft": true, "salmon": true, "offspring": true}

var plurals = func() map[string]string {
	all := map[string]string{}
	for one, many := range irregular {
		all[many] = one
	}
	return all
}()

// Singular gives the form of a noun, in small letters, for one.
func Singular(word string) string {
	if one, ok := plurals[word]; ok {
		return one
	}
	_, known := irregular[word]
	switch {
	case known || invariable[word] || !strings.HasSuffix(word, "s"):
		return word
	case hasAnySuffix(word, "ss", "us", "is"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return strings.TrimSuffix(word, "ies") + "y"
	case hasAnySuffix(word, "sses", "shes", "ches", "xes", "zzes", "uses"):
		return stemmed(word)
	}
	return strings.TrimSuffix(word, "s")
}

// stemmed takes the end off a word in -es, of which some lose both letters.
func stemmed(word string) string {
	if hasAnySuffix(word, "auses", "ouses", "caches", "aches") && !hasAnySuffix(word, "coaches", "beaches", "peaches", "reaches") {
		return strings.TrimSuffix(word, "s") // cause, house, cache
	}
	return strings.TrimSuffix(word, "es")
}

// Plural gives the form of a noun, in small letters, for many.
func Plural(word string) string {
	if many, ok := irregular[word]; ok {
		return many
	}
	switch {
	case invariable[word]:
		return word
	case hasAnySuffix(word, "s", "sh", "ch", "x", "z"):
		return word + "es"
	case strings.HasSuffix(word, "y") && len(word) > 1 && !strings.ContainsRune("aeiou", rune(word[len(word)-2])):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

func hasAnySuffix(word string, ends ...string) bool {
	for _, end := range ends {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}
