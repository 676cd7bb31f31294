// Package embedded owns the translator that needs no service: what it sees of a
// namespace, how likely readings of a question are, and when to ask back.
//
//	question ─► schema ─► features ─► networks ─► readings ─► run ─► judge ─► answer
//	   │      └─ of "them": as a question of its own, of the rows before
//	   └─ follow-up ─► previous query, changed ─────────────────────┘   └──► ask back
//
// It runs readings only as the asker, and keeps of them what it offered, for who
// was offered it. The failure it is built around is the confident guess: how sure a reading is comes from what
// questions of other people taught, and below a threshold it asks back.
package embedded

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"quern"
	"quern/nlq"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/model"
	"quern/nlq/net"
	"quern/nlq/schema"
	"quern/nlq/sign"
	"quern/nlq/vector"
	"quern/query"
	"quern/tree"
)

const (
	// MaxQuestion is the most characters of a question.
	MaxQuestion = 10_000
	// maxWords is how many words of a question the networks see.
	maxWords = 120
	// maxColumns is how many columns of a namespace the networks see.
	maxColumns = 160
	// beam is how many readings are kept while reading.
	beam = 8
)

// Schemas gives a namespace as the asker sees it.
type Schemas interface {
	Schema(ctx context.Context, p quern.Principal, in quern.NamespacePath, dataset string) (*schema.Schema, error)
}

// Options says what a Translator works with.
type Options struct {
	Schemas Schemas
	Query   *query.Service
	Nets    net.Ensemble // nil: those of package model
}

// Translator is the embedded translator. It is safe for concurrent use.
type Translator struct {
	Options
	vectors   *vector.Table
	judgement *judgement
	offers    offers
	slots     chan struct{} // one for each question in work
}

// New makes a Translator. It fails when what it learned is not of this build.
func New(o Options) (*Translator, error) {
	t := &Translator{Options: o, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	var err error
	if t.vectors, err = model.Vectors(); err != nil {
		return nil, err
	}
	if t.judgement, err = loadJudgement(model.Judgement); err != nil {
		return nil, err
	}
	if t.Nets == nil {
		t.Nets, err = model.Nets()
	}
	return t, err
}

// Translate reads a question as the principal; see nlq.Translator.
func (t *Translator) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	q.Text = strings.TrimSpace(q.Text)
	switch {
	case q.Text == "":
		return nlq.Translation{}, quern.E(quern.Invalid, quern.CodeInvalid, "the question is empty")
	case utf8.RuneCountInString(q.Text) > MaxQuestion:
		return nlq.Translation{}, quern.E(quern.Invalid, quern.CodeInvalid, "the question is longer than %d characters", MaxQuestion)
	}
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	whole, err := t.Schemas.Schema(ctx, p, q.In, q.Dataset)
	if err != nil {
		return nlq.Translation{}, err
	}
	release, err := t.enter(ctx)
	if err != nil {
		return nlq.Translation{}, err
	}
	defer release()
	return t.reader(p, q, whole).read(ctx)
}

