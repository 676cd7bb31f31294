package structure

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quern"
	"quern/llm"
)

const (
	// modelsAtOnce is how many requests of one step are open at a time.
	modelsAtOnce = 4
	// mostColumns is how many columns a model may propose.
	mostColumns = 40
	// mostAnswerRows is how many rows of one answer are read.
	mostAnswerRows = 5000
)

const tableInstructions = `You read texts and write down the records that they contain, as JSON.
- "rows" has one object for every record, in the order of the text. A record that is cut off at the beginning or end of a text is written down as far as it is there.
- "text" is the number of the text that the record is in.
- The other members are the fields. Each is null, or an object: "words" are the words of the text that say it, copied exactly, as few as possible; "value" is the same as the field wants it.
- Only what a text says counts. What it does not say is null. Never complete, guess, compute or translate.
- Leave out what is no record: titles, remarks, totals.

`

const columnInstructions = `You look at the beginning of a text and say which fields its records have, as JSON: for each a short name in lowercase with underscores and a description of a few words. At most 20. Only fields that the text has.

`

// errUnusable says that a model's answer is not what was asked for.
var errUnusable = errors.New("structure: the answer cannot be used")

// modelRun is one step's conversation with a model.
type modelRun struct {
	about    *about
	fields   []field
	mu       sync.Mutex
	invented int    // values that no text has
	reason   string // why a model did not answer
}

// ask puts one request to the model, unless its answer was kept, and has the answer
// read. An answer that cannot be read is asked for once more.
func (m *modelRun) ask(ctx context.Context, r llm.Request, read func(text string) error) error {
	keep := m.about.work.job.Answers
	key := requestKey(m.about.model.Name, r)
	if keep != nil {
		if answer, ok, err := keep.Answer(ctx, key); err == nil && ok && read(string(answer)) == nil {
			return nil
		}
	}
	var failed error
	for range 2 {
		fenced, err := fencedRequest(r)
		if err != nil {
			return err
		}
		answer, err := m.about.model.Complete(ctx, fenced)
		if err != nil {
			return err
		}
		if failed = read(answer.Text); failed == nil {
			if keep != nil {
				if err := keep.Keep(ctx, key, []byte(answer.Text)); err != nil {
					m.about.work.service.o.Log.WarnContext(ctx, "an answer of a model could not be kept", "error", err)
				}
			}
			return nil
		}
	}
	return failed
}

// fencedRequest sets the data of a request apart with a mark that they cannot know.
// The request holds them as JSON in its messages.
func fencedRequest(r llm.Request) (llm.Request, error) {
	fence := llm.NewFence()
	data, err := fence.Data("The data", json.RawMessage(r.Messages[0].Text))
	r.System += fence.Rule()
	r.Messages = []llm.Message{{Role: llm.Asker, Text: data}}
	return r, err
}

