package suggest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/knowledge"
	"quern/llm"
	nlqprompt "quern/nlq/prompt"
	"quern/nlq/schema"
	"quern/propose"
	"quern/propose/prompt"
)

const (
	// mostAsked is how many datasets of a namespace a model is asked about at a time,
	// modelsAtOnce how many requests are open, and longestAsking how long it has.
	mostAsked, modelsAtOnce = 10, 4
	longestAsking           = 60 * time.Second
)

// Asked finds models.
type Asked interface {
	// Asked returns the model of a name and a provider, the default one where both
	// are empty. The model is nil where none is set, or none may see values.
	Asked(name, provider string) (llm.Offered, error)
}

// said is what a model proposes.
type said struct {
	model string
	by    map[string]prompt.Proposal // by the key of the dataset's name
	note  string                     // why something is missing; empty: nothing is
}

// ask asks the model that is set about the datasets that are new: nobody has described
// them, or taught a word or a measure of theirs. Answers are kept for as long as the
// columns and the definition are what they were.
func (s *Service) ask(ctx context.Context, p quern.Principal, in *scene, whole *schema.Schema) (said, error) {
	made := said{by: map[string]prompt.Proposal{}}
	if s.o.Asked == nil {
		return made, nil
	}
	model, err := s.o.Asked.Asked("", "")
	if err != nil || model.Model == nil {
		return made, err
	}
	made.model = model.Name
	limited, cancel := context.WithTimeout(ctx, longestAsking)
	defer cancel()
	group, limited := errgroup.WithContext(limited)
	group.SetLimit(modelsAtOnce)
	var mu sync.Mutex
	asked := 0
	for i, t := range whole.Tables[:min(len(whole.Tables), mostDatasets)] {
		has, known := in.definition(t.Path.Dataset)
		if !known || t.Rows == 0 || !in.mayEdit(t.Path.Dataset) || !in.isNew(t.Path.Dataset, has) {
			continue
		}
		if asked++; asked > mostAsked {
			break
		}
		d := whole.Sample(i)
		group.Go(func() error {
			answer, err := s.answer(limited, p, model, in, d, has)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made.by[quern.NameKey(d.Name)] = answer
				return nil
			}
			note, ok := nlqprompt.Without(limited, err, s.o.Log)
			if !ok && ctx.Err() == nil && limited.Err() != nil {
				note, ok = "the model took too long", true
			}
			if !ok {
				return err
			}
			made.note = note + "; rules alone propose"
			return nil
		})
	}
	return made, group.Wait()
}

// isNew reports whether nobody has described a dataset, or taught a word or a measure
// of it.
func (s *scene) isNew(dataset string, has quern.InferDefinition) bool {
	if has.DataDescription == nil && len(has.SchemaDefinition) == 0 {
		return true
	}
	is := func(name string) bool { return quern.NameKey(name) == quern.NameKey(dataset) }
	return !slices.ContainsFunc(s.current.Words, func(w knowledge.Word) bool { of, _ := knowledge.Column(w.Means); return is(of) }) &&
		!slices.ContainsFunc(s.current.Measures, func(m knowledge.Measure) bool { return is(m.Dataset) })
}

// answer returns what a model says of a dataset, asking it unless that is known.
func (s *Service) answer(
	ctx context.Context, p quern.Principal, model llm.Offered, in *scene, d propose.Dataset, has quern.InferDefinition,
) (prompt.Proposal, error) {
	key, err := answerKey(model.Name, in, d, has)
	if err != nil {
		return prompt.Proposal{}, err
	}
	s.mu.Lock()
	kept, known := s.answers[key]
	s.mu.Unlock()
	if known {
		return kept, nil
	}
	made, err := prompt.Ask(ctx, model.Model, p.User.ID, d, has)
	if err != nil {
		return made, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) >= mostKept {
		s.answers = map[string]prompt.Proposal{}
	}
	s.answers[key] = made
	return made, nil
}

// answerKey names what a model is asked about: the columns of a dataset and what is
// known of them. Rows that come in do not change it.
func answerKey(model string, in *scene, d propose.Dataset, has quern.InferDefinition) (string, error) {
	columns := make([]quern.Column, len(d.Columns))
	for i, c := range d.Columns {
		columns[i] = c.Column
	}
	text, err := json.Marshal([]any{model, in.standing.Namespace.ID, d.Name, columns, has})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// splitModel makes a proposal of each thing that a model proposes: its measures one by
// one, and its words by what they are of. What is known is left out.
func splitModel(d knowledge.Document, model string, known func(knowledge.Document) bool) []Proposal {
	var all []Proposal
	reason := "the model " + model + " proposes it"
	for _, m := range d.Measures {
		if one := (knowledge.Document{Measures: []knowledge.Measure{m}}); !known(one) {
			all = append(all, Proposal{ByModel, false, reason, one})
		}
	}
	for _, w := range d.Words {
		if known(knowledge.Document{Words: []knowledge.Word{w}}) {
			continue
		}
		at := slices.IndexFunc(all, func(p Proposal) bool { return len(p.Words) > 0 && strings.EqualFold(p.Words[0].Means, w.Means) })
		if at < 0 {
			all = append(all, Proposal{ByModel, false, reason, knowledge.Document{}})
			at = len(all) - 1
		}
		all[at].Words = append(all[at].Words, w)
	}
	return all
}

// Definition proposes a definition for rows, of which known is what somebody has said
// already: by the model of a name and a provider, where one is set and answers, else by
// rules. What is known stays.
func (s *Service) Definition(
	ctx context.Context, p quern.Principal, model, provider string, d propose.Dataset, known quern.InferDefinition,
) (quern.InferDefinition, error) {
	made := propose.Definition(d)
	var asked llm.Offered
	if s.o.Asked != nil {
		var err error
		if asked, err = s.o.Asked.Asked(model, provider); err != nil {
			return made, err
		}
	}
	if asked.Model != nil {
		answer, err := prompt.Ask(ctx, asked.Model, p.User.ID, d, known)
		if err == nil {
			made = answer.InferDefinition
		} else if _, ok := nlqprompt.Without(ctx, err, s.o.Log); !ok {
			return made, err
		}
	}
	if known.DataDescription != nil && *known.DataDescription != "" {
		made.DataDescription = known.DataDescription
	}
	for name, text := range known.SchemaDefinition {
		if text != "" {
			made.SchemaDefinition[name] = text
		}
	}
	return made, nil
}
