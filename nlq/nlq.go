// Package nlq turns questions in plain language into query trees.
//
// It owns what a question and its reading are: the tree, its rows, how sure it
// is, and the question back when it is not sure enough. It never shows a reader
// what they may not see, for everything it knows comes from catalog as the
// asker. The failure it is built around is the confident guess: below a
// threshold it asks back instead.
package nlq

import (
	"context"
	"slices"
	"time"

	"quern"
	"quern/nlq/schema"
	"quern/query"
	"quern/tree"
)

// Translator turns a question into a query. Implementations are the embedded
// model and a model service.
type Translator interface {
	// Translate reads a question as the principal. NotFound when the namespace
	// is not one the principal sees; Invalid when the question is empty or too
	// long. A question it cannot read with confidence is a Translation with
	// a Clarification and no error.
	Translate(ctx context.Context, p quern.Principal, q Question) (Translation, error)
}

// Question is what somebody asks of a namespace.
type Question struct {
	In      quern.NamespacePath
	Dataset string // only of this one; empty: of any in the namespace
	Text    string
	Now     time.Time // what "today" and "last year" are relative to
	// Previous is the turn before, which a follow-up changes; nil when there is none.
	Previous *Turn
	// Without is the name of a verified question that the text is read without, so
	// that how well others are understood can be measured; empty: all are used.
	Without string
}

// Turn is a question that was answered, and how it was read; its Query is nil when
// none of the questions so far was answered.
type Turn struct {
	Question string
	Query    *tree.Query
	Doubt    bool // whether its answer was to be doubted: what goes on from it is, too
	// Behind is the question that was asked after it and got no answer, empty when
	// there is none: what goes on may be meant to go on from that.
	Behind string
	// Said are the last questions of the conversation, oldest first, whether they were
	// answered or not; at most MostSaid.
	Said []string
}

// MostSaid is how many questions of a conversation are kept with a turn.
const MostSaid = 3

// Next returns the turn of a question that was asked after this one, which may be nil,
// and was answered by a query.
func (t *Turn) Next(question string, q *tree.Query, doubt bool) *Turn {
	return &Turn{Question: question, Query: q, Doubt: doubt, Said: t.say(question)}
}

// Without returns the turn as one behind which another question got no answer; of a nil
// turn, one that has nothing but that question.
func (t *Turn) Without(question string) *Turn {
	if t == nil {
		return &Turn{Question: question, Behind: question, Said: t.say(question)}
	}
	behind := *t
	behind.Behind, behind.Said = question, t.say(question)
	return &behind
}

// say returns the questions of the conversation with one more.
func (t *Turn) say(question string) []string {
	var said []string
	if t != nil {
		said = slices.Clone(t.Said)
	}
	said = append(said, question)
	return said[max(0, len(said)-MostSaid):]
}

// SameWords is the least Score of values whose own words the question has, in another
// form: tankers for tanker.
const SameWords = schema.ScoreStems

// Translation is how a question was read.
type Translation struct {
	Query *tree.Query // resolved and valid; nil when Clarification is set
	SQL   string      // the Query as the engine runs it
	// Result is all that the query finds, where it was run to judge the reading and
	// found little enough; nil: run it.
	Result *query.Result
	// Reading says in a sentence what the query returns.
	Reading    string
	Confidence float64 // how likely the reading is right, 0 to 1
	// Score is how well the question's values match those of the data, 0 to 1;
	// 1 when all are exact.
	Score float64
	// Notes are what the reader should know about how the question was read, such
	// as that a model service was away and the embedded model read it.
	Notes []string
	// Units are what the numbers of columns are in, where that is known: by the names of
	// a source and its column, with a point between.
	Units map[string]string
	// Words are the words of content of the text and what the reading took each for.
	Words []quern.Word
	// Doubt says that the reader should doubt the rows; a sentence of Notes says why.
	Doubt bool
	// Clarification asks back; nil when the question was read.
	Clarification *quern.Clarification
}
