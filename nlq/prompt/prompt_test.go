package prompt_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"quern"
	"quern/llm"
	"quern/llm/llmtest"
	"quern/nlq"
	"quern/nlq/prompt"
	"quern/tree"
)

var update = flag.Bool("update", false, "write what the cases give into them")

// Each case of testdata is a question, the completions that a model gave for it,
// and what became of them.
func TestTranslate(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("testdata holds %d cases, %v", len(files), err)
	}
	for _, speaks := range []llmtest.Interface{llmtest.OpenAI, llmtest.Anthropic} {
		h := newHouse(t, speaks)
		h.harbour()
		for _, file := range files {
			replay(t, h, file)
		}
	}
}

func replay(t *testing.T, h *house, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	must(t, err)
	archive := txtar.Parse(raw)
	var question, want string
	given := 0
	for _, part := range archive.Files {
		switch text := strings.TrimSpace(string(part.Data)); part.Name {
		case "question":
			question = text
		case "completion":
			h.model.Will(llmtest.Says(text))
			given++
		case "want":
			want = text
		}
	}
	before := len(h.model.Asked())
	got, err := h.translator(true).Translate(t.Context(), h.ada, ask(question))
	var b strings.Builder
	switch {
	case err != nil:
		b.WriteString("error: " + err.Error() + "\n")
	case got.Clarification != nil:
		b.WriteString("clarification: " + got.Clarification.Question + "\n")
		for _, c := range got.Clarification.Choices {
			b.WriteString("choice: " + c.Label + "\n  " + c.Query + "\n")
		}
	default:
		b.WriteString(got.SQL + "\n" + got.Reading + "\n" + strings.Join(h.rows(got), "\n") + "\n")
	}
	if asked := len(h.model.Asked()) - before; asked != given {
		t.Errorf("%s: the model was asked %d times, want %d", file, asked, given)
	}
	if *update {
		archive.Files[len(archive.Files)-1].Data = []byte(b.String())
		must(t, os.WriteFile(file, txtar.Format(archive), 0o600))
		return
	}
	if strings.TrimSpace(b.String()) != want {
		t.Errorf("%s: got\n%s\nwant\n%s", file, b.String(), want)
	}
}

func TestTranslateConfidence(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	h.harbour()
	good := llmtest.Says(`{"kind":"query","sql":"select count(*) from arrivals","question":"","choices":[]}`)
	h.model.Will(good, llmtest.Says("no idea"), good)
	first, err := h.translator(true).Translate(t.Context(), h.ada, ask("How many?"))
	must(t, err)
	second, err := h.translator(true).Translate(t.Context(), h.ada, ask("How many?"))
	must(t, err)
	if first.Confidence <= second.Confidence || second.Confidence <= 0 || first.Score != 1 {
		t.Errorf("confidence %v at once and %v after repair, score %v; want less after repair", first.Confidence, second.Confidence, first.Score)
	}
	last := h.model.Asked()[2]
	if len(last.Messages) != 3 || last.Messages[1].Text != "no idea" || !strings.Contains(last.Messages[2].Text, "is not the JSON object") {
		t.Errorf("the repair was asked for with %q, want the answer and what is wrong with it", last.Messages)
	}
}

// data takes the fenced values out of a message and gives the words around them.
func data(t *testing.T, message string) (values []json.RawMessage, words string) {
	t.Helper()
	var around []string
	lines := strings.Split(message, "\n")
	for i := 0; i < len(lines); i++ {
		mark, fenced := strings.CutPrefix(lines[i], "<<")
		if !fenced {
			around = append(around, lines[i])
			continue
		}
		if i+2 >= len(lines) || lines[i+2] != ">>"+mark || !json.Valid([]byte(lines[i+1])) {
			t.Fatalf("the fence at line %d of %q does not hold one line of JSON", i, message)
		}
		values = append(values, json.RawMessage(lines[i+1]))
		i += 2
	}
	return values, strings.Join(around, "\n")
}

