package embedded

import (
	"fmt"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/schema"
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
		because = "I only answer questions about the data and change nothing."
	case english.Reason:
		if r.records(english.Reasons.Has) {
			break
		}
		because = "The data say what happened, not why."
	case english.Guess:
		if r.records(english.GuessedBy(text).Has) {
			break
		}
		because = "The data say what is known, not what will be."
	case english.Judgement:
		because = "The data do not say what is good: name what to compare by."
	case english.Half:
		if r.question.Previous != nil {
			break
		}
		because = "The question does not say of what."
	}
	if because == "" {
		return quern.Clarification{}, false
	}
	return quern.Clarification{Question: because + " Ask for rows, counts or sums of " + names(r.whole.Schema) + " instead."}, true
}

// cannotJudge reports whether a noun is a dataset's, and nothing says how good its rows
// are.
func (r *reader) cannotJudge(noun string) bool {
	_, rated, _ := english.End("best")
	isRated := func(word string) bool {
		return slices.Contains(rated, english.Singular(word)) || slices.Contains(rated, word)
	}
	return !r.records(isRated) && slices.ContainsFunc(r.whole.Tables, func(t schema.Table) bool {
		return len(t.Words) > 0 && english.Stem(t.Words[len(t.Words)-1]) == english.Stem(noun)
	})
}

// records reports whether a column holds such things, by a word of its name. One of yes
// and no tells no more than that there are some.
func (r *reader) records(such func(word string) bool) bool {
	return slices.ContainsFunc(r.whole.Columns, func(c schema.Column) bool {
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
	c.Question += " The datasets here are " + names(g.whole.Schema) + "; ask with their columns or values in them."
	return c
}
