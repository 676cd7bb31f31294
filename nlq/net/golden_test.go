package net_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quern/nlq/encoder"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/model"
	"quern/nlq/net"
)

// golden is what learned/train/network.py computes for one question.
type golden struct {
	Question string
	Input    struct {
		Words   []int32
		Kinds   []int
		Columns []struct {
			Words       []int32
			Type, Flags uint8
			Table       int
		}
		Tables       [][]int32
		TokenColumns [][3]int `json:"token_columns"`
		TokenTables  [][3]int `json:"token_tables"`
		Links        [][2]int
		Pieces       [][]int32      // of each word
		Texts        []encoder.Text // of columns, then of tables
	}
	Target []string
	Scores [][]float64
	Beam   []struct {
		Tokens []string
		Log    float64
	}
	Pooled  [][]float64 // the first numbers of each item's meaning
	Missing []float64   // by word

	meanings []float32
}

func (g *golden) input() net.Input {
	in := net.Input{Words: g.Input.Words, Tables: g.Input.Tables, Links: g.Input.Links, Meanings: g.meanings}
	for _, k := range g.Input.Kinds {
		in.Kinds = append(in.Kinds, uint8(k))
	}
	for _, c := range g.Input.Columns {
		in.Columns = append(in.Columns, net.Column(c))
	}
	for range in.Words {
		in.TokenColumns = append(in.TokenColumns, make([]uint8, len(in.Columns)))
		in.TokenTables = append(in.TokenTables, make([]uint8, len(in.Tables)))
	}
	for _, r := range g.Input.TokenColumns {
		in.TokenColumns[r[0]][r[1]] = uint8(r[2])
	}
	for _, r := range g.Input.TokenTables {
		in.TokenTables[r[0]][r[1]] = uint8(r[2])
	}
	return in
}

func tokens(t *testing.T, names []string) []grammar.Token {
	t.Helper()
	var all []grammar.Token
	for _, name := range names {
		token, err := grammar.ParseToken(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, token)
	}
	return all
}

// load reads weights and the examples that belong to them.
func load(t testing.TB, weights, examples string) (*net.Net, []golden) {
	t.Helper()
	words, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	n, err := net.Load(data, words)
	if err != nil {
		t.Fatalf("Load(%s) = %v", weights, err)
	}
	text, err := os.ReadFile(examples)
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(text, &all); err != nil || len(all) == 0 {
		t.Fatalf("%s: %d examples, %v", examples, len(all), err)
	}
	return n, all
}

func small(t testing.TB) (*net.Net, []golden) {
	t.Helper()
	return load(t, "testdata/weights.bin", "testdata/golden.json")
}

func TestScoresAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	n, all := small(t)
	checkScores(t, n, all)
}

// Every network of the product has its examples.
func TestShippedNetworksAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../learned/weights*.bin")
	if err != nil || len(names) == 0 {
		t.Fatalf("Glob = %d networks, %v", len(names), err)
	}
	shipped, err := model.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		examples := "../../learned/testdata/" + strings.Replace(strings.TrimSuffix(filepath.Base(name), ".bin"), "weights", "golden", 1) + ".json"
		n, all := load(t, name, examples)
		for i := range all {
			all[i].encode(t, shipped.Encoder)
		}
		checkScores(t, n, all)
		checkBeam(t, n, all)
	}
}

// encode sets the meanings of a question's items, and checks those that training
// wrote down.
func (g *golden) encode(t *testing.T, e *encoder.Encoder) {
	t.Helper()
	if e == nil {
		return
	}
	pieces, err := model.Pieces()
	if err != nil {
		t.Fatal(err)
	}
	words := lex.Tokens(g.Question)
	var texts []string
	for i, w := range words {
		texts = append(texts, w.Text)
		if got := pieces.Word(w.Text); !slices.Equal(got, g.Input.Pieces[i]) {
			t.Errorf("%s: the pieces of %q are %v, want %v", g.Question, w.Text, got, g.Input.Pieces[i])
		}
	}
	names, err := e.Names(t.Context(), g.Input.Texts)
	if err != nil {
		t.Fatal(err)
	}
	if g.meanings, err = e.Encode(t.Context(), texts, names); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, row := range g.Pooled {
		for j, want := range row {
			worst = max(worst, math.Abs(float64(g.meanings[i*e.Width()+j])-want))
		}
	}
	if worst > 0.05 {
		t.Errorf("%s: meanings differ by up to %.4f", g.Question, worst)
	}
}

func checkScores(t *testing.T, n *net.Net, all []golden) {
	t.Helper()
	for _, g := range all {
		got, err := n.Scores(t.Context(), g.input(), tokens(t, g.Target))
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for step, want := range g.Scores {
			if len(got[step]) != len(want) {
				t.Fatalf("%s: step %d has %d scores, want %d", g.Question, step, len(got[step]), len(want))
			}
			for i := range want {
				worst = max(worst, math.Abs(float64(got[step][i])-want[i]))
			}
		}
		most := 2e-3
		if g.meanings != nil { // names are rounded to bytes, of which one may fall to the other side
			most = 0.03
		}
		if worst > most {
			t.Errorf("%s: scores differ by up to %.4f", g.Question, worst)
		}
	}
}

func TestBeamIsThatOfTraining(t *testing.T) {
	t.Parallel()
	n, all := small(t)
	checkBeam(t, n, all)
}

func checkBeam(t *testing.T, n *net.Net, all []golden) {
	t.Helper()
	for _, g := range all {
		got, err := n.Parse(t.Context(), g.input(), 8)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(g.Beam) {
			t.Errorf("%s: %d hypotheses, want %d", g.Question, len(got), len(g.Beam))
			continue
		}
		for i, want := range g.Beam {
			// A hypothesis adds up the steps of a derivation, and what each is rounded by.
			if math.Abs(got[i].LogProb-want.Log) > max(1e-2, -5e-3*want.Log) {
				t.Errorf("%s: hypothesis %d has %.4f, want %.4f", g.Question, i, got[i].LogProb, want.Log)
			}
		}
		if fmt.Sprint(got[0].Tokens) != fmt.Sprint(tokens(t, g.Beam[0].Tokens)) {
			t.Errorf("%s: %v, want %v", g.Question, got[0].Tokens, g.Beam[0].Tokens)
		}
	}
}

//nolint:paralleltest // it sets the kernels of the whole package
func TestAssemblyChangesNothing(t *testing.T) {
	n, all := small(t)
	defer net.SetPortable(false)
	for _, g := range all {
		net.SetPortable(false)
		fast, err := n.Scores(t.Context(), g.input(), tokens(t, g.Target))
		if err != nil {
			t.Fatal(err)
		}
		net.SetPortable(true)
		slow, err := n.Scores(t.Context(), g.input(), tokens(t, g.Target))
		if err != nil {
			t.Fatal(err)
		}
		for step := range fast {
			if !slices.Equal(fast[step], slow[step]) {
				t.Fatalf("%s: step %d differs between the kernels", g.Question, step)
			}
		}
	}
}
