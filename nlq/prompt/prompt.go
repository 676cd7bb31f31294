// Package prompt reads questions with a language model, and with the embedded
// translator when there is no model to be had.
//
//	question ─► what the asker sees, narrowed ─► a follow-up? ─► changed query
//	                                                └─► prompt ─► model ─► tree, or a question back
//
// It owns what a model is told of an asker's data, and the way back from its words
// to a query tree. It never runs what a model wrote: text becomes a tree that only
// reads, over datasets that the asker sees, or nothing. Where values are not to be
// sent, a prompt holds nothing that came out of a row. The failure it is built
// around is the model that was talked into something, by a row or by a name:
// whatever it answers, the tree is validated against the asker's schema.
package prompt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"quern"
	"quern/llm"
	"quern/nlq"
	"quern/nlq/account"
	"quern/nlq/feature"
	"quern/nlq/follow"
	"quern/nlq/grammar"
	"quern/tree"
)

const (
	mostSQL     = 20_000 // characters
	mostChoices = 4
	mostLabel   = 300
)

// How likely a model's reading is right. Models do not say, so that these are
// guesses at what they are on average: a reading that needed repair is worth less.
const (
	confident = 0.85
	repaired  = 0.7
)

// Options says what a Translator works with.
type Options struct {
	Model  llm.Model
	Source Source
	Values bool // whether values out of rows may be sent
}

// Translator reads questions with a language model.
type Translator struct{ o Options }

var _ nlq.Translator = (*Translator)(nil)

// New makes a Translator.
func New(o Options) *Translator { return &Translator{o} }

// Translate returns the previous query as a follow-up changes it, where it can be
// understood in one way only. Otherwise it asks the model for a query, and once
// more when the first is none that can run.
func (t *Translator) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	if err := check(q.Text); err != nil {
		return nlq.Translation{}, err
	}
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	b, err := t.o.Source.Brief(ctx, p, q)
	if err != nil {
		return nlq.Translation{}, err
	}
	if changed, ok := b.followUp(q); ok {
		return t.account(b, q, changed), nil
	}
	fence := llm.NewFence()
	request, err := newRequest(fence, b, q, t.o.Values)
	if err != nil {
		return nlq.Translation{}, err
	}
	request.For = p.User.ID
	got, err := Repaired(ctx, t.o.Model, Try{request, fence}, b.read)
	if err == nil && got.Again {
		got.Value.Confidence = min(got.Value.Confidence, repaired)
	}
	return t.account(b, q, got.Value), err
}

// account returns a reading with what it did with the words of its question, and in
// doubt where it leaves out what they ask for.
func (t *Translator) account(b *Brief, q nlq.Question, read nlq.Translation) nlq.Translation {
	if read.Query == nil {
		return read
	}
	text := account.Text{Text: q.Text, View: b.told, Features: b.features}
	if b.text != q.Text {
		text.Features = feature.Extract(b.told.Schema, q.Text, t.o.Source.Words, q.Now)
	}
	read.Units = b.told.Units(read.Query)
	words, notes := text.Trust(account.Reading{Query: read.Query, Score: read.Score})
	read.Words, read.Notes, read.Doubt = words, append(read.Notes, notes...), len(notes) > 0
	return read
}

// check refuses what is no question.
func check(text string) error {
	wrong := quern.E(quern.Invalid, quern.CodeInvalid, "the question is not valid")
	switch {
	case strings.TrimSpace(text) == "":
		return wrong.With(quern.SubError{Code: "minLength", Field: "query", Message: "query: a question is needed"})
	case utf8.RuneCountInString(text) > quern.MaxQuestion:
		return wrong.With(quern.SubError{
			Code: "maxLength", Field: "query", Message: fmt.Sprintf("query: at most %d characters", quern.MaxQuestion),
		})
	}
	return nil
}

// followUp returns the previous query as the question changes it; ok is false when
// it is no follow-up, or one that can be understood in several ways or is in doubt.
func (b *Brief) followUp(q nlq.Question) (nlq.Translation, bool) {
	if q.Previous == nil {
		return nlq.Translation{}, false
	}
	change := follow.Edit(b.view, *q.Previous, q.Text, q.Now)
	if len(change.Queries) != 1 || len(change.Doubts) > 0 {
		return nlq.Translation{}, false
	}
	query := change.Queries[0]
	sql, err := grammar.SQL(b.view.Schema, query)
	if err != nil {
		return nlq.Translation{}, false
	}
	return nlq.Translation{
		Query: query, SQL: sql, Reading: tree.English(query), Confidence: follow.Confidence, Score: change.Score,
	}, true
}

// answer is what a model wrote.
type answer struct {
	Kind     string
	SQL      string
	Question string
	Choices  []struct{ Label, SQL string }
}

// read makes a translation of a model's words.
func (b *Brief) read(text string) (nlq.Translation, error) {
	a, err := Decode[answer](text)
	if err != nil {
		return nlq.Translation{}, err
	}
	switch a.Kind {
	case "query":
		q, sql, err := b.Query(a.SQL)
		if err != nil {
			return nlq.Translation{}, err
		}
		return nlq.Translation{Query: q, SQL: sql, Reading: tree.English(q), Confidence: confident, Score: 1}, nil
	case "clarify":
		return b.clarify(a)
	}
	return nlq.Translation{}, errors.New(`"kind" is neither "query" nor "clarify"`)
}

// clarify keeps of the readings that a model offers those that could run.
func (b *Brief) clarify(a answer) (nlq.Translation, error) {
	if strings.TrimSpace(a.Question) == "" {
		return nlq.Translation{}, errors.New(`"question" is empty`)
	}
	c := &quern.Clarification{Question: OneLine(a.Question, mostLabel), Choices: []quern.Choice{}}
	var wrong error
	for _, choice := range a.Choices {
		q, _, err := b.Query(choice.SQL)
		if err != nil {
			wrong = err
			continue
		}
		printed, err := tree.Print(q)
		label := OneLine(choice.Label, mostLabel)
		if err == nil && label != "" && len(c.Choices) < mostChoices {
			c.Choices = append(c.Choices, quern.Choice{Label: label, Question: label, Query: printed})
		}
	}
	if len(a.Choices) > 0 && len(c.Choices) == 0 {
		return nlq.Translation{}, fmt.Errorf("none of the choices can run: %w", wrong)
	}
	return nlq.Translation{Clarification: c, Score: 1}, nil
}

// OneLine returns a model's text as one line of at most so many characters.
func OneLine(text string, most int) string {
	return quern.Clip(strings.Join(strings.Fields(text), " "), most)
}

// Query makes a tree of SQL that somebody else wrote: it parses within the subset,
// its datasets are those of the asker, and its columns and types fit. The error
// says what is wrong, in the terms of what the asker sees.
func (b *Brief) Query(sql string) (*tree.Query, string, error) {
	if len(sql) > mostSQL {
		return nil, "", errors.New("the query is too long")
	}
	q, err := tree.Parse(sql)
	if err != nil {
		return nil, "", err
	}
	if err := tree.Resolve(q, b.known, b.view.TreeLinks()); err != nil {
		return nil, "", err
	}
	if err := tree.Validate(q, b.known); err != nil {
		return nil, "", err
	}
	printed, err := tree.SQL(q)
	return q, printed, err
}
