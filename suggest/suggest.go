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
)

// Options says what a Service works with.
type Options struct {
	Store     *store.Store
	Catalog   *catalog.Service
	Knowledge *knowledge.Service
	Schemas   schema.Source
	Query     *query.Service
	Models    ask.Models
	Now       func() time.Time
}

// Service suggests.
type Service struct {
	o     Options
	slots chan struct{}

	mu   sync.Mutex
	kept map[string]*Suggestions
}

// New makes a Service.
func New(o Options) *Service {
	return &Service{o: o, slots: make(chan struct{}, atOnce), kept: map[string]*Suggestions{}}
}

// Suggestions are what may be asked and taught.
type Suggestions struct {
	Questions   []Question
	Definitions []Definition
	Proposals   []Proposal
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
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if known := s.known(seen.key); known != nil { // somebody else was faster
		return known, nil
	}
	made, err := s.make(ctx, p, seen)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= mostKept {
		s.kept = map[string]*Suggestions{} // the next callers fill it again
	}
	s.kept[seen.key] = made
	return made, nil
}

func (s *Service) known(key string) *Suggestions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[key]
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

func (s *Service) make(ctx context.Context, p quern.Principal, in *scene) (*Suggestions, error) {
	whole, err := s.o.Schemas.Schema(ctx, p, in.in, "")
	if err != nil {
		return nil, err
	}
	made := &Suggestions{Questions: []Question{}, Definitions: []Definition{}, Proposals: []Proposal{}}
	for i, t := range whole.Tables {
		if i == mostDatasets {
			break
		}
		if in.mayEdit(t.Path.Dataset) {
			made.propose(in, whole.Sample(i))
		}
	}
	for _, found := range whole.Proposals() {
		if slices.ContainsFunc(found.About(), func(name string) bool { return !in.mayEdit(name) }) {
			continue
		}
		made.Proposals = append(made.Proposals, Proposal{ByVerified, found.Used, fmt.Sprintf("the verified question %q shows it", found.From), found.Document})
	}
	made.Questions, err = s.questions(ctx, p, in, whole)
	return made, err
}

// propose adds what rules propose for a dataset.
func (s *Suggestions) propose(in *scene, d propose.Dataset) {
	at := slices.IndexFunc(in.standing.Datasets, func(other catalog.StandingDataset) bool { return other.Name == d.Name })
	if at < 0 {
		return
	}
	if has := in.standing.Datasets[at].Definition; has.DataDescription == nil && len(has.SchemaDefinition) == 0 {
		s.Definitions = append(s.Definitions, Definition{d.Name, ByRules, propose.Definition(d)})
	}
	for _, one := range split(propose.Knowledge(d)) {
		if !in.teaches(one.Document) {
			s.Proposals = append(s.Proposals, one)
		}
	}
}

// teaches reports whether what is taught has an entry in the place of one that is
// proposed.
func (s *scene) teaches(d knowledge.Document) bool {
	own := &s.current.Document
	for _, m := range d.Measures {
		if own.Names(m.Dataset, append([]string{m.Name}, m.Words...)) {
			return true
		}
	}
	for _, w := range d.Words {
		if own.Names("", []string{w.Word}) {
			return true
		}
	}
	return slices.ContainsFunc(d.Datasets, func(of knowledge.Dataset) bool {
		return slices.ContainsFunc(own.Datasets, func(has knowledge.Dataset) bool { return quern.NameKey(has.Dataset) == quern.NameKey(of.Dataset) })
	})
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
