package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"quern/client"
)

func TestNumbersAreShownWithoutNoise(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"131424.58000000002": "131424.58", "72468.20000000001": "72468.2", "4856.526363636364": "4856.5263636364", "7.25": "7.25",
		"12345678901234567890": "12345678901234567890", "0.00000000000000012": "0.00000000000000012", "a.b": "a.b", "": "",
	} {
		if got := withoutNoise(text); got != want {
			t.Errorf("withoutNoise(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestARunIsPrintedAsItGoesOn(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	for _, e := range []client.Event{
		{Type: "run-started", Data: json.RawMessage(`{"runId":"r","conversationId":"c"}`)},
		{Type: "plan", Data: json.RawMessage(`{"steps":["How many ships are there?","Which ships\u001b[2J are there?"],"reasoning":"The question has 2 parts."}`)},
		{Type: "stepStarted", Data: json.RawMessage(`{"index":0}`)},
		{Type: "step", Data: json.RawMessage(`{"index":0,"query":"SELECT count(*) FROM ships","reasoning":"Counts ships","data":[{"count_star()":2,"__metadata":{"score":1.0}}],"totalCount":1}`)},
		{Type: "step", Data: json.RawMessage(`{"index":1,"query":"SELECT name\nFROM ships","reasoning":"Lists the name of ships","data":[{"name":"Ariadne\u001b[31m","draught":7.25,"__metadata":{"score":1.0}},{"name":null,"draught":5,"__metadata":{"score":1.0}}],"truncated":true,"totalCount":1002}`)},
		{Type: "step", Data: json.RawMessage(`{"index":2,"query":"","reasoning":"","data":[],"clarification":{"question":"?","choices":[]}}`)},
	} {
		if err := printEvent(&out, "How many ships are there, and which?", e); err != nil {
			t.Fatal(err)
		}
	}
	answer := client.Answer{ConversationID: "c", Response: "There are 2 ships.\n\n| name |\n| --- |\n| Ari\x1badne |", Notes: []string{"step 2 gave 1,002 rows"}}
	if err := printEnd(shell{Out: &out, Err: &errs}, answer); err != nil {
		t.Fatal(err)
	}
	const want = `Plan: The question has 2 parts.
  1. How many ships are there?
  2. Which ships [2J are there?

Counts ships
  SELECT count(*) FROM ships

count_star()
2

Lists the name of ships
  SELECT name FROM ships

name          draught
Ariadne [31m  7.25
              5
and 1000 more

There are 2 ships.

| name |
| --- |
| Ari adne |
`
	if got := out.String(); got != want {
		t.Errorf("the run is printed as\n%q, want\n%q", got, want)
	}
	if got := errs.String(); got != "note: step 2 gave 1,002 rows\nconversation c\n" {
		t.Errorf("beside it stands %q, want the note and the conversation", got)
	}
	out.Reset()
	if err := printEvent(&out, "How many?", client.Event{Type: "plan", Data: json.RawMessage(`{"steps":["How many?"],"reasoning":"One query."}`)}); err != nil || out.Len() > 0 {
		t.Errorf("a plan that is the question is printed as %q, %v; want nothing", out.String(), err)
	}
}

func TestWordsAreMarked(t *testing.T) {
	t.Parallel()
	const question = "Größte ships by draught\x1b of Foo"
	words := []client.Word{
		{Start: 7, End: 12, Text: "ships", State: "matched"},
		{Start: 16, End: 23, Text: "draught", State: "guessed"},
		{Start: 28, End: 31, Text: "Foo", State: "unknown"},
		{Start: 40, End: 44, Text: "lost", State: "unknown"},
	}
	for terminal, want := range map[bool]string{
		true:  "Größte \x1b[4mships\x1b[24m by \x1b[4:4mdraught\x1b[24m  of \x1b[21mFoo\x1b[24m\n",
		false: "Größte ships by draught  of Foo\n       -----    ~~~~~~~     ???\n",
	} {
		var out bytes.Buffer
		if err := printWords(&out, question, words, terminal); err != nil || out.String() != want {
			t.Errorf("printWords(terminal %t) = %q, %v, want %q", terminal, out.String(), err, want)
		}
	}
}

func TestRowsAreCountedInWords(t *testing.T) {
	t.Parallel()
	row := []json.RawMessage{json.RawMessage("7")}
	for want, r := range map[string]client.Result{
		"0 rows\n":                             {Columns: []string{"n"}},
		"1 row\n":                              {Columns: []string{"n"}, Rows: [][]json.RawMessage{row}, Total: 1},
		"2 rows\n":                             {Columns: []string{"n"}, Rows: [][]json.RawMessage{row, row}, Total: 2},
		"1 of 9 rows; the rest was left out\n": {Columns: []string{"n"}, Rows: [][]json.RawMessage{row}, Total: 9, Truncated: true},
	} {
		var out, errs bytes.Buffer
		if err := printResult(shell{Out: &out, Err: &errs}, r, false); err != nil || errs.String() != want {
			t.Errorf("printResult of %d rows says %q, %v, want %q", r.Total, errs.String(), err, want)
		}
	}
}