func TestPromptTellsWhatIsNeeded(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.Anthropic)
	h.harbour()
	h.model.Always(llmtest.Says(`{"kind":"query","sql":"select count(*) from arrivals","question":"","choices":[]}`))
	q := ask("How many ships came?")
	before, err := tree.Parse(`select count(*) from "ada/harbour/arrivals" as arrivals where ship = 'Borealis'`)
	must(t, err)
	q.Previous = &nlq.Turn{Question: "How often did the Borealis come?", Query: before}
	for _, values := range []bool{true, false} {
		_, err := h.translator(values).Translate(t.Context(), h.ada, q)
		must(t, err)
	}
	asked := h.model.Asked()
	with, _ := data(t, asked[0].Messages[0].Text)
	for _, want := range []string{
		`"today":"2026-05-01"`, `"name":"arrivals"`, `"description":"Ships that came into the harbour."`, `"rows":3`,
		`{"name":"draught","type":"double","description":"how deep`, `"min":"7.5"`, `"examples":["Borealis","Aurora"]`,
		`"arrivals.berth_id = berths.id"`, `"question":"How many ships came?"`, `How often did the Borealis come?`, `FROM \"arrivals\" AS`, `'Borealis'`,
	} {
		if !strings.Contains(string(with[0]), want) && !strings.Contains(string(with[0]), strings.ReplaceAll(want, "'", `\u0027`)) {
			t.Errorf("the prompt %s lacks %s", with[0], want)
		}
	}
	if strings.Contains(string(with[0]), "ada") {
		t.Errorf("the prompt %s tells who asks", with[0])
	}
	without := asked[1].System + asked[1].Messages[0].Text
	for _, value := range []string{"Aurora", "7.5", "9.25", "North quay", "2026-03", "= 'Borealis'"} {
		if strings.Contains(without, value) {
			t.Errorf("the prompt without values holds %q", value)
		}
	}
	if !strings.Contains(without, "draught") || !strings.Contains(without, "how deep") {
		t.Errorf("the prompt without values lacks names and descriptions: %s", without)
	}
}

// Of the values of a column those are shown that the question may mean, as they are
// spelled; nothing of them where values are to stay here.
func TestPromptShowsTheValuesThatAreMeant(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	var rows []string
	for i := range 200 {
		rows = append(rows, fmt.Sprintf(`{"ship":"Tender %d","port":"Bergen"}`, i))
	}
	rows = append(rows, `{"ship":"Wayfarer-IV","port":"Ålesund"}`)
	h.Dataset(h.ada, "harbour/arrivals", "["+strings.Join(rows, ",")+"]")
	h.model.Always(llmtest.Says(`{"kind":"query","sql":"select count(*) from arrivals","question":"","choices":[]}`))
	for _, values := range []bool{true, false} {
		_, err := h.translator(values).Translate(t.Context(), h.ada, ask("How often did the wayfarer iv come from alesund?"))
		must(t, err)
	}
	with, _ := data(t, h.model.Asked()[0].Messages[0].Text)
	for _, want := range []string{`"examples":["Wayfarer-IV",`, `"examples":["Ålesund",`} {
		if !strings.Contains(string(with[0]), want) {
			t.Errorf("the prompt %s lacks %s", with[0], want)
		}
	}
	without := h.model.Asked()[1]
	for _, value := range []string{"Wayfarer", "Tender", "Ålesund", "Bergen"} {
		if strings.Contains(without.System+without.Messages[0].Text, value) {
			t.Errorf("the prompt without values holds %q", value)
		}
	}
}

// A follow-up that can be understood in one way needs no model.
func TestFollowUpsNeedNoModel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	h.harbour()
	before, err := tree.Parse(`select count(*) from "ada/harbour/arrivals" as arrivals`)
	must(t, err)
	translator := h.translator(false)
	after := func(text string) nlq.Translation {
		q := ask(text)
		q.Previous = &nlq.Turn{Question: "How many arrivals are there?", Query: before}
		got, err := translator.Translate(t.Context(), h.ada, q)
		must(t, err)
		return got
	}
	for text, want := range map[string]string{
		"only the Aurora": `{"count":2}`,
		"and in April?":   `{"count":1}`,
		"per ship":        `{"ship":"Aurora","count":2} {"ship":"Borealis","count":1}`,
	} {
		got := after(text)
		if rows := strings.Join(h.rows(got), " "); rows != want || got.Confidence <= 0.5 {
			t.Errorf("Translate(%q) = %s at %v with rows %s, want %s", text, got.SQL, got.Confidence, rows, want)
		}
	}
	if n := len(h.model.Asked()); n != 0 {
		t.Fatalf("the model was asked %d times for follow-ups, want not once", n)
	}
	h.model.Will(llmtest.Says(`{"kind":"query","sql":"select count(*) from berths","question":"","choices":[]}`))
	if got := after("And how many quays have we got?"); !strings.Contains(got.SQL, "berths") || len(h.model.Asked()) != 1 {
		t.Errorf("a question of its own = %s after %d requests, want the model's reading", got.SQL, len(h.model.Asked()))
	}
}

