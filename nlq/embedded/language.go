package embedded

import (
	"fmt"

	"quern/english"
	"quern/nlq"
)

// tellLanguage says of a question in another language that it is in one: a question
// back says what to do, and rows are in doubt.
func tellLanguage(text string, t nlq.Translation) nlq.Translation {
	language := english.LanguageOf(text)
	switch {
	case language == "":
	case t.Clarification != nil:
		back := *t.Clarification
		back.Question = fmt.Sprintf("This question seems to be in %s, and I read English. Ask in English, or have a language model read it. %s",
			language, back.Question)
		t.Clarification = &back
	case t.Query != nil:
		t.Notes = append(t.Notes,
			fmt.Sprintf("This question seems to be in %s. I read English, and may have missed what some words mean.", language))
		t.Doubt = true
	}
	return t
}
