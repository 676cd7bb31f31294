// Package sign owns what speaks for and against a reading of a question: how
// likely it is, what running it showed, and how the parts of its query go with
// the words of the question.
//
//	question, schema ─► About ─┐
//	derivation, result ────────┴─► Of ─► a number for each of Names
//
// It never weighs them: package embedded does, with what learned/train/judgement.py
// learned. The failure it is built around is the sign that knows one database: a
// sign looks at the kinds of words, names and rows, never at which they are.
package sign

import (
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/schema"
	"quern/tree"
)

// Vectors knows words; see package vector.
type Vectors interface {
	ID(word string) int32
	Cosine(a, b int32) float32
	Synonyms(a, b int32) bool
}

// Question is what is asked, of which readings are judged.
type Question struct {
	text     string
	schema   *schema.Schema
	features *feature.Features
	vectors  Vectors
	asks     asks
	stems    map[string]bool
}

// About looks at a question about a schema.
func About(text string, s *schema.Schema, f *feature.Features, v Vectors) *Question {
	q := &Question{text: text, schema: s, features: f, vectors: v, asks: readAsks(text), stems: map[string]bool{}}
	for i := range f.Tokens {
		q.stems[q.stem(i)] = true
	}
	return q
}

// Reading is a reading of a question.
type Reading struct {
	Tokens []grammar.Token
	Query  *tree.Query
	SQL    string
	Score  float64 // how well its constants match values
	Odds   Odds
	Result Result
}

// Odds is how likely the networks find a reading. Shares are of the probability
// of all readings together.
type Odds struct {
	Share float64
	Mass  float64 // of all readings that find the same rows
	Rival float64 // the most of those that find other rows
	First bool    // no other has a larger share
}

// Result is what running a reading showed.
type Result struct {
	Failed  bool
	Rows    int
	Nulls   bool // nothing but nulls
	Zero    bool // nothing but the number 0
	Repeats bool // a row more than once
}

// Names lists the signs in the order in which Of returns them. What a judge
// learned belongs to one such list.
func Names() []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.name
	}
	return names
}

// Of returns the signs of a reading.
func (q *Question) Of(r Reading) []float64 {
	v := &view{Question: q, parts: q.takeApart(r.Tokens), Reading: r, taken: Taken(r.Tokens, len(q.features.Tokens))}
	signs := make([]float64, len(all))
	for i, s := range all {
		signs[i] = s.of(v)
	}
	return signs
}

// Taken marks the words of a question that a derivation takes as constants.
func Taken(tokens []grammar.Token, words int) []bool {
	taken := make([]bool, words)
	for i := 0; i+1 < len(tokens); i++ {
		if tokens[i].Kind != grammar.Word || tokens[i+1].Kind != grammar.Word {
			continue
		}
		for w := tokens[i].ID; w <= tokens[i+1].ID && w < words; w++ {
			taken[w] = true
		}
		i++
	}
	return taken
}
