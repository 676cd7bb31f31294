// Package prompt asks a language model what a dataset holds that nobody has described
// yet: what its columns mean, what else people call them, what may be computed of a row.
//
// It owns what a model is shown of a dataset and what of its answer is passed on. It
// never saves anything, and nothing that it returns changes an answer: proposals of a
// model wait for the owner. The failure it is built around is the plausible entry that
// cannot work: what names no column, does not compute or means two things is left out.
package prompt

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"quern"
	"quern/knowledge"
	"quern/llm"
	"quern/nlq/prompt"
	"quern/propose"
)

const (
	// mostColumns is how many columns of a dataset a model is shown.
	mostColumns = 100
	// mostValues is how many values of a column, and longestValue the most characters
	// of one.
	mostValues, longestValue = 12, 60
)

const instructions = `You describe a table for people who will ask questions about it in plain language. You are shown the names of its columns, their types and some of their values, and answer with a JSON object.
- "description": what a row is and what the table is about, in a sentence or two.
- "columns": every column once, by its key. "description" says in a few words what its values are, with the unit, and what codes stand for where the values show it. Where you cannot tell, say only what can be seen. "words" are up to five other words or short phrases that people would call the column by; none that fit another column too. "values" are values of the column that people call by another word, with that word: "D" is "dog". Only values that you were shown, and only where the word is certain.
- "measures": up to five numbers that people would ask for and that are computed from the columns of one row, such as a price times a quantity; not what a column holds already. "expression" has keys of columns of numbers, numbers, + - * / and parentheses. "aggregate" is how the numbers of several rows are usually put together. "unit" may be empty.
- Invent nothing: what neither names nor values show is left out.

`

// Proposal is what a model proposes for a dataset.
type Proposal struct {
	quern.InferDefinition
	Knowledge knowledge.Document
}

// Ask asks a model about a dataset, of which known is what somebody has said already.
// Descriptions that it does not give are those of the rules. It fails as models do,
// and with llm.Unusable when no answer can be used.
func Ask(ctx context.Context, m llm.Model, payer quern.UserID, d propose.Dataset, known quern.InferDefinition) (Proposal, error) {
	if len(d.Columns) > mostColumns {
		d.Columns = d.Columns[:mostColumns]
	}
	fence := llm.NewFence()
	text, err := fence.Data("The table", shown(d, known))
	if err != nil {
		return Proposal{}, err
	}
	got, err := prompt.Repaired(ctx, m, prompt.Try{Fence: fence, Request: llm.Request{
		For: payer, System: instructions + fence.Rule(), Format: format(d),
		Messages: []llm.Message{{Role: llm.Asker, Text: text + "Describe the table."}},
	}}, func(text string) (Proposal, error) { return read(text, d) })
	return got.Value, err
}

// table is a dataset as a model is shown it.
type table struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Rows        int64    `json:"rows"`
	Columns     []column `json:"columns"`
}

type column struct {
	Key         string   `json:"key"`
	Name        string   `json:"name"`
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Values      []string `json:"values"`
	All         bool     `json:"valuesAreAll"`
	Min         string   `json:"smallest,omitempty"`
	Max         string   `json:"largest,omitempty"`
}

func shown(d propose.Dataset, known quern.InferDefinition) table {
	made := table{Name: d.Name, Rows: d.Rows, Columns: []column{}}
	if known.DataDescription != nil {
		made.Description = *known.DataDescription
	}
	for i, c := range d.Columns {
		one := column{Key: key(i), Name: c.Name, Type: string(c.Type), Description: known.SchemaDefinition[c.Name], Values: []string{},
			All: c.All && len(c.Values) <= mostValues, Min: quern.Clip(c.Min, longestValue), Max: quern.Clip(c.Max, longestValue)}
		for _, v := range c.Values[:min(len(c.Values), mostValues)] {
			one.Values = append(one.Values, quern.Clip(v, longestValue))
			one.All = one.All && utf8.RuneCountInString(v) <= longestValue
		}
		made.Columns = append(made.Columns, one)
	}
	return made
}

// key is what a column is called in an answer: names are data.
func key(i int) string { return "c" + strconv.Itoa(i+1) }

// aggregates are how the numbers of several rows may be put together.
var aggregates = []any{"sum", "avg", "min", "max"}

// format is the form of an answer about a dataset.
func format(d propose.Dataset) *llm.Format {
	keys := make([]any, len(d.Columns))
	for i := range d.Columns {
		keys[i] = key(i)
	}
	text := map[string]any{"type": "string"}
	return &llm.Format{Name: "table", Schema: object(map[string]any{
		"description": text,
		"columns": list(object(map[string]any{
			"column": map[string]any{"type": "string", "enum": keys}, "description": text, "words": list(text),
			"values": list(object(map[string]any{"value": text, "word": text})),
		})),
		"measures": list(object(map[string]any{
			"name": text, "words": list(text), "expression": text, "aggregate": map[string]any{"type": "string", "enum": aggregates}, "unit": text,
		})),
	})}
}

func list(of map[string]any) map[string]any { return map[string]any{"type": "array", "items": of} }

func object(properties map[string]any) map[string]any {
	required := []any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// answer is what a model says of a dataset.
type answer struct {
	Description string
	Columns     []struct {
		Column, Description string
		Words               []string
		Values              []struct{ Value, Word string }
	}
	Measures []struct {
		Name, Expression, Aggregate, Unit string
		Words                             []string
	}
}

// read makes a proposal of a model's words.
func read(text string, d propose.Dataset) (Proposal, error) {
	said, err := prompt.Decode[answer](text)
	if err != nil {
		return Proposal{}, err
	}
	b := believer{dataset: d, made: Proposal{InferDefinition: propose.Definition(d)}, means: map[string]string{}}
	if about := plain(said.Description, quern.MaxDescription-1); about != "" {
		b.made.DataDescription = &about
	}
	seen := map[int]bool{}
	for _, of := range said.Columns {
		i := b.column(of.Column)
		if i < 0 || seen[i] {
			return Proposal{}, fmt.Errorf("columns names %q, which is no key of a column, or twice", quern.Clip(of.Column, 20))
		}
		seen[i] = true
		if about := plain(of.Description, mostDescription); about != "" {
			b.made.SchemaDefinition[d.Columns[i].Name] = about
		}
		b.words(i, of.Words)
		for _, v := range of.Values {
			b.value(i, v.Value, v.Word)
		}
	}
	if len(seen) == 0 && len(d.Columns) > 0 {
		return Proposal{}, fmt.Errorf("columns is empty; there are %d", len(d.Columns))
	}
	for _, m := range said.Measures {
		b.measure(knowledge.Measure{Name: m.Name, Words: m.Words, Dataset: d.Name, Expression: m.Expression, Aggregate: m.Aggregate, Unit: m.Unit})
	}
	return b.done(), nil
}
