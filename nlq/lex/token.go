// Package lex owns the tokens of questions: how a text is cut into them, which of
// them are numbers, dates and periods, and how a name that has no seams is cut
// into words. What it knows of English stands in package english.
//
// It never looks at data and keeps nothing. The failure it is built around is
// the drift between training and serving: a model learns from the tokens cut
// here, so that a change of a rule needs a model trained anew.
//
// A text is cut by these rules, in this order:
//
//   - White space and underscores separate and are no tokens.
//   - Letters, digits and marks that touch are one token (mp3, 20th, 3k). A point
//     or a comma between two digits is kept (1,200.5).
//   - Characters of scripts without spaces (Han, Hiragana, Katakana) stand alone.
//   - An apostrophe between letters is kept (O'Brien), but the endings 's, 're,
//     've, 'll, 'd, 'm and n't are tokens of their own (France 's, do n't).
//   - Every other character is a token of its own: hyphens, quotes, signs.
package lex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"quern/english"
)

// Token is a piece of a text: Text is text[Start:End], in bytes.
type Token struct {
	Text       string
	Start, End int
}

// Tokens cuts a text. Together with white space and underscores the tokens are
// the whole text, in order.
func Tokens(text string) []Token {
	var all []Token
	add := func(start, end int) {
		all = append(all, Token{text[start:end], start, end})
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r) || r == '_':
			i += size
		case !english.IsWordRune(r):
			add(i, i+size)
			i += size
		default:
			end := wordEnd(text, i)
			if cut := clitic(text[i:end]); cut > 0 {
				add(i, i+cut)
				i += cut
			}
			add(i, end)
			i = end
		}
	}
	return all
}

// Lower returns the tokens' texts in lower case, with straight apostrophes.
func Lower(tokens []Token) []string {
	all := make([]string, len(tokens))
	for i, t := range tokens {
		all[i] = strings.ReplaceAll(strings.ToLower(t.Text), "’", "'")
	}
	return all
}

func standsAlone(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// wordEnd returns where the word that starts at i ends.
func wordEnd(text string, i int) int {
	last, size := utf8.DecodeRuneInString(text[i:])
	i += size
	if standsAlone(last) {
		return i
	}
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case english.IsWordRune(r) && !standsAlone(r):
		case (r == '.' || r == ',') && unicode.IsDigit(last) && unicode.IsDigit(next):
		case isApostrophe(r) && english.IsWordRune(last) && unicode.IsLetter(next) && !standsAlone(next):
		default:
			return i
		}
		last = r
		i += size
	}
	return i
}

// endings are the shortened words that are tokens of their own.
var endings = []string{"n't", "'s", "'re", "'ve", "'ll", "'d", "'m"}

// clitic returns where a word's shortened ending starts; 0 when it has none.
func clitic(word string) int {
	if !strings.ContainsAny(word, "'’") {
		return 0
	}
	for _, e := range endings {
		for _, ending := range []string{e, strings.Replace(e, "'", "’", 1)} {
			cut := len(word) - len(ending)
			if cut > 0 && strings.EqualFold(word[cut:], ending) {
				return cut
			}
		}
	}
	return 0
}