// enter waits for a place among the questions in work: reading keeps a core busy,
// and other requests need them too.
func (t *Translator) enter(ctx context.Context) (release func(), err error) {
	select {
	case t.slots <- struct{}{}:
		return func() { <-t.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// reader reads one question.
type reader struct {
	translator *Translator
	principal  quern.Principal
	question   nlq.Question
	whole      *schema.Schema
	schema     *schema.Schema // the part that the question may be about
	features   *feature.Features
	asked      *sign.Question // as signs see it
	among      *reference     // the rows that the question is about; nil: all
}

func (t *Translator) reader(p quern.Principal, q nlq.Question, whole *schema.Schema) *reader {
	return &reader{translator: t, principal: p, question: q, whole: whole, schema: whole}
}

func (r *reader) read(ctx context.Context) (nlq.Translation, error) {
	if !slices.ContainsFunc(r.schema.Tables, func(t schema.Table) bool { return t.Rows > 0 && t.Len > 0 }) {
		return ask(nothingThere(r.schema)), nil
	}
	if c, ok := r.offered(); ok {
		return r.translation(c, 1), nil
	}
	if followed := r.followed(); len(followed) == 1 {
		return r.translation(followed[0], followConfidence), nil
	} else if len(followed) > 1 {
		return ask(r.which(followed)), nil
	}
	if t, ok, err := r.referring(ctx); ok || err != nil {
		return t, err
	}
	return r.alone(ctx)
}

// alone reads a question that stands on its own, in parts where it has them.
func (r *reader) alone(ctx context.Context) (nlq.Translation, error) {
	if t, ok, err := r.shared(ctx); ok || err != nil {
		return t, err
	}
	if t, ok, err := r.periodic(ctx); ok || err != nil {
		return t, err
	}
	return r.standing(ctx)
}

// standing reads a question that one query of the networks answers.
func (r *reader) standing(ctx context.Context) (nlq.Translation, error) {
	r.look()
	if r.evidence() == none {
		return ask(r.unrelated()), nil
	}
	candidates, err := r.candidates(ctx)
	if err != nil {
		return nlq.Translation{}, err
	}
	if err := r.run(ctx, candidates); err != nil {
		return nlq.Translation{}, err
	}
	return r.choose(candidates), nil
}

// look narrows the schema to what the question may be about, and relates the two.
func (r *reader) look() {
	text, words, now := r.question.Text, r.translator.vectors, r.question.Now
	r.schema = feature.Narrow(r.schema, text, words, now, maxColumns)
	r.features = feature.Extract(r.schema, text, words, now)
	r.asked = sign.About(text, r.schema, r.features, words)
}

// candidates gives the readings that the networks find likeliest, each once.
func (r *reader) candidates(ctx context.Context) ([]*candidate, error) {
	in := input(r.schema, r.features, r.translator.vectors)
	hypotheses, err := r.translator.Nets.Likely(ctx, in, beam, leastShare)
	if err != nil {
		return nil, err
	}
	said := grammar.Question{Text: r.question.Text, Tokens: r.features.Tokens, Now: r.question.Now}
	var all []*candidate
	seen := map[string]*candidate{}
	for _, h := range hypotheses {
		tokens := r.truths(h.Tokens)
		reading, err := grammar.Build(r.schema, said, tokens)
		if err != nil || r.deniesUnasked(tokens) {
			continue
		}
		once(reading.Query)
		r.settle(reading.Query)
		if r.among != nil && !r.among.restrict(reading.Query) {
			continue
		}
		c, ok := r.candidate(reading.Query, reading.Score)
		if !ok {
			continue
		}
		c.logProb, c.tokens = h.LogProb, tokens
		if same := seen[c.sql]; same != nil {
			same.add(h.LogProb)
			continue
		}
		seen[c.sql] = c
		all = append(all, c)
	}
	return all, nil
}

// input gives features as the networks take them.
func input(s *schema.Schema, f *feature.Features, words *vector.Table) net.Input {
	n := min(len(f.Tokens), maxWords)
	in := net.Input{Words: f.WordIDs[:n], Kinds: f.Kinds[:n], TokenColumns: f.Columns[:n], TokenTables: f.Tables[:n]}
	related := feature.Relations(s)
	columns, tables := feature.NameIDs(s, words)
	for i, c := range s.Columns {
		in.Columns = append(in.Columns, net.Column{Words: columns[i], Type: related.Types[i], Flags: related.Flags[i], Table: c.Table})
	}
	in.Tables = tables
	for _, l := range s.Links {
		in.Links = append(in.Links, [2]int{l.From, l.To})
	}
	return in
}

// tables gives the schema as trees are held against it.
func (r *reader) tables() tree.Schema {
	all := tree.Schema{In: r.question.In}
	for _, t := range r.whole.Tables {
		table := tree.Table{Path: t.Path}
		for _, c := range r.whole.Columns[t.First : t.First+t.Len] {
			table.Columns = append(table.Columns, quern.Column{Name: c.Name, Type: c.Type})
		}
		all.Tables = append(all.Tables, table)
	}
	return all
}
