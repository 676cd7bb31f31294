package feature

import "quern/nlq/lex"

// steps are the cosines from which on two words are a little, rather and very
// much alike.
var steps = [...]float32{0.45, 0.6, 0.75}

// likeness compares the words of a question with those of a schema by their
// vectors and as synonyms, each pair once.
type likeness struct {
	vectors Vectors
	tokens  []int // those that are compared
	ids     []int32
	forms   []form
	some    [16]uint64 // a bit for every base of forms, which others may share
	known   map[int32]alike
	words   map[string]int32
}

// form is a word that a token is or is a form of.
type form struct {
	base  int32
	token int // its place in tokens
}

// alike is how a word of a schema is like the words of a question.
type alike struct {
	steps    []uint8 // by token
	synonyms []int   // places in tokens
}

func newLikeness(q *question, v Vectors) *likeness {
	l := &likeness{vectors: v, known: map[int32]alike{}, words: map[string]int32{}}
	for i, id := range q.ids {
		if !q.content[i] || id <= numberID {
			continue
		}
		if !lex.Thin(q.lower[i]) {
			l.add(form{id, len(l.tokens)})
			for _, base := range v.Bases(id) {
				l.add(form{base, len(l.tokens)})
			}
		}
		l.tokens = append(l.tokens, i)
		l.ids = append(l.ids, id)
	}
	return l
}

func (l *likeness) add(f form) {
	word, bit := l.place(f.base)
	l.some[word] |= bit
	l.forms = append(l.forms, f)
}

// place returns the bit of a base in some.
func (l *likeness) place(base int32) (word int, bit uint64) {
	return int(base) / 64 % len(l.some), 1 << (base % 64)
}

// labels are the words of the names of a column or a table, and those of its
// description.
type labels struct {
	words     []string
	others    [][]string
	described []string
}

// markSimilar marks the tokens that have no relation yet and are synonyms of a word of
// a name, like one of them or, one step less, like one of the description's words.
func (l *likeness) markSimilar(of labels, row []uint8, first uint8) {
	if len(l.tokens) == 0 {
		return
	}
	best := make([]uint8, len(l.tokens))
	l.markWords(of.words, best)
	for _, name := range of.others {
		l.markWords(name, best)
	}
	for _, w := range of.described {
		for t, n := range l.of(w).steps {
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

// markWords raises the steps of the tokens that are like words of a name.
func (l *likeness) markWords(words []string, best []uint8) {
	for _, w := range words {
		like := l.of(w)
		for t, n := range like.steps {
			best[t] = max(best[t], n)
		}
		for _, t := range like.synonyms {
			best[t] = synonym
		}
	}
}

// synonym is one step more than words can be alike.
const synonym = uint8(len(steps)) + 1

// of returns how a word is like the tokens.
func (l *likeness) of(w string) alike {
	id, ok := l.words[w]
	if !ok {
		id = unknownID
		if isWord(w) && !lex.Function(w) {
			id = l.vectors.ID(w)
		}
		l.words[w] = id
	}
	if id <= numberID {
		return alike{}
	}
	if like, ok := l.known[id]; ok {
		return like
	}
	like := alike{steps: make([]uint8, len(l.ids))}
	if !lex.Thin(w) {
		like.synonyms = l.synonyms(id)
	}
	for t, other := range l.ids {
		cosine := l.vectors.Cosine(other, id)
		for like.steps[t] < uint8(len(steps)) && cosine > steps[like.steps[t]] {
			like.steps[t]++
		}
	}
	l.known[id] = like
	return like
}

// synonyms returns the tokens that mean the same as a word in any of its forms.
func (l *likeness) synonyms(id int32) []int {
	all := l.related(id, nil)
	for _, base := range l.vectors.Bases(id) {
		all = l.related(base, all)
	}
	return all
}

// related adds the tokens that are a base word, or related with it.
func (l *likeness) related(base int32, all []int) []int {
	all = l.formsOf(base, all)
	for _, other := range l.vectors.Related(base) {
		all = l.formsOf(other, all)
	}
	return all
}

// formsOf adds the tokens that are a base word or forms of it.
func (l *likeness) formsOf(base int32, all []int) []int {
	if word, bit := l.place(base); l.some[word]&bit == 0 {
		return all
	}
	for _, f := range l.forms {
		if f.base == base {
			all = append(all, f.token)
		}
	}
	return all
}
