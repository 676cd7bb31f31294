package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/client"
)

// talkTo is a conversation with a server that answers as told.
func talkTo(t *testing.T, in io.Reader, handler http.HandlerFunc) (*conversation, *bytes.Buffer) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	c, err := client.New(client.Options{Server: s.URL, Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	return &conversation{sh: shell{In: in, Out: &out, Err: &out}, client: c, question: client.Question{Namespace: "harbour"}}, &out
}

func TestCtrlCEndsTheRunAndNotTheConversation(t *testing.T) {
	t.Parallel()
	cancelled, interrupts := make(chan string, 1), make(chan os.Signal, 1)
	talk, _ := talkTo(t, nil, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/query/ask" {
			cancelled <- r.Method + " " + r.URL.Path
			return
		}
		fmt.Fprint(w, "id: 1\nevent: run-started\ndata: {\"runId\":\"r\",\"conversationId\":\"c\"}\n\n"+
			"id: 2\nevent: plan\ndata: {\"steps\":[\"a\",\"b\"],\"reasoning\":\"two\"}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	// Ctrl-C is pressed when the plan is seen.
	talk.interrupts, talk.sh.Out = interrupts, pressing{interrupts}
	ended, err := talk.take(t.Context(), "how many?")
	if ended || err == nil || err.Error() != "cancelled" {
		t.Errorf("take() = %v, %v, want it cancelled, and the conversation to go on", ended, err)
	}
	if got := <-cancelled; got != "POST /api/v1/query/runs/r/cancel" {
		t.Errorf("the server was asked for %s, want that the run be cancelled", got)
	}
	if talk.question.Conversation != "c" {
		t.Errorf("the conversation is %q, want the one that was begun", talk.question.Conversation)
	}
}

// pressing presses Ctrl-C when something is written.
type pressing struct{ interrupts chan<- os.Signal }

func (p pressing) Write(text []byte) (int, error) {
	select {
	case p.interrupts <- os.Interrupt:
	default:
	}
	return len(text), nil
}

func TestLinesOfAPipeAreQuestions(t *testing.T) {
	t.Parallel()
	asked := []client.Question{}
	answer := func(w http.ResponseWriter, r *http.Request) {
		var q client.Question
		_ = json.NewDecoder(r.Body).Decode(&q)
		asked = append(asked, q)
		if q.Text == "bad" {
			w.WriteHeader(422)
			fmt.Fprint(w, `{"error_code":"X","message":"no such\u001b[2J thing"}`)
			return
		}
		fmt.Fprint(w, "id: 1\nevent: run-started\ndata: {\"runId\":\"r\",\"conversationId\":\"c\"}\n\n"+
			"id: 2\nevent: step\ndata: {\"index\":0,\"query\":\"SELECT 1\",\"data\":[{\"kind\":\"a\",\"n\":4},{\"kind\":\"b\",\"n\":2}],"+
			"\"chart\":{\"kind\":\"bars\",\"x\":\"kind\",\"y\":[\"n\"]}}\n\n"+
			"id: 3\nevent: answer\ndata: {\"response\":\"There are six.\"}\n\n")
	}
	talk, out := talkTo(t, strings.NewReader("how many?\n\n\\sql\n\\chart\n2\nbad\n\\nonsense\n\\new\nagain\n\\quit\nnever\n"), answer)
	err := talk.readAll(t.Context())
	if err == nil || err.Error() != "2 of 9 lines failed" {
		t.Errorf("readAll() = %v, want the two that failed", err)
	}
	if len(asked) != 4 || asked[0].Conversation != "" || asked[1].Text != "2" || asked[1].Conversation != "c" || asked[3].Text != "again" || asked[3].Conversation != "" {
		t.Errorf("asked were %+v, want follow-ups, and a new conversation at the end", asked)
	}
	for _, want := range []string{"There are six.", "\nSELECT 1\n", "n\na  ███", " 4\nb  ███", "quern: no such [2J thing", `there is no \nonsense`, "A new conversation."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("printed is %q, want %q in it", out, want)
		}
	}
	empty, _ := talkTo(t, strings.NewReader("\n"), answer)
	if err := empty.readAll(t.Context()); err != (usageError{"the question is missing"}) {
		t.Errorf("readAll() of nothing = %v, want wrong use", err)
	}
}

func TestChartsAsText(t *testing.T) {
	t.Parallel()
	row := func(text string) json.RawMessage { return json.RawMessage(text) }
	for name, c := range map[string]struct {
		chart *client.Chart
		rows  []json.RawMessage
		want  string
	}{
		"bars": {&client.Chart{Kind: "bars", X: "k", Y: []string{"n"}, Unit: "t"}, []json.RawMessage{row(`{"k":"a","n":10}`), row(`{"k":"b\u001b","n":-5}`), row(`{"k":"c","n":null}`)},
			"n (t)\na   ████████████ 10\nb   ░░░░░░ -5\n"},
		"series":    {&client.Chart{Kind: "stackedBars", X: "k", Series: "s", Y: []string{"n"}}, []json.RawMessage{row(`{"k":"a","s":"x","n":1}`)}, "n\na, x  ███████████ 1\n"},
		"histogram": {&client.Chart{Kind: "histogram", X: "n"}, []json.RawMessage{row(`{"n":3}`), row(`{"n":3}`)}, "n\n3  ██████████████ 2\n"},
	} {
		got, err := chartText(client.Step{Chart: c.chart, Data: c.rows}, 20)
		if err != nil || got != c.want {
			t.Errorf("chartText(%s) = %q, %v, want %q", name, got, err, c.want)
		}
		for line := range strings.Lines(got) {
			if textWidth(strings.TrimSuffix(line, "\n")) > 20 {
				t.Errorf("chartText(%s) has a line of more than 20 columns: %q", name, line)
			}
		}
	}
	spreadOut := client.Step{Chart: &client.Chart{Kind: "histogram", X: "n"}}
	for i := range 100 {
		spreadOut.Data = append(spreadOut.Data, row(fmt.Sprintf(`{"n":%d}`, i)))
	}
	if got, err := chartText(spreadOut, 60); err != nil || strings.Count(got, "\n") != 11 || !strings.Contains(got, "0 to 9.9") {
		t.Errorf("chartText(a spread) = %q, %v, want ten bins", got, err)
	}
	for _, kind := range []string{"scatter", "heat", "table"} {
		if got, err := chartText(client.Step{Chart: &client.Chart{Kind: kind}, Data: []json.RawMessage{row(`{"n":1}`)}}, 60); err == nil {
			t.Errorf("chartText(%s) = %q, want that it cannot be drawn", kind, got)
		}
	}
}

func TestCtrlCEmptiesTheLine(t *testing.T) {
	t.Parallel()
	got, err := io.ReadAll(abandoning{strings.NewReader("half\x03whole")})
	if err != nil || string(got) != "half\x05\x15whole" {
		t.Errorf("what is read = %q, %v, want the line emptied", got, err)
	}
}

func TestTheHistoryIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sh := shell{Environ: []string{"XDG_STATE_HOME=" + dir}}
	h := newHistory(sh)
	for i := range maxHistory + 10 {
		h.Add(fmt.Sprint("question ", i))
	}
	h.Add("question 509")
	h.Add("  ")
	again := newHistory(sh)
	if again.Len() != maxHistory || again.At(0) != "question 509" || again.At(again.Len()-1) != "question 10" {
		t.Errorf("the history has %d lines, from %q to %q, want the last 500", again.Len(), again.At(again.Len()-1), again.At(0))
	}
	if info, err := os.Stat(filepath.Join(dir, "quern", "history")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history's mode = %v, %v, want 0600", info.Mode(), err)
	}
}
