package feature

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// longestNumber is the most tokens that a number takes.
const longestNumber = 6

// findNumbers finds the numbers of a question, the longest at each place.
func findNumbers(q *question) []number {
	var all []number
	for i := 0; i < len(q.tokens); i++ {
		if !isDigits(q.lower[i]) && !lex.IsNumberWord(q.lower[i]) {
			continue
		}
		for last := min(len(q.tokens), i+longestNumber) - 1; last >= i; last-- {
			end := q.lower[last]
			if last > i && !lex.IsNumberWord(end) && end != "k" {
				continue // a unit or a word behind it is no part of it
			}
			decimal, ok := lex.Number(q.text[q.tokens[i].Start:q.tokens[last].End])
			if !ok {
				continue
			}
			value, _ := strconv.ParseFloat(decimal, 64)
			all = append(all, number{i, last, decimal, value})
			i = last
			break
		}
	}
	return all
}

// longestAlias is the most tokens that have another writing.
const longestAlias = 3

// aliasSpans finds the spans that values may write otherwise.
func aliasSpans(q *question) []aliased {
	var all []aliased
	for i := range q.tokens {
		for last := i; last < min(len(q.tokens), i+longestAlias); last++ {
			if len(q.folded[i]) == 0 || len(q.folded[last]) == 0 || lex.Function(q.lower[last]) {
				continue
			}
			if others := schema.AliasesOf(q.text[q.tokens[i].Start:q.tokens[last].End]); len(others) > 0 {
				all = append(all, aliased{lex.Span{First: i, Last: last}, others})
			}
		}
	}
	return all
}

// kinds says of what kind each token is. What is inside quotes is that before
// anything else.
func kinds(q *question) []uint8 {
	all := make([]uint8, len(q.tokens))
	for i := range q.tokens {
		all[i] = kind(q, i)
	}
	for _, p := range q.times {
		if p.Year && (p.First == 0 || !english.BeforeYears.Has(q.lower[p.First-1])) {
			continue
		}
		for i := p.First; i <= p.Last; i++ {
			if !lex.Function(q.lower[i]) || q.lower[i] == "last" || q.lower[i] == "this" {
				all[i] = DateKind
			}
		}
	}
	for _, s := range lex.Quotes(q.text, q.tokens) {
		for i := s.First; i <= s.Last; i++ {
			all[i] = Quoted
		}
	}
	return all
}

// kind says of what kind a token is by itself.
func kind(q *question, i int) uint8 {
	w := q.lower[i]
	switch {
	case lex.IsQuote(w):
		return QuoteMark
	case !isWord(w) && !isDigits(w) && len(q.folded[i]) == 0:
		return Punctuation
	case lex.IsOrdinal(w):
		return OrdinalKind
	case isDigits(w) || lex.IsNumberWord(w):
		return NumberKind
	case i > 0 && capital(q.tokens[i].Text) && !endsSentence(q.lower[i-1]):
		return Capitalised
	}
	return Plain
}

func capital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

func endsSentence(w string) bool { return w == "." || w == "?" || w == "!" || w == ":" }

// foldedStems returns the stems of the words that a token folds to.
func foldedStems(w string) []schema.Stem {
	var all []schema.Stem
	for _, word := range strings.Fields(lex.Fold(w)) {
		all = append(all, schema.StemOf(english.Stem(word)))
	}
	return all
}
