package vector_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"quern/nlq/vector"
)

// table writes words as learned/train/vectors.py does.
func table(words []string, scales []float32, numbers [][]int8) []byte {
	out := bytes.NewBufferString("QVEC")
	write := func(v any) { _ = binary.Write(out, binary.LittleEndian, v) }
	write([]uint32{1, uint32(len(words)), uint32(len(numbers[0]))})
	for _, w := range words {
		out.WriteByte(byte(len(w)))
		out.WriteString(w)
	}
	write(scales)
	for _, n := range numbers {
		write(n)
	}
	return out.Bytes()
}

func small(t *testing.T) *vector.Table {
	t.Helper()
	v, err := vector.Load(table([]string{"city", "town", "a"}, []float32{0.5, 0.25, 0}, [][]int8{{2, 0, -4}, {127, -127, 3}, {0, 0, 0}}))
	if err != nil {
		t.Fatalf("Load = %v", err)
	}
	return v
}

func TestID(t *testing.T) {
	t.Parallel()
	v := small(t)
	for word, want := range map[string]int32{"city": 3, "town": 4, "a": 5, "": 1, "village": 1, "1980": 2, "1st": 2, "٣": 1} {
		if got := v.ID(word); got != want {
			t.Errorf("ID(%q) = %d, want %d", word, got, want)
		}
	}
	if v.Len() != 6 || v.Dim() != 3 {
		t.Errorf("Len, Dim = %d, %d, want 6, 3", v.Len(), v.Dim())
	}
}

func TestVector(t *testing.T) {
	t.Parallel()
	v := small(t)
	for id, want := range map[int32][3]float32{0: {}, 1: {}, 3: {1, 0, -2}, 4: {31.75, -31.75, 0.75}, 5: {}, 6: {}, -1: {}} {
		got := [3]float32{9, 9, 9}
		v.Vector(id, got[:])
		if got != want {
			t.Errorf("Vector(%d) = %v, want %v", id, got, want)
		}
	}
}

func TestCosine(t *testing.T) {
	t.Parallel()
	v := small(t)
	want := (2*127 - 4*3) / (math.Sqrt(20) * math.Sqrt(127*127*2+9))
	if got := v.Cosine(3, 4); math.Abs(float64(got)-want) > 1e-6 {
		t.Errorf("Cosine(3, 4) = %v, want %v", got, want)
	}
	for _, pair := range [][2]int32{{3, 5}, {0, 3}, {3, 1}, {3, 99}, {-4, 3}} {
		if got := v.Cosine(pair[0], pair[1]); got != 0 {
			t.Errorf("Cosine(%v) = %v, want 0", pair, got)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(table([]string{"x"}, []float32{1}, [][]int8{{1, 2}}))
	f.Add([]byte("QVEC\x01\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := vector.Load(data)
		if err != nil {
			return
		}
		dst := make([]float32, v.Dim())
		for id := range int32(v.Len()) {
			v.Vector(id, dst)
			if c := v.Cosine(id, id); id > 2 && c != 0 && math.Abs(float64(c)-1) > 1e-5 {
				t.Errorf("Cosine(%d, %d) = %v, want 1 or 0", id, id, c)
			}
		}
	})
}
