// Package embedded owns the translator that needs no service: which readings of a
// question are likely, which of them is right, and when to ask back.
//
//	question ─► an offered reading, a follow-up (package follow) ──────────┐
//	    │ of "them": its pronouns resolved, its readings held to those rows │
//	    └─► schema ─► features ─► networks ─► readings ─► run ─► rank ─► answer
//	         read.go             propose.go         execute.go  choose.go └─► ask back (clarify.go)
//
// It runs readings only as the asker, and keeps of them what it offered, for
// whoever it was offered to. The failure it is built around is the confident guess:
// how sure a reading is comes from what questions of other people taught, and below
// a threshold it asks back.
package embedded

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/encoder"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/model"
	"quern/nlq/net"
	"quern/nlq/schema"
	"quern/nlq/spell"
	"quern/nlq/vector"
	"quern/query"
)

// Doubter tells which words of a question nothing in the data answers to; see
// package net.
type Doubter interface {
	Doubts(ctx context.Context, in net.Input) ([]float64, error)
}

// Encoder makes vectors of words and names that networks read; see package encoder.
type Encoder interface {
	Names(ctx context.Context, texts []encoder.Text) ([]encoder.Name, error)
	Encode(ctx context.Context, words []string, names []encoder.Name) ([]float32, error)
}

// Options says what a Translator works with.
type Options struct {
	Schemas schema.Source
	Query   *query.Service
	Nets    net.Ensemble       // nil: those of package model
	Encoder Encoder            // that Nets read; nil with nil Nets: that of package model
	Ranker  Ranker             // nil: what package model learned
	Doubter Doubter            // nil: one of Nets; where none of them tells, no word is in doubt
	Without []ground.Mechanism // that are left out, to measure what they are worth
}

// Translator is the embedded translator. It is safe for concurrent use.
type Translator struct {
	Options
	vectors      *vector.Table
	spelling     func() *spell.Words
	calibrations calibrations
	offers       offers
	patterns     patterns
	slots        chan struct{} // one for each question in work
	// learn reads the word vectors, and the networks of this build where none were given,
	// at the first question: a server that nobody asks does without.
	learn func() error
}