// requestKey names a request, so that its answer is found again.
func requestKey(model string, r llm.Request) string {
	sum := sha256.New()
	schema, _ := json.Marshal(r.Format) // of maps and text
	for _, part := range []string{model, r.System, r.Messages[0].Text, string(schema)} {
		fmt.Fprintf(sum, "%d\x00%s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// request makes a request out of instructions and data.
func (m *modelRun) request(instructions, format string, schema map[string]any, data any) (llm.Request, error) {
	text, err := json.Marshal(data)
	return llm.Request{
		For: m.about.work.job.For, System: instructions, Messages: []llm.Message{{Role: llm.Asker, Text: string(text)}},
		Format: &llm.Format{Name: format, Schema: schema},
	}, err
}

func object(properties map[string]any) map[string]any {
	required := make([]any, 0, len(properties))
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// rowsSchema is the form of an answer: rows with the fields, numbered.
func rowsSchema(fields []field) map[string]any {
	text := map[string]any{"type": "string"}
	properties := map[string]any{"text": map[string]any{"type": "integer"}}
	for i := range fields {
		properties[fieldKey(i)] = map[string]any{"anyOf": []any{
			map[string]any{"type": "null"}, object(map[string]any{"words": text, "value": text}),
		}}
	}
	return object(map[string]any{"rows": map[string]any{"type": "array", "items": object(properties)}})
}

// fieldKey is what a field is called in a model's answer: names are data.
func fieldKey(i int) string { return "f" + strconv.Itoa(i+1) }

// shownField is a field as a model is shown it.
type shownField struct {
	Key         string `json:"key"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

func shownFields(fields []field) []shownField {
	all := make([]shownField, len(fields))
	for i, f := range fields {
		all[i] = shownField{fieldKey(i), f.name, f.description}
	}
	return all
}

// guidance is what people said about the data.
func (m *modelRun) guidance() map[string]any {
	job, shown := m.about.work.job, map[string]any{}
	if d := job.Definition.DataDescription; d != nil && *d != "" {
		shown["description"] = *d
	}
	if text := strings.TrimSpace(job.Instructions + "\n" + m.about.Instructions); text != "" {
		shown["wishes"] = text
	}
	return shown
}

// proposeFields asks a model which fields the records of a text have.
func (m *modelRun) proposeFields(ctx context.Context, text string) error {
	name := map[string]any{"type": "string"}
	one := object(map[string]any{"name": name, "description": name})
	schema := object(map[string]any{"fields": map[string]any{"type": "array", "items": one}})
	data := m.guidance()
	data["text"] = text[:min(len(text), cutText(text, windowSize))]
	r, err := m.request(columnInstructions, "fields", schema, data)
	if err != nil {
		return err
	}
	return m.ask(ctx, r, func(answer string) error {
		read, err := decodeAnswer[struct {
			Fields []struct{ Name, Description string }
		}](answer)
		if err != nil {
			return err
		}
		taken := map[string]int{}
		m.fields = nil
		for _, f := range read.Fields[:min(len(read.Fields), mostColumns)] {
			if name := columnName(f.Name); strings.TrimSpace(f.Name) != "" {
				m.fields = append(m.fields, newField(unique(taken, name), quern.Clip(f.Description, 200)))
			}
		}
		if len(m.fields) == 0 {
			return errUnusable
		}
		return nil
	})
}

// cutText returns how much of a text fits into so many bytes.
func cutText(text string, most int) int {
	if len(text) <= most {
		return len(text)
	}
	return cutAt(text, most/2, most)
}

// decodeAnswer reads a model's answer. Models that think aloud, or put a fence around
// it, are forgiven.
func decodeAnswer[T any](text string) (value T, err error) {
	if _, after, thought := strings.Cut(text, "</think>"); thought {
		text = after
	}
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "```"); ok {
		text = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(inner, "json")), "```")
	}
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return value, fmt.Errorf("%w: %w", errUnusable, err)
	}
	return value, nil
}

// modelRow is a row of a model's answer that was found in the text.
type modelRow struct {
	piece  piece
	values []value // their places are in the document
	at     span    // of all of it, in the document
}

// readPieces asks a model for the rows of pieces, several requests at a time. A request
// that fails is asked again piece by piece; what fails then is told.
func (m *modelRun) readPieces(ctx context.Context, pieces []piece) (rows [][]modelRow, failed []piece, err error) {
	requests := batched(pieces, m.about.work.job.BatchSize)
	rows = make([][]modelRow, len(requests))
	fails := make([][]piece, len(requests))
	turns := make(chan struct{}, modelsAtOnce)
	var working sync.WaitGroup
	for i, some := range requests {
		turns <- struct{}{}
		working.Go(func() {
			defer func() { <-turns }()
			rows[i], fails[i] = m.readBatch(ctx, some)
		})
	}
	working.Wait()
	for _, some := range fails {
		failed = append(failed, some...)
	}
	return rows, failed, ctx.Err()
}

func (m *modelRun) readBatch(ctx context.Context, pieces []piece) (rows []modelRow, failed []piece) {
	rows, err := m.readOnce(ctx, pieces)
	if err == nil {
		return rows, nil
	}
	if f, ok := llm.FaultOf(err); len(pieces) == 1 || ok && (f.Reason == llm.Spent || f.Reason == llm.Resting || f.Reason == llm.Denied) {
		m.fail(err)
		return nil, pieces
	}
	for _, p := range pieces {
		some, err := m.readOnce(ctx, []piece{p})
		if err != nil {
			m.fail(err)
			failed = append(failed, p)
		}
		rows = append(rows, some...)
	}
	return rows, failed
}

