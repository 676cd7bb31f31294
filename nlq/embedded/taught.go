package embedded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// outOfScope reports whether the question is about what is taught not to be
// answered, and says what is to be said.
func (r *reader) outOfScope() (quern.Clarification, bool) {
	if r.whole.Taught == nil {
		return quern.Clarification{}, false
	}
	for _, t := range r.whole.Taught.OutOfScope {
		about := func(word string) bool { return schema.Says(r.question.Text, word) }
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

// withoutLifts returns the question without the words that lift what always holds:
// nothing in the data answers to them.
func (r *reader) withoutLifts() string {
	text := r.question.Text
	for _, t := range r.whole.Tables {
		for _, rule := range t.Rules {
			for _, w := range rule.Lift {
				text = replaceWord(text, w, "")
			}
		}
	}
	return text
}

// askMeaning asks back which of several things is meant that a word of the question
// is taught to mean, and says of the word what it may mean.
func (r *reader) askMeaning() (quern.Clarification, quern.Word, bool) {
	if r.whole.Taught == nil {
		return quern.Clarification{}, quern.Word{}, false
	}
	for word, means := range r.whole.Taught.Unclear {
		if !schema.Says(r.question.Text, word) {
			continue
		}
		c := quern.Clarification{Question: fmt.Sprintf("%q means several things here. Which do you mean?", word)}
		start, end := wordIn(r.question.Text, word)
		w := quern.Word{Text: r.question.Text[start:end], State: quern.WordGuessed,
			Start: utf8.RuneCountInString(r.question.Text[:start]), End: utf8.RuneCountInString(r.question.Text[:end])}
		for _, m := range means {
			text := replaceWord(r.question.Text, word, r.meaningInWords(word, m))
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
	for _, t := range r.whole.Tables {
		if !tree.SameName(t.Path.Dataset, dataset) {
			continue
		}
		if column == "" {
			return strings.Join(t.Words, " ")
		}
		for _, c := range r.whole.Columns[t.First : t.First+t.Len] {
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

// replaceWord puts a text in the place of a word or phrase of another, in any form.
func replaceWord(text, word, by string) string {
	start, end := wordIn(text, word)
	if start == end {
		return text
	}
	return text[:start] + by + text[end:]
}

// wordIn returns where a word or phrase stands in a text, in any form; nowhere: 0, 0.
func wordIn(text, word string) (start, end int) {
	tokens, phrase := lex.Tokens(text), english.Stems(lex.Lower(lex.Tokens(word)))
	stems := english.Stems(lex.Lower(tokens))
	for i := 0; i+len(phrase) <= len(stems) && len(phrase) > 0; i++ {
		if slices.Equal(stems[i:i+len(phrase)], phrase) {
			return tokens[i].Start, tokens[i+len(phrase)-1].End
		}
	}
	return 0, 0
}

// settleAdjective turns the order of a reading round where the text has an adjective
// that is taught to mean the other end of the column.
func (g *grounding) settleAdjective(q *tree.Query) {
	if q.Select == nil || len(q.Order) == 0 {
		return
	}
	column, ok := q.Order[0].Expr.(tree.Column)
	if !ok {
		return
	}
	id, ok := g.view.ColumnOf(q.Select.From, column)
	if !ok {
		return
	}
	for _, a := range g.view.Columns[id].Adjectives {
		word, opposite := saysDegree(g.text, a.Word), saysDegree(g.text, a.Opposite)
		if word == opposite {
			continue
		}
		least := regexp.MustCompile(`(?i)\bleast\s+` + regexp.QuoteMeta(a.Word) + `\b`).MatchString(g.text)
		q.Order[0].Desc = (a.Highest == word) != least
	}
}

// saysDegree reports whether a text has an adjective in some degree.
func saysDegree(text, adjective string) bool {
	words := lex.Lower(lex.Tokens(text))
	return slices.ContainsFunc(english.Degrees(adjective), func(form string) bool { return slices.Contains(words, form) })
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
		if !schema.Says(r.question.Text, w.Word) || !r.reads(t.Query, w) {
			return
		}
		means := w.Means
		if w.Value != nil {
			means += " " + *w.Value
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%q means %s here%s.", w.Word, means, why))
	}
	if r.whole.Taught != nil {
		for _, w := range r.whole.Taught.WordsIn(schema.StemsOf(r.question.Text)) {
			note(w, "")
		}
	}
	for _, g := range r.whole.Guesses {
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
