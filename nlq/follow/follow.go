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
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern/english"
	"quern/nlq"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

const (
	// longestFollowUp is how many words a follow-up has at most; longer questions
	// stand on their own.
	longestFollowUp = 18
	// Confidence is how sure a previous query is that was changed in the one way in
	// which a follow-up can be understood. Set by
	// hand (docs/translator.md, Thresholds).
	Confidence = 0.9
	// mostWays is how many ways to understand a follow-up are returned.
	mostWays = 3
)

// Change is what a follow-up makes of the query before it.
type Change struct {
	// Queries are the changed query, more than one when the follow-up can be
	// understood in more than one way; none when it is no follow-up. They are valid
	// in the view.
	Queries []*tree.Query
	Score   float64  // how well the values of the text match those of the data, 0 to 1
	Doubts  []string // sentences that say why the reader should doubt it
}

// Edit returns the previous query as a follow-up changes it: by one of the edits, or
// by several one after the other where the text has several parts.
func Edit(v schema.View, turn nlq.Turn, text string, now time.Time) Change {
	if turn.Query == nil || turn.Query.Select == nil || len(lex.Tokens(text)) > longestFollowUp || isDifference(turn.Query.Select) {
		return Change{}
	}
	t := editing{v, turn, now, strings.Contains(strings.ToLower(text), "instead")}
	c := t.whole(plain(text))
	if len(c.Queries) == 0 {
		c = t.inParts(plain(text))
	}
	for _, q := range c.Queries {
		if q.Offset > 0 && !reflect.DeepEqual(q.Order, turn.Query.Order) {
			q.Offset = 0 // the second of another order is another row
		}
	}
	return c
}

// editing is a turn that a follow-up changes.
type editing struct {
	view    schema.View
	turn    nlq.Turn
	now     time.Time
	instead bool // whether the follow-up says "instead"
}

// plain returns a text as edits read it: in lower case, without its end and without
// what is polite in it.
func plain(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, "\u2019", "'")), " "))
	text = polite.ReplaceAllString(strings.TrimRight(text, endMarks), "")
	text = shortIs.ReplaceAllString(contracted.ReplaceAllString(text, "$1 not"), "$1 is the")
	text = sameLastYear.ReplaceAllString(meantBy.ReplaceAllString(text, "$1"), "a year earlier")
	return afterOpener.ReplaceAllString(leadIn.ReplaceAllString(text, ""), "$1 ")
}

var (
	// contracted is a negation that is written as one word with its verb.
	contracted = regexp.MustCompile(`\b(is|are|was|were|do|does|did|has|have|had|would|could|should)n't\b`)
	// leadIn is what may begin a follow-up and says nothing.
	leadIn = regexp.MustCompile(`^(?:(?:ok|okay|right|great|good|fine|thanks|thank you|yes|well|hm+|cool|perfect|sorry)(?:, | ))+`)
	// shortIs is a verb that is written as one word with what it is asked of.
	shortIs = regexp.MustCompile(`^((?:and |so |but )*(?:who|which))'s the\b`)
	// meantBy puts other groups in the place of those before.
	meantBy = regexp.MustCompile(`^(?:(?:sorry|no|wait|no wait),? )*i meant? ((?:by|per|for each) )`)
	// sameLastYear is a stretch of time a year before that of the question before.
	sameLastYear = regexp.MustCompile(`\b(?:(?:in|for|during) )?(?:the same|that) (?:month|week|quarter|time|period|day|season)(?: of| in)? (?:last year|the (?:previous|prior) year|a year (?:ago|earlier|before))$`)
	// afterOpener is a comma behind a word that says nothing.
	afterOpener = regexp.MustCompile(`^(` + english.Openers.Pattern() + `), `)
)

// whole applies the one edit that understands all of a text.
func (t editing) whole(text string) Change {
	if c := t.ofOne(text); len(c.Queries) > 0 {
		return c
	}
	for _, apply := range edits {
		e := newEditor(t.view, t.turn, lex.Tokens(text), t.now)
		e.text, e.instead = text, t.instead
		if !apply(e) {
			continue
		}
		all := append([]*tree.Query{e.query}, e.others...)
		known := t.view.Tree()
		all = slices.DeleteFunc(all, func(q *tree.Query) bool { return tree.Validate(q, known) != nil })
		return Change{all, e.score, e.doubts}
	}
	return Change{}
}

