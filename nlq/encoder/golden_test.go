package encoder_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"quern/nlq/encoder"
	"quern/nlq/kernel"
)

// golden is what learned/train/encoder_fixture.py computed.
type golden struct {
	Texts []struct {
		Text   string
		Pieces []int32
	}
	Questions []question
}

type question struct {
	Words  []string
	Names  []encoder.Text
	Pieces [][]int32
	IDs    [][]int32
	Own    [][]int
	Stored [][][]float64
	Pooled [][]float64
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func load(t testing.TB) (*encoder.Pieces, *encoder.Encoder, golden) {
	t.Helper()
	pieces, err := encoder.LoadPieces(read(t, "pieces.bin"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := encoder.Load(read(t, "weights.bin"), pieces)
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(read(t, "golden.json"), &g); err != nil || len(g.Questions) == 0 || len(g.Texts) == 0 {
		t.Fatalf("%d questions, %d texts, %v", len(g.Questions), len(g.Texts), err)
	}
	return pieces, e, g
}

func TestPiecesAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	pieces, _, g := load(t)
	for _, x := range g.Texts {
		if got := pieces.Word(x.Text); !slices.Equal(got, x.Pieces) {
			t.Errorf("Word(%q) = %v, want %v", x.Text, got, x.Pieces)
		}
	}
	for _, q := range g.Questions {
		for i, w := range q.Words {
			if got := pieces.Word(w); !slices.Equal(got, q.Pieces[i]) {
				t.Errorf("Word(%q) = %v, want %v", w, got, q.Pieces[i])
			}
		}
		for i, n := range q.Names {
			ids, own := encoder.Read(pieces, n)
			if !slices.Equal(ids, q.IDs[i]) || !slices.Equal(own, q.Own[i]) {
				t.Errorf("%+v is read as %v, %v, want %v, %v", n, ids, own, q.IDs[i], q.Own[i])
			}
		}
	}
}

func TestVectorsAreThoseOfTraining(t *testing.T) {
	t.Parallel()
	_, e, g := load(t)
	for _, q := range g.Questions {
		names, err := e.Names(t.Context(), q.Names)
		if err != nil {
			t.Fatal(err)
		}
		for j, n := range names {
			compare(t, "a name", encoder.Vectors(e, n), q.Stored[j], 0.05)
		}
		pooled, err := e.Encode(t.Context(), q.Words, names)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]float32
		for row := range slices.Chunk(pooled, e.Width()) {
			rows = append(rows, row)
		}
		compare(t, "a question", rows, q.Pooled, 0.02)
	}
}

// compare checks numbers that were rounded on the way.
func compare(t *testing.T, what string, got [][]float32, want [][]float64, off float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d rows, want %d", what, len(got), len(want))
	}
	worst := 0.0
	for i := range want {
		for j := range want[i] {
			worst = max(worst, math.Abs(float64(got[i][j])-want[i][j]))
		}
	}
	if worst > off {
		t.Errorf("%s is off by %g", what, worst)
	}
}

// The bits are the same with and without assembly; that other tests may run with
// either beside it does not matter for the same reason.
func TestBitsArePortable(t *testing.T) {
	t.Parallel()
	_, e, g := load(t)
	defer kernel.SetPortable(false)
	for _, q := range g.Questions {
		var pooled [2][]float32
		for i, portable := range []bool{false, true} {
			kernel.SetPortable(portable)
			names, err := e.Names(t.Context(), q.Names)
			if err != nil {
				t.Fatal(err)
			}
			if pooled[i], err = e.Encode(t.Context(), q.Words, names); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(pooled[0], pooled[1]) {
			t.Errorf("%v: the vectors differ between the kernels", q.Words)
		}
	}
}
