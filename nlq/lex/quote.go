package lex

import (
	"unicode"
	"unicode/utf8"

	"quern/english"
)

// Span is a run of tokens: First and Last are in it.
type Span struct{ First, Last int }

// closing is, for a quote that starts something, the one that ends it.
var closing = map[string]string{
	`"`: `"`, "“": "”", "”": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`", "``": "''", "「": "」",
}

// Quotes finds the runs of tokens between quotation marks, the marks left out.
// A single mark opens only before a word and closes only behind one, so that an
// apostrophe of a plural (the students' names) opens nothing.
func Quotes(text string, tokens []Token) []Span {
	var all []Span
	for i := 0; i < len(tokens); i++ {
		end, ok := closing[tokens[i].Text]
		if !ok {
			continue
		}
		if single(tokens[i].Text) && !opens(text, tokens[i]) {
			continue
		}
		for j := i + 1; j < len(tokens); j++ {
			if !closes(text, tokens[j], end) {
				continue
			}
			if j > i+1 {
				all = append(all, Span{i + 1, j - 1})
			}
			i = j
			break
		}
	}
	return all
}

// IsQuote reports whether a token can be a quotation mark.
func IsQuote(t string) bool {
	switch t {
	case "”", "»", "’", "」":
		return true
	}
	_, ok := closing[t]
	return ok
}

func single(mark string) bool { return mark == "'" || mark == "‘" || mark == "`" }

func opens(text string, t Token) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:t.Start])
	after, _ := utf8.DecodeRuneInString(text[t.End:])
	return !english.IsWordRune(before) && t.End < len(text) && !unicode.IsSpace(after)
}

func closes(text string, t Token, end string) bool {
	if t.Text != end && !(end == "”" && t.Text == `"`) {
		return false
	}
	if end != "'" && end != "’" {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text[t.End:])
	return t.End == len(text) || !english.IsWordRune(after)
}
