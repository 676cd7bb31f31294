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
	"quern/tree"
)

// Verdict is how one question went.
type Verdict struct {
	Question Question
	// LeftOut says that the set's own query does not run, so that nobody can tell;
	// Summarise does not count it.
	LeftOut  bool
	Answered bool
	Correct  bool // of an unanswerable question: it was declined
	// Noted says that the answer came with a note of doubt.
	Noted bool
	// Choices is how many readings were offered instead of an answer, OfferedRight
	// whether one of them has the right rows.
	Choices      int
	OfferedRight bool
	// MissingNamed says that an unanswerable question was declined for the word that
	// the set says is missing.
	MissingNamed bool
	// Confidence is how sure the translator was, whether it answered or not.
	Confidence float64
	Query      string // what ran; empty when it asked back
	// Asked is what it asked back, Offers what it offered instead, Notes what the answer came with.
	Asked         string
	Offers, Notes []string
	Reason        string // why it is not correct
	Took          time.Duration
}

// Evaluate puts questions to the translator, one after the other and those of a
// dialogue in one conversation, and hands each verdict to each.
func (h *Product) Evaluate(ctx context.Context, dir string, questions []Question, each func(Verdict), tell Progress) (Summary, error) {
	var verdicts []Verdict
	err := h.eachDatabase(ctx, dir, questions, tell, func(d Database, of []Question) error {
		before := map[string]*nlq.Turn{} // by dialogue
		for _, q := range inTurn(of) {
			v := h.judge(ctx, d, q, before)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			verdicts = append(verdicts, v)
			each(v)
		}
		return nil
	})
	return Summarise(verdicts), err
}

// judge puts one question; before is how the dialogues so far were last read. A
// question whose own query does not run is put only for the turns that follow it.
func (h *Product) judge(ctx context.Context, d Database, q Question, before map[string]*nlq.Turn) Verdict {
	right, err := h.right(ctx, d, q)
	var v Verdict
	if err == nil || q.Dialogue != "" {
		var read *tree.Query
		if v, read = h.ask(ctx, asked{q, right, before[q.Dialogue]}); q.Dialogue != "" && read != nil {
			before[q.Dialogue] = before[q.Dialogue].Next(q.Question, read, v.Noted)
		} else if q.Dialogue != "" {
			before[q.Dialogue] = before[q.Dialogue].Without(q.Question)
		}
	}
	if err != nil {
		return Verdict{Question: q, LeftOut: true, Reason: "left out: the set's own query does not run: " + err.Error()}
	}
	return v
}

