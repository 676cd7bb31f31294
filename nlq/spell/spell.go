// Package spell owns what people meant to type. It knows words by how common they are,
// and mistakes by how easily they happen, and finds the word that a misspelt one most
// likely is.
//
// It never decides which words are misspelt: whoever asks knows what the data hold. The
// failure it is built around is a word put right that was right, or put wrong, so that a
// question is answered that nobody asked: what is about as likely something else is left
// alone.
package spell

import (
	"math"
	"slices"
	"strings"

	"quern/english"
)

const (
	// shortest is how many letters a misspelt word has at least.
	shortest = 3
	// shortestCut is how many letters of a word are left at least where it was cut off.
	shortestCut = 4
	// longest is how many letters a word has at most.
	longest = 24
	// common is how many of the most frequent words are considered.
	common = 15_000
	// notAsked is how much rarer, as a logarithm, words are that nobody was seen to ask with.
	notAsked = 2.0
	// nameRank and valueRank are how frequent the words of the data's names and of its
	// values are beside them.
	nameRank, valueRank = 30, 100
	// leastSure is how likely a word must be, beside all others that are near.
	leastSure = 0.7
	// unlikely is how much less likely, as a logarithm, a mistake makes a word.
	unlikely = 5.0
)

// Words are words by their first letter.
type Words struct{ by map[byte][]ranked }

// ranked is a word with the logarithm of its place among all.
type ranked struct {
	word string
	rank float64
}

// New takes the words that people ask with, and those that they write with, the most
// frequent first.
func New(asked, written []string) *Words {
	w := &Words{by: map[byte][]ranked{}}
	known := map[string]bool{}
	add := func(words []string, rarer float64) {
		for i, word := range words {
			if isWord(word) && !known[word] {
				known[word] = true
				w.by[word[0]] = append(w.by[word[0]], ranked{word, rarer + math.Log(float64(i+1))})
			}
		}
	}
	add(asked, 0)
	add(written[:min(len(written), common)], notAsked)
	return w
}

// Right returns the word that a misspelt one most likely is: one of the data's names or
// values, or a common one. ok is false when none is near, or when several are about as
// likely.
func (w *Words) Right(typed string, names, values []string) (right string, ok bool) {
	if !isWord(typed) {
		return "", false
	}
	found := map[string]*near{} // by stem: two forms of a word are one meaning
	seen := map[string]bool{}
	look := func(word string, rank float64) {
		if seen[word] || word[0] != typed[0] {
			return
		}
		seen[word] = true
		cost := Cost(typed, word, most(typed))
		if cost > most(typed) {
			return
		}
		p := math.Exp(-unlikely*cost - rank)
		stem := english.Stem(word)
		n := found[stem]
		if n == nil {
			n = new(near)
			found[stem] = n
		}
		n.add(word, p)
	}
	own := func(words []string, rank float64) {
		for _, word := range words {
			if isWord(word) {
				look(word, math.Log(rank))
			}
		}
	}
	own(names, nameRank)
	own(values, valueRank)
	for _, r := range w.by[typed[0]] {
		look(r.word, r.rank)
	}
	best, all := new(near), 0.0
	for _, n := range found {
		all += n.mass
		if n.mass > best.mass || n.mass == best.mass && n.word < best.word {
			best = n
		}
	}
	return best.word, best.mass > 0 && best.mass >= leastSure*all
}

// OneOf returns the one of some words that a typed one is nearest to, if it is near.
func OneOf(typed string, words ...string) (right string, ok bool) {
	if !isWord(typed) {
		return "", false
	}
	least := most(typed)
	for _, word := range words {
		if cost := Cost(typed, word, least); word[0] == typed[0] && cost <= least {
			right, ok, least = word, true, cost
		}
	}
	return right, ok
}

// near is a word near to a misspelt one, in the likeliest of its forms.
type near struct {
	word     string
	likeness float64 // of this form
	mass     float64 // of all forms
}

func (n *near) add(word string, p float64) {
	n.mass += p
	if p > n.likeness {
		n.word, n.likeness = word, p
	}
}

// most returns how much may be wrong with a word.
func most(typed string) float64 {
	switch n := len(typed); {
	case n <= 3:
		return 0.5
	case n <= 5:
		return 1.0
	case n <= 7:
		return 1.4
	default:
		return 2.0
	}
}

// What mistakes cost: what happens more easily costs less.
const (
	dropVowel  = 0.5  // watr
	dropVowels = 0.25 // each of them all: ctgry
	dropDouble = 0.35 // suplier
	drop       = 0.8  // insurace
	swap       = 0.6  // emial
	double     = 0.5  // modell
	insert     = 1.2  // avearage
	vowel      = 0.7  // avarage
	beside     = 0.9  // a key beside the right one
	other      = 1.3
	cut        = 0.8 // sect: the rest of the word is left out
)

// Cost is how much is wrong with a typed word that is meant to be another; what is above
// most is not counted to its end.
func Cost(typed, meant string, most float64) float64 {
	isCut := len(typed) >= shortestCut && strings.HasPrefix(meant, typed)
	if !isCut && float64(len(meant)-len(typed))*dropVowels > most || float64(len(typed)-len(meant))*double > most {
		return math.Inf(1)
	}
	if isCut && len(meant) > len(typed)+1 {
		return cut
	}
	vowelless := !strings.ContainsAny(typed[1:], "aeiou")
	var rows [3][longest + 1]float64
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := 1; j <= len(meant); j++ {
		last[j] = last[j-1] + dropped(meant, j-1, vowelless)
	}
	for i := 1; i <= len(typed); i++ {
		row[0] = last[0] + added(typed, i-1)
		least := row[0]
		for j := 1; j <= len(meant); j++ {
			row[j] = min(last[j]+added(typed, i-1), row[j-1]+dropped(meant, j-1, vowelless), last[j-1]+exchanged(typed[i-1], meant[j-1]))
			if i > 1 && j > 1 && typed[i-1] == meant[j-2] && typed[i-2] == meant[j-1] {
				row[j] = min(row[j], before[j-2]+swap)
			}
			least = min(least, row[j])
		}
		if least > most {
			return math.Inf(1)
		}
		before, last, row = last, row, before
	}
	return last[len(meant)]
}

// dropped is what it costs to leave out a letter of a word.
func dropped(word string, i int, vowelless bool) float64 {
	switch {
	case vowelless && isVowel(word[i]):
		return dropVowels
	case i > 0 && word[i] == word[i-1]:
		return dropDouble
	case isVowel(word[i]):
		return dropVowel
	}
	return drop
}

// added is what it costs to type a letter that is too much.
func added(word string, i int) float64 {
	if i > 0 && word[i] == word[i-1] {
		return double
	}
	return insert
}

// exchanged is what it costs to type one letter for another.
func exchanged(typed, meant byte) float64 {
	switch {
	case typed == meant:
		return 0
	case isVowel(typed) && isVowel(meant):
		return vowel
	case areBeside(typed, meant):
		return beside
	}
	return other
}

func isVowel(c byte) bool { return strings.IndexByte("aeiouy", c) >= 0 }

// keys are the rows of a keyboard.
var keys = []string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// areBeside reports whether two letters have keys beside each other in a row.
func areBeside(a, b byte) bool {
	return slices.ContainsFunc(keys, func(row string) bool {
		i, j := strings.IndexByte(row, a), strings.IndexByte(row, b)
		return i >= 0 && j >= 0 && (i-j == 1 || j-i == 1)
	})
}

// isWord reports whether a text is a word that may be misspelt, or meant.
func isWord(text string) bool {
	return len(text) >= shortest && len(text) <= longest && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz") == ""
}