// New makes a Translator.
func New(o Options) (*Translator, error) {
	t := &Translator{Options: o, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	t.learn = sync.OnceValue(t.load)
	t.spelling = sync.OnceValue(func() *spell.Words { return spell.New(english.Asked(), t.vectors.Words()) })
	var err error
	if t.calibrations, err = loadCalibrations(model.Calibration); err != nil {
		return nil, err
	}
	if t.Ranker == nil {
		if t.Ranker, err = loadRanker(model.Judgement); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// load reads what was learned. It fails when that is not of this build.
func (t *Translator) load() (err error) {
	if t.vectors, err = model.Vectors(); err != nil || t.Nets != nil {
		return err
	}
	return t.useShipped()
}

// useShipped takes the networks of this build.
func (t *Translator) useShipped() error {
	shipped, err := model.Shipped()
	if err != nil {
		return err
	}
	t.Nets = shipped.Nets
	if shipped.Encoder != nil && t.Encoder == nil {
		t.Encoder = shipped.Encoder
	}
	if _, tells := t.Nets.Doubter(); !tells && t.Doubter == nil {
		t.Doubter, err = model.Doubter()
	}
	return err
}

// Translate reads a question as the principal; see nlq.Translator.
func (t *Translator) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	asked := q.Text
	q.Text = strings.TrimSpace(q.Text)
	switch {
	case q.Text == "":
		return nlq.Translation{}, quern.E(quern.Invalid, quern.CodeInvalid, "the question is empty")
	case utf8.RuneCountInString(q.Text) > quern.MaxQuestion:
		return nlq.Translation{}, quern.E(quern.Invalid, quern.CodeInvalid, "the question is longer than %d characters", quern.MaxQuestion)
	}
	r, release, err := t.open(ctx, p, q)
	if err != nil {
		return nlq.Translation{}, err
	}
	defer release()
	read, err := r.read(ctx)
	shift(read.Words, asked)
	read.Units = r.Whole.Units(read.Query)
	return tellLanguage(q.Text, read), err
}

// open prepares the reading of a question. The caller calls release.
func (t *Translator) open(ctx context.Context, p quern.Principal, q nlq.Question) (r *reader, release func(), err error) {
	if err := t.learn(); err != nil {
		return nil, nil, err
	}
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	whole, err := t.Schemas.Schema(ctx, p, q.In, q.Dataset, feature.About(q.Text, t.vectors, q.Now, maxColumns))
	if err != nil {
		return nil, nil, err
	}
	if release, err = t.enter(ctx); err != nil {
		return nil, nil, err
	}
	spoken := q.Text
	if q.Previous != nil {
		spoken = strings.Join(append(slices.Clone(q.Previous.Said), q.Text), separator)
	}
	whole = whole.Learned(q.Without).ChooseLinks(q.Text).WithoutRoles(spoken).WithSources(query.NamedSourceColumns(q.Text), t.sourceValues(ctx, p))
	view := schema.View{Schema: whole, In: q.In}
	asked := &ground.Asked{Question: q, Whole: view, Vectors: t.vectors, Without: t.Without}
	return &reader{Translator: t, Asked: asked, principal: p, known: schema.View{Schema: view.Real(), In: q.In}.Tree()}, release, nil
}

// sourceValues returns what tells where the rows of datasets were read from. What cannot
// be read is left out: the question is then read without it.
func (t *Translator) sourceValues(ctx context.Context, p quern.Principal) func(quern.DatasetPath, quern.Column) []string {
	return func(path quern.DatasetPath, c quern.Column) []string {
		values, err := t.Query.SourceValues(ctx, p, path, c)
		if err != nil {
			return nil
		}
		return values
	}
}

// Reading is how many questions are read, and how many may be at once.
func (t *Translator) Reading() quern.Room { return quern.Places(t.slots) }

// Kept is how many readings that were offered, and wordings taken apart, are kept.
func (t *Translator) Kept() (offers, patterns quern.Room) {
	t.offers.mu.Lock()
	offers = quern.Room{Taken: int64(len(t.offers.kept)), Limit: mostOffers}
	t.offers.mu.Unlock()
	t.patterns.mu.Lock()
	defer t.patterns.mu.Unlock()
	return offers, quern.Room{Taken: int64(len(t.patterns.all)), Limit: mostPatterns}
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

// Readings returns the readings of a question that stands on its own and ran, with
// what speaks for and against each, for training.
func (t *Translator) Readings(ctx context.Context, p quern.Principal, q nlq.Question) ([]Reading, error) {
	r, release, err := t.open(ctx, p, q)
	if err != nil {
		return nil, err
	}
	defer release()
	g := r.ground(ground.Wording{Text: q.Text})
	all, err := g.propose(ctx)
	if err != nil {
		return nil, err
	}
	var ran []*candidate
	for _, c := range all {
		if c.outcome != nil {
			ran = append(ran, c)
		}
	}
	return g.readings(ran, all), nil
}

// Trial returns the answer that a question which stands on its own, or goes on from
// those before it, would get if nothing were held against it, and what speaks against
// it, for the fitting of doubt; nil when it is asked back before.
func (t *Translator) Trial(ctx context.Context, p quern.Principal, q nlq.Question) (*Trial, error) {
	r, release, err := t.open(ctx, p, q)
	if err != nil {
		return nil, err
	}
	defer release()
	if joined, err := r.tryTogether(ctx); joined != nil || err != nil {
		return joined.shown(), err
	}
	g := r.ground(ground.Wording{Text: q.Text})
	all, err := g.propose(ctx)
	if err != nil || g.evidence() == noEvidence && !g.isUnderstood() {
		return nil, err
	}
	made, _, err := g.settle(ctx, all)
	if err != nil || made == nil {
		return nil, err
	}
	return g.show(made), nil
}
