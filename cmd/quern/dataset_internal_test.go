package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestWhatDoesNotExistIsNotAskedAbout deletes what is there and what is not, without a terminal:
// whether it is there is looked for first.
func TestWhatDoesNotExistIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s was asked for, want nothing deleted", r.Method, r.URL)
		}
		if strings.Contains(r.URL.Path, "nothing") {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error_code":"NOT_FOUND","message":"there is no such thing"}`)
			return
		}
		answer := `{}`
		if r.URL.Path == "/api/v1/schema/self/bikehire/datasets" {
			answer = `[]`
		}
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	for _, tt := range []struct {
		line string
		code int
		says string
	}{
		{"delete bikehire/nothing", exitFailed, "quern: there is no such thing\n"},
		{"delete bikehire/rides", exitUsage, "say --yes to delete for good"},
		{"delete -n nothing", exitFailed, "quern: there is no such thing\n"},
		{"delete -n bikehire", exitUsage, "say --yes to delete for good"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), shell{
			Args: strings.Fields(tt.line), In: strings.NewReader(""), Out: &out, Err: &errs,
			Environ: []string{"QUERN_SERVER=" + server.URL, "QUERN_TOKEN=t"},
		})
		if code != tt.code || !strings.Contains(errs.String(), tt.says) {
			t.Errorf("quern %s = code %d, %q; want code %d saying %q", tt.line, code, errs.String(), tt.code, tt.says)
		}
	}
}

// TestNothingUnderWayIsSaid lists ingestions where there are none, and says where others are.
func TestNothingUnderWayIsSaid(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `[]`) }))
	defer server.Close()
	environ := []string{"QUERN_SERVER=" + server.URL, "QUERN_TOKEN=t"}
	var out, errs bytes.Buffer
	code := run(t.Context(), shell{Args: []string{"ingestions"}, Out: &out, Err: &errs, Environ: environ})
	const want = "Nothing of yours is under way. 'quern ingestions DATASET' lists what has ended or failed.\n"
	if code != exitDone || out.Len() > 0 || errs.String() != want {
		t.Errorf("quern ingestions = code %d, %q, %q; want %q", code, out.String(), errs.String(), want)
	}
	out.Reset()
	if code := run(t.Context(), shell{Args: []string{"ingestions", "--json"}, Out: &out, Err: &errs, Environ: environ}); code != exitDone || out.String() != "[]\n" {
		t.Errorf("quern ingestions --json = code %d, %q; want an empty list", code, out.String())
	}
}
