package sign

import (
	"strings"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
)

// word is a word of the question or of a name.
type word struct {
	id   int32
	stem string
}

// synonymous is how like synonyms are at least.
const synonymous = 0.8

// likeness is how like two words are, 0 to 1.
func (q *Question) likeness(a, b word) float64 {
	if a.stem == b.stem {
		return 1
	}
	near := max(0, float64(q.vectors.Cosine(a.id, b.id)))
	if near < synonymous && q.vectors.Synonyms(a.id, b.id) {
		return synonymous
	}
	return near
}

// freeWords returns the words of the question that may name something and that are no
// constants.
func (v *view) freeWords() []word {
	var free []word
	for i, t := range v.features.Tokens {
		if kind := v.features.Kinds[i]; v.taken[i] || kind == feature.Punctuation || kind == feature.QuoteMark || lex.Function(t.Text) {
			continue
		}
		free = append(free, word{v.features.WordIDs[i], v.stem(i)})
	}
	return free
}

// nameWords returns the words of a name.
func (q *Question) nameWords(name []string) []word {
	all := make([]word, len(name))
	for i, w := range name {
		all[i] = word{q.vectors.ID(w), english.Stem(strings.ToLower(w))}
	}
	return all
}

// meanLikeness returns how like each of some words is to the likest of others, on
// average, 1 when there are none.
func (q *Question) meanLikeness(words, others []word) float64 {
	total := 0.0
	for _, w := range words {
		best := 0.0
		for _, o := range others {
			best = max(best, q.likeness(w, o))
		}
		total += best
	}
	if len(words) == 0 {
		return 1
	}
	return total / float64(len(words))
}

// wordsAlike is how like the words of the question are to the names that a
// reading uses.
func (v *view) wordsAlike() float64 {
	var names []word
	for _, m := range v.mentions {
		if m.column >= 0 {
			names = append(names, v.nameWords(v.schema.Columns[m.column].Words)...)
		}
	}
	for _, t := range v.tables {
		names = append(names, v.nameWords(v.schema.Tables[t].Words)...)
	}
	return v.meanLikeness(v.freeWords(), names)
}

// namesAlike is how like the names of columns that a reading uses and does not
// show are to words of the question.
func (v *view) namesAlike() float64 {
	free := v.freeWords()
	total, n := 0.0, 0
	seen := map[int]bool{}
	for _, m := range v.mentions {
		if m.column < 0 || seen[m.column] {
			continue
		}
		seen[m.column] = true
		if m.part != "SEL" || m.depth > 0 {
			total += v.meanLikeness(v.nameWords(v.schema.Columns[m.column].Words), free)
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return total / float64(n)
}
