package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quern/llm/llmtest"
)

// extractDocuments writes documents whose rows are known.
func extractDocuments(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	add := func(name, steps, schema string, texts []string, gold []map[string]any) {
		rows := []map[string]string{}
		for _, text := range texts {
			rows = append(rows, map[string]string{"text": text})
		}
		d := map[string]any{"name": name, "rows": rows, "steps": json.RawMessage(steps), "gold": gold}
		if schema != "" {
			d["definition"] = map[string]any{"schemaDefinition": json.RawMessage(schema)}
		}
		if err := json.NewEncoder(&out).Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	const table = `[{"type":"table","deriveFrom":"text"}]`
	var lines, receipts, cards, invoices []string
	var logged, bought, people, invoiced []map[string]any
	for i := range 200 {
		at, severity := fmt.Sprintf("2030-02-%02d 08:%02d:%02d", i%28+1, i%60, i%59), []string{"INFO", "WARN", "ERROR"}[i%3]
		message := []string{"listening", fmt.Sprintf("request %d took %d ms", i, i*7), "cannot write to disk"}[i%3]
		lines = append(lines, fmt.Sprintf("%s %s [w-%d] %s", at, severity, i%4, message))
		logged = append(logged, map[string]any{"at": at, "severity": severity, "message": message})
	}
	for i := range 10 {
		text := fmt.Sprintf("Corner Shop %d\nDate: 2030-03-%02d\n", i, i+1)
		for n, name := range []string{"Milk", "Rye bread", "Coffee beans"} {
			price := fmt.Sprintf("%d.%02d", n+i, 10*n+5)
			text += fmt.Sprintf("%-20s %8s\n", name, price)
			bought = append(bought, map[string]any{"item": name, "amount": price, "date": fmt.Sprintf("2030-03-%02d", i+1)})
		}
		receipts = append(receipts, text+"TOTAL                   99.99\n")
		name, city := []string{"Jane Doe", "Erika Muster", "Paul Smith"}[i%3], []string{"London", "Leeds", "York"}[i%3]
		cards = append(cards, fmt.Sprintf("%s\n%d High Street\n%s SW%dA 1AA\n%s@x.example", name, i+1, city, i+1, strings.ToLower(name[:4])))
		people = append(people, map[string]any{"name": name, "street": fmt.Sprintf("%d High Street", i+1), "city": city, "email": strings.ToLower(name[:4]) + "@x.example"})
		invoices = append(invoices, fmt.Sprintf("Dear customer,\nplease pay invoice INV-%d of $%d.50 until 2030-04-%02d.\nKind regards", 700+i, i+20, i+1))
		invoiced = append(invoiced, map[string]any{"number": fmt.Sprintf("INV-%d", 700+i), "amount": fmt.Sprintf("$%d.50", i+20), "due": fmt.Sprintf("2030-04-%02d", i+1)})
	}
	add("log", table, `{"at":"when it happened","severity":"the level","message":"what was said"}`, []string{strings.Join(lines, "\n")}, logged)
	add("receipts", table, "", receipts, bought)
	add("addresses", table, "", []string{strings.Join(cards, "\n\n")}, people)
	add("letters", table, `{"number":"the code of the invoice","amount":"what is to be paid","due":"date until which"}`, invoices, invoiced)
	add("nested", `[{"type":"rows","deriveFrom":"text"}]`, "", []string{`[{"a":1,"b":"x"},{"a":2}]`}, []map[string]any{{"a": 1, "b": "x"}, {"a": 2}})
	file := filepath.Join(t.TempDir(), "documents.jsonl")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// extracted is what eval extract says, by step and by document.
type extracted struct {
	steps map[string]extractScore
	by    map[string]extractScore
}

type extractScore struct {
	Gold      int     `json:"gold_rows"`
	Lost      int     `json:"rows_lost"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

func runExtract(t *testing.T, environ []string, args ...string) extracted {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"eval", "extract", "--json"}, args...)
	if status := run(t.Context(), shell{Args: args, Out: &out, Err: &errs, Environ: environ}); status != 0 {
		t.Fatalf("eval extract = %d, %s", status, errs.String())
	}
	e := extracted{by: map[string]extractScore{}}
	all := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range all[:len(all)-1] {
		var one struct {
			Name  string
			Score extractScore
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatal(err)
		}
		e.by[one.Name] = one.Score
	}
	if err := json.Unmarshal([]byte(all[len(all)-1]), &e.steps); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	return e
}

var (
	fenced       = regexp.MustCompile(`(?m)^<<\w+\n(.*)\n>>`)
	invoiceWords = regexp.MustCompile(`invoice (\S+) of (\S+) until (\S+)\.`)
)

// readsInvoices answers as a model would that reads letters well, and makes up one
// more.
func readsInvoices(s *llmtest.Service, w http.ResponseWriter, r *http.Request, asked llmtest.Asked) {
	var data struct {
		Texts  []string
		Fields []struct{ Key, Name string }
	}
	if m := fenced.FindStringSubmatch(asked.Messages[0].Text); m != nil {
		plain := strings.Replace(m[1], `"texts, numbered from 1"`, `"texts"`, 1)
		_ = json.Unmarshal([]byte(plain), &data) // what is no data gives no row
	}
	said := func(text string) map[string]string { return map[string]string{"words": text, "value": text} }
	rows := []map[string]any{}
	for i, text := range data.Texts {
		row := map[string]any{"text": i + 1}
		for _, f := range data.Fields {
			row[f.Key] = nil
			if m := invoiceWords.FindStringSubmatch(text); m != nil {
				row[f.Key] = said(map[string]string{"number": m[1], "amount": m[2], "due": m[3]}[f.Name])
			}
		}
		invented := map[string]any{"text": i + 1}
		for _, f := range data.Fields {
			invented[f.Key] = said("made up")
		}
		rows = append(rows, row, invented)
	}
	answer, _ := json.Marshal(map[string]any{"rows": rows})
	llmtest.Says(string(answer))(s, w, r, asked)
}

func TestEvalExtract(t *testing.T) {
	t.Parallel()
	file := extractDocuments(t)
	without := runExtract(t, nil, "--documents", file)
	for name, least := range map[string]float64{"log": 1, "receipts": 1, "addresses": 0.95, "letters": 0.6, "nested": 1} {
		if s := without.by[name]; s.Lost != 0 || s.Recall < least || s.Precision < least {
			t.Errorf("%s = %+v, want no row lost and at least %v", name, s, least)
		}
	}
	if s := without.steps["table"]; s.Gold != 250 {
		t.Errorf("table = %+v, want all documents of the step", s)
	}
	model := llmtest.New(t, llmtest.OpenAI)
	model.Always(readsInvoices)
	with := runExtract(t, []string{
		"QUERN_LLM_PROVIDER=openai", "QUERN_LLM_BASE_URL=" + model.BaseURL(), "QUERN_LLM_API_KEY=" + model.Key, "QUERN_LLM_MODEL=big",
	}, "--documents", file, "--model")
	if s := with.by["letters"]; s.Lost != 0 || s.Recall != 1 || s.Precision != 1 {
		t.Errorf("letters with a model = %+v, want every value, and none that was made up", s)
	}
	if s := with.by["log"]; s.Lost != 0 || s.Recall != 1 {
		t.Errorf("a log that the model finds no record in = %+v, want what the rules read", s)
	}
}
