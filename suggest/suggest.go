// Package suggest owns what a namespace offers to whoever opens it: questions to try,
// and for those who may teach, what may be taught.
//
// It never saves anything, and offers a question only after it was asked as the caller
// and found what it was meant to find. The failure it is built around is the offer that
// fails: what is not sure, or finds nothing, is left out.
package suggest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/ask"
	"quern/catalog"
	"quern/knowledge"
	"quern/nlq/schema"
	"quern/propose"
	"quern/propose/prompt"
	"quern/query"
	"quern/store"
)

const (
	// mostQuestions is how many questions are offered.
	mostQuestions = 10
	// mostTried is how many are tried for them.
	mostTried = 60
	// longest is how long that may take.
	longest = 5 * time.Second
	// atOnce is how many namespaces are looked at at the same time.
	atOnce = 2
	// mostKept is how many suggestions are kept.
	mostKept = 256
	// mostDatasets is how many datasets of a namespace are looked at.
	mostDatasets = 50
	// again is how long suggestions are kept that a model should have been asked for
	// and did not answer.
	again = time.Minute
)

// Options says what a Service works with.
type Options struct {
	Store     *store.Store
	Catalog   *catalog.Service
	Knowledge *knowledge.Service
	Schemas   schema.Source
	Query     *query.Service
	Models    ask.Models
	// Asked finds the model that is asked about datasets that nobody has described;
	// nil: rules alone propose.
	Asked Asked
	Now   func() time.Time
	Log   *slog.Logger // nil: slog.Default()
}

// Service suggests.
type Service struct {
	o     Options
	slots chan struct{}

	mu      sync.Mutex
	kept    map[string]keptSuggestions
	answers map[string]prompt.Proposal // of the model, by what it was asked about
}

// keptSuggestions are suggestions and when they are made anew; zero: when something changes.
type keptSuggestions struct {
	*Suggestions
	until time.Time
}

// New makes a Service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{o: o, slots: make(chan struct{}, atOnce), kept: map[string]keptSuggestions{}, answers: map[string]prompt.Proposal{}}
}

// Making is how many namespaces are looked through, and how many may be at once.
func (s *Service) Making() quern.Room { return quern.Places(s.slots) }

// Kept is how many suggestions, and answers of a model to them, are kept.
func (s *Service) Kept() (suggestions, answers quern.Room) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return quern.Room{Taken: int64(len(s.kept)), Limit: mostKept}, quern.Room{Taken: int64(len(s.answers)), Limit: mostKept}
}

// Suggestions are what may be asked and taught.
type Suggestions struct {
	Questions   []Question
	Definitions []Definition
	Proposals   []Proposal
	Notes       []string // what somebody who may teach should know of them
}

// Question is a question to try, which has been run.
type Question struct {
	Text, Query string
	Rows        int
}

// Who proposes something.
const (
	ByRules    = "rules"
	ByVerified = "verified"
	ByModel    = "model"
)

// Definition is a definition that is proposed for a dataset that has none.
type Definition struct {
	Dataset, By string
	quern.InferDefinition
}

// Proposal is entries that may be taught.
type Proposal struct {
	By     string
	Used   bool // questions are read with them already
	Reason string
	knowledge.Document
}

