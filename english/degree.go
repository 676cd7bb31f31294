package english

import "strings"

// irregularDegrees are the adjectives that other words compare with.
var irregularDegrees = map[string][]string{
	"good": {"better", "best"}, "bad": {"worse", "worst"}, "far": {"farther", "farthest", "further", "furthest"},
	"little": {"less", "least"}, "many": {"more", "most"}, "much": {"more", "most"},
}

// Degrees returns an adjective with its comparative and its superlative: old, older,
// oldest. Long ones have no forms of their own; an empty word has none at all.
func Degrees(adjective string) []string {
	const short = 7 // letters
	word := strings.ToLower(strings.TrimSpace(adjective))
	if forms := irregularDegrees[word]; forms != nil {
		return append([]string{word}, forms...)
	}
	switch {
	case word == "":
		return nil
	case len(word) > short || !IsPlain(word):
		return []string{word}
	case strings.HasSuffix(word, "e"):
		return []string{word, word + "r", word + "st"}
	case strings.HasSuffix(word, "y") && len(word) > 2 && !isVowel(word[len(word)-2]):
		stem := word[:len(word)-1]
		return []string{word, stem + "ier", stem + "iest"}
	}
	stem := word
	if n := len(word); n >= 3 && !isVowel(word[n-1]) && isVowel(word[n-2]) && !isVowel(word[n-3]) && !strings.ContainsRune("wxy", rune(word[n-1])) {
		stem += word[n-1:]
	}
	return []string{word, stem + "er", stem + "est"}
}
