package plain

import (
	"slices"
	"strings"
	"unicode"

	"quern/english"
	"quern/nlq/lex"
)

// inShort returns the words of a text that the names of the data have in short, as they stand
// there: the target language is the tgt language, where jobs have a column tgt.
func (r Rules) inShort(text string) (changes []english.Change) {
	short := r.shortNames()
	for _, t := range lex.Tokens(text) {
		word := strings.ToLower(t.Text)
		if word != t.Text || !isLetters(word) || lex.Function(word) || lex.Thin(word) || lex.Command(word) || IsQuoted(text, t) {
			continue
		}
		var meant []string
		for name, ofRows := range short {
			// Several are rows: members are no memb_type.
			if (ofRows || english.Singular(word) == word) && r.abbreviates(name, english.Singular(word)) {
				meant = append(meant, name)
			}
		}
		if len(meant) == 1 && !r.IsNamed(word) && !r.IsOfData(word) && !r.Whole.HoldsWord(word) {
			changes = append(changes, english.Change{Start: t.Start, End: t.End, By: meant[0]})
		}
	}
	return changes
}

// isLetters reports whether a word has nothing but letters: 600 is short for no number.
func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// shortNames returns the words of names that may be short for others, and whether each is of
// the name of a dataset.
func (r Rules) shortNames() map[string]bool {
	const longest = 6
	short := map[string]bool{}
	add := func(words []string, ofRows bool) {
		for _, w := range words {
			if isLetters(w) && len(w) > 1 && len(w) <= longest && !lex.Function(w) {
				short[w] = short[w] || ofRows
			}
		}
	}
	for i := range r.Whole.Tables {
		add(r.Whole.Tables[i].Words, true)
	}
	for i := range r.Whole.Columns {
		add(r.Whole.Columns[i].Words, false)
	}
	return short
}

// IsNamed reports whether a name of the data has a word.
func (r Rules) IsNamed(word string) bool {
	stem := english.Stem(word)
	has := func(words []string) bool { return slices.Contains(english.Stems(words), stem) }
	for i := range r.Whole.Tables {
		if has(r.Whole.Tables[i].Words) || slices.ContainsFunc(r.Whole.Tables[i].Names, has) {
			return true
		}
	}
	for i := range r.Whole.Columns {
		if has(r.Whole.Columns[i].Words) || slices.ContainsFunc(r.Whole.Columns[i].Names, has) {
			return true
		}
	}
	return false
}

// abbreviates reports whether a word of a name is short for another: its beginning, where it
// is no word by itself (ser, serial), or its consonants but for one (tgt, target; hr, hour). What
// is known to be short for others stands for those alone: ord is no overdue.
func (r Rules) abbreviates(short, word string) bool {
	if english.Clippings[short] != nil {
		return false
	}
	const least, more = 3, 2 // letters that a beginning has at least, and the word has more
	if len(word) < len(short)+more || short[0] != word[0] {
		return false
	}
	if len(short) >= least && strings.HasPrefix(word, short) {
		return !r.Vectors.IsWord(short)
	}
	bones := word[:1] + strings.Map(func(letter rune) rune {
		if strings.ContainsRune("aeiou", letter) {
			return -1
		}
		return letter
	}, word[1:])
	if short[len(short)-1] != bones[len(bones)-1] || len(bones) > len(short)+min(1, len(short)-2) {
		return false
	}
	at := 0
	for i := range len(bones) {
		if at < len(short) && bones[i] == short[at] {
			at++
		}
	}
	return at == len(short)
}
