package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// Export says how the features of a question set came out.
type Export struct {
	Questions int            `json:"questions"`
	Derived   int            `json:"derived"`  // whose query has a derivation
	Faithful  int            `json:"faithful"` // whose derivation has the right rows
	Unsayable map[string]int `json:"unsayable"`
}

// schemaLine is a database as training reads it.
type schemaLine struct {
	Schema  string       `json:"schema"`
	Tables  []tableLine  `json:"tables"`
	Columns []columnLine `json:"columns"`
	Links   [][2]int     `json:"links"`
}

type tableLine struct {
	Name  string   `json:"name"`
	Words []string `json:"words"`
}

type columnLine struct {
	Table    int      `json:"table"`
	Name     string   `json:"name"`
	Words    []string `json:"words"`
	Type     uint8    `json:"type"`
	Flags    uint8    `json:"flags"`
	Number   bool     `json:"number"`
	Values   []string `json:"values"`
	Distinct int64    `json:"distinct"`
	Rows     int64    `json:"rows"`
}

// questionLine is a question as training reads it: tokens are text, start and
// end; columns and tables are token, column or table, and relation.
type questionLine struct {
	DB       string   `json:"db"`
	ID       int      `json:"id"`
	Set      string   `json:"set"`
	Question string   `json:"question"`
	Tokens   [][3]any `json:"tokens"`
	Kinds    []int    `json:"kinds"`
	Columns  [][3]int `json:"columns"`
	Tables   [][3]int `json:"tables"`
	Target   []string `json:"target,omitempty"`
	// Unsayable says why there is no target.
	Unsayable string `json:"unsayable,omitempty"`
	// SQL is what a target that was made up means, and Score how well the values that
	// it says match those of the data.
	SQL   string  `json:"sql,omitempty"`
	Score float64 `json:"score,omitempty"`
}

// FeatureFile says where features are written and how.
type FeatureFile struct {
	Out   io.Writer
	Check bool // whether the derivation of each query is run and compared
	Tell  Progress
}

// Features writes what the model sees of questions, one JSON object a line, each
// database before its questions.
func (h *Product) Features(ctx context.Context, dir string, questions []Question, to FeatureFile) (Export, error) {
	e := &exporter{house: h, out: json.NewEncoder(to.Out), check: to.Check, done: Export{Unsayable: map[string]int{}}}
	e.out.SetEscapeHTML(false)
	err := h.eachDatabase(ctx, dir, questions, to.Tell, func(d Database, of []Question) error { return e.database(ctx, d, of) })
	return e.done, err
}

type exporter struct {
	house *Product
	out   *json.Encoder
	check bool
	done  Export
}

func (e *exporter) database(ctx context.Context, d Database, questions []Question) error {
	s, err := e.house.Schemas.Schema(ctx, e.house.Principal, e.house.namespace(d.Name()), "", nil)
	if err != nil {
		return err
	}
	if err := e.out.Encode(lineOf(d.Name(), s)); err != nil {
		return err
	}
	for _, q := range questions {
		if err := e.question(ctx, d, s, q); err != nil {
			return err
		}
	}
	return nil
}

func lineOf(name string, s *schema.Schema) schemaLine {
	const samples = 50
	line := schemaLine{Schema: name, Tables: []tableLine{}, Columns: []columnLine{}, Links: [][2]int{}}
	relations := feature.Relations(s)
	for _, t := range s.Tables {
		line.Tables = append(line.Tables, tableLine{t.Path.Dataset, t.Words})
	}
	for i, c := range s.Columns {
		out := columnLine{
			Table: c.Table, Name: c.Name, Words: c.Words, Type: relations.Types[i], Flags: relations.Flags[i],
			Distinct: c.Distinct, Rows: c.Rows, Values: []string{},
		}
		_, _, decimal := c.Type.DecimalSize()
		out.Number = decimal || c.Type == quern.Integer || c.Type == quern.Double
		if c.Values != nil {
			out.Values = c.Values.Sample(samples)
		}
		line.Columns = append(line.Columns, out)
	}
	for _, l := range s.Links {
		line.Links = append(line.Links, [2]int{l.From, l.To})
	}
	return line
}

