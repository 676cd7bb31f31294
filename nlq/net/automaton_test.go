package net_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"quern/nlq/grammar"
)

var update = flag.Bool("update", false, "write the files that training reads")

const automatonFile = "../../learned/train/grammar.json"

// rule is what training knows of a state: the states that replace it, topmost
// last, for each symbol and pointer that it allows.
type rule struct {
	Symbols map[string][]int `json:"symbols"`
	Column  []int            `json:"column"` // null: not allowed
	Table   []int            `json:"table"`
	Word    []int            `json:"word"`
	Linking bool             `json:"linking"`
	Last    bool             `json:"last"`
	Depth   int              `json:"depth"` // what it adds to the depth
}

func pushed(t *testing.T, state int, token grammar.Token) []int {
	t.Helper()
	next, ok := grammar.Stack{grammar.State(state)}.Next(token)
	if !ok {
		t.Fatalf("Next(%d, %v) is not allowed, and Allowed says it is", state, token)
	}
	return numbers(next)
}

func numbers(stack grammar.Stack) []int {
	states := make([]int, len(stack))
	for i, s := range stack {
		states[i] = int(s)
	}
	return states
}

func automaton(t *testing.T) []byte {
	t.Helper()
	rules := make([]rule, grammar.States)
	for state := range rules {
		allowed, r := grammar.Allowed(grammar.State(state)), &rules[state]
		r.Symbols = map[string][]int{}
		for _, id := range allowed.Symbols {
			token := grammar.Token{Kind: grammar.Symbol, ID: id}
			r.Symbols[token.String()] = pushed(t, state, token)
		}
		for kind, to := range map[grammar.Kind]*[]int{grammar.Column: &r.Column, grammar.Table: &r.Table, grammar.Word: &r.Word} {
			if (kind == grammar.Column && allowed.Column) || (kind == grammar.Table && allowed.Table) || (kind == grammar.Word && allowed.Word) {
				*to = pushed(t, state, grammar.Token{Kind: kind})
			}
		}
		r.Linking, r.Last = allowed.Linking, allowed.Last
		r.Depth = grammar.Stack{grammar.State(state)}.Depth()
	}
	text, err := json.MarshalIndent(map[string]any{
		"symbols": grammar.Symbols(), "start": numbers(grammar.Start()), "rules": rules,
		"max_depth": grammar.MaxDepth, "max_span": grammar.MaxSpan,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

// Training reads the automaton from a file, which is this one.
func TestTrainingKnowsTheAutomaton(t *testing.T) {
	t.Parallel()
	want := automaton(t)
	if *update {
		if err := os.WriteFile(automatonFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(automatonFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not the automaton of package grammar: run go test ./nlq/net -update", automatonFile)
	}
}
