package ground

import (
	"slices"
	"unicode/utf8"

	"quern"
)

// Place returns words of a text at their places in another, which has most of them.
// What else they could mean is left out where the texts differ, for it stands in a
// question that nobody asked.
func Place(words []quern.Word, from, to string) []quern.Word {
	if from == to {
		return words
	}
	var all []quern.Word
	at := 0
	for _, w := range words {
		i := WordAt(to[at:], w.Text)
		if i < 0 {
			continue
		}
		start := at + i
		at = start + len(w.Text)
		w.Start = utf8.RuneCountInString(to[:start])
		w.End, w.Instead = w.Start+utf8.RuneCountInString(w.Text), nil
		all = append(all, w)
	}
	return all
}

// Join returns the words of two parts of a text, each place once.
func Join(a, b []quern.Word) []quern.Word {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b quern.Word) int { return a.Start - b.Start })
	return slices.CompactFunc(all, func(a, b quern.Word) bool { return b.Start < a.End })
}
