package embedded

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/plain"
	"quern/nlq/schema"
	"quern/tree"
)

// outOfScope reports whether the question is about what is taught not to be
// answered, and says what is to be said.
func (r *reader) outOfScope() (quern.Clarification, bool) {
	if r.Whole.Taught == nil {
		return quern.Clarification{}, false
	}
	for _, t := range r.Whole.Taught.OutOfScope {
		about := func(word string) bool { return schema.Says(r.Question.Text, word) }
		if !about(t.Topic) && !slices.ContainsFunc(t.Words, about) {
			continue
		}
		answer := t.Answer
		if answer == "" {
			answer = fmt.Sprintf("Questions about %s are not answered here.", t.Topic)
		}
		return quern.Clarification{Question: answer}, true
	}
	return quern.Clarification{}, false
}

// askMeaning asks back which of several things is meant that a word of the question
// is taught to mean, and says of the word what it may mean.
func (r *reader) askMeaning() (quern.Clarification, quern.Word, bool) {
	if r.Whole.Taught == nil {
		return quern.Clarification{}, quern.Word{}, false
	}
	for word, means := range r.Whole.Taught.Unclear {
		if !schema.Says(r.Question.Text, word) {
			continue
		}
		c := quern.Clarification{Question: fmt.Sprintf("%q means several things here. Which do you mean?", word)}
		start, end := plain.WordIn(r.Question.Text, word)
		w := quern.Word{Text: r.Question.Text[start:end], State: quern.WordGuessed,
			Start: utf8.RuneCountInString(r.Question.Text[:start]), End: utf8.RuneCountInString(r.Question.Text[:end])}
		for _, m := range means {
			text := plain.ReplaceWord(r.Question.Text, word, r.meaningInWords(word, m))
			c.Choices = append(c.Choices, quern.Choice{Label: text, Question: text})
			w.Instead = append(w.Instead, quern.Meaning{Means: m, Question: text})
		}
		return c, w, true
	}
	return quern.Clarification{}, quern.Word{}, false
}

// meaningInWords returns what else one of the meanings of a word is called.
func (r *reader) meaningInWords(word, means string) string {
	target, value, isValue := strings.Cut(means, " = ")
	dataset, column := knowledge.Column(target)
	for _, t := range r.Whole.Tables {
		if !tree.SameName(t.Path.Dataset, dataset) {
			continue
		}
		if column == "" {
			return strings.Join(t.Words, " ")
		}
		for _, c := range r.Whole.Columns[t.First : t.First+t.Len] {
			switch name := strings.Join(c.Words, " "); {
			case !tree.SameName(c.Name, column):
			case isValue:
				return name + " " + value
			case !strings.EqualFold(name, word):
				return name
			}
		}
		return strings.Join(t.Words, " ") + " " + word
	}
	return means
}

// mergeUsed returns the sentences of two lists, each once.
func mergeUsed(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// noteWords says which taught words of the question the answer was read with.
func (r *reader) noteWords(t *nlq.Translation) {
	if t.Query == nil {
		return
	}
	note := func(w knowledge.Word, why string) {
		if !schema.Says(r.Question.Text, w.Word) || !r.reads(t.Query, w) {
			return
		}
		means := w.Means
		if w.Value != nil {
			means += " " + *w.Value
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%q means %s here%s.", w.Word, means, why))
	}
	if r.Whole.Taught != nil {
		for _, w := range r.Whole.Taught.WordsIn(schema.StemsOf(r.Question.Text)) {
			note(w, "")
		}
	}
	for _, g := range r.Whole.Guesses {
		note(g.Word, ", "+g.Why)
	}
}

// reads reports whether a query has to do with what a word means.
func (r *reader) reads(q *tree.Query, w knowledge.Word) bool {
	dataset, column := knowledge.Column(w.Means)
	found := false
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil || !slices.ContainsFunc(q.Select.From, func(s tree.Source) bool { return tree.SameName(s.Dataset.Dataset, dataset) }) {
			return
		}
		found = found || column == ""
		tree.EachColumn(q, func(c tree.Column) { found = found || tree.SameName(c.Name, column) })
	})
	return found
}
