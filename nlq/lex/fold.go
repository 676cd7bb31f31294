package lex

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"quern/english"
)

// letters write what does not decompose.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l", 'þ': "th", 'ı': "i", 'ħ': "h",
}

// Fold returns what two writings of a value have in common: letters in lower case
// and without accents, and digits, with one space for whatever is between.
func Fold(text string) string {
	if folded, ok := foldPlain(text); ok {
		return folded
	}
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.IsMark(r):
			continue
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		r = unicode.ToLower(r)
		if to, ok := letters[r]; ok {
			b.WriteString(to)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// foldPlain is Fold for texts of ASCII characters.
func foldPlain(text string) (string, bool) {
	b := make([]byte, 0, len(text))
	gap := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 0x80:
			return "", false
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z':
		default:
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			b = append(b, ' ')
		}
		gap = false
		b = append(b, c)
	}
	return string(b), true
}

// Function reports whether a word only holds a sentence together or says what is
// wanted, so that it names nothing by itself.
func Function(word string) bool {
	w := strings.ToLower(word)
	return english.FunctionWords.Has(w) || english.Wants.Has(w)
}

// Command reports whether a word can begin a question as what is wanted, and can
// name something elsewhere: shows, reports, likes.
func Command(word string) bool { return english.Wants.Has(strings.ToLower(word)) }

// Thin reports whether a word is a function word or so frequent in questions
// that a value which holds it proves little.
func Thin(word string) bool {
	return Function(word) || english.ThinWords.Has(strings.ToLower(word))
}
