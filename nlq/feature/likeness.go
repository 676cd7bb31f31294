package feature

import "quern/nlq/lex"

// steps are the cosines from which on two words are a little, rather and very
// much alike.
var steps = [...]float32{0.45, 0.6, 0.75}

// mostDescribed is how many words of a description are looked at.
const mostDescribed = 24

// likeness compares the words of a question with those of a schema by their
// vectors, each pair once.
type likeness struct {
	vectors Vectors
	tokens  []int // those that are compared
	ids     []int32
	known   map[int32][]uint8 // of a word of the schema: by token, how many steps
	words   map[string]int32
}

func newLikeness(q *question, v Vectors) *likeness {
	l := &likeness{vectors: v, known: map[int32][]uint8{}, words: map[string]int32{}}
	for i, id := range q.ids {
		if q.content[i] && id > numberID {
			l.tokens = append(l.tokens, i)
			l.ids = append(l.ids, id)
		}
	}
	return l
}

// fill marks the tokens that have no relation yet and are like one of the words
// or, one step less, of the description's words.
func (l *likeness) fill(words []string, description string, row []uint8, first uint8) {
	if len(l.tokens) == 0 {
		return
	}
	best := make([]uint8, len(l.tokens))
	for _, w := range words {
		for t, n := range l.of(w) {
			best[t] = max(best[t], n)
		}
	}
	for _, w := range described(description) {
		for t, n := range l.of(w) {
			if n > 0 {
				best[t] = max(best[t], n-1)
			}
		}
	}
	for t, n := range best {
		if i := l.tokens[t]; n > 0 && row[i] == 0 {
			row[i] = first + n - 1
		}
	}
}

// of gives for every token how many steps it is like a word.
func (l *likeness) of(w string) []uint8 {
	id, ok := l.words[w]
	if !ok {
		id = unknownID
		if isWord(w) && !lex.Function(w) {
			id = l.vectors.ID(w)
		}
		l.words[w] = id
	}
	if id <= numberID {
		return nil
	}
	if all, ok := l.known[id]; ok {
		return all
	}
	all := make([]uint8, len(l.ids))
	for t, other := range l.ids {
		cosine := l.vectors.Cosine(other, id)
		for all[t] < uint8(len(steps)) && cosine > steps[all[t]] {
			all[t]++
		}
	}
	l.known[id] = all
	return all
}

// described gives the words of a description that can mean something.
func described(text string) []string {
	if text == "" {
		return nil
	}
	var all []string
	for _, w := range lex.Lower(lex.Tokens(text[:min(len(text), 500)])) {
		if isWord(w) && !lex.Function(w) && len(all) < mostDescribed {
			all = append(all, w)
		}
	}
	return all
}