// fail notes why a model did not answer.
func (m *modelRun) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reason = "the model gave no answer that can be used"
	if f, ok := llm.FaultOf(err); ok {
		m.reason = f.Reason.Note()
	}
}

// readOnce asks for the rows of pieces in one request.
func (m *modelRun) readOnce(ctx context.Context, pieces []piece) (rows []modelRow, err error) {
	data := m.guidance()
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
	}
	data["fields"], data["texts, numbered from 1"] = shownFields(m.fields), texts
	r, err := m.request(tableInstructions, "rows", rowsSchema(m.fields), data)
	if err != nil {
		return nil, err
	}
	err = m.ask(ctx, r, func(answer string) error {
		rows, err = m.readRows(answer, pieces)
		return err
	})
	return rows, err
}

// answeredValue is a value as a model gives it.
type answeredValue struct {
	Words string `json:"words"`
	Value string `json:"value"`
}

// readRows reads an answer: what is not in the texts is left out.
func (m *modelRun) readRows(answer string, pieces []piece) ([]modelRow, error) {
	read, err := decodeAnswer[struct {
		Rows []map[string]json.RawMessage `json:"rows"`
	}](answer)
	if err != nil {
		return nil, err
	}
	if read.Rows == nil || len(read.Rows) > mostAnswerRows {
		return nil, errUnusable
	}
	texts := make([]folded, len(pieces))
	for i, p := range pieces {
		texts[i] = fold(p.text)
	}
	cursor := make([]int, len(pieces))
	var rows []modelRow
	for _, raw := range read.Rows {
		var number int
		if json.Unmarshal(raw["text"], &number) != nil || number < 1 || number > len(pieces) {
			return nil, errUnusable
		}
		row := m.locate(raw, pieces[number-1], texts[number-1], cursor[number-1])
		if len(row.values) == 0 {
			continue
		}
		cursor[number-1] = row.at.start - pieces[number-1].start
		rows = append(rows, row)
	}
	return rows, nil
}

// locate finds the values of an answered row in the text: first the longest, which is
// looked for behind the row before, then the others near it.
func (m *modelRun) locate(raw map[string]json.RawMessage, p piece, text folded, behind int) modelRow {
	row := modelRow{piece: p}
	answered := make([]answeredValue, len(m.fields))
	longest := -1
	for i := range m.fields {
		var v *answeredValue
		if json.Unmarshal(raw[fieldKey(i)], &v) != nil || v == nil || strings.TrimSpace(v.Words) == "" {
			continue
		}
		if answered[i] = *v; longest < 0 || len(v.Words) > len(answered[longest].Words) {
			longest = i
		}
	}
	if longest < 0 {
		return row
	}
	near := behind
	if at, ok := text.find(answered[longest].Words, behind); ok {
		near = max(0, at.start-windowOverlap/2)
		if near < behind {
			near = behind
		}
	}
	for i, v := range answered {
		if v.Words == "" {
			continue
		}
		at, ok := text.find(v.Words, near)
		if !ok {
			m.mu.Lock()
			m.invented++
			m.mu.Unlock()
			continue
		}
		one := m.checked(v, p.text[at.start:at.end])
		one.name, one.at = m.fields[i].name, span{p.start + at.start, p.start + at.end}
		if len(row.values) == 0 {
			row.at = one.at
		}
		row.at = span{min(row.at.start, one.at.start), max(row.at.end, one.at.end)}
		row.values = append(row.values, one)
	}
	return row
}

// checked is a value of a model that says the same as its words; otherwise the words
// are the value.
func (m *modelRun) checked(v answeredValue, words string) value {
	const exact, derived = 0.9, 0.8
	one := value{text: words, shape: shapeOf(words), by: "model", sure: exact}
	given := strings.TrimSpace(v.Value)
	if given == "" || fold(given).text == fold(words).text {
		return one
	}
	if sameNumber(given, words) || sameDay(given, words) {
		one.read, one.sure = given, derived
		return one
	}
	if inside := fold(words); strings.Contains(inside.text, fold(given).text) {
		one.read, one.sure = given, derived
		return one
	}
	m.mu.Lock()
	m.invented++
	m.mu.Unlock()
	return one
}
