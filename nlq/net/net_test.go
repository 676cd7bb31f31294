package net_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"quern/nlq/grammar"
	"quern/nlq/model"
	"quern/nlq/net"
)

var tiny = sizes{Size: 32, Heads: 4, Encoders: 1, Decoders: 1}

// Whatever the input, only what the grammar allows is written.
func TestParseWritesDerivations(t *testing.T) {
	t.Parallel()
	n, _ := small(t)
	in := randomInput(15, 4, 5)
	linked := map[int]bool{}
	for _, l := range in.Links {
		linked[l[0]], linked[l[1]] = true, true
	}
	found, err := n.Parse(t.Context(), in, 16)
	if err != nil || len(found) == 0 {
		t.Fatalf("Parse = %d hypotheses, %v", len(found), err)
	}
	for i, h := range found {
		if i > 0 && h.LogProb > found[i-1].LogProb {
			t.Errorf("hypothesis %d is likelier than the one before", i)
		}
		stack := grammar.Start()
		for k, token := range h.Tokens {
			choice := grammar.Allowed(stack.Top())
			if token.Kind == grammar.Column && choice.Linking && !linked[token.ID] {
				t.Errorf("%v points to column %d, which has no link", h.Tokens, token.ID)
			}
			if first := token.ID; choice.Last {
				first -= h.Tokens[k-1].ID
				if first < 0 || first >= grammar.MaxSpan {
					t.Errorf("%v has a span of %d words", h.Tokens, first+1)
				}
			}
			next, ok := stack.Next(token)
			if !ok {
				t.Fatalf("%v is no derivation at %d", h.Tokens, k)
			}
			stack = next
		}
		if !stack.Done() {
			t.Errorf("%v does not end", h.Tokens)
		}
	}
}

func TestParseIsTheSameBesideOthers(t *testing.T) {
	t.Parallel()
	n := randomNet(t, tiny)
	inputs := []net.Input{randomInput(15, 4, 12), randomInput(3, 1, 2), randomInput(30, 2, 20)}
	var want []string
	for _, in := range inputs {
		found, err := n.Parse(t.Context(), in, 4)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(found))
	}
	var all sync.WaitGroup
	for range 4 {
		for i, in := range inputs {
			all.Go(func() {
				if found, err := n.Parse(t.Context(), in, 4); err != nil || fmt.Sprint(found) != want[i] {
					t.Errorf("Parse of input %d gave another answer beside others: %v", i, err)
				}
			})
		}
	}
	all.Wait()
}

func TestEnsemble(t *testing.T) {
	t.Parallel()
	n, examples := small(t)
	in := examples[0].input()
	alone, err := n.Parse(t.Context(), in, 4)
	if err != nil {
		t.Fatal(err)
	}
	thrice, err := net.Ensemble{n, n, n}.Parse(t.Context(), in, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i := range alone {
		if fmt.Sprint(alone[i].Tokens) != fmt.Sprint(thrice[i].Tokens) || math.Abs(alone[i].LogProb-thrice[i].LogProb) > 1e-9 {
			t.Errorf("three times the same network gives %v, want %v", thrice[i], alone[i])
		}
	}
	other := randomNet(t, tiny)
	mixed, err := net.Ensemble{n, other}.Parse(t.Context(), in, 4)
	if err != nil {
		t.Fatal(err)
	}
	if mixed[0].LogProb == alone[0].LogProb {
		t.Error("the second network has no vote")
	}
}

// A network that is broken fails its question, and the next one is answered.
func TestParseOfABrokenNetworkFails(t *testing.T) {
	t.Parallel()
	n, examples := small(t)
	in := examples[0].input()
	broken := randomNet(t, tiny)
	broken.Break()
	if got, err := (net.Ensemble{n, broken}).Parse(t.Context(), in, 4); err == nil {
		t.Errorf("Parse of a broken network = %v, want an error", got)
	}
	if _, err := n.Parse(t.Context(), in, 4); err != nil {
		t.Errorf("Parse after a panic = %v, want derivations", err)
	}
}

func TestLikelyIsTheLikelierPartOfParse(t *testing.T) {
	t.Parallel()
	n, examples := small(t)
	for i, e := range examples {
		all, err := n.Parse(t.Context(), e.input(), 8)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			continue
		}
		const share = 0.5
		likely, err := net.Ensemble{n}.Likely(t.Context(), e.input(), 8, share)
		if err != nil {
			t.Fatal(err)
		}
		var want []net.Hypothesis
		for _, h := range all {
			if h.LogProb >= all[0].LogProb+math.Log(share) {
				want = append(want, h)
			}
		}
		if fmt.Sprint(likely) != fmt.Sprint(want) {
			t.Errorf("example %d: Likely() = %v, want %v", i, likely, want)
		}
	}
}

func TestParseEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := randomNet(t, tiny).Parse(ctx, randomInput(3, 1, 2), 4); !errors.Is(err, context.Canceled) {
		t.Errorf("Parse = %v, want canceled", err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	n := randomNet(t, tiny)
	for name, spoil := range map[string]func(*net.Input){
		"no words":                func(in *net.Input) { *in = net.Input{} },
		"a kind too few":          func(in *net.Input) { in.Kinds = in.Kinds[1:] },
		"relations of one column": func(in *net.Input) { in.TokenColumns[1] = in.TokenColumns[1][:1] },
		"relations of no table":   func(in *net.Input) { in.TokenTables[0] = nil },
		"a column of no table":    func(in *net.Input) { in.Columns[2].Table = 9 },
		"a link to nowhere":       func(in *net.Input) { in.Links = [][2]int{{0, -1}} },
		"too many items":          func(in *net.Input) { in.Tables = make([][]int32, net.MaxItems) },
	} {
		in := randomInput(3, 2, 3)
		spoil(&in)
		if _, err := n.Parse(t.Context(), in, 4); err == nil {
			t.Errorf("Parse takes an input with %s", name)
		}
	}
	for _, beam := range []int{-1, 0, net.MaxBeam + 1} {
		if _, err := n.Parse(t.Context(), randomInput(3, 1, 2), beam); err == nil {
			t.Errorf("Parse takes a beam of %d", beam)
		}
	}
}

// A schema can have no columns, names no words, and words no meaning.
func TestParseOfLittle(t *testing.T) {
	t.Parallel()
	n, _ := small(t)
	in := randomInput(1, 1, 0)
	if found, err := n.Parse(t.Context(), in, 2); err != nil || len(found) == 0 {
		t.Errorf("Parse without columns = %d hypotheses, %v", len(found), err)
	}
	in = randomInput(2, 2, 2)
	in.Words[0], in.Kinds[0], in.TokenColumns[0][0], in.TokenTables[1][1] = 1<<30, 255, 255, 255
	in.Tables[0], in.Columns[1].Words = nil, []int32{-5, 0, 1, 2, 3, 4, 5, 6, 7, 8}
	in.Columns[1].Type, in.Columns[1].Flags = 255, 255
	if found, err := n.Parse(t.Context(), in, 2); err != nil || len(found) == 0 {
		t.Errorf("Parse of odd numbers = %d hypotheses, %v", len(found), err)
	}
}

func FuzzLoad(f *testing.F) {
	words, err := model.Vectors()
	if err != nil {
		f.Fatal(err)
	}
	whole := randomWeights(f, sizes{Size: 16, Heads: 2, Encoders: 1, Decoders: 1})
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(whole[:40])
	f.Add([]byte("QNET\x01\x00\x00\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := net.Load(data, words)
		if err != nil {
			return
		}
		if _, err := n.Parse(t.Context(), randomInput(2, 1, 2), 1); err != nil {
			t.Errorf("weights that load do not parse: %v", err)
		}
	})
}

func TestLoadRefusesWhatIsNotWhole(t *testing.T) {
	t.Parallel()
	words, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	whole := randomWeights(t, tiny)
	for _, data := range [][]byte{nil, whole[:11], whole[:100], whole[:len(whole)-1], append(whole[:len(whole):len(whole)], 0)} {
		if _, err := net.Load(data, words); err == nil {
			t.Errorf("Load takes %d of %d bytes", len(data), len(whole))
		}
	}
}

// Weights of other features say so.
func TestLoadRefusesOtherRelations(t *testing.T) {
	t.Parallel()
	words, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	now := fmt.Appendf(nil, `"relations":%d`, relations)
	data := bytes.Replace(randomWeights(t, tiny), now, []byte(`"relations":83`), 1)
	if _, err := net.Load(data, words); err == nil || !strings.Contains(err.Error(), "know 83 relations") {
		t.Errorf("Load of weights with 83 relations = %v, want an error that says so", err)
	}
}
