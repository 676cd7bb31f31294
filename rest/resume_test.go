package rest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
)

// TestARunIsResumedToItsEnd lets a run go on once its resumed stream has begun.
func TestARunIsResumedToItsEnd(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.haven("ada")
	release := h.reader.hold()
	defer release()
	first := h.post("ada", "/query/ask", question("wait: select a from ds"))
	defer first.Body.Close()
	begun, _ := events(t, lines(first.Body), "queryExecuting")
	var ids struct{ RunID string }
	must(t, json.Unmarshal([]byte(begun[0].data), &ids))
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotFirstResponseByte: release})
	r, err := http.NewRequestWithContext(ctx, "POST", h.url+"/api/v1/query/runs/"+ids.RunID+"/resume", nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+h.user("ada"))
	resumed, err := h.http.Do(r)
	must(t, err)
	defer resumed.Body.Close()
	body, err := io.ReadAll(resumed.Body)
	must(t, err)
	if resumed.StatusCode != 200 || !strings.Contains(string(body), "event: step\n") || !strings.Contains(string(body), "event: answer\n") {
		t.Errorf("resume = %d %s, want the rest of the run", resumed.StatusCode, body)
	}
}
