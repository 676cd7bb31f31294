package prompt

import (
	"strings"
	"time"

	"quern"
	"quern/llm"
	"quern/nlq"
	"quern/tree"
)

// instructions tell a model what a translation is. What follows them is the rule
// of the fence.
const instructions = `You translate questions about datasets into SQL queries that only read.

Answer with a JSON object. Its member "kind" is "query" or "clarify".
- "query": "sql" holds one query that answers the question.
- "clarify": the question cannot be answered from the datasets, or has several readings that give different answers and nothing tells which is meant. "question" asks the asker which is meant, in the language of the question; "choices" holds at most four readings, each with a "label" (the reading in one sentence) and its "sql". When the datasets hold no answer at all, "choices" is empty and "question" says what is missing.
Members that do not apply are empty. Prefer "query" when one reading is clearly the likeliest.

The SQL is a small subset:
- SELECT [DISTINCT] items FROM dataset [AS alias], … WHERE … GROUP BY … HAVING … ORDER BY … LIMIT n; also UNION, INTERSECT, EXCEPT, and nested SELECTs in IN, EXISTS and as a value.
- Name datasets and columns as they are listed, in double quotes where they are not plain words. Use only those that are listed.
- Datasets that belong together are joined with JOIN … ON a = b or LEFT JOIN … ON a = b, along the listed links. Listed by commas without a condition they are joined along the links by themselves.
- Conditions: = <> < <= > >=, BETWEEN, IN, IS NULL, LIKE, ILIKE, AND, OR, NOT, contains(column, 'text'), starts_with(column, 'text'), ends_with(column, 'text').
- Aggregates: count, sum, avg, min, max, median, quantile_cont(column, 0.9), any_value, with DISTINCT or FILTER (WHERE …). Arithmetic: + - * / %.
- Functions: year, quarter, month, day, hour, dayname, lower, upper, length, abs, round. Periods: strftime(column, format) with '%Y-%m', '%G-W%V', '%Y-%m-%d' or '%H:%M', and concat(year(column), '-Q', quarter(column)). Durations: date_diff('day', a, b), date_diff('minute', a, b), date_sub('week', a, b), date_sub('month', a, b), date_sub('year', a, b). No others, no CASE, no WITH, no window functions, no casts.
- Dates are DATE '2024-01-31', instants TIMESTAMP '2024-01-31 10:00:00'. A period is column >= DATE 'first' AND column < DATE 'day after the last'.
- Text is compared exactly: use the spelling of the listed examples, or ILIKE or lower() where the spelling is not known.
- "taught" is what words mean in these data, and "verifiedQuestions" are questions with their right queries; both hold where the question is about the same.
- Select what the question asks for and the columns that make rows understandable, not everything.

`

// format is the form of a translation.
var format = &llm.Format{Name: "translation", Schema: map[string]any{
	"type": "object", "additionalProperties": false,
	"required": []any{"kind", "sql", "question", "choices"},
	"properties": map[string]any{
		"kind":     map[string]any{"type": "string", "enum": []any{"query", "clarify"}},
		"sql":      map[string]any{"type": "string", "description": "the query, when kind is query; else empty"},
		"question": map[string]any{"type": "string", "description": "what to ask back, when kind is clarify; else empty"},
		"choices": map[string]any{"type": "array", "items": map[string]any{
			"type": "object", "additionalProperties": false, "required": []any{"label", "sql"},
			"properties": map[string]any{
				"label": map[string]any{"type": "string"},
				"sql":   map[string]any{"type": "string"},
			},
		}},
	},
}}

// data is what a prompt holds, inside its fence.
type data struct {
	Today string `json:"today"`
	Described
	Previous *previous `json:"previousQuestion,omitempty"`
	Question string    `json:"question"`
}

type previous struct {
	Question string `json:"question"`
	SQL      string `json:"sql,omitempty"`
}

// newRequest makes the request of a first try.
func newRequest(f llm.Fence, b *Brief, q nlq.Question, values bool) (llm.Request, error) {
	told := data{Today: q.Now.UTC().Format(time.DateOnly), Described: b.Describe(values), Question: q.Text}
	if q.Previous != nil && q.Previous.Query != nil {
		told.Previous = &previous{q.Previous.Question, Earlier(q.Previous.Query, b.view.In, values)}
	}
	text, err := f.Data("The datasets, their links, and the question", told)
	if err != nil {
		return llm.Request{}, err
	}
	words := text + `Translate the member "question" of the data.`
	if told.Previous != nil {
		words += ` It may continue "previousQuestion".`
	}
	return llm.Request{
		System: instructions + f.Rule(), Format: format,
		Messages: []llm.Message{{Role: llm.Asker, Text: words}},
	}, nil
}

// Earlier writes the query of an earlier turn for a prompt, with the names that
// the prompt uses. It is empty when it cannot be written down, and where values
// are not sent and it compares with texts, for those may be out of rows.
func Earlier(q *tree.Query, in quern.NamespacePath, values bool) string {
	sql, err := tree.Print(q)
	secret := !values && strings.Contains(sql, "'")
	if err != nil || secret {
		return ""
	}
	return strings.ReplaceAll(sql, `"`+in.Owner+"/"+in.Namespace+"/", `"`)
}
