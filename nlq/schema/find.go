package schema

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

// Match is a value that a text may mean, and how well it fits, 0 to 1.
type Match struct {
	Value string
	Score float64
}

// The scores of how a value was found. Containment and likeness in spelling
// score less the less the two have in common.
const (
	ScoreExact     = 1.0
	ScoreStems     = 0.95
	ScoreAlias     = 0.9
	scoreContained = 0.9
	scoreSpelling  = 0.9
)

const (
	// mostMatches is how many matches Find returns.
	mostMatches = 10
	// leastShared is the least share of a value that a text which is part of it
	// must be, or the other way round.
	leastShared = 0.2
	// leastAlike is the least likeness in spelling.
	leastAlike = 0.7
	// longestSought is the longest text that is compared with the values.
	longestSought = 200
)

// Find returns the values that a text may mean, best first: the same when folded,
// of the same stems, part of each other at the bounds of words, or alike in
// spelling. Equal scores stay in the order in which they were added. The work is
// bounded by the values that are kept.
func (v *Values) Find(text string) []Match {
	sought := lex.Fold(text)
	if sought == "" || len(sought) > longestSought {
		return nil
	}
	all := v.sameMeaning(text, sought)
	all = append(all, v.like(sought, all)...)
	if one := english.Singular(sought); len(all) == 0 && one != sought {
		all = v.like(one, nil) // barbers, of Barber / Beautician
	}
	if len(all) == 0 {
		all = v.sameWords(sought)
	}
	slices.SortStableFunc(all, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), mostMatches)]
}

// With returns the values that have a text as some of their words, where none is all of it, or means it.
func (v *Values) With(text string) (all []string) {
	sought := lex.Fold(text)
	if sought == "" || len(sought) > longestSought || len(v.sameMeaning(text, sought)) > 0 {
		return nil
	}
	for i := range v.values {
		if own := v.values[i].folded; len(own) > len(sought) && containsWords(own, sought) {
			all = append(all, v.values[i].text)
		}
	}
	return all
}

// like returns the values that are part of what is sought or the other way round, or are
// alike in spelling, but for those that are known.
func (v *Values) like(sought string, known []Match) []Match {
	var all []Match
	letters := letterSet(sought)
	for i := range v.values {
		is := func(m Match) bool { return m.Value == v.values[i].text }
		if slices.ContainsFunc(known, is) {
			continue
		}
		if score := v.values[i].likeness(sought, letters); score > 0 {
			all = append(all, Match{v.values[i].text, score})
		}
	}
	return all
}

// scoreWords is the score of a value that has a word of what is sought that no other
// value has, and whose other words begin alike.
const scoreWords = 0.55

// sameWords returns the one value that has a word of what is sought which no other has,
// and words that begin like all the others: FC Bayern Munchen, of bayern munich.
func (v *Values) sameWords(sought string) []Match {
	words := strings.Fields(sought)
	if len(words) < 2 {
		return nil
	}
	var found []Match
	for i := range v.values {
		own := strings.Fields(v.values[i].folded)
		same := 0
		alike := !slices.ContainsFunc(words, func(w string) bool {
			if len(w) > 3 && slices.Contains(own, w) {
				same++
				return false
			}
			return !slices.ContainsFunc(own, func(o string) bool { return beginAlike(w, o) })
		})
		if alike && same > 0 {
			found = append(found, Match{v.values[i].text, scoreWords})
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}

// beginAlike reports whether two words begin with the same three letters and are about as
// long as each other.
func beginAlike(a, b string) bool {
	const letters, more = 3, 2
	return len(a) > letters && len(b) > letters && a[:letters] == b[:letters] && max(len(a), len(b))-min(len(a), len(b)) <= more
}

// sameMeaning returns the values that are another form or writing of what is sought.
func (v *Values) sameMeaning(text, sought string) []Match {
	var all []Match
	exact, isExact := v.folded[hash(sought)]
	if decimal, ok := lex.Number(text); ok && !isExact {
		exact, isExact = v.number[decimal]
	}
	if isExact {
		all = append(all, Match{v.values[exact].text, ScoreExact})
	}
	stems := v.stems[hash(joinStems(strings.Fields(sought)))] - 1
	if stems >= 0 && !(isExact && exact == stems) && areForms(v.values[stems].folded, sought) {
		all = append(all, Match{v.values[stems].text, ScoreStems})
	}
	if meant, ok := v.Meant(text); ok && len(all) == 0 {
		all = append(all, Match{meant, ScoreExact})
	}
	if alias, ok := v.AnyAlias(AliasesOf(text)); ok && len(all) == 0 {
		all = append(all, Match{alias, ScoreAlias})
	}
	return all
}

// likeness scores a value that is not the same as what is sought.
func (v *value) likeness(sought string, letters uint64) float64 {
	short, long := sought, v.folded
	if len(short) > len(long) {
		short, long = long, short
	}
	share := float64(len(short)) / float64(len(long))
	if share >= leastShared && containsWords(long, short) {
		return scoreContained * (0.5 + share/2)
	}
	most := int(float64(len(long)) * (1 - leastAlike))
	if len(short) < 4 || len(long)-len(short) > most || bits.OnesCount64(letters^v.letters) > 2*most {
		return 0
	}
	d, ok := Distance(short, long, most)
	if !ok {
		return 0
	}
	return scoreSpelling * (1 - float64(d)/float64(len(long)))
}

// containsWords reports whether short is in long, from the start of a word to the end of one.
func containsWords(long, short string) bool {
	for from := 0; ; {
		i := strings.Index(long[from:], short)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(short)
		starts, ends := i == 0 || long[i-1] == ' ', end == len(long) || long[end] == ' '
		if starts && ends {
			return true
		}
		from = i + 1
	}
}

// letterSet has a bit for every letter and digit, and some for all others.
func letterSet(s string) uint64 {
	var set uint64
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			set |= 1 << (c - 'a')
		case c >= '0' && c <= '9':
			set |= 1 << (26 + c - '0')
		case c != ' ':
			set |= 1 << (36 + c%28)
		}
	}
	return set
}

// Distance counts the changes (a byte more, less, other, or two swapped) from a
// to b; ok is false when there are more than most.
func Distance(a, b string, most int) (n int, ok bool) {
	if len(b) > 255 {
		return 0, false
	}
	var rows [3][256]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return 0, false
		}
		before, last, row = last, row, before
	}
	return last[len(b)], last[len(b)] <= most
}
