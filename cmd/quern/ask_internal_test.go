package main

import (
	"bytes"
	"encoding/json"
	"strings"
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
	answer := client.Answer{ConversationID: "c", Response: "There are 2 ships.\n\n| name |\n| --- |\n| Ari\x1badne |", Notes: []string{"step 2 gave 1,002 rows"}}
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
		var step client.Step
		if e.Type == "step" && json.Unmarshal(e.Data, &step) == nil {
			answer.Steps = append(answer.Steps, step)
		}
	}
	if err := printEnd(shell{Out: &out, Err: &errs}, answer); err != nil {
		t.Fatal(err)
	}
	const want = `Plan: The question has 2 parts.
  1. How many ships are there?
  2. Which ships [2J are there?

Counts ships
  SELECT count(*) FROM ships

Lists the name of ships
  SELECT name FROM ships

Counts ships:
count_star()
2

Lists the name of ships:
name          draught
Ariadne [31m  7.25
              5
and 1000 more

There are 2 ships.

name
Ari adne
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

// TestRowsArePrintedOnce has an answer with a table of the rows of its step: they are printed
// once, as the answer has them.
func TestRowsArePrintedOnce(t *testing.T) {
	t.Parallel()
	step := client.Step{
		Query: "SELECT …", Reasoning: "Lists the total fee of calls, per ship", TotalCount: 22,
		Data: []json.RawMessage{json.RawMessage(`{"ship":"A|x","total_fee":1200.5}`), json.RawMessage(`{"ship":"B_","total_fee":3}`)},
	}
	const table = "| ship | total fee (€) |\n| --- | ---: |\n| A\\|x | 1,200.50 |\n| B\\_ | 3 |"
	const rows = "ship  total_fee\nA|x   1200.5\nB_    3\nand 20 more\n\n"
	for _, c := range []struct{ name, response, want string }{
		{"with a table of them", "The total fee of calls, per ship:\n\n" + table + "\n\nAnd 20 more rows.",
			"The total fee of calls, per ship:\n\nship  total fee (€)\nA|x   1,200.50\nB_    3\n\nAnd 20 more rows.\n"},
		{"in words", "The fees are 1,200.50 € \\[A\\] and 3 €.", rows + "The fees are 1,200.50 € [A] and 3 €.\n"},
		{"with another table", "See:\n\n| n |\n|--|\n| 1 |", rows + "See:\n\nn\n1\n"},
		{"with code", "See:\n```\na\\_b\n| n |\n|--|\n```", rows + "See:\n```\na\\_b\n| n |\n|--|\n```\n"},
		{"with bars", "a | b\n|--|\nc", rows + "a | b\n|--|\nc\n"},
	} {
		var out, errs bytes.Buffer
		if err := printAnswer(shell{Out: &out, Err: &errs}, client.Answer{Steps: []client.Step{step}, Response: c.response}); err != nil || out.String() != c.want {
			t.Errorf("an answer %s is printed as\n%s, %v, want\n%s", c.name, out.String(), err, c.want)
		}
	}
}

// TestTablesBelongToSteps has an answer of several steps, one of which it tells in words.
func TestTablesBelongToSteps(t *testing.T) {
	t.Parallel()
	count := client.Step{Query: "q", Reasoning: "Counts ships", Data: []json.RawMessage{json.RawMessage(`{"count":2}`)}}
	list := client.Step{Query: "q", Reasoning: "Lists ships", Data: []json.RawMessage{json.RawMessage(`{"ship":"A","fee":1}`), json.RawMessage(`{"ship":"B","fee":2}`)}}
	var out bytes.Buffer
	answer := client.Answer{Steps: []client.Step{count, list, list}, Response: "2.\n\n| ship | fee |\n| --- | ---: |\n| A | 1 |\n| B | 2 |"}
	if err := printAnswer(shell{Out: &out}, answer); err != nil {
		t.Fatal(err)
	}
	const want = "Counts ships:\ncount\n2\n\nLists ships:\nship  fee\nA     1\nB     2\n\n2.\n\nship  fee\nA     1\nB     2\n"
	if out.String() != want {
		t.Errorf("the answer is printed as\n%s, want\n%s", out.String(), want)
	}
}

// TestTablesOfOtherNumbersAreOfOtherSteps has two steps with rows of the same years, of which the answer shows one.
func TestTablesOfOtherNumbersAreOfOtherSteps(t *testing.T) {
	t.Parallel()
	year := func(reasoning string, numbers ...string) client.Step {
		step := client.Step{Query: "q", Reasoning: reasoning}
		for _, n := range numbers {
			step.Data = append(step.Data, json.RawMessage(n))
		}
		return step
	}
	sold := year("Sold", `{"year":2023,"n":1}`, `{"year":2024,"n":2}`)
	lent := year("Lent", `{"year":2023,"n":7}`, `{"year":2024,"n":9}`)
	var out bytes.Buffer
	answer := client.Answer{Steps: []client.Step{sold, lent}, Response: "| year | n |\n| --- | ---: |\n| 2023 | 7 |\n| 2024 | 9 |"}
	if err := printAnswer(shell{Out: &out}, answer); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, "Sold:") || strings.Contains(got, "Lent:") {
		t.Errorf("the answer is printed as\n%s, want the rows that it does not show", got)
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