// eachDatabase loads the databases of questions, in the order of their first
// ones, and calls fn with each and its questions.
func (h *Product) eachDatabase(
	ctx context.Context, dir string, questions []Question, tell Progress, fn func(Database, []Question) error,
) error {
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

// asked is a question on its way to the translator.
type asked struct {
	Question
	right  []gold
	before *nlq.Turn // of its dialogue; nil: none
}

// ask puts one question and compares what comes back. read is how it was read, nil
// when it was not.
func (h *Product) ask(ctx context.Context, q asked) (v Verdict, read *tree.Query) {
	v = Verdict{Question: q.Question}
	begin := time.Now()
	t, rows, err := h.answer(ctx, q, q.Question.Question)
	v.Took = time.Since(begin)
	v.Confidence = t.Confidence
	switch {
	case err != nil:
		v.Query, v.Reason = t.SQL, "error: "+err.Error()
	case t.Clarification != nil:
		v.Reason = "asked back: " + t.Clarification.Question
		v.Choices, v.Asked = len(t.Clarification.Choices), t.Clarification.Question
		for _, c := range t.Clarification.Choices {
			v.Offers = append(v.Offers, c.Label)
		}
		v.OfferedRight = h.offersRight(ctx, q, t.Clarification.Choices)
		v.Correct = q.Unanswerable
		v.MissingNamed = q.Missing != "" && namesWord(t, q.Missing)
	default:
		v.Query, v.Answered, v.Noted, v.Notes = t.SQL, true, t.Doubt, t.Notes
		v.Correct = sameAsOne(q.right, rows)
		v.Reason = "other rows"
		if q.Unanswerable {
			v.Reason = "answered, though the data do not tell"
		}
	}
	if v.Correct {
		v.Reason = ""
	}
	return v, t.Query
}

// namesWord reports whether a question back says that nothing answers to a word, or to
// a part of it.
func namesWord(t nlq.Translation, missing string) bool {
	return slices.ContainsFunc(t.Words, func(w quern.Word) bool {
		said, want := strings.ToLower(w.Text), strings.ToLower(missing)
		return w.State == quern.WordUnknown && (strings.Contains(want, said) || strings.Contains(said, want))
	})
}

// answer translates a text in the place of a question and runs what was read.
func (h *Product) answer(ctx context.Context, q asked, text string) (t nlq.Translation, rows [][]any, err error) {
	t, err = h.Translator.Translate(ctx, h.Principal, nlq.Question{In: h.namespace(q.DB), Text: text, Now: q.now(), Previous: q.before})
	if err == nil && t.Clarification == nil {
		rows, err = h.run(ctx, q.DB, t.SQL)
	}
	return t, rows, err
}

// offersRight reports whether one of the choices, asked as it says, has the right
// rows.
func (h *Product) offersRight(ctx context.Context, q asked, choices []quern.Choice) bool {
	return slices.ContainsFunc(choices, func(c quern.Choice) bool {
		t, rows, err := h.answer(ctx, q, c.Question)
		return err == nil && t.Clarification == nil && sameAsOne(q.right, rows)
	})
}

// sameAsOne reports whether rows are those of one of the fair readings.
func sameAsOne(right []gold, rows [][]any) bool {
	return slices.ContainsFunc(right, func(g gold) bool { return g.is(rows) })
}

// run runs a query as the asker.
func (h *Product) run(ctx context.Context, db, text string) ([][]any, error) {
	return Rows(ctx, h.Query, h.Principal, query.Request{In: h.namespace(db), SQL: text})
}

// Rows runs a query and returns the values of its rows, without what rows tell of
// themselves.
func Rows(ctx context.Context, queries *query.Service, p quern.Principal, r query.Request) (all [][]any, err error) {
	rows, err := queries.SQL(ctx, p, r)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	visible := make([]bool, len(rows.Columns()))
	for i, c := range rows.Columns() {
		visible[i] = quern.IsShown(c.Name)
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
func (h *Product) Candidates(ctx context.Context, dir string, questions []Question, w io.Writer, tell Progress) error {
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
			readings, err := translator.Readings(ctx, h.Principal, nlq.Question{In: h.namespace(q.DB), Text: q.Question, Now: q.now()})
			if err != nil {
				return err
			}
			line := candidateLine{DB: q.DB, Question: q.Question, SQL: []string{}, Signs: [][]float64{}, Right: []bool{}}
			for _, r := range readings {
				rows, err := h.run(ctx, q.DB, r.SQL)
				line.SQL, line.Signs = append(line.SQL, r.SQL), append(line.Signs, r.Signs)
				line.Right = append(line.Right, err == nil && sameAsOne(right, rows))
			}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// Trials is what a translator shows of what it holds against its answers.
type Trials interface {
	Trial(ctx context.Context, p quern.Principal, q nlq.Question) (*embedded.Trial, error)
}

// trialLine is a question as the fitting of doubt reads it.
type trialLine struct {
	DB           string          `json:"db"`
	Question     string          `json:"question"`
	Unanswerable bool            `json:"unanswerable"`
	Right        bool            `json:"right"`
	Trial        *embedded.Trial `json:"trial"` // null: asked back before
}

// Trials writes the answers that questions would get if nothing were held against
// them, what speaks against each, and whether it is right, one JSON object a line.
func (h *Product) Trials(ctx context.Context, dir string, questions []Question, w io.Writer, tell Progress) error {
	translator, ok := h.Translator.(Trials)
	if !ok {
		return errors.New("the translator shows no trials")
	}
	out := json.NewEncoder(w)
	return h.eachDatabase(ctx, dir, questions, tell, func(d Database, of []Question) error {
		before := map[string]*nlq.Turn{} // by dialogue
		for _, q := range inTurn(of) {
			said := before[q.Dialogue]
			if q.Dialogue != "" {
				before[q.Dialogue] = said.Without(q.Question)
			}
			right, err := h.right(ctx, d, q)
			if err != nil {
				continue
			}
			trial, err := translator.Trial(ctx, h.Principal, nlq.Question{In: h.namespace(q.DB), Text: q.Question, Now: q.now(), Previous: said})
			if err != nil {
				return err
			}
			line := trialLine{DB: q.DB, Question: q.Question, Unanswerable: q.Unanswerable, Trial: trial}
			if trial != nil && !q.Unanswerable {
				rows, err := h.run(ctx, q.DB, trial.SQL)
				line.Right = err == nil && sameAsOne(right, rows)
			}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
		return nil
	})
}
