// Package structure makes rows of what people have: text, nested values, columns
// under other names, by the steps that a request asks for, in their order.
//
// It owns what a text looks like (dates, amounts, addresses of all kinds), how
// records are found in it by what they have in common, how columns come to the
// names that a definition wants, and what a model is told and believed when one is
// set. It never stores anything, and never decides what type a column has: values
// read from text stay text, as the document has them, for ingest to read.
//
//	rows ─► step ─► step ─► … ─► rows, each value with the words it was read from
//
// The failure it is built around is the fluent loss: a record that nobody misses, a
// value that no document says. What cannot be read is kept as text, counted and told;
// what a model says is looked up in the text before it counts.
package structure

import (
	"context"
	"fmt"
	"log/slog"

	"quern"
	"quern/llm"
)

// Service structures rows.
type Service struct{ o Options }

// Models finds the models that steps name.
type Models interface {
	// Asked returns the model of a name and a provider, either of which may be
	// empty. The model is nil when none is set, or the embedded one is meant.
	// Invalid when there is no such model.
	Asked(name, provider string) (llm.Offered, error)
}

// Options says what structuring works with. Nothing of it is needed.
type Options struct {
	Models Models
	// Alike tells how alike texts are in meaning; nil: names are compared by words.
	Alike Likeness
	Log   *slog.Logger // nil: slog.Default()
}

// New makes a Service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Service{o}
}

// Job is what is wanted of rows.
type Job struct {
	For          quern.UserID // who pays for models
	Steps        []quern.InferStep
	Definition   quern.InferDefinition
	Instructions string // of the caller, to models
	BatchSize    int    // rows that a model is given at once; 0: as many as fit
	// Answers keeps what models answered, so that work that is begun again does not
	// ask again; nil: nothing is kept.
	Answers Answers
}

// Answers keeps what models answered.
type Answers interface {
	// Answer returns what was kept under a key; ok is false when nothing was.
	Answer(ctx context.Context, key string) (answer []byte, ok bool, err error)
	// Keep keeps an answer under a key.
	Keep(ctx context.Context, key string, answer []byte) error
}

// Work is the steps of one job, which rows go through batch by batch.
type Work struct {
	job     Job
	service *Service
	steps   []step
	reports []quern.StepReport
}

// step does one thing to a batch of rows.
type step interface {
	run(ctx context.Context, rows []Row) ([]Row, error)
}

// mostNotes is how many notes a step may leave.
const mostNotes = 50

// about is what every step knows of itself.
type about struct {
	work   *Work
	number int // among the steps
	quern.InferStep
	model llm.Offered // its Model is nil when none is asked
}

// at names a member of the step, as the request has it.
func (a *about) at(member string) string {
	return fmt.Sprintf("infer.steps[%d].%s", a.number, member)
}

func (a *about) report() *quern.StepReport { return &a.work.reports[a.number] }

// note says once what people should know of what was done.
func (a *about) note(text string, args ...any) {
	r, text := a.report(), quern.Clip(fmt.Sprintf(text, args...), 500)
	for _, known := range r.Notes {
		if known == text {
			return
		}
	}
	if len(r.Notes) < mostNotes {
		r.Notes = append(r.Notes, text)
	}
}

// Begin prepares the steps of a job. Invalid, naming the step, when one cannot be
// run.
func (s *Service) Begin(j Job) (*Work, error) {
	w := &Work{job: j, service: s, reports: make([]quern.StepReport, len(j.Steps))}
	for i, in := range j.Steps {
		if in.Type == "normalize" {
			in.Type = quern.StepNormalise
		}
		w.reports[i].Type = in.Type
		a := about{work: w, number: i, InferStep: in}
		if err := a.findModel(); err != nil {
			return nil, err
		}
		one, err := w.step(a)
		if err != nil {
			return nil, err
		}
		w.steps = append(w.steps, one)
	}
	return w, nil
}

// findModel finds the model that the step is to ask, if any.
func (a *about) findModel() (err error) {
	models := a.work.service.o.Models
	switch {
	case a.Type == quern.StepRows || a.Type == quern.StepReverseGeo || a.Type == quern.StepNamedEntities:
		return nil
	case models == nil && (a.Model != "" || a.Provider != ""):
		return invalid(quern.Fault("unknown", a.at("model"), "there is no such model"))
	case models == nil:
		return nil
	}
	a.model, err = models.Asked(a.Model, a.Provider)
	if e, ok := asInvalid(err); ok {
		named := *e
		named.Sub = nil
		for _, sub := range e.Sub {
			named.Sub = append(named.Sub, quern.Fault(sub.Code, a.at(sub.Field), sub.Reason()))
		}
		return &named
	}
	if a.model.Model != nil {
		a.report().Model = a.model.Name
	}
	return err
}

func (w *Work) step(a about) (step, error) {
	switch a.Type {
	case quern.StepTable:
		return &tableStep{about: a, fields: w.fieldsFor(a.number)}, nil
	case quern.StepRows:
		return &rowsStep{about: a}, nil
	case quern.StepNormalise:
		return &normaliseStep{about: a, fields: w.wantedColumns(a)}, nil
	case quern.StepValidate:
		return newValidateStep(a, w.job.Definition.SchemaDefinition)
	case quern.StepReverseGeo:
		return &geoStep{about: a}, nil
	case quern.StepNamedEntities:
		return &entityStep{about: a}, nil
	}
	return nil, invalid(quern.Fault("enum", a.at("type"), "is not a step"))
}

// fieldsFor returns the columns that a table should have: those of the definition,
// or those that the step behind it will bring them to.
func (w *Work) fieldsFor(number int) []field {
	if schema := w.job.Definition.SchemaDefinition; len(schema) > 0 {
		return fieldsOf(schema)
	}
	for _, later := range w.job.Steps[number+1:] {
		if len(later.TargetCols) > 0 {
			return fieldsOf(later.TargetCols)
		}
	}
	return nil
}

// wantedColumns returns the columns that a normalise step brings others to: its own,
// or those of the definition. What it does not describe, the definition may.
func (w *Work) wantedColumns(a about) []field {
	schema := w.job.Definition.SchemaDefinition
	if len(a.TargetCols) == 0 {
		return fieldsOf(schema)
	}
	described := map[string]string{}
	for name, text := range a.TargetCols {
		if text == "" {
			text = schema[name]
		}
		described[name] = text
	}
	return fieldsOf(described)
}

// Rows puts a batch of rows through the steps. Invalid, naming the step, when one
// cannot be done with these rows.
func (w *Work) Rows(ctx context.Context, rows []Row) (_ []Row, err error) {
	for i, s := range w.steps {
		w.reports[i].In += int64(len(rows))
		if rows, err = s.run(ctx, rows); err != nil {
			return nil, err
		}
		w.reports[i].Out += int64(len(rows))
	}
	return rows, nil
}

// Reports tells what the steps did so far.
func (w *Work) Reports() []quern.StepReport { return w.reports }

func invalid(faults ...quern.SubError) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "the steps do not fit the data: %s", faults[0].Message).With(faults...)
}
