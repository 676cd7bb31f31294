package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/tree"
)

const (
	// leastSure is how much a word and what it means must come together: twice the
	// verified questions that have both, over those that have either.
	leastSure = 0.6
	// mostLearned is how many words are learned from the questions of a namespace.
	mostLearned = 500
	// mostAligned is how many wordings are looked at.
	mostAligned = 2_000
	// rounds is how often what is left is looked at again.
	rounds = 20
)

// taughtBy is a word that verified questions show the meaning of.
type taughtBy struct {
	words string
	part  part
	from  lesson // one of those that show it
}

// align finds out which words of wordings stand for what of their queries: those that
// stand in the same questions, one to one, the surest first. A verified question of a
// name is left out.
func align(lessons []lesson, without string) []taughtBy {
	left := make([]lesson, 0, len(lessons))
	for _, l := range lessons {
		if without == "" || !tree.SameName(l.entry, without) {
			l.words, l.parts = slices.Clone(l.words), slices.Clone(l.parts)
			left = append(left, l)
		}
	}
	var all []taughtBy
	for range rounds {
		found := mutual(left)
		if len(found) == 0 || len(all) > mostLearned {
			break
		}
		for _, t := range found {
			all = append(all, t)
			stems := english.Stems(strings.Fields(t.words))
			for i := range left {
				left[i].settle(stems, t.part)
			}
		}
	}
	return all
}

// settle takes a word and what it means out of a lesson that has both.
func (l *lesson) settle(stems []string, p part) {
	at := slices.Index(l.parts, p)
	has := func(stem string) bool {
		return slices.ContainsFunc(l.words, func(w lessonWord) bool { return w.stem == stem })
	}
	if at < 0 || !slices.ContainsFunc(stems, has) {
		return
	}
	l.parts = slices.Delete(l.parts, at, at+1)
	l.words = slices.DeleteFunc(l.words, func(w lessonWord) bool { return slices.Contains(stems, w.stem) })
}

// pairing counts the questions that have words and parts.
type pairing struct {
	words map[string]map[string]bool // entries by stem
	parts map[part]map[string]bool
	both  map[string]map[part]map[string]bool
}

func countPairs(lessons []lesson) pairing {
	c := pairing{map[string]map[string]bool{}, map[part]map[string]bool{}, map[string]map[part]map[string]bool{}}
	for _, l := range lessons {
		for _, p := range l.parts {
			note(c.parts, p, l.entry)
		}
		for _, w := range l.words {
			note(c.words, w.stem, l.entry)
			if c.both[w.stem] == nil {
				c.both[w.stem] = map[part]map[string]bool{}
			}
			for _, p := range l.parts {
				note(c.both[w.stem], p, l.entry)
			}
		}
	}
	return c
}

func note[K comparable](in map[K]map[string]bool, key K, entry string) {
	if in[key] == nil {
		in[key] = map[string]bool{}
	}
	in[key][entry] = true
}

// sure is how much a word and a part come together, from 0 to 1.
func (c pairing) sure(stem string, p part) float64 {
	return 2 * float64(len(c.both[stem][p])) / float64(len(c.words[stem])+len(c.parts[p]))
}

// best returns the part that a word comes with most surely; ok is false when there are
// several.
func (c pairing) best(stem string) (p part, sure float64, ok bool) {
	for candidate := range c.both[stem] {
		switch s := c.sure(stem, candidate); {
		case s > sure:
			p, sure, ok = candidate, s, true
		case s == sure:
			ok = false
		}
	}
	return p, sure, ok
}

// mutual returns the words and parts that come together more surely than either comes
// with anything else. Words beside each other may be one name.
func mutual(lessons []lesson) []taughtBy {
	c := countPairs(lessons)
	of := map[part][]string{} // the words whose best it is, as surely as any
	most := map[part]float64{}
	for stem := range c.words {
		p, sure, ok := c.best(stem)
		if !ok || sure < leastSure || sure < most[p] {
			continue
		}
		if sure > most[p] {
			of[p], most[p] = nil, sure
		}
		of[p] = append(of[p], stem)
	}
	var all []taughtBy
	for p, stems := range of {
		if t, ok := oneName(lessons, p, stems); ok {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b taughtBy) int {
		return cmp.Or(cmp.Compare(most[b.part], most[a.part]), cmp.Compare(a.words, b.words), cmp.Compare(a.part.text, b.part.text))
	})
	return all
}

// oneName returns the words with some stems as one name of a part: they stand side by
// side in a wording. ok is false when they do not.
func oneName(lessons []lesson, p part, stems []string) (taughtBy, bool) {
	for _, l := range lessons {
		if !slices.Contains(l.parts, p) {
			continue
		}
		var words []string
		last, apart := -1, false
		for _, w := range l.words {
			if !slices.Contains(stems, w.stem) {
				continue
			}
			apart = apart || last >= 0 && w.at != last+1
			last = w.at
			words = append(words, w.text)
		}
		if len(words) > 0 {
			return taughtBy{strings.Join(words, " "), p, l}, !apart && len(words) >= len(stems)
		}
	}
	return taughtBy{}, false
}

