package account

import (
	"fmt"
	"unicode/utf8"

	"quern"
)

// Tell returns words with their places and states as people and programs see them.
// Words of which nothing is known and that are in no doubt say nothing of the data,
// and are left out.
func (t Text) Tell(words []Word, states []quern.WordState) []quern.Word {
	var all []quern.Word
	for i, w := range words {
		if w.Use == Lost && states[i] == quern.WordMatched {
			continue
		}
		text, start := t.textAt(w)
		first := utf8.RuneCountInString(t.Text[:start])
		told := quern.Word{Start: first, End: first + utf8.RuneCountInString(text), Text: text, State: states[i]}
		if states[i] != quern.WordUnknown {
			told.Means = w.Means
		}
		if states[i] != quern.WordMatched {
			told.Instead = t.Instead(w)
		}
		all = append(all, told)
	}
	return all
}

// Said returns a word as it is written.
func (t Text) Said(w Word) string {
	text, _ := t.textAt(w)
	return text
}

// textAt returns a word as it is written, and where it begins.
func (t Text) textAt(w Word) (text string, start int) {
	start = t.Features.Tokens[w.First].Start
	return t.Text[start:t.Features.Tokens[w.Last].End], start
}

// Note says in a sentence what a word was taken for that it does not name.
func (t Text) Note(w Word) string {
	text := t.Said(w)
	switch {
	case w.Strict:
		return fmt.Sprintf("I left %q out: the rows are without it.", text)
	case w.Use == Left:
		return fmt.Sprintf("I left %q out, though it may mean %s.", text, w.Means)
	case w.Means == "":
		return fmt.Sprintf("I am not sure that anything in the data answers to %q.", text)
	}
	return fmt.Sprintf("I read %q as %s.", text, w.Means)
}

// Trust returns the words of a reading that others vouch for, and a note for each
// that asks for what the reading does not do.
func (t Text) Trust(r Reading) (words []quern.Word, notes []string) {
	all := t.Of(r)
	states := make([]quern.WordState, len(all))
	for i, w := range all {
		states[i] = quern.WordMatched
		if w.Strict {
			states[i] = quern.WordGuessed
			notes = append(notes, t.Note(w))
		}
	}
	return t.Tell(all, states), notes
}
