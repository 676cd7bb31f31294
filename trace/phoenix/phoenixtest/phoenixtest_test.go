package phoenixtest_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"quern/trace/phoenix/phoenixtest"
)

func ask(t *testing.T, s *phoenixtest.Server, method, path, key, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestItIsStrict(t *testing.T) {
	t.Parallel()
	s := phoenixtest.New(t)
	s.Tolerate()
	const path, key = "/v1/span_annotations?sync=true", phoenixtest.APIKey
	const good = `{"data":[{"span_id":"00000000000000aa","name":"n","annotator_kind":"HUMAN","identifier":"i","result":{"score":1}}]}`
	if status := ask(t, s, "POST", path, key, good); status != 404 {
		t.Errorf("a good annotation of no span = %d, want 404", status)
	}
	for _, bad := range []string{
		`{`, `[]`, `{}`, `{"data":[]}`, `{"data":[{}]}`, strings.Replace(good, "data", "annotations", 1),
		strings.Replace(good, `"span_id":"00000000000000aa",`, "", 1),
		strings.Replace(good, "HUMAN", "human", 1),
		strings.Replace(good, `"identifier":"i",`, "", 1),
		strings.Replace(good, `{"score":1}`, `{}`, 1),
		strings.Replace(good, `{"score":1}`, `{"value":1}`, 1),
		strings.Replace(good, `"name":"n"`, `"name":7`, 1),
		strings.Replace(good, `"name"`, `"comment":"c","name"`, 1),
	} {
		if status := ask(t, s, "POST", path, key, bad); status != 422 {
			t.Errorf("POST %s = %d, want 422", bad, status)
		}
	}
	for _, tt := range []struct {
		method, path, key string
		status            int
	}{
		{"POST", path, "another", 401},
		{"POST", "/v1/span_annotations", key, 404},
		{"POST", "/v1/traces", key, 422},
		{"DELETE", "/v1/projects/quern/span_annotations", key, 422},
		{"DELETE", "/v1/projects/quern/span_annotations?delete_all=true", key, 422},
		{"DELETE", "/v1/projects/quern/span_annotations?delete_all=true&identifier=i&run=x", key, 422},
		{"DELETE", "/v1/projects/quern/span_annotations?delete_all=true&identifier=i&name=n", key, 204},
	} {
		if status := ask(t, s, tt.method, tt.path, tt.key, good); status != tt.status {
			t.Errorf("%s %s = %d, want %d", tt.method, tt.path, status, tt.status)
		}
	}
}