// Learned returns the schema with the words that verified questions show the meaning
// of, but for the one of a name. What is taught goes before.
func (s *Schema) Learned(without string) *Schema {
	if len(s.lessons) == 0 && without == "" {
		return s
	}
	words := s.taughtWords
	if without != "" {
		words = s.wordsOf(align(s.lessons, without))
	}
	made := *s
	made.Columns, made.Tables, made.Guesses = slices.Clone(s.Columns), slices.Clone(s.Tables), slices.Clone(s.Guesses)
	if without != "" && s.Taught != nil {
		made.Taught = s.Taught.Without(without)
		made.lessons = slices.DeleteFunc(slices.Clone(s.lessons), func(l lesson) bool { return tree.SameName(l.entry, without) })
	}
	for _, g := range words {
		if made.name(g.Word) {
			made.Guesses = append(made.Guesses, g)
		}
	}
	return &made
}

// wordsOf returns what was learned as words that questions are read with.
func (s *Schema) wordsOf(all []taughtBy) []Guess {
	var words []Guess
	for _, t := range all {
		if w, ok := s.wordOf(t); ok {
			words = append(words, Guess{w, fmt.Sprintf("as in %q", t.from.entry)})
		}
	}
	return words
}

// wordOf returns a learned word as an entry; ok is false for measures and conditions,
// which only people may name, and where the word is taught to mean something.
func (s *Schema) wordOf(t taughtBy) (w knowledge.Word, ok bool) {
	dataset, column, ok := s.spelled(t.part)
	if !ok || t.part.kind > valuePart || s.Taught != nil && s.Taught.Names(dataset, []string{t.words}) {
		return w, false
	}
	w = knowledge.Word{Word: t.words, Means: dataset}
	if t.part.kind != datasetPart {
		w.Means += "." + column
	}
	if t.part.kind == valuePart {
		w.Value = &t.part.text
	}
	return w, true
}

// spelled returns the names of a part's dataset and column as they are written.
func (s *Schema) spelled(p part) (dataset, column string, ok bool) {
	for _, t := range s.Tables {
		if quern.NameKey(t.Path.Dataset) != p.dataset {
			continue
		}
		if p.column == "" {
			return t.Path.Dataset, "", true
		}
		for _, c := range s.Columns[t.First : t.First+t.Len] {
			if quern.NameKey(c.Name) == p.column {
				return t.Path.Dataset, c.Name, true
			}
		}
	}
	return "", "", false
}

// name adds a word to what it means, and reports whether that is there.
func (s *Schema) name(w knowledge.Word) bool {
	dataset, column := knowledge.Column(w.Means)
	for i := range s.Tables {
		t := &s.Tables[i]
		if !tree.SameName(t.Path.Dataset, dataset) {
			continue
		}
		if column == "" {
			if isCryptic(english.NameWords(t.Path.Dataset), []string{w.Word}, s.known) && t.Description == "" {
				t.Names, t.Words = append(slices.Clip(t.Names), t.Words), strings.Fields(w.Word)
				return true
			}
			t.Names = append(slices.Clip(t.Names), strings.Fields(w.Word))
			return true
		}
		for j := t.First; j < t.First+t.Len; j++ {
			c := &s.Columns[j]
			switch {
			case !tree.SameName(c.Name, column):
				continue
			case w.Value != nil:
				c.addMeanings([]english.Code{{Value: *w.Value, Meaning: w.Word}})
			case isCryptic(english.NameWords(c.Name), []string{w.Word}, s.known) && c.Description == "":
				c.Names, c.Words = append(slices.Clip(c.Names), c.Words), strings.Fields(w.Word)
			default:
				c.addName(w.Word, s.known)
			}
			return true
		}
	}
	return false
}

// Proposed is an entry that verified questions propose.
type Proposed struct {
	knowledge.Document
	From string // the verified question that shows it
	Used bool   // questions are read with it already
}

// Proposals returns the words, measures and conditions that verified questions propose.
func (s *Schema) Proposals() []Proposed {
	var all []Proposed
	for _, t := range s.learned {
		if w, ok := s.wordOf(t); ok {
			all = append(all, Proposed{knowledge.Document{Words: []knowledge.Word{w}}, t.from.entry, true})
			continue
		}
		dataset, _, ok := s.spelled(t.part)
		taught := s.Taught != nil && s.Taught.Names(dataset, []string{t.words})
		switch {
		case !ok || taught:
		case t.part.kind == measurePart:
			m := knowledge.Measure{Name: t.words, Dataset: dataset, Expression: t.part.text}
			all = append(all, Proposed{knowledge.Document{Measures: []knowledge.Measure{m}}, t.from.entry, false})
		case t.part.kind == conditionPart:
			c := knowledge.Condition{Name: t.words, Dataset: dataset, Where: t.part.text}
			all = append(all, Proposed{knowledge.Document{Conditions: []knowledge.Condition{c}}, t.from.entry, false})
		}
	}
	return all
}
