package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/ask/prose"
	"quern/english"
	"quern/nlq"
	"quern/tree"
)

// Assistant is the agent that plans, does each step as a query, and answers in
// words.
type Assistant struct{ querier *Querier }

var _ Agent = (*Assistant)(nil)

// NewAssistant makes the agent.
func NewAssistant(q *Querier) *Assistant { return &Assistant{&Querier{o: q.o, measures: true}} }

// Plan asks the planner; a reading that was offered before is a plan already.
func (a *Assistant) Plan(ctx context.Context, w Work) (quern.Plan, error) {
	if c, ok := Chosen(w.Choices, w.Task.Question); ok {
		return quern.Plan{Steps: []string{c.Label}, Reasoning: "This is one of the readings that were offered."}, nil
	}
	return w.Model.Planner.Plan(ctx, w)
}

// Step does one instruction.
func (a *Assistant) Step(ctx context.Context, w Work, index int) (quern.Step, error) {
	instruction := w.Plan.Steps[index]
	return a.querier.do(ctx, w, index, instruction, previous(w, index, instruction))
}

// refersBack finds the words by which a part of a question refers to the part
// before.
var refersBack = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
	english.PersonalPronouns.With(english.PluralPronouns, english.Possessives).Pattern(),
	`of which`, `(?:is|of|in) (?:that|this)`, `the same`, `(?:which|what) ones?`, `the others`, `the rest`,
}, "|") + `)\b|^(?:and|what about|how about|or)\b`)

// previous returns the turn that an instruction is a follow-up of: the step before
// where it refers to that, or else the conversation's last.
func previous(w Work, index int, instruction string) *nlq.Turn {
	if index > 0 && refersBack.MatchString(instruction) {
		for _, s := range slices.Backward(w.Steps) {
			if q, err := tree.Parse(s.Tree); err == nil && s.Index < index {
				return lastTurn(w).Next(s.Instruction, q, s.Doubt)
			}
		}
	}
	return lastTurn(w)
}

// Answer has the planner write the answer. Where a step asks back, what the
// steps before it found is told first.
func (a *Assistant) Answer(ctx context.Context, w Work) (quern.Result, error) {
	asks, ok := unread(w.Steps)
	if !ok {
		return w.Model.Planner.Answer(ctx, w)
	}
	back := askedBack(asks, w.Steps)
	w.Steps = slices.DeleteFunc(slices.Clone(w.Steps), func(s quern.Step) bool { return s.Clarification != nil })
	if len(w.Steps) == 0 {
		return back, nil
	}
	before, err := w.Model.Planner.Answer(ctx, w)
	back.Response = before.Response + "\n\n" + back.Response
	back.Notes, back.Doubt = before.Notes, before.Doubt
	return back, err
}

// unread returns the step that asks back, if one does.
func unread(steps []quern.Step) (step quern.Step, ok bool) {
	for _, s := range steps {
		if s.Clarification != nil {
			return s, true
		}
	}
	return quern.Step{}, false
}

// askedBack is the result of a run that asks back in a step: the same in words.
func askedBack(step quern.Step, steps []quern.Step) quern.Result {
	c := step.Clarification
	var b strings.Builder
	b.WriteString(prose.Escape(c.Question))
	for i, choice := range c.Choices {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "\n%d. %s", i+1, prose.Escape(choice.Label))
	}
	return quern.Result{Response: b.String(), Clarification: c, Notes: notes(steps), Doubt: inDoubt(steps), Words: step.Words}
}

// inDoubt reports whether the reader should doubt one of the steps.
func inDoubt(steps []quern.Step) bool {
	return slices.ContainsFunc(steps, func(s quern.Step) bool { return s.Doubt })
}

// notes collects what readers should know about the steps, each once.
func notes(steps []quern.Step) []string {
	var all []string
	for _, s := range steps {
		of := s.Notes
		if s.Truncated {
			of = append(slices.Clone(of), fmt.Sprintf("step %d gave %s rows, of which %s are kept",
				s.Index+1, prose.Count(s.TotalCount), prose.Count(len(s.Data))))
		}
		for _, note := range of {
			if !slices.Contains(all, note) {
				all = append(all, note)
			}
		}
	}
	return all
}
