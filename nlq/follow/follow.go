// Package follow reads questions that go on from the one before: follow-ups that
// change the previous query ("only the open ones", "and in 2021?", "per city"),
// and questions about the previous rows ("how many of them are paid?").
//
//	previous turn + text ──Edit───► changed queries          (none: no follow-up)
//	                     └─Refer──► the question with its pronouns resolved,
//	                                and the rows that its readings are held to
//
// It owns which words change a query and what they mean for the tree. It never
// scores a reading, runs a query or asks back: callers do. The failure it is built
// around is the question that stands on its own and is swallowed by the turn before
// it: an edit must understand every word, or it does not apply.
package follow

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/nlq"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// longestFollowUp is how many words a follow-up has at most; longer questions
	// stand on their own.
	longestFollowUp = 14
	// Confidence is how sure a previous query is that was changed in the one way in
	// which a follow-up can be understood. Set by
	// hand (docs/translator.md, Thresholds).
	Confidence = 0.9
	// mostWays is how many ways to understand a follow-up are returned.
	mostWays = 3
)

// Edit returns the previous query as a follow-up changes it, more than once when
// it can be understood in more than one way; none when the text is no follow-up.
// The queries are valid in the view. score says how well the values of the text
// match those of the data, 0 to 1.
func Edit(v schema.View, turn nlq.Turn, text string, now time.Time) (queries []*tree.Query, score float64) {
	tokens := lex.Tokens(strings.TrimRight(text, endMarks))
	if turn.Query == nil || turn.Query.Select == nil || len(tokens) > longestFollowUp {
		return nil, 0
	}
	for _, apply := range edits {
		e := newEditor(v, turn, tokens, now)
		e.text = strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), endMarks)
		e.text = polite.ReplaceAllString(e.text, "")
		if !apply(e) {
			continue
		}
		all := append([]*tree.Query{e.query}, e.others...)
		known := v.Tree()
		return slices.DeleteFunc(all, func(q *tree.Query) bool { return tree.Validate(q, known) != nil }), e.score
	}
	return nil, 0
}

// Condition returns the one condition that a phrase states of the rows of a query
// ("are unpaid", "from 2021"), as a follow-up would; ok is false when the phrase
// says more than that, or something else.
func Condition(v schema.View, q *tree.Query, phrase string, now time.Time) (c tree.Cond, score float64, ok bool) {
	e := newEditor(v, nlq.Turn{Query: q}, lex.Tokens(phrase), now)
	said := e.conditions()
	if len(said) != 1 || len(said[0]) != 1 || !e.understoodAll() {
		return nil, 0, false
	}
	if c = said[0][0]; exclusion.MatchString(phrase) {
		c = e.negate(c)
	}
	return c, e.score, true
}

// polite is what may end a follow-up and says nothing.
var polite = regexp.MustCompile(`,? (?:instead|please|thanks|then)$`)

// endMarks end a question and say nothing.
const endMarks = " ?!.…"

// edits are the ways in which a follow-up changes a query, in the order in which
// they are tried. Each reports whether it understood all of the follow-up and the
// previous query is one that it makes sense of; the editor is of no use when not.
var edits = []func(*editor) bool{
	countRows, changeMeasure, topOfGroups, listRows, takeOthers, forgetCondition, sortByAdjective, reverseOrder, sortRows, limitRows, groupRows,
	showColumns, addColumn, shiftPeriod, filterRows, changeColumn,
}

// editor applies a follow-up to a copy of the previous query.
type editor struct {
	target                   // the copy, which is changed
	previous   string        // the question before
	now        time.Time     // what "last year" is relative to
	others     []*tree.Query // other ways to understand the follow-up
	score      float64       // how well its values match
	valueNames []string      // the words of the names of what holds these values
	text       string        // in lower case, without its end
	tokens     []lex.Token
	words      []string // of the tokens, in lower case
	taken      []bool   // the tokens that are understood
}

func newEditor(v schema.View, turn nlq.Turn, tokens []lex.Token, now time.Time) *editor {
	return &editor{
		target: target{v, tree.Clone(turn.Query)}, previous: turn.Question, now: now, score: 1,
		tokens: tokens, words: lex.Lower(tokens), taken: make([]bool, len(tokens)),
	}
}

// take marks words as understood.
func (e *editor) take(from, to int) {
	for i := from; i < to; i++ {
		e.taken[i] = true
	}
}

// free reports whether none of some words is understood yet.
func (e *editor) free(from, to int) bool { return !slices.Contains(e.taken[from:to], true) }

// use makes some queries the outcome of the edit, the first of them the likeliest.
// It reports whether there are any.
func (e *editor) use(made []*tree.Query) bool {
	if len(made) == 0 {
		return false
	}
	e.query, e.others = made[0], made[1:]
	return true
}