// parting stands between the parts of a follow-up.
var parting = regexp.MustCompile(`, (?:but |and |then )*| but | and then | then `)

// inParts applies the edits of the parts of a text, each to what the one before it
// made. All of them must be understood, and all but the last in one way.
func (t editing) inParts(text string) Change {
	const most = 4
	parts := parting.Split(text, most+1)
	if len(parts) < 2 || len(parts) > most {
		return Change{}
	}
	all := Change{Queries: []*tree.Query{t.turn.Query}, Score: 1}
	for i, part := range parts {
		if len(all.Queries) != 1 {
			return Change{}
		}
		t.turn.Query = all.Queries[0]
		if i > 0 && (part == "please" || t.saysAll(part)) {
			continue
		}
		c := t.whole(plain(part))
		all = Change{c.Queries, min(all.Score, c.Score), slices.Concat(all.Doubts, c.Doubts)}
	}
	return all
}

// allRows says that all rows are meant.
var allRows = regexp.MustCompile(`^(?:show |list |for |but )*all (?:of )?(?:the )?(?P<noun>[a-z]+)$`)

// saysAll reports whether a part says nothing but that all rows of the query's table are
// meant: "forget the client, all visits".
func (t editing) saysAll(part string) bool {
	m, ok := english.Groups(allRows, part)
	return ok && target{t.view, t.turn.Query}.isTable(m.Text("noun"))
}

// isDifference reports whether a select shows how far two numbers are from each other,
// of which a follow-up may mean either.
func isDifference(s *tree.Select) bool {
	_, ok := s.Items[0].Expr.(tree.Arith)
	return ok && HasAggregate(s.Items[0])
}

// Condition returns the one condition that a phrase states of the rows of a query
// ("are unpaid", "from 2021"), as a follow-up would; ok is false when the phrase
// says more than that, or something else.
func Condition(v schema.View, q *tree.Query, phrase string, now time.Time) (c tree.Cond, score float64, ok bool) {
	e := newEditor(v, nlq.Turn{Query: q}, lex.Tokens(phrase), now)
	e.text = plain(phrase)
	said := e.conditions()
	if len(said) != 1 || len(said[0]) != 1 || !e.understoodAll() || len(e.doubts) > 0 {
		return nil, 0, false
	}
	if c = said[0][0]; exclusion.MatchString(phrase) && !e.lacks {
		c = e.negate(c)
	}
	return c, e.score, true
}

// polite is what may end a follow-up and says nothing.
var polite = regexp.MustCompile(`^please,? |(?:,? (?:instead|please|thanks|then|now|anyway|though|sorry))+$`)

// endMarks end a question and say nothing.
const endMarks = " ?!.…"

// edits are the ways in which a follow-up changes a query, in the order in which
// they are tried. Each reports whether it understood all of the follow-up and the
// previous query is one that it makes sense of; the editor is of no use when not.
var edits = []func(*editor) bool{
	countRows, countOthers, whichRow, askDebt, compareRows, changeMeasure, topOfGroups, mostOf, listRows, takeOthers, groupAll, forgetCondition, sortRows, reverseOrder, sortFirst, limitRows, groupRows,
	showColumns, addColumn, askColumn, askLinked, shiftPeriod, filterRows, changeColumn, nameColumns,
}

// editor applies a follow-up to a copy of the previous query.
type editor struct {
	target                   // the copy, which is changed
	previous   string        // the question before
	now        time.Time     // what "last year" is relative to
	others     []*tree.Query // other ways to understand the follow-up
	score      float64       // how well its values match
	doubts     []string      // why the outcome is to be doubted
	valueNames []string      // the words of the names of what holds these values
	text       string        // in lower case, without its end
	lacks      bool          // whether a condition says what rows lack, which nothing negates again
	instead    bool          // whether it says that something takes the place of what was
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
