package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quern"
	"quern/ask/prose"
	"quern/catalog"
	"quern/english"
)

// knownDatasets is how many datasets' names help to understand a comparison.
const knownDatasets = 100

// embeddedPlanner is the planner that needs no model service.
type embeddedPlanner struct{ catalog *catalog.Service }

// EmbeddedPlanner makes the planner that needs no model service: it takes
// questions apart by their words and writes answers by templates.
func EmbeddedPlanner(c *catalog.Service) Planner { return &embeddedPlanner{c} }

// part is one of the questions that a question is made of, with its steps:
// several where it compares.
type part struct {
	steps    []string
	compares bool
}

// Plan returns the steps of all parts of the question; none when it needs no query.
func (e *embeddedPlanner) Plan(ctx context.Context, w Work) (quern.Plan, error) {
	t, err := e.talk(ctx, w)
	if err != nil || t.kind != talkNone {
		return quern.Plan{Steps: []string{}, Reasoning: "This needs no query."}, err
	}
	parts, err := e.parts(ctx, w)
	if err != nil {
		return quern.Plan{}, err
	}
	plan := quern.Plan{Steps: []string{}}
	for _, p := range parts {
		plan.Steps = append(plan.Steps, p.steps...)
	}
	compares := slices.ContainsFunc(parts, func(p part) bool { return p.compares })
	switch steps := len(plan.Steps); {
	case steps > mostSteps:
		plan.Steps = plan.Steps[:mostSteps]
		plan.Reasoning = fmt.Sprintf("The question has more than %d parts; the first %d are answered.", mostSteps, mostSteps)
	case steps == 1:
		plan.Reasoning = "The question is answered by one query."
	case compares:
		plan.Reasoning = "The question compares; each side is looked up by itself."
	default:
		plan.Reasoning = fmt.Sprintf("The question has %d parts; each is looked up by itself.", steps)
	}
	return plan, nil
}

// parts takes the question apart.
func (e *embeddedPlanner) parts(ctx context.Context, w Work) ([]part, error) {
	var all []part
	var known func(string) bool
	for _, question := range split(w.Task.Question) {
		if mayCompare(question) && known == nil {
			var err error
			if known, err = e.vocabulary(ctx, w); err != nil {
				return nil, err
			}
		}
		p := part{steps: []string{question}}
		if mayCompare(question) {
			if sides := comparison(question, known); sides != nil {
				p = part{sides, true}
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// mayCompare reports whether it is worth the look at whether a question compares.
func mayCompare(question string) bool {
	text := strings.ToLower(question)
	signs := []string{"compar", "difference", "gap", "versus", " vs", " than "}
	return slices.ContainsFunc(signs, func(word string) bool { return strings.Contains(text, word) })
}

// vocabulary returns a function that reports whether a word is in the data's names.
func (e *embeddedPlanner) vocabulary(ctx context.Context, w Work) (func(string) bool, error) {
	listed, _, err := e.datasets(ctx, w)
	if err != nil {
		return nil, err
	}
	words := map[string]bool{}
	add := func(name string) {
		for _, word := range singulars(name) {
			if len(word) > 2 {
				words[word] = true
			}
		}
	}
	for _, l := range listed {
		add(l.Path.Dataset)
		d, err := e.catalog.Dataset(ctx, w.Principal, l.Path, catalog.Read)
		if err != nil && !quern.Is(err, quern.NotFound) {
			return nil, err
		}
		for _, c := range d.Columns {
			add(c.Name)
		}
	}
	return func(word string) bool { return words[english.Singular(plain(word))] }, nil
}

// Answer writes a paragraph, or a table, for each step, and compares where that
// was asked for.
func (e *embeddedPlanner) Answer(ctx context.Context, w Work) (quern.Result, error) {
	if len(w.Plan.Steps) == 0 {
		t, err := e.talk(ctx, w)
		if err != nil {
			return quern.Result{}, err
		}
		text, err := e.reply(ctx, w, t)
		return quern.Result{Response: text}, err
	}
	parts, err := e.parts(ctx, w)
	if err != nil {
		return quern.Result{}, err
	}
	var paragraphs []string
	steps := w.Steps
	for _, p := range parts {
		n := min(len(p.steps), len(steps))
		for _, s := range steps[:n] {
			paragraphs = append(paragraphs, prose.Answer(s))
		}
		if p.compares && n == len(p.steps) {
			if text := prose.Contrast(steps[:n]); text != "" {
				paragraphs = append(paragraphs, text)
			}
		}
		steps = steps[n:]
	}
	for _, s := range steps { // of a plan that others made
		paragraphs = append(paragraphs, prose.Answer(s))
	}
	if left := len(w.Plan.Steps); left == mostSteps && countSteps(parts) > mostSteps {
		paragraphs = append(paragraphs, "The rest of the question was left out: ask it by itself.")
	}
	return quern.Result{Response: strings.Join(paragraphs, "\n\n"), Notes: notes(w.Steps), Doubt: inDoubt(w.Steps)}, nil
}

func countSteps(parts []part) (n int) {
	for _, p := range parts {
		n += len(p.steps)
	}
	return n
}
