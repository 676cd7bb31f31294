// Package nlqtest is what tests of and above translators stand on.
//
// Script is a translator for tests of what stands on translators. It reads questions
// that it was taught, word by word, and everything else it asks back about. Its
// readings are real trees, resolved and validated against the asker's own view of the
// catalog.
//
// House is the embedded translator itself over small data, for tests of the rules that it
// goes by: what counts is the answer. Data that rules of several packages are tested with
// are made here, in a file each: their people, places and numbers are made up.
package nlqtest

import (
	"context"
	"strings"
	"sync"

	"quern"
	"quern/catalog"
	"quern/nlq"
	"quern/tree"
)

// Script is a translator that knows questions by heart.
type Script struct {
	catalog *catalog.Service

	mu    sync.Mutex
	known map[string]string
	words map[string][]quern.Word
	score float64
	asked []nlq.Question
}

var _ nlq.Translator = (*Script)(nil)

// NewScript makes a translator that knows nothing yet.
func NewScript(c *catalog.Service) *Script {
	return &Script{catalog: c, known: map[string]string{}, words: map[string][]quern.Word{}, score: 1}
}

// Knows teaches it a question: the SQL that it reads it as, or after a "?" the
// readings that it asks back with, one on a line.
func (s *Script) Knows(question, sql string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[question] = sql
}

// Scores sets how well the values of its readings match; 1 is exactly.
func (s *Script) Scores(score float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.score = score
}

// Accounts sets what it says of the words of a question. It doubts its reading
// unless all are matched, with a note for each that is not.
func (s *Script) Accounts(question string, words ...quern.Word) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.words[question] = words
}

// account returns a reading with what was set of the words of its question.
func (s *Script) account(question string, t nlq.Translation) nlq.Translation {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Words = s.words[question]
	for _, w := range t.Words {
		if w.State != quern.WordMatched {
			t.Doubt, t.Notes = true, append(t.Notes, w.Text+" is "+string(w.State))
		}
	}
	return t
}

// Asked returns the questions that it was asked.
func (s *Script) Asked() []nlq.Question {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]nlq.Question(nil), s.asked...)
}

func (s *Script) reading(q nlq.Question) (text string, score float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q)
	text, ok = s.known[q.Text]
	return text, s.score, ok
}

// Translate reads a question.
func (s *Script) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	if _, err := s.catalog.Namespace(ctx, p, q.In); err != nil {
		return nlq.Translation{}, err
	}
	text, score, ok := s.reading(q)
	if !ok {
		return nlq.Translation{Clarification: &quern.Clarification{Question: "The data say nothing about that.", Choices: []quern.Choice{}}}, nil
	}
	if choices, back := strings.CutPrefix(text, "?"); back {
		c, err := s.back(ctx, p, q.In, choices)
		return s.account(q.Text, nlq.Translation{Clarification: c}), err
	}
	read, err := s.read(ctx, p, q.In, text)
	if err != nil {
		return nlq.Translation{}, err
	}
	sql, err := tree.SQL(read)
	return s.account(q.Text, nlq.Translation{Query: read, SQL: sql, Reading: tree.English(read), Confidence: 1, Score: score}), err
}

func (s *Script) back(ctx context.Context, p quern.Principal, in quern.NamespacePath, choices string) (*quern.Clarification, error) {
	c := &quern.Clarification{Question: "What do you mean?"}
	for line := range strings.Lines(choices) {
		read, err := s.read(ctx, p, in, line)
		if err != nil {
			return nil, err
		}
		printed, err := tree.Print(read)
		if err != nil {
			return nil, err
		}
		c.Choices = append(c.Choices, quern.Choice{Label: tree.English(read), Question: "again: " + tree.English(read), Query: printed})
	}
	return c, nil
}

func (s *Script) read(ctx context.Context, p quern.Principal, in quern.NamespacePath, sql string) (*tree.Query, error) {
	q, err := tree.Parse(strings.TrimSpace(sql))
	if err != nil {
		return nil, err
	}
	if in.Owner == quern.Self {
		in.Owner = p.User.Username
	}
	schema := tree.Schema{In: in, Find: func(path quern.DatasetPath) (tree.Table, bool) {
		d, err := s.catalog.Dataset(ctx, p, path, catalog.Read)
		return tree.Table{Path: d.Path(), Columns: catalog.Columns(d)}, err == nil
	}}
	if err := tree.Resolve(q, schema, nil); err != nil {
		return nil, err
	}
	return q, tree.Validate(q, schema)
}
