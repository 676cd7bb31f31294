package plain

import (
	"slices"

	"quern/english"
	"quern/nlq/lex"
)

// withoutLifts returns the question without the words that lift what always holds:
// nothing in the data answers to them.
func (r Rules) withoutLifts() string {
	text := r.Question.Text
	for _, t := range r.Whole.Tables {
		for _, rule := range t.Rules {
			for _, w := range rule.Lift {
				text = ReplaceWord(text, w, "")
			}
		}
	}
	return text
}

// ReplaceWord puts a text in the place of a word or phrase of another, in any form.
func ReplaceWord(text, word, by string) string {
	start, end := WordIn(text, word)
	if start == end {
		return text
	}
	return text[:start] + by + text[end:]
}

// WordIn returns where a word or phrase stands in a text, in any form; nowhere: 0, 0.
func WordIn(text, word string) (start, end int) {
	tokens, phrase := lex.Tokens(text), english.Stems(lex.Lower(lex.Tokens(word)))
	stems := english.Stems(lex.Lower(tokens))
	for i := 0; i+len(phrase) <= len(stems) && len(phrase) > 0; i++ {
		if slices.Equal(stems[i:i+len(phrase)], phrase) {
			return tokens[i].Start, tokens[i+len(phrase)-1].End
		}
	}
	return 0, 0
}
