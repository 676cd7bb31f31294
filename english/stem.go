package english

import "strings"

// irregular are the words that forms which follow no rule are forms of: sold is
// of sell, people of person (nouns.txt, verbs.txt).
var irregular = func() map[string]string {
	all := map[string]string{}
	for form, base := range stemmable {
		all[form] = base
	}
	for _, e := range read("verbs.txt") {
		for _, form := range e.fields {
			all[form] = e.word
		}
	}
	return all
}()

// unchanged end like other forms and are none (stems.txt).
var unchanged = marked("stems.txt")

// Stem returns what a word has in common with its other forms, in lower case:
// plurals, -ed and -ing. It need not be a word; stems are only compared. Words
// with other than the letters a to z are left as they are. The networks have
// learnt from stems.
func Stem(word string) string {
	w := strings.ToLower(word)
	if base, ok := irregular[w]; ok {
		w = base
	}
	if len(w) < 3 || unchanged.Has(w) || !IsPlain(w) {
		return w
	}
	if len(w) > 3 {
		w = withoutTense(singularByRule(w))
	}
	return withoutSpelling(w)
}

// Stems returns the stem of each word.
func Stems(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = Stem(w)
	}
	return all
}

// IsDoing reports whether a value says what is going on, or how something is, and a word is its verb in
// another form: suppliers come, and are not coming; what we opened need not be open.
func IsDoing(value, word string) bool {
	value, word = strings.ToLower(value), strings.ToLower(word)
	return strings.HasSuffix(value, "ing") && !strings.HasSuffix(Singular(word), "ing") || word == value+"ed"
}

// IsOneWord reports whether two words of the same stem, in lower case, are forms of one word.
// Those that are told apart by the last e alone are not: times and Tim, cars and care, but for
// plurals in -es: tomatoes; nor are full and fule.
func IsOneWord(a, b string) bool {
	a, b = Singular(a), Singular(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if n := len(a) - 1; a != b && n > 1 && len(a) == len(b) && a[:n] == b[:n] && (a[n] == 'e' && b[n] == b[n-1] || b[n] == 'e' && a[n] == a[n-1]) {
		return false
	}
	return a+"e" != b || endsIn(a, "o", "s", "x", "z")
}

// endings are what regular forms of words end in, and what the words end in themselves.
var endings = [][2]string{
	{"ies", "y"}, {"es", ""}, {"s", ""}, {"ied", "y"}, {"ed", ""}, {"ed", "e"}, {"ing", ""}, {"ing", "e"},
	{"iest", "y"}, {"est", ""}, {"est", "e"}, {"ier", "y"}, {"er", ""}, {"er", "e"}, {"ily", "y"}, {"ly", ""},
}

// Bases returns what a word may be a regular form of, if it is one: dear and deare, of
// dearer.
func Bases(word string) []string {
	const least = 3
	var all []string
	for _, e := range endings {
		rest, ok := strings.CutSuffix(word, e[0])
		if !ok || len(rest) < least {
			continue
		}
		all = append(all, rest+e[1])
		if n := len(rest); e[1] == "" && rest[n-1] == rest[n-2] {
			all = append(all, rest[:n-1])
		}
	}
	return all
}

// IsPlain reports whether a word has but the letters a to z.
func IsPlain(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// withoutTense takes -ed and -ing off what has a vowel without them.
func withoutTense(w string) string {
	if rest, ok := strings.CutSuffix(w, "eed"); ok {
		return rest + "ee"
	}
	for _, ending := range []string{"ing", "ed"} {
		rest, ok := strings.CutSuffix(w, ending)
		if ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			return rest
		}
	}
	return w
}

// withoutSpelling makes the same of what spelling makes different at the end of a
// word: a silent e, y for i, a doubled letter.
func withoutSpelling(w string) string {
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	n := len(w)
	switch {
	case n >= 3 && w[n-1] == 'y' && !isVowel(w[n-2]):
		return w[:n-1] + "i"
	case n > 3 && w[n-1] == w[n-2] && !isVowel(w[n-1]) && w[n-1] != 's':
		return w[:n-1]
	}
	return w
}
