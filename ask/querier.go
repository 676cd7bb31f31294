package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"quern"
	"quern/chart"
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
	Query *query.Service
	Rows  int // the most a step keeps; 0: DefaultRows
	Now   func() time.Time
}

// Querier reads questions and turns their readings into rows: the one way from
// words to data, as the asker.
type Querier struct {
	o        QuerierOptions
	measures bool // shows what the first rows are sorted by
}

// NewQuerier makes a Querier.
func NewQuerier(o QuerierOptions) *Querier {
	if o.Rows == 0 {
		o.Rows = DefaultRows
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Querier{o: o}
}

// read reads a question with the model of the work.
func (q *Querier) read(ctx context.Context, w Work, question nlq.Question) (nlq.Translation, error) {
	if question.Now = w.AskedAt; question.Now.IsZero() {
		question.Now = q.o.Now()
	}
	ctx, span := trace.Start(ctx, quern.SpanTranslation, "translate", trace.A(trace.Translator, w.Model.Name))
	t, err := w.Model.Translator.Translate(ctx, w.Principal, question)
	if err == nil {
		span.Set(trace.A(trace.Confidence, t.Confidence), trace.A(trace.AskedBack, t.Clarification != nil))
	}
	span.Content(question.Text, t.SQL)
	span.End(err)
	return t, err
}

// step makes a step of a reading, with its first rows.
func (q *Querier) step(ctx context.Context, w Work, t nlq.Translation) (quern.Step, error) {
	if q.measures {
		t = showMeasure(t)
	}
	step := quern.Step{
		Query: t.SQL, Reasoning: t.Reading, Notes: t.Notes, Words: t.Words, Doubt: t.Doubt, Units: t.Units,
		Confidence: t.Confidence, Score: t.Score, Data: []json.RawMessage{},
	}
	if step.Reasoning == "" && t.Query != nil {
		step.Reasoning = tree.English(t.Query)
	}
	if t.Query != nil {
		// A tree that cannot be printed is one that no follow-up can change.
		step.Tree, _ = tree.Print(t.Query)
	}
	found, err := q.rows(ctx, w, t)
	if err != nil {
		return quern.Step{}, err
	}
	rows := q.o.Query.Sourced(ctx, w.Principal, found)
	defer rows.Close()
	if err := q.keep(&step, rows, w.Rows); err != nil {
		return quern.Step{}, err
	}
	step.Chart = chart.Choose(t.Query, step)
	for _, look := range []func(context.Context, Work, nlq.Translation, quern.Step) (string, error){q.ties, q.beyondData} {
		note, err := look(ctx, w, t, step)
		if err != nil {
			return quern.Step{}, err
		}
		if note != "" {
			step.Notes = append(step.Notes, note)
		}
	}
	if query.Ran(found) == query.OnCluster {
		step.Notes = append(step.Notes, query.ClusterNote)
	}
	isGuessed := func(w quern.Word) bool { return w.State == quern.WordGuessed }
	if t.Score < nlq.SameWords && !slices.ContainsFunc(t.Words, isGuessed) {
		step.Notes = append(step.Notes, fmt.Sprintf("words of the question were matched to values that are only similar (score %.2f)", t.Score))
	}
	return step, nil
}

// rows returns the rows of a reading: those that it was judged by, where they are
// all, or else those of its query.
func (q *Querier) rows(ctx context.Context, w Work, t nlq.Translation) (engine.Rows, error) {
	if t.Result != nil {
		return t.Result.Stream(), nil
	}
	most := q.o.Rows
	if w.Rows != nil {
		most = 0 // as many as a query returns
	}
	return q.o.Query.SQL(ctx, w.Principal, query.Request{In: w.In, SQL: t.SQL, Tree: t.Query, MaxRows: most})
}

// keep reads rows, keeps the first of them in the step, and delivers as many as
// are wanted.
func (q *Querier) keep(step *quern.Step, rows *query.SourcedRows, to *Delivery) error {
	step.Columns, step.Reads = rows.Columns(), query.Reads(rows.Rows)
	encoder, kept := query.NewEncoder(step.Columns).Scored(step.Score), 0
	whole, size := query.NewResult(rows), 0
	for rows.Next() {
		if len(step.Data) < q.o.Rows && kept < keptBytes {
			row := encoder.AppendFrom(nil, rows.Row(), rows.RowSource())
			if kept += len(row); kept < keptBytes {
				step.Data = append(step.Data, row)
			}
		}
		if to == nil || size > deliveredBytes {
			continue // what is left is only counted
		}
		row, bytes := query.CopyRow(rows.Row())
		size += bytes
		whole.Keep(rows, row)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	step.TotalCount = rows.Total()
	step.Truncated = step.TotalCount > int64(len(step.Data))
	if to != nil && size <= deliveredBytes {
		whole.Total, whole.Datasets = step.TotalCount, query.Datasets(rows.Rows)
		to.put(whole)
	}
	return nil
}

// choice runs a reading that was offered before. A reading that can no longer
// be taken as it is gets read again, from its question.
func (q *Querier) choice(ctx context.Context, w Work, c quern.Choice) (quern.Step, error) {
	parsed, err := tree.Parse(c.Query)
	if err != nil {
		return q.ask(ctx, w, c.Question, nil)
	}
	sql, err := tree.SQL(parsed)
	if err != nil {
		return q.ask(ctx, w, c.Question, nil)
	}
	return q.step(ctx, w, nlq.Translation{Query: parsed, SQL: sql, Reading: tree.English(parsed), Confidence: 1, Score: 1})
}

// ask reads a text as a follow-up of a turn, if there is one, and runs its
// reading, or asks back.
func (q *Querier) ask(ctx context.Context, w Work, text string, before *nlq.Turn) (quern.Step, error) {
	t, err := q.read(ctx, w, nlq.Question{In: w.In, Dataset: w.Task.Dataset, Text: text, Previous: before})
	if err != nil {
		return quern.Step{}, err
	}
	if t.Clarification != nil {
		return quern.Step{
			Reasoning: t.Reading, Notes: t.Notes, Words: t.Words, Doubt: t.Doubt,
			Confidence: t.Confidence, Data: []json.RawMessage{}, Clarification: t.Clarification,
		}, nil
	}
	return q.step(ctx, w, t)
}

// do does one instruction: the reading it names, if it is one of those offered,
// or else what it asks, as a follow-up of the turn before.
func (q *Querier) do(ctx context.Context, w Work, index int, instruction string, before *nlq.Turn) (step quern.Step, err error) {
	if c, ok := Chosen(w.Choices, instruction); ok {
		step, err = q.choice(ctx, w, c)
	} else {
		step, err = q.ask(ctx, w, instruction, before)
	}
	step.Index, step.Instruction = index, instruction
	return step, err
}
