package langfusetest_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"quern/trace/langfuse/langfusetest"
)

// ask sends a request with the project's keys.
func ask(t *testing.T, s *langfusetest.Server, method, path, media, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(langfusetest.PublicKey, langfusetest.SecretKey)
	r.Header.Set("Content-Type", media)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestItIsStrict(t *testing.T) {
	t.Parallel()
	s := langfusetest.New(t)
	s.Tolerate()
	const good = `{"id":"a","traceId":"b","name":"n","value":1,"dataType":"BOOLEAN"}`
	if status := ask(t, s, "POST", "/api/public/scores", "application/json", good); status != 200 {
		t.Fatalf("a good score = %d, want 200", status)
	}
	for _, bad := range []string{
		`{`, `[]`, `{}`,
		strings.Replace(good, `"value":1,`, "", 1),
		strings.Replace(good, `"value":1`, `"value":true`, 1),
		strings.Replace(good, `"value":1`, `"value":2`, 1),
		strings.Replace(good, `"value":1`, `"value":"1"`, 1),
		strings.Replace(good, `"name":"n"`, `"name":""`, 1),
		strings.Replace(good, `"name":"n"`, `"name":null`, 1),
		strings.Replace(good, `"traceId":"b",`, "", 1),
		strings.Replace(good, `"traceId"`, `"trace_id"`, 1),
		strings.Replace(good, `"BOOLEAN"`, `"boolean"`, 1),
		strings.Replace(good, `"id":"a"`, `"id":7`, 1),
		strings.Replace(good, `}`, `,"rating":5}`, 1),
	} {
		if status := ask(t, s, "POST", "/api/public/scores", "application/json", bad); status != 400 {
			t.Errorf("POST %s = %d, want 400", bad, status)
		}
	}
	if status := ask(t, s, "POST", "/api/public/scores", "text/plain", good); status != 400 {
		t.Errorf("a score as text = %d, want 400", status)
	}
	if status := ask(t, s, "POST", "/api/public/otel/v1/traces", "application/x-protobuf", "nonsense"); status != 400 {
		t.Errorf("traces that are none = %d, want 400", status)
	}
	if status := ask(t, s, "PUT", "/api/public/scores", "application/json", good); status != 404 {
		t.Errorf("PUT = %d, want 404", status)
	}
	resp, err := http.Post(s.URL+"/api/public/scores", "application/json", strings.NewReader(good))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 401 {
		t.Errorf("without keys = %d, want 401", resp.StatusCode)
	}
}

func TestWhatIsLeftOutStays(t *testing.T) {
	t.Parallel()
	s := langfusetest.New(t)
	ask(t, s, "POST", "/api/public/scores", "application/json", `{"id":"a","traceId":"b","name":"n","value":1,"dataType":"BOOLEAN","comment":"c"}`)
	ask(t, s, "POST", "/api/public/scores", "application/json", `{"id":"a","traceId":"b","name":"n","value":0,"dataType":"BOOLEAN"}`)
	if got, _ := s.Score("a"); got.Value != 0 || got.Comment != "c" || got.Requests != 2 {
		t.Errorf("the score is kept as %+v", got)
	}
}
