package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quern/llm/llmtest"
)

var (
	fencedData = regexp.MustCompile(`(?m)^<<\w+\n(.*)\n>>`)
	aVisit     = regexp.MustCompile(`The (\w+) paid (\d+) EUR`)
)

// readsVisits answers as a model would that reads well: f1 is fee, f2 is ship.
func readsVisits(s *llmtest.Service, w http.ResponseWriter, r *http.Request, asked llmtest.Asked) {
	var data map[string]json.RawMessage
	var texts []string
	_ = json.Unmarshal([]byte(dataOf(asked)), &data)
	_ = json.Unmarshal(data["texts, numbered from 1"], &texts)
	said := func(text string) map[string]string { return map[string]string{"words": text, "value": text} }
	rows := []map[string]any{}
	for i, text := range texts {
		for _, m := range aVisit.FindAllStringSubmatch(text, -1) {
			rows = append(rows, map[string]any{"text": i + 1, "f1": said(m[2]), "f2": said(m[1])})
		}
	}
	answer, _ := json.Marshal(map[string]any{"rows": rows})
	llmtest.Says(string(answer))(s, w, r, asked)
}

// dataOf is what a request asks about, without the mark that is new every time.
func dataOf(asked llmtest.Asked) string {
	if m := fencedData.FindStringSubmatch(asked.Messages[0].Text); m != nil {
		return m[1]
	}
	return ""
}

// TestServerKilledWhileAModelStructures kills the server while a model reads texts of an
// uploaded file. The next server goes on with what was not answered yet, asks for nothing
// twice that was, and every row is there once.
func TestServerKilledWhileAModelStructures(t *testing.T) {
	t.Parallel()
	service := llmtest.New(t, llmtest.OpenAI)
	h := modelHome(t, service)
	s := h.serve("--first-user", "ada")
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	h.environ = append(h.environ, "QUERN_SERVER="+s.checkedURL(), "QUERN_TOKEN="+token)
	const rows, answered, atOnce = 40, 3, 4
	lines := make([]string, rows)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"text":"Day %d. The ship%d paid %d EUR."}`, i, i, i)
	}
	file := filepath.Join(t.TempDir(), "visits.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	stored := struct{ SessionID string }{}
	if err := json.Unmarshal([]byte(h.must("", "upload", "--json", file)), &stored); err != nil {
		t.Fatal(err)
	}
	service.Will(slices.Repeat([]llmtest.Reply{readsVisits}, answered)...)
	service.Always(llmtest.Stalls())
	begun := s.call("POST", "/api/v1/data/self/harbour/visits/ingest", token, fmt.Sprintf(`{"sessionId":%q,"inferBatchSize":5,
		"schemaDefinition":{"fee":"what was paid","ship":"its name"},
		"infer":{"steps":[{"type":"table","deriveFrom":"text","replaceOriginalColumn":true}]}}`, stored.SessionID))
	if begun.status != 202 {
		t.Fatalf("starting an ingestion = %d %s, want 202", begun.status, begun.body)
	}
	for range atOnce { // each of those that ask has kept what it was answered before
		select {
		case <-service.Stalled:
		case <-time.After(patience):
			t.Fatalf("the model was asked %d times, want %d answered and %d under way", len(service.Asked()), answered, atOnce)
		}
	}
	s.kill()
	before := service.Asked()
	service.Always(readsVisits)
	s = h.serve()
	path := "/api/v1/ingestionTracking/" + begun.json(t)["id"].(string)
	i := awaitIngestion(t, s, path, token, func(i ingestionState) bool { return i.Status != "processing" && i.Status != "pending" })
	if i.Status != "completed" || i.ProcessedRows != rows || i.Attributes.Attempt != 1 {
		t.Errorf("the ingestion ended as %+v, want all rows, and the death not counted", i)
	}
	for _, asked := range service.Asked()[len(before):] {
		if slices.ContainsFunc(before[:answered], func(old llmtest.Asked) bool { return dataOf(old) == dataOf(asked) }) {
			t.Errorf("the model was asked again for %s, which it had answered", dataOf(asked))
		}
	}
	found := s.call("POST", "/api/v1/query", token, `{"username":"self","namespace":"harbour","includeMetadata":false,
		"query":"select count(*) as n, count(distinct ship) as ships, sum(fee) as fees from visits"}`)
	if want := fmt.Sprintf(`{"data":[{"n":%d,"ships":%d,"fees":%d}]`, rows, rows, rows*(rows-1)/2); !strings.HasPrefix(found.body, want) {
		t.Errorf("the rows are %s, want %s", found.body, want)
	}
}