// Suggestions returns what may be asked and taught about a namespace, as the principal
// sees it. It is kept until something of that changes.
func (s *Service) Suggestions(ctx context.Context, p quern.Principal, in quern.NamespacePath) (*Suggestions, error) {
	seen, err := s.look(ctx, p, in)
	if err != nil {
		return nil, err
	}
	if known := s.known(seen.key); known != nil {
		return known, nil
	}
	whole, err := s.o.Schemas.Schema(ctx, p, seen.in, "", nil)
	if err != nil {
		return nil, err
	}
	// A model takes its time: nobody waits for a place meanwhile.
	asked, err := s.ask(ctx, p, seen, whole)
	if err != nil {
		return nil, err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if known := s.known(seen.key); known != nil { // somebody else was faster
		return known, nil
	}
	made, err := s.make(ctx, p, seen, whole, asked)
	if err != nil {
		return nil, err
	}
	kept := keptSuggestions{Suggestions: made}
	if asked.note != "" {
		kept.until = s.o.Now().Add(again)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= mostKept {
		s.kept = map[string]keptSuggestions{} // the next callers fill it again
	}
	s.kept[seen.key] = kept
	return made, nil
}

func (s *Service) known(key string) *Suggestions {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.kept[key]
	if !kept.until.IsZero() && s.o.Now().After(kept.until) {
		return nil
	}
	return kept.Suggestions
}

// scene is a namespace as a principal sees it.
type scene struct {
	in       quern.NamespacePath
	standing catalog.Standing
	current  knowledge.Current
	key      string // tells states apart
}

func (s *Service) look(ctx context.Context, p quern.Principal, in quern.NamespacePath) (*scene, error) {
	made := &scene{}
	err := s.o.Store.View(ctx, func(tx *store.Tx) (err error) {
		made.standing, err = s.o.Catalog.Standing(ctx, tx, p, in, mostDatasets)
		return err
	})
	if err != nil {
		return nil, err
	}
	made.in = quern.NamespacePath{Owner: made.standing.Namespace.Owner, Namespace: made.standing.Namespace.Name}
	if made.current, err = s.o.Knowledge.Read(ctx, p, made.in); err != nil {
		return nil, err
	}
	var key strings.Builder
	fmt.Fprintf(&key, "%s %d %v", made.standing.Namespace.ID, made.current.Version, made.standing.Role)
	for _, d := range made.standing.Datasets {
		text := ""
		if d.Definition.DataDescription != nil {
			text = *d.Definition.DataDescription
		}
		fmt.Fprintf(&key, "\n%s %d %v %q %q %q", d.ID, d.Version, d.Role, d.Name, text, d.Definition.SchemaDefinition)
	}
	made.key = key.String()
	return made, nil
}

// mayEdit reports whether the principal may write about a dataset.
func (s *scene) mayEdit(dataset string) bool {
	return slices.ContainsFunc(s.standing.Datasets, func(d catalog.StandingDataset) bool {
		return quern.NameKey(d.Name) == quern.NameKey(dataset) && (d.Role.AtLeast(quern.Editor) || s.standing.Role.AtLeast(quern.Editor))
	})
}

func (s *Service) make(ctx context.Context, p quern.Principal, in *scene, whole *schema.Schema, of said) (*Suggestions, error) {
	made := &Suggestions{Questions: []Question{}, Definitions: []Definition{}, Proposals: []Proposal{}}
	for i, t := range whole.Tables {
		if i == mostDatasets {
			break
		}
		if in.mayEdit(t.Path.Dataset) {
			made.propose(in, whole.Sample(i), of)
		}
	}
	if of.note != "" {
		made.Notes = append(made.Notes, of.note)
	}
	for _, found := range whole.Proposals() {
		if slices.ContainsFunc(found.About(), func(name string) bool { return !in.mayEdit(name) }) {
			continue
		}
		made.Proposals = append(made.Proposals, Proposal{ByVerified, found.Used, fmt.Sprintf("the verified question %q shows it", found.From), found.Document})
	}
	var err error
	made.Questions, err = s.questions(ctx, p, in, whole)
	return made, err
}

// propose adds what rules, and the model that was asked, propose for a dataset.
func (s *Suggestions) propose(in *scene, d propose.Dataset, of said) {
	has, known := in.definition(d.Name)
	if !known {
		return
	}
	answer, asked := of.by[quern.NameKey(d.Name)]
	if has.DataDescription == nil && len(has.SchemaDefinition) == 0 {
		made := Definition{d.Name, ByRules, propose.Definition(d)}
		if asked {
			made = Definition{d.Name, ByModel, answer.InferDefinition}
		}
		s.Definitions = append(s.Definitions, made)
	}
	rules := propose.Knowledge(d)
	for _, one := range split(rules) {
		if !in.teaches(one.Document) {
			s.Proposals = append(s.Proposals, one)
		}
	}
	s.Proposals = append(s.Proposals, splitModel(answer.Knowledge, of.model, func(d knowledge.Document) bool {
		return in.teaches(d) || names(&rules, d)
	})...)
}

// definition returns what was saved about a dataset; ok is false when it is not there.
func (s *scene) definition(dataset string) (d quern.InferDefinition, ok bool) {
	at := slices.IndexFunc(s.standing.Datasets, func(other catalog.StandingDataset) bool { return other.Name == dataset })
	if at < 0 {
		return d, false
	}
	return s.standing.Datasets[at].Definition, true
}

// teaches reports whether what is taught has an entry in the place of one that is
// proposed.
func (s *scene) teaches(d knowledge.Document) bool {
	own := &s.current.Document
	return names(own, d) || slices.ContainsFunc(d.Datasets, func(of knowledge.Dataset) bool {
		return slices.ContainsFunc(own.Datasets, func(has knowledge.Dataset) bool { return quern.NameKey(has.Dataset) == quern.NameKey(of.Dataset) })
	})
}

// names reports whether a document has an entry under a name of those of another.
func names(own *knowledge.Document, d knowledge.Document) bool {
	return slices.ContainsFunc(d.Measures, func(m knowledge.Measure) bool { return own.Names(m.Dataset, append([]string{m.Name}, m.Words...)) }) ||
		slices.ContainsFunc(d.Words, func(w knowledge.Word) bool { return own.Names("", []string{w.Word}) })
}

// split makes a proposal of each thing that rules propose.
func split(d knowledge.Document) []Proposal {
	var all []Proposal
	for _, m := range d.Measures {
		reason := fmt.Sprintf("a sum of %s makes no sense", m.Name)
		if len(m.Never) == 0 {
			reason = fmt.Sprintf("%s is what a row is worth", m.Expression)
		}
		all = append(all, Proposal{ByRules, true, reason, knowledge.Document{Measures: []knowledge.Measure{m}}})
	}
	for _, of := range d.Datasets {
		all = append(all, Proposal{ByRules, false, "no other column can be meant", knowledge.Document{Datasets: []knowledge.Dataset{of}}})
	}
	if len(d.Words) > 0 {
		all = append(all, Proposal{ByRules, true, "the values are codes of countries", knowledge.Document{Words: d.Words}})
	}
	return all
}
