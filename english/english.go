// Package english owns what Quern knows of the English language: which words
// mean the same kind of thing wherever they stand, and how nouns, numbers and
// names are written.
//
// The lists are data: a text file for each kind of word, whose head says what the
// words are for and what their marks mean. There is one list of a kind, so that a
// change to it is a change for everybody who reads it. The package imports nothing
// of ours, keeps no state and never looks at data.
//
// The failure it is built around is the second list: two parts of a translator
// that disagree about what a negation is. Where a network has learnt from a list,
// the head of the file says so, for a change then needs a network trained anew.
package english

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed *.txt
var files embed.FS

// entry is a line of a list: a word or phrase and what stands behind its colon.
type entry struct {
	section string
	word    string
	fields  []string
}

// read returns the entries of a file. Lines that begin with # say what the file
// is for. A line in brackets begins a section. Every other line is a word or a
// phrase, a colon and fields; or, without a colon, words that have no fields.
func read(file string) []entry {
	if all, done := lists[file]; done {
		return all
	}
	all := parse(file)
	lists[file] = all
	return all
}

// lists are the files that were read. The variables of the package are made of
// them one after the other, before anything else runs.
var lists = map[string][]entry{}

func parse(file string) []entry {
	text, err := files.ReadFile(file)
	if err != nil {
		panic(err) // the files are part of the program
	}
	var all []entry
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		word, fields, ok := strings.Cut(line, ":")
		if ok {
			all = append(all, entry{section, strings.TrimSpace(word), strings.Fields(fields)})
			continue
		}
		for word := range strings.FieldsSeq(line) {
			all = append(all, entry{section, word, nil})
		}
	}
	return all
}

// Set is words and phrases, in lower case, that are used for the same thing. One
// that ends in * stands for all words that begin like it, and one that ends in +
// for those that are longer.
type Set struct {
	words []string
	whole map[string]bool // those without * and +
	begun []string        // those with one
}

// setOf makes a set of words.
func setOf(words []string) Set {
	s := Set{whole: map[string]bool{}}
	for _, w := range words {
		switch {
		case slices.Contains(s.words, w):
			continue
		case strings.HasSuffix(w, "*") || strings.HasSuffix(w, "+"):
			s.begun = append(s.begun, w)
		default:
			s.whole[w] = true
		}
		s.words = append(s.words, w)
	}
	return s
}

// marked returns the set of a file's words with one of some marks; without marks,
// of all its words.
func marked(file string, marks ...string) Set {
	var words []string
	for _, e := range read(file) {
		has := func(mark string) bool { return mark == e.section || slices.Contains(e.fields, mark) }
		if len(marks) == 0 || slices.ContainsFunc(marks, has) {
			words = append(words, e.word)
		}
	}
	if len(words) == 0 {
		panic(fmt.Sprintf("%s has no words that are marked %v", file, marks))
	}
	return setOf(words)
}

// Has reports whether a word or phrase, in lower case, is in the set.
func (s Set) Has(word string) bool {
	return s.whole[word] || slices.ContainsFunc(s.begun, func(w string) bool {
		begin := w[:len(w)-1]
		return strings.HasPrefix(word, begin) && (word != begin || strings.HasSuffix(w, "*"))
	})
}

// Words returns the words of the set in the order of its file.
func (s Set) Words() []string { return slices.Clone(s.words) }

// With returns the set of the words of both.
func (s Set) With(others ...Set) Set {
	words := slices.Clone(s.words)
	for _, o := range others {
		words = append(words, o.words...)
	}
	return setOf(words)
}

// Pattern returns a regular expression, without a group that captures, that
// matches one of the words. Longer ones are tried first.
func (s Set) Pattern() string {
	words := slices.Clone(s.words)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	for i, w := range words {
		begin, open := strings.CutSuffix(w, "*")
		begin, more := strings.CutSuffix(begin, "+")
		words[i] = regexp.QuoteMeta(begin)
		switch {
		case open:
			words[i] += `\w*`
		case more:
			words[i] += `\w+`
		}
	}
	return "(?:" + strings.Join(words, "|") + ")"
}

// Finder returns a regular expression that finds one of the words as a whole word,
// in whatever case.
func (s Set) Finder() *regexp.Regexp { return regexp.MustCompile(`(?i)\b` + s.Pattern() + `\b`) }