// A prompt stays small, whatever there is, and holds what the question is about.
func TestPromptIsBounded(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	long := strings.Repeat("long words ", 900)
	fields := map[string]string{}
	var row []string
	for i := range 100 {
		name := fmt.Sprintf("field_%03d", i)
		fields[name] = long
		row = append(row, fmt.Sprintf("%q:%q", name, strings.Repeat("v", 500)))
	}
	rows := "[{" + strings.Join(row, ",") + "}]"
	for i := range 45 {
		name := fmt.Sprintf("harbour/filler%02d", i)
		if i > 3 {
			h.Dataset(h.ada, name, `[{"n":1}]`)
			continue
		}
		h.Dataset(h.ada, name, rows, quern.InferDefinition{DataDescription: &long, SchemaDefinition: fields})
	}
	h.Dataset(h.ada, "harbour/whales", `[{"name":"Moby"}]`)
	h.model.Will(llmtest.Says(`{"kind":"query","sql":"select n from filler30","question":"","choices":[]}`))
	got, err := h.translator(true).Translate(t.Context(), h.ada, ask("How many whales are there?"))
	if err != nil || got.Query == nil {
		t.Fatalf("Translate = %v, want that also what is not shown can be queried", err)
	}
	text := h.model.Asked()[0].Messages[0].Text
	values, _ := data(t, text)
	var told struct {
		Datasets []struct{ Name string }
		More     int `json:"datasetsNotShown"`
	}
	must(t, json.Unmarshal(values[0], &told))
	if len(text) > 150_000 || told.Datasets[0].Name != "whales" || len(told.Datasets)+told.More != 46 || told.More < 6 {
		seen, err := h.schemas.Schema(t.Context(), h.ada, harbour, "", nil)
		must(t, err)
		t.Errorf("the prompt has %d characters, %d datasets with %+v first, and %d left out; want a bound and the whales: %.300s … of %d tables the last is %+v", len(text), len(told.Datasets), told.Datasets[0], told.More, text, len(seen.Tables), seen.Tables[len(seen.Tables)-1])
	}
	if !strings.Contains(text, `"columnsNotShown":20`) {
		t.Errorf("the prompt does not say that columns were left out")
	}
}

func TestTranslateRefusesBeforeItAsks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	h.harbour()
	bob := h.User("bob")
	translator := h.translator(true)
	for name, text := range map[string]string{"empty": "", "blank": " \n", "long": strings.Repeat("é", 10_001)} {
		if _, err := translator.Translate(t.Context(), h.ada, ask(text)); !invalid(err) {
			t.Errorf("Translate of a question that is %s = %v, want Invalid", name, err)
		}
	}
	_, foreign := translator.Translate(t.Context(), bob, ask("How many?"))
	nowhere := ask("How many?")
	nowhere.In.Namespace = "nowhere"
	_, missing := translator.Translate(t.Context(), bob, nowhere)
	if !quern.Is(foreign, quern.NotFound) || foreign.Error() != missing.Error() {
		t.Errorf("Translate in a foreign namespace = %v, in none = %v; want NotFound alike", foreign, missing)
	}
	only := ask("How many?")
	only.Dataset = "nothing"
	if _, err := translator.Translate(t.Context(), h.ada, only); !quern.Is(err, quern.NotFound) {
		t.Errorf("Translate over a dataset that is not there = %v, want NotFound", err)
	}
	if n := len(h.model.Asked()); n != 0 {
		t.Errorf("the model was asked %d times, want not once", n)
	}
}

