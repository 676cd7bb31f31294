package embedded

import (
	"fmt"
	"slices"

	"quern"
	"quern/english"
)

// declines reports whether the text is one that no rows answer, and says so.
func (r *reader) declines(text string) (quern.Clarification, bool) {
	because := ""
	switch english.IntentOf(text) {
	case english.Deed:
		because = "I only answer questions about the data and change nothing."
	case english.Reason:
		because = "The data say what happened, not why."
	case english.Guess:
		because = "The data say what is known, not what will be."
	case english.Judgement:
		because = "The data do not say what is good: name what to compare by."
	}
	if because == "" || r.isRecorded() {
		return quern.Clarification{}, false
	}
	return quern.Clarification{Question: because + " Ask for rows, counts or sums of " + names(r.whole.Schema) + " instead."}, true
}

// isRecorded reports whether a column holds reasons or guesses, by its name.
func (r *reader) isRecorded() bool {
	for _, c := range r.whole.Columns {
		if slices.ContainsFunc(c.Words, english.Recorded.Has) {
			return true
		}
	}
	return false
}

// missing says that nothing answers to a word, and what can be answered without it.
func (r *reader) missing(word string, all []*candidate) quern.Clarification {
	c := quern.Clarification{Question: fmt.Sprintf("I found nothing in the data for %q.", word), Choices: r.choices(all, nil, mostChoices)}
	if len(c.Choices) > 0 {
		c.Question += " Without it I can answer these:"
		return c
	}
	c.Question += " The datasets here are " + names(r.whole.Schema) + "; ask with their columns or values in them."
	return c
}
