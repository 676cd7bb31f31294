package net_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"testing"

	"quern/nlq/model"
	"quern/nlq/net"
)

// doubted returns examples of the network that tells what is missing, with the
// meanings that it reads.
func doubted(t *testing.T) []golden {
	t.Helper()
	shipped, err := model.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../learned/testdata/golden0.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(text, &all); err != nil || len(all) == 0 {
		t.Fatalf("%d examples, %v", len(all), err)
	}
	for i := range all {
		all[i].encode(t, shipped.Encoder)
	}
	return all
}

func TestDoubtsAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	d, err := model.Doubter()
	if err != nil {
		t.Fatal(err)
	}
	all := doubted(t)
	for _, g := range all {
		got, err := d.Doubts(t.Context(), g.input())
		if err != nil || len(got) != len(g.Missing) {
			t.Fatalf("Doubts(%s) = %d numbers, %v, want %d", g.Question, len(got), err, len(g.Missing))
		}
		for i, want := range g.Missing {
			if math.Abs(got[i]-want) > 0.02 {
				t.Errorf("Doubts(%s) of word %d = %.4f, want %.4f", g.Question, i, got[i], want)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Doubts(ctx, all[0].input()); !errors.Is(err, context.Canceled) {
		t.Errorf("Doubts of a question that was called off = %v, want %v", err, context.Canceled)
	}
	if _, err := d.Doubts(t.Context(), net.Input{}); err == nil {
		t.Error("Doubts of no words = nil, want an error")
	}
}
