package door_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"quern"
	"quern/api"
	"quern/door"
)

func TestEveryKindHasAStatus(t *testing.T) {
	t.Parallel()
	for _, kind := range quern.Kinds() {
		got := door.Status(quern.E(kind, quern.CodeConflict, ""))
		if got < 400 || got == 500 && kind != quern.Internal {
			t.Errorf("Status(%v) = %d, want a status of its own", kind, got)
		}
	}
}

func TestErrorsTellNoCause(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		err    error
		status int
		code   quern.Code
	}{
		{"full disk", fmt.Errorf("secret: %w", syscall.ENOSPC), 503, quern.CodeUnavailable},
		{"broken disk", fmt.Errorf("secret: %w", syscall.EIO), 503, quern.CodeUnavailable},
		{"full quota", quern.E(quern.Internal, quern.CodeInternal, "secret").Because(syscall.EDQUOT), 503, quern.CodeUnavailable},
		{"unclassified", errors.New("secret"), 500, quern.CodeInternal},
		{"internal", quern.E(quern.Internal, quern.CodeConflict, "secret"), 500, quern.CodeInternal},
		{"a cause", quern.E(quern.Conflict, quern.CodeConflict, "taken").Because(errors.New("secret")), 409, quern.CodeConflict},
		{"too late", fmt.Errorf("secret: %w", context.DeadlineExceeded), 504, quern.CodeTimeout},
		{"too large", fmt.Errorf("secret: %w", &http.MaxBytesError{Limit: 1 << 20}), 413, quern.CodeBodyTooLarge},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "POST", "/", nil)
		door.WriteError(w, r, tt.err)
		var e api.ErrorResponse
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
			t.Fatalf("%s: WriteError wrote %s: %v", tt.name, w.Body, err)
		}
		if w.Code != tt.status || e.ErrorCode != string(tt.code) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: WriteError = %d %s, want %d %s without the cause", tt.name, w.Code, w.Body, tt.status, tt.code)
		}
		if retry := w.Header().Get("Retry-After"); (tt.status == 503) != (retry != "") {
			t.Errorf("%s: Retry-After = %q with status %d", tt.name, retry, tt.status)
		}
	}
}

// What verbs call what is missing is never sent; what the edge names is.
func TestNotFoundHasOneWording(t *testing.T) {
	t.Parallel()
	absent := quern.E(quern.NotFound, quern.CodeNotFound, "bob has no such dataset")
	for err, want := range map[error]string{
		absent:                           "there is no such resource",
		door.NotFound("dataset", absent): "there is no such dataset",
		fmt.Errorf("rest: %w", door.NotFound("run", absent)): "there is no such run",
	} {
		if got := door.Classify(err); got.Detail != want || got.Kind != quern.NotFound {
			t.Errorf("Classify(%v) = %v, want %q", err, got, want)
		}
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		values []string
		want   string
	}{
		{[]string{"Bearer abc"}, "abc"},
		{[]string{"bEARER   abc "}, "abc"},
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"Bearer"}, ""},
		{[]string{"Bearer "}, ""},
		{[]string{" Bearer abc"}, ""},
		{[]string{"Bearer\tabc"}, ""},
		{[]string{"Basic abc"}, ""},
		{[]string{"abc"}, ""},
		{[]string{"Bearer abc def"}, ""},
		{[]string{"Bearer abc,def"}, ""},
		{[]string{"Bearer abc", "Bearer abc"}, ""},
	} {
		got, err := door.Bearer(http.Header{"Authorization": tt.values})
		if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !quern.Is(err, quern.Unauthentic) {
			t.Errorf("Bearer(%q) = %q, %v, want %q", tt.values, got, err, tt.want)
		}
	}
}

func TestMediaType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ given, encoding, want string }{
		{"", "", "application/json"},
		{"application/json", "", "application/json"},
		{"Application/JSON; charset=UTF-8", "identity", "application/json"},
		{"text/csv;charset=us-ascii", "", "text/csv"},
		{"application/json; charset=utf-16", "", ""},
		{"text/plain", "", ""},
		{";;", "", ""},
		{"application/json", "gzip", ""},
	} {
		got, err := door.MediaType(http.Header{"Content-Type": {tt.given}, "Content-Encoding": {tt.encoding}}, door.JSONType, "text/csv")
		if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !quern.Is(err, quern.Unsupported) {
			t.Errorf("MediaType(%q, %q) = %q, %v, want %q", tt.given, tt.encoding, got, err, tt.want)
		}
	}
}

func TestMarshalLeavesTextAsItIs(t *testing.T) {
	t.Parallel()
	got, err := door.Marshal(map[string]string{"a": "<b> & c"})
	if want := `{"a":"<b> & c"}`; string(got) != want || err != nil {
		t.Errorf("Marshal = %s, %v, want %s", got, err, want)
	}
	w := httptest.NewRecorder()
	if err := door.WriteJSON(w, http.StatusOK, func() {}); err == nil || w.Body.Len() > 0 {
		t.Errorf("WriteJSON(func) = %v after writing %q, want a failure and nothing sent", err, w.Body)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	out := door.OpenStream(w)
	for _, err := range []error{out.Event("7", "step", []byte(`{}`)), out.KeepAlive(), out.Event("", "", []byte("1"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "id: 7\nevent: step\ndata: {}\n\n: still here\n\ndata: 1\n\n"
	if w.Body.String() != want || !w.Flushed || w.Header().Get("Content-Type") != door.EventStream {
		t.Errorf("stream = %q, want %q", w.Body, want)
	}
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /a", nop)
	mux.HandleFunc("POST /a", nop)
	for _, tt := range []struct {
		method, path, allow string
		status              int
	}{
		{"GET", "/b", "", 404},
		{"OPTIONS", "/b", "", 404},
		{"DELETE", "/a", "GET, HEAD, POST, OPTIONS", 405},
		{"OPTIONS", "/a", "GET, HEAD, POST, OPTIONS", 204},
	} {
		w := httptest.NewRecorder()
		door.ServeUnmatched(mux, w, httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil))
		if w.Code != tt.status || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s = %d, Allow %q, want %d, %q", tt.method, tt.path, w.Code, w.Header().Get("Allow"), tt.status, tt.allow)
		}
	}
}

func nop(http.ResponseWriter, *http.Request) {}

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5,"x",null,true]}`, `[`, `{"a":1,"a":2}`, `1e999`, "\"\xff\"", `{} {}`, strings.Repeat("[", 100)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value, err := door.ParseJSON(data)
		if err != nil {
			if !quern.Is(err, quern.Malformed) && !quern.Is(err, quern.TooLarge) {
				t.Errorf("ParseJSON(%q) = %v, want Malformed or TooLarge", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Errorf("ParseJSON(%q) took what is no JSON", data)
		}
		again, err := door.Marshal(value)
		if err != nil || len(bytes.TrimSpace(again)) == 0 {
			t.Errorf("Marshal(ParseJSON(%q)) = %s, %v", data, again, err)
		}
	})
}
