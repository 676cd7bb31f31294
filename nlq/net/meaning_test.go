package net_test

import (
	"slices"
	"testing"

	"quern/nlq/grammar"
	"quern/nlq/net"
)

// What the pretrained encoder says of a word counts for it and of a name for that, in
// networks that read it; others compute the same as before.
func TestMeaningsCountForTheirItems(t *testing.T) {
	t.Parallel()
	reads := sizes{Size: 16, Heads: 2, Encoders: 1, Decoders: 1, Meaning: 24}
	deaf := reads
	deaf.Meaning = 0
	in := randomInput(3, 1, 2)
	scores := func(n *net.Net, meanings []float32) []float32 {
		in.Meanings = meanings
		got, err := n.Scores(t.Context(), in, []grammar.Token{{}})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	n, none := randomNet(t, reads), make([]float32, 6*24)
	before := scores(n, none)
	for item := range 6 {
		meanings := slices.Clone(none)
		meanings[item*24+5] = 3
		if slices.Equal(scores(n, meanings), before) {
			t.Errorf("the meaning of item %d changes nothing", item)
		}
	}
	other := randomNet(t, deaf)
	if !slices.Equal(scores(other, none), scores(other, nil)) {
		t.Error("a network that reads no meanings computes with them")
	}
	if (net.Ensemble{other, n}).MeaningWidth() != 24 || (net.Ensemble{other}).MeaningWidth() != 0 {
		t.Error("an ensemble reads as much as the one that reads most")
	}
}

func TestMeaningsAreThere(t *testing.T) {
	t.Parallel()
	n := randomNet(t, sizes{Size: 16, Heads: 2, Encoders: 1, Decoders: 1, Meaning: 24})
	d, ok := net.Ensemble{n}.Doubter()
	if !ok {
		t.Fatal("a network that tells what is missing is no Doubter")
	}
	if _, ok := (net.Ensemble{randomNet(t, tiny)}).Doubter(); ok {
		t.Error("a network that cannot tell what is missing is a Doubter")
	}
	in := randomInput(3, 1, 2)
	for _, meanings := range [][]float32{nil, make([]float32, 6*24-1), make([]float32, 7*24)} {
		in.Meanings = meanings
		if _, err := n.Parse(t.Context(), in, 1); err == nil {
			t.Errorf("Parse takes %d numbers of meaning for 6 items", len(meanings))
		}
		if _, err := d.Doubts(t.Context(), in); err == nil {
			t.Errorf("Doubts takes %d numbers of meaning for 6 items", len(meanings))
		}
	}
	in.Meanings = make([]float32, 6*24)
	doubts, err := d.Doubts(t.Context(), in)
	if err != nil || len(doubts) != 3 {
		t.Errorf("Doubts = %v, %v, want one for each word", doubts, err)
	}
	read, err := net.Ensemble{randomNet(t, tiny), n}.Read(t.Context(), in, 2, 0)
	if err != nil || !slices.Equal(read.Doubts, doubts) {
		t.Errorf("Read has the doubts %v, %v, want %v", read.Doubts, err, doubts)
	}
}