func TestTranslateOneDataset(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	h.harbour()
	h.model.Always(llmtest.Says(`{"kind":"query","sql":"select name from berths","question":"","choices":[]}`))
	q := ask("Which names?")
	q.Dataset = "Berths"
	if got, err := h.translator(true).Translate(t.Context(), h.ada, q); err != nil || len(h.rows(got)) != 2 {
		t.Errorf("Translate over berths = %v, %v, want its rows", got.SQL, err)
	}
	if told, _ := data(t, h.model.Asked()[0].Messages[0].Text); strings.Contains(string(told[0]), "arrivals") {
		t.Errorf("a question of one dataset tells of others: %s", told[0])
	}
	q.Dataset = "arrivals"
	if _, err := h.translator(true).Translate(t.Context(), h.ada, q); reason(err) != llm.Unusable {
		t.Errorf("Translate over arrivals to a query of berths = %v, want Unusable", err)
	}
}

func TestFallback(t *testing.T) {
	t.Parallel()
	h := newHouse(t, llmtest.OpenAI)
	h.harbour()
	var log strings.Builder
	embedded := &byHeart{sql: "select ship from arrivals"}
	f := prompt.Fallback{Model: h.translator(true), Embedded: embedded, Log: slog.New(slog.NewTextHandler(&log, nil))}
	for _, tt := range []struct {
		name    string
		replies []llmtest.Reply
		note    string // empty: the model answered
	}{
		{"well", []llmtest.Reply{llmtest.Says(`{"kind":"query","sql":"select count(*) from arrivals","question":"","choices":[]}`)}, ""},
		{"away", []llmtest.Reply{llmtest.Fails(503, 0)}, "the model was unreachable; the embedded translator answered"},
		{"dropped", []llmtest.Reply{llmtest.Drops()}, "the model was unreachable; the embedded translator answered"},
		{"busy", []llmtest.Reply{llmtest.Fails(429, 0)}, "the model was too busy; the embedded translator answered"},
		{"nonsense", []llmtest.Reply{llmtest.Says("I think"), llmtest.Says("therefore I am")}, "the model gave no answer that can be used; the embedded translator answered"},
		{"declined", []llmtest.Reply{llmtest.Gives(llmtest.Completion{End: "declined"})}, "the model declined to answer; the embedded translator answered"},
		{"cut", []llmtest.Reply{llmtest.Gives(llmtest.Completion{Text: "{", End: "cut"})}, "the model's answer was too long; the embedded translator answered"},
	} {
		h.model.Will(tt.replies...)
		seen := embedded.seen
		got, err := f.Translate(t.Context(), h.ada, ask("How many?"))
		switch {
		case err != nil:
			t.Errorf("%s: Translate = %v, want a reading", tt.name, err)
		case tt.note == "" && (embedded.seen != seen || got.Notes != nil):
			t.Errorf("%s: the embedded translator was asked, notes %q; want the model's reading", tt.name, got.Notes)
		case tt.note != "" && (len(got.Notes) != 2 || got.Notes[1] != tt.note || got.SQL != "select ship from arrivals"):
			t.Errorf("%s: Translate = %s with notes %q, want the embedded reading and %q", tt.name, got.SQL, got.Notes, tt.note)
		}
	}
	if !strings.Contains(log.String(), "a model could not be used") || strings.Contains(log.String(), h.model.Key) {
		t.Errorf("the log %q, want the causes and no key", log.String())
	}
	embedded.err = quern.E(quern.Unavailable, quern.CodeUnavailable, "full")
	h.model.Will(llmtest.Fails(500, 0))
	if _, err := f.Translate(t.Context(), h.ada, ask("How many?")); !quern.Is(err, quern.Unavailable) {
		t.Errorf("with both away, Translate = %v, want the embedded translator's error", err)
	}
	seen := embedded.seen
	if _, err := f.Translate(t.Context(), h.User("bob"), ask("How many?")); !quern.Is(err, quern.NotFound) || embedded.seen != seen {
		t.Errorf("Translate of a stranger = %v, want NotFound and nobody asked", err)
	}
}
