package a2a_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"quern/a2a"
)

// FuzzRPC sends anything to the JSON-RPC address: the answer is always one of the
// protocol's, and never our fault.
func FuzzRPC(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `"x"`, `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}`,
		`{"jsonrpc":"2.0","id":1e999,"method":"ListTasks"}`, `{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"pageSize":3,"status":99}}`,
		`{"jsonrpc":"2.0","id":"a","method":"SendMessage","params":{"message":{"messageId":"m","role":1,"parts":[{"raw":"AA=="}],"metadata":{"namespace":"harbour"}}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":null}],"metadata":{"namespace":"\u0000"}}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"CreateTaskPushNotificationConfig","params":{"taskId":"x","url":"http://[::1","authentication":{}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ListTasks","params":{"statusTimestampAfter":"0000-00-00T00:00:00Z","pageToken":"1.2"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"SubscribeToTask","params":{"id":"\ud800"}}`,
	} {
		f.Add(seed)
	}
	h := newHouse(f)
	f.Fuzz(func(t *testing.T, body string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+a2a.Path+"/nl2ql", strings.NewReader(body))
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+h.tokens["ada"])
		resp, err := h.http.Do(r)
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		if resp.StatusCode != 200 && resp.StatusCode != 413 && resp.StatusCode != 429 {
			t.Errorf("%q = %d %s, want an answer of the protocol", body, resp.StatusCode, text)
		}
		if resp.Header.Get("Content-Type") == "text/event-stream" {
			return
		}
		var answer struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Result  json.RawMessage `json:"result"`
			Error   *rpcError       `json:"error"`
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatalf("%q = %s, want JSON", body, text)
		}
		if answer.Version != "2.0" || answer.ID == nil || (answer.Result == nil) == (answer.Error == nil) {
			t.Errorf("%q = %s, want a JSON-RPC answer", body, text)
		}
		if answer.Error != nil && (answer.Error.Code == -32603 || len(answer.Error.Data) == 0 || answer.Error.Data[0].Reason == "") {
			t.Errorf("%q = %s, want a failure of the client's, with its details", body, text)
		}
	})
}
