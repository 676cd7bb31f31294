package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/sign"
	"quern/query"
)

// Verdict is how one question went.
type Verdict struct {
	Question Question
	// LeftOut says that the set's own query does not run, so that nobody can tell;
	// Summarise does not count it.
	LeftOut  bool
	Answered bool
	Correct  bool
	// Confidence is how sure the translator was, whether it answered or not.
	Confidence float64
	Query      string // what ran; empty when it asked back
	Reason     string // why it is not correct
	Took       time.Duration
}

// Summary is how a set of questions went. Accuracies are fractions of 1.
type Summary struct {
	Questions            int     `json:"questions"`
	Answered             int     `json:"answered"`
	Correct              int     `json:"correct"`
	ExecutionAccuracy    float64 `json:"execution_accuracy"`
	AccuracyWhenAnswered float64 `json:"accuracy_when_answered"`
	P50                  float64 `json:"p50_ms"`
	P95                  float64 `json:"p95_ms"`
}

// Evaluate puts questions to the translator, one after the other, and gives each
// verdict to each. Questions whose own query does not run are not put.
func (h *House) Evaluate(ctx context.Context, dir string, questions []Question, each func(Verdict), tell Progress) (Summary, error) {
	var verdicts []Verdict
	err := h.eachDatabase(ctx, dir, questions, tell, func(d Database, of []Question) error {
		for _, q := range of {
			right, err := h.right(ctx, d, q)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			v := Verdict{Question: q, LeftOut: true}
			if err != nil {
				v.Reason = "left out: the set's own query does not run: " + err.Error()
			} else {
				v = h.ask(ctx, q, right)
			}
			verdicts = append(verdicts, v)
			each(v)
		}
		return nil
	})
	return Summarise(verdicts), err
}

// eachDatabase loads the databases of questions, in the order of their first
// ones, and calls fn with each and its questions.
func (h *House) eachDatabase(ctx context.Context, dir string, questions []Question, tell Progress, fn func(Database, []Question) error) error {
	var names []string
	byName, taken := map[string][]Question{}, map[string]string{}
	for _, q := range questions {
		if byName[q.DB] == nil {
			in := quern.NameKey(h.namespace(q.DB).Namespace)
			if other, ok := taken[in]; ok {
				return fmt.Errorf("the databases %q and %q would be one namespace", other, q.DB)
			}
			taken[in] = q.DB
			names = append(names, q.DB)
		}
		byName[q.DB] = append(byName[q.DB], q)
	}
	done := 0
	for _, name := range names {
		tell(done, len(questions), name)
		d, err := Open(dir, name)
		if err != nil {
			return err
		}
		if err = h.Load(ctx, d); err != nil {
			err = fmt.Errorf("database %s: %w", name, err)
		} else {
			err = fn(d, byName[name])
		}
		if err = errors.Join(err, d.Close()); err != nil {
			return err
		}
		done += len(byName[name])
	}
	tell(done, len(questions), "")
	return nil
}

// ask puts one question and compares what comes back.
func (h *House) ask(ctx context.Context, q Question, right gold) Verdict {
	v := Verdict{Question: q}
	begin := time.Now()
	t, err := h.Translator.Translate(ctx, h.Principal, nlq.Question{In: h.namespace(q.DB), Text: q.Question, Now: begin})
	v.Confidence = t.Confidence
	var rows [][]any
	if err == nil && t.Clarification == nil {
		v.Query, v.Answered = t.SQL, true
		rows, err = h.run(ctx, q.DB, t.SQL)
	}
	v.Took = time.Since(begin)
	switch {
	case err != nil:
		v.Answered, v.Reason = false, "error: "+err.Error()
	case t.Clarification != nil:
		v.Reason = "asked back: " + t.Clarification.Question
	default:
		v.Correct = Same(right.rows, rows, right.ordered)
		if !v.Correct {
			v.Reason = "other rows"
		}
	}
	return v
}

// run runs a query as the asker.
func (h *House) run(ctx context.Context, db, text string) (all [][]any, err error) {
	rows, err := h.Query.SQL(ctx, h.Principal, query.Request{In: h.namespace(db), SQL: text})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	visible := make([]bool, len(rows.Columns()))
	for i, c := range rows.Columns() {
		visible[i] = !strings.HasPrefix(c.Name, quern.InternalPrefix)
	}
	for rows.Next() {
		var row []any
		for i, v := range rows.Row() {
			if visible[i] {
				row = append(row, v)
			}
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

// Summarise counts verdicts.
func Summarise(verdicts []Verdict) Summary {
	var s Summary
	took := make([]time.Duration, 0, len(verdicts))
	for _, v := range verdicts {
		if v.LeftOut {
			continue
		}
		s.Questions++
		took = append(took, v.Took)
		if v.Answered {
			s.Answered++
		}
		if v.Correct {
			s.Correct++
		}
	}
	if s.Questions > 0 {
		s.ExecutionAccuracy = float64(s.Correct) / float64(s.Questions)
		slices.Sort(took)
		s.P50, s.P95 = milliseconds(took, 50), milliseconds(took, 95)
	}
	if s.Answered > 0 {
		s.AccuracyWhenAnswered = float64(s.Correct) / float64(s.Answered)
	}
	return s
}

func milliseconds(sorted []time.Duration, percent int) float64 {
	return float64(sorted[(len(sorted)-1)*percent/100].Microseconds()) / 1000
}

// Readings is what a translator shows of how it judges.
type Readings interface {
	Readings(ctx context.Context, p quern.Principal, q nlq.Question) ([]embedded.Reading, error)
}

// candidateLine is a question as the training of the judgement reads it.
type candidateLine struct {
	DB       string      `json:"db"`
	Question string      `json:"question"`
	SQL      []string    `json:"sql"` // of each reading, for people
	Signs    [][]float64 `json:"signs"`
	Right    []bool      `json:"right"`
}

// namesLine is the first line of such a file.
type namesLine struct {
	Names []string `json:"names"` // of the signs
}

// Candidates writes the names of the signs, and then the readings of questions,
// what speaks for and against each, and whether it is right, one JSON object a
// line.
func (h *House) Candidates(ctx context.Context, dir string, questions []Question, w io.Writer, tell Progress) error {
	translator, ok := h.Translator.(Readings)
	if !ok {
		return errors.New("the translator shows no readings")
	}
	out := json.NewEncoder(w)
	if err := out.Encode(namesLine{sign.Names()}); err != nil {
		return err
	}
	return h.eachDatabase(ctx, dir, questions, tell, func(d Database, of []Question) error {
		for _, q := range of {
			right, err := h.right(ctx, d, q)
			if err != nil {
				continue
			}
			readings, err := translator.Readings(ctx, h.Principal, nlq.Question{In: h.namespace(q.DB), Text: q.Question, Now: time.Now()})
			if err != nil {
				return err
			}
			line := candidateLine{DB: q.DB, Question: q.Question, SQL: []string{}, Signs: [][]float64{}, Right: []bool{}}
			for _, r := range readings {
				rows, err := h.run(ctx, q.DB, r.SQL)
				line.SQL, line.Signs = append(line.SQL, r.SQL), append(line.Signs, r.Signs)
				line.Right = append(line.Right, err == nil && Same(right.rows, rows, right.ordered))
			}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
}
