package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"quern"
	"quern/engine"
	"quern/nlq"
	"quern/query"
	"quern/trace"
	"quern/tree"
)

// DefaultRows is how many rows a step keeps where no number is set.
const DefaultRows = 1_000

// keptBytes bounds the rows that a step keeps, for they are stored with its run.
const keptBytes = 4 << 20

// QuerierOptions says what a Querier works with.
type QuerierOptions struct {
	Query  *query.Service
	Models Models
	Rows   int // the most a step keeps; 0: DefaultRows
	Now    func() time.Time
}

// Querier reads questions and turns their readings into rows: the one way from
// words to data, as the asker.
type Querier struct{ QuerierOptions }

// NewQuerier makes a Querier.
func NewQuerier(o QuerierOptions) *Querier {
	if o.Rows == 0 {
		o.Rows = DefaultRows
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Querier{o}
}

// Read reads a question with the model that a task names.
func (q *Querier) Read(ctx context.Context, p quern.Principal, task quern.Task, question nlq.Question) (nlq.Translation, error) {
	model, err := q.Models.Model(task.Model, task.Provider)
	if err != nil {
		return nlq.Translation{}, err
	}
	if question.Now.IsZero() {
		question.Now = q.Now()
	}
	ctx, span := trace.Start(ctx, quern.SpanTranslation, "translate", trace.A(trace.Translator, model.Name))
	t, err := model.Translator.Translate(ctx, p, question)
	if err == nil {
		span.Set(trace.A(trace.Confidence, t.Confidence), trace.A(trace.AskedBack, t.Clarification != nil))
	}
	span.Content(question.Text, t.SQL)
	span.End(err)
	return t, err
}

// Rows runs a reading and gives its rows, at most as many as a query gives. The
// caller closes them.
func (q *Querier) Rows(ctx context.Context, p quern.Principal, in quern.NamespacePath, t nlq.Translation) (engine.Rows, error) {
	return q.Query.SQL(ctx, p, query.Request{In: in, SQL: t.SQL})
}

// Step runs a reading and keeps its first rows.
func (q *Querier) Step(ctx context.Context, p quern.Principal, in quern.NamespacePath, t nlq.Translation) (quern.Step, error) {
	step := quern.Step{Query: t.SQL, Reasoning: t.Reading, Notes: t.Notes, Data: []json.RawMessage{}}
	if step.Reasoning == "" && t.Query != nil {
		step.Reasoning = tree.English(t.Query)
	}
	if t.Query != nil {
		// A tree that cannot be printed is one that no follow-up can change.
		step.Tree, _ = tree.Print(t.Query)
	}
	rows, err := q.Query.SQL(ctx, p, query.Request{In: in, SQL: t.SQL, MaxRows: q.QuerierOptions.Rows})
	if err != nil {
		return quern.Step{}, err
	}
	defer rows.Close()
	step.Columns = rows.Columns()
	encoder, bytes := query.NewEncoder(step.Columns).Scored(t.Score), 0
	for rows.Next() {
		if bytes >= keptBytes {
			continue // what is left is only counted
		}
		row := encoder.Append(nil, rows.Row())
		if bytes += len(row); bytes < keptBytes {
			step.Data = append(step.Data, row)
		}
	}
	if err := rows.Err(); err != nil {
		return quern.Step{}, err
	}
	step.TotalCount = rows.Total()
	step.Truncated = step.TotalCount > int64(len(step.Data))
	if t.Score < 1 {
		step.Notes = append(step.Notes, fmt.Sprintf("words of the question were matched to values that are only similar (score %.2f)", t.Score))
	}
	return step, nil
}

// choice runs a reading that was offered before. A reading that can no longer
// be taken as it is gets read again, from its question.
func (q *Querier) choice(ctx context.Context, w Work, c quern.Choice) (quern.Step, error) {
	parsed, err := tree.Parse(c.Query)
	if err != nil {
		return q.ask(ctx, w, nlq.Question{In: w.In, Text: c.Question})
	}
	sql, err := tree.SQL(parsed)
	if err != nil {
		return q.ask(ctx, w, nlq.Question{In: w.In, Text: c.Question})
	}
	return q.Step(ctx, w.Principal, w.In, nlq.Translation{Query: parsed, SQL: sql, Reading: tree.English(parsed), Confidence: 1, Score: 1})
}

// ask reads a question and runs its reading, or asks back.
func (q *Querier) ask(ctx context.Context, w Work, question nlq.Question) (quern.Step, error) {
	t, err := q.Read(ctx, w.Principal, w.Task, question)
	if err != nil {
		return quern.Step{}, err
	}
	if t.Clarification != nil {
		return quern.Step{Reasoning: t.Reading, Notes: t.Notes, Data: []json.RawMessage{}, Clarification: t.Clarification}, nil
	}
	return q.Step(ctx, w.Principal, w.In, t)
}

// do does one instruction: the reading it names, if it is one of those offered,
// or else what it asks, as a follow-up of the turn before.
func (q *Querier) do(ctx context.Context, w Work, index int, instruction string, before *nlq.Turn) (step quern.Step, err error) {
	if c, ok := chosen(w.Choices, instruction); ok {
		step, err = q.choice(ctx, w, c)
	} else {
		step, err = q.ask(ctx, w, nlq.Question{In: w.In, Text: instruction, Previous: before})
	}
	step.Index, step.Instruction = index, instruction
	return step, err
}
