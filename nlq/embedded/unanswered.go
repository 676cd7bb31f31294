package embedded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/plain"
	"quern/nlq/schema"
	"quern/tree"
)

// declines reports whether the text is one that no rows answer, and says so.
func (r *reader) declines(text string) (quern.Clarification, bool) {
	because := ""
	intent := english.IntentOf(text)
	if noun, ok := english.JudgedOf(text); ok && r.cannotJudge(noun) {
		intent = english.Judgement
	}
	switch intent {
	case english.Deed:
		if r.Question.Previous != nil && addsTo.MatchString(text) {
			break
		}
		because = "I only answer questions about the data and change nothing."
	case english.Reason:
		if r.records(english.Reasons.Has) {
			break
		}
		because = noReason
	case english.Guess:
		if r.records(english.GuessedBy(text).Has) {
			break
		}
		because = noFuture
	case english.Judgement:
		because = "The data do not say what is good: name what to compare by."
	case english.Half:
		if r.Question.Previous != nil {
			break
		}
		because = "The question does not say of what."
	}
	if praise, noun, ok := english.PraisedOf(text); ok && because == "" && r.cannotJudge(noun) && !r.Whole.HoldsWord(praise) {
		because = fmt.Sprintf("The data do not say which of them are %q: name what to compare by.", praise)
	}
	if because == "" {
		return quern.Clarification{}, false
	}
	return r.refuse(because), true
}

// noReason is why what asks for a reason is not answered.
const noReason = "The data say what happened, not why."

// whyNot asks why something did not happen.
var whyNot = regexp.MustCompile(`(?i)^\W*(?:why|how come)\b[^?.]*?(?:\b(?:not|never|nobody|no one)\b|n['’]t\b)`)

// saysNot reports whether a query holds rows to what is not so, or is not there.
func saysNot(q *tree.Query) (says bool) {
	tree.EachQuery(tree.Clone(q), func(own *tree.Query) {
		if own.Select == nil {
			says = true // one without the other
			return
		}
		tree.EachCond(own, func(c tree.Cond) {
			compare, _ := c.(tree.Compare)
			k, _ := compare.Right.(tree.Literal)
			key := strings.ReplaceAll(strings.ToLower(k.Text), " ", "-")
			says = says || english.Absent.Has(key) || english.Voids.Has(key) || english.Failed.Has(key) || english.No.Has(key)
		})
		says = says || ground.LeavesOut(own)
	})
	return says
}

// readsReasons reports whether a query uses a column of reasons: that of what did happen is no reason
// why something did not.
func (r *reader) readsReasons(q *tree.Query) (reads bool) {
	if whyNot.MatchString(r.Question.Text) && !saysNot(q) {
		return false
	}
	r.eachColumnOf(q, func(c schema.Column) { reads = reads || slices.ContainsFunc(c.Words, english.Reasons.Has) })
	return reads
}

// eachColumnOf calls fn with every column that a query and those inside it use.
func (r *reader) eachColumnOf(q *tree.Query, fn func(schema.Column)) {
	tree.EachQuery(tree.Clone(q), func(own *tree.Query) {
		if own.Select == nil {
			return
		}
		tree.EachColumn(own, func(column tree.Column) {
			if id, known := r.Whole.ColumnOf(own.Select.From, column); known {
				fn(r.Whole.Columns[id])
			}
		})
	})
}

// noFuture is why what is to come is not answered.
const noFuture = "The data say what is known, not what will be."

// refuse says why no rows answer a text, and what could be asked instead.
func (r *reader) refuse(because string) quern.Clarification {
	return quern.Clarification{Question: because + " Ask for rows, counts or sums of " + names(r.Whole.Schema) + " instead."}
}

// addsTo is how one asks, in a conversation, to see more beside what is shown.
var addsTo = regexp.MustCompile(`(?i)^\W*(?:and |now |please |then )*add\b`)

// willCome says of what is counted or paid that it is to come: how many will we sell.
var willCome = regexp.MustCompile(`(?i)\b(?:will|shall|'ll|going to|gonna)\b(?: [\w']+){0,3}? (?:sell|earn|make|take|raise|gain|lose|need|spend|win|score|get)\b`)

// onlyWill says what somebody is like, not what they are going to do: those who will only take organic.
var onlyWill = regexp.MustCompile(`(?i)(?:\b(?:that|which|who) will (?:only|not|never)\b|\bwill take on\b)`)

// foretells reports whether a reading answers a question about what is to come with what was:
// it uses a time, or the text names one that is to come or what is yet to be sold, and it uses neither a plan nor a time
// that reaches beyond today.
func (r *reader) foretells(q *tree.Query) bool {
	if r.Question.Previous != nil || !english.Foresees(r.Question.Text) || plain.Of(r.Asked).IsOfData("will") {
		return false // what will that come to
	}
	today := r.Question.Now.UTC().Format(time.DateOnly)
	isToCome := willCome.MatchString(r.Question.Text) && !onlyWill.MatchString(r.Question.Text)
	past, planned := english.Ahead(r.Question.Text) || isToCome, false
	r.eachColumnOf(q, func(c schema.Column) {
		past = past || c.Type.Temporal()
		planned = planned || c.Type.Temporal() && c.Max >= today || slices.ContainsFunc(c.Words, func(w string) bool {
			return english.Guesses.Has(w) || english.Upcoming.Has(w)
		})
	})
	return past && !planned
}

// cannotJudge reports whether a noun is a dataset's, and nothing says how good its rows
// are.
func (r *reader) cannotJudge(noun string) bool {
	_, rated, _ := english.End("best")
	isRated := func(word string) bool {
		return slices.Contains(rated, english.Singular(word)) || slices.Contains(rated, word)
	}
	return !r.records(isRated) && slices.ContainsFunc(r.Whole.Tables, func(t schema.Table) bool {
		return len(t.Words) > 0 && english.Stem(t.Words[len(t.Words)-1]) == english.Stem(noun)
	})
}

// records reports whether a column holds such things, by a word of its name. One of yes
// and no tells no more than that there are some.
func (r *reader) records(such func(word string) bool) bool {
	return slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool {
		_, _, isYesNo := c.Truth()
		return !isYesNo && slices.ContainsFunc(c.Words, such)
	})
}

// missing says that nothing answers to a word, and what can be answered without it.
func (g *grounding) missing(word string, all []*candidate) quern.Clarification {
	if g.evidence() < knownEvidence {
		all = nil // what is left says nothing of the data either
	}
	c := quern.Clarification{Question: fmt.Sprintf("I found nothing in the data for %q.", word), Choices: g.choices(all, nil, mostChoices)}
	if len(c.Choices) > 0 {
		c.Question += " Without it I can answer these:"
		return c
	}
	c.Question += " The datasets here are " + names(g.Whole.Schema) + "; ask with their columns or values in them."
	return c
}
