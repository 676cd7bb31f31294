package ask

import (
	"strings"
	"unicode"
)

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

// uncounted cannot be counted: their rows are spoken of instead.
var uncounted = map[string]bool{"data": true, "information": true, "equipment": true, "staff": true, "news": true, "sales": true, "stock": true,
	"inventory": true, "furniture": true, "money": true, "weather": true, "music": true, "software": true, "hardware": true, "personnel": true,
	"history": true, "feedback": true, "traffic": true, "info": true, "metadata": true, "revenue": true, "income": true, "media": true, "rows": true, "row": true}

var plurals = func() map[string]string {
	all := map[string]string{}
	for one, many := range irregular {
		all[many] = one
	}
	return all
}()

// noun names n rows of a dataset by its name: "order", "orders", "rows of log 2".
func noun(name string, n int64) string {
	at := strings.LastIndexByte(name, ' ') + 1
	last := strings.ToLower(name[at:])
	switch {
	case name == "" || last == "rows":
		return rowsOf("", n)
	case !countable(name):
		return rowsOf(" of "+name, n)
	case n == 1:
		return name[:at] + like(name[at:], singular(last))
	}
	return name[:at] + like(name[at:], plural(singular(last)))
}

// countable reports whether a name is a noun that can be counted.
func countable(name string) bool {
	last := strings.ToLower(name[strings.LastIndexByte(name, ' ')+1:])
	return isPlainWords(name) && !uncounted[last]
}

func rowsOf(what string, n int64) string {
	if n == 1 {
		return "row" + what
	}
	return "rows" + what
}

// like gives word in the letters of written where only its end differs.
func like(written, word string) string {
	if strings.ToLower(written) == word {
		return written
	}
	same := 0
	for same < len(written) && same < len(word) && unicode.ToLower(rune(written[same])) == rune(word[same]) {
		same++
	}
	return written[:same] + word[same:]
}

// isPlainWords reports whether a name is English words that a sentence can use.
func isPlainWords(name string) bool {
	for _, word := range strings.Fields(name) {
		if len(word) < 3 {
			return false
		}
		for i, r := range word {
			if r > unicode.MaxASCII || !unicode.IsLetter(r) || i > 0 && unicode.IsUpper(r) {
				return false
			}
		}
	}
	return name != ""
}

func singular(word string) string {
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

func plural(word string) string {
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