func (e *exporter) question(ctx context.Context, d Database, s *schema.Schema, q Question) error {
	now := q.now()
	f := feature.Extract(s, q.Question, e.house.Vectors, now)
	line := questionLine{
		DB: q.DB, ID: e.done.Questions, Set: q.Set, Question: q.Question,
		Tokens: [][3]any{}, Kinds: []int{}, Columns: [][3]int{}, Tables: [][3]int{},
	}
	for i, t := range f.Tokens {
		line.Tokens = append(line.Tokens, [3]any{t.Text, t.Start, t.End})
		line.Kinds = append(line.Kinds, int(f.Kinds[i]))
		for j, r := range f.Columns[i] {
			if r != 0 {
				line.Columns = append(line.Columns, [3]int{i, j, int(r)})
			}
		}
		for j, r := range f.Tables[i] {
			if r != 0 {
				line.Tables = append(line.Tables, [3]int{i, j, int(r)})
			}
		}
	}
	e.done.Questions++
	said := grammar.Question{Text: q.Question, Tokens: f.Tokens, Now: now}
	of := derivation{d, s, said, q}
	target, err := e.derive(ctx, of)
	if err != nil {
		e.done.Unsayable[reason(err)]++
		line.Unsayable = err.Error()
		return e.out.Encode(line)
	}
	e.done.Derived++
	for _, t := range target {
		line.Target = append(line.Target, t.String())
	}
	switch {
	case len(q.Target) > 0:
		said.Sense = e.house.Vectors.Sense
		if reading, err := grammar.Build(s, said, target); err == nil {
			line.Score = reading.Score
			line.SQL, _ = grammar.SQL(s, reading.Query) // one that cannot be written has none
		}
	case e.check && q.SQL != "":
		e.verify(ctx, of, target)
	}
	return e.out.Encode(line)
}

// derivation is what a question's derivation is made of.
type derivation struct {
	in       Database
	schema   *schema.Schema
	said     grammar.Question // the question's words
	question Question
}

// derive returns the derivation of a question's own query. One that was made up means
// something.
func (e *exporter) derive(ctx context.Context, of derivation) ([]grammar.Token, error) {
	if len(of.question.Target) > 0 {
		target, err := pointed(of.said.Tokens, of.question)
		if err != nil {
			return nil, err
		}
		of.said.Sense = e.house.Vectors.Sense
		_, err = grammar.Build(of.schema, of.said, target)
		return target, err
	}
	gold, err := of.in.tree(ctx, of.question.SQL)
	if err != nil {
		return nil, err
	}
	return grammar.Linearise(of.schema, of.said, gold)
}

// verify runs a derivation and counts it when it has the right rows.
func (e *exporter) verify(ctx context.Context, of derivation, target []grammar.Token) {
	right, err := e.house.right(ctx, of.in, of.question)
	if err != nil {
		return
	}
	reading, err := grammar.Build(of.schema, of.said, target)
	if err == nil {
		var rows [][]any
		var text string
		if text, err = grammar.SQL(of.schema, reading.Query); err == nil {
			rows, err = e.house.run(ctx, of.question.DB, text)
			if err == nil && sameAsOne(right, rows) {
				e.done.Faithful++
				return
			}
		}
	}
	e.done.Unsayable["unfaithful: "+reason(err)]++
}

// pointed returns a made-up derivation, its spans as words.
func pointed(tokens []lex.Token, q Question) ([]grammar.Token, error) {
	var all []grammar.Token
	spans := q.Spans
	for i := 0; i < len(q.Target); i++ {
		t, err := grammar.ParseToken(q.Target[i])
		if err != nil {
			return nil, err
		}
		all = append(all, t)
		if q.Target[i] != "VAL" {
			continue
		}
		if len(spans) == 0 || i+2 >= len(q.Target) {
			return nil, errors.New("a span is missing")
		}
		first, last := -1, -1
		for j, token := range tokens {
			if token.Start == spans[0][0] {
				first = j
			}
			if token.End == spans[0][1] {
				last = j
			}
		}
		if first < 0 || last < first {
			return nil, errors.New("a span cuts a word")
		}
		all = append(all, grammar.Token{Kind: grammar.Word, ID: first}, grammar.Token{Kind: grammar.Word, ID: last})
		spans, i = spans[1:], i+2
	}
	return all, nil
}

// reason returns the beginning of an error.
func reason(err error) string {
	if err == nil {
		return "other rows"
	}
	const longest = 60
	text := err.Error()
	return fmt.Sprintf("%.*s", longest, text)
}
