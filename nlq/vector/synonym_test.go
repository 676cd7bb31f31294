package vector_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"quern/nlq/vector"
)

// synonyms writes lists for the three words of small, as learned/train/synonyms.py does.
func synonyms(sum, words uint32, lists ...byte) []byte {
	out := bytes.NewBufferString("QSYN")
	_ = binary.Write(out, binary.LittleEndian, []uint32{1, sum, words})
	out.Write(lists)
	return out.Bytes()
}

// whole says that a is a form of town, and city related with town and a.
var whole = []byte{0, 0, 1, 4, 2, 1, 1, 0, 0}

func TestRelate(t *testing.T) {
	t.Parallel()
	v := small(t)
	if len(v.Bases(5)) != 0 || len(v.Related(3)) != 0 {
		t.Error("a table without synonyms has some")
	}
	if err := v.Relate(synonyms(v.Sum(), 3, whole...)); err != nil {
		t.Fatalf("Relate = %v", err)
	}
	for id, want := range map[int32][2][]int32{
		3: {nil, {4, 5}}, 4: {nil, {3}}, 5: {{4}, {3}}, 0: {}, 1: {}, 6: {}, -7: {}, 1 << 30: {},
	} {
		if bases, related := v.Bases(id), v.Related(id); !slices.Equal(bases, want[0]) || !slices.Equal(related, want[1]) {
			t.Errorf("Bases(%d), Related(%d) = %v, %v, want %v", id, id, bases, related, want)
		}
	}
}

func TestSynonyms(t *testing.T) {
	t.Parallel()
	v := small(t)
	if err := v.Relate(synonyms(v.Sum(), 3, whole...)); err != nil {
		t.Fatalf("Relate = %v", err)
	}
	for pair, want := range map[[2]int32]bool{{3, 4}: true, {4, 3}: true, {5, 4}: true, {4, 5}: true, {3, 3}: true, {3, 6}: false, {4, 1}: false} {
		if got := v.Synonyms(pair[0], pair[1]); got != want {
			t.Errorf("Synonyms(%d, %d) = %t, want %t", pair[0], pair[1], got, want)
		}
	}
}

func TestRelateRefusesWhatIsNotWhole(t *testing.T) {
	t.Parallel()
	v := small(t)
	good := synonyms(v.Sum(), 3, whole...)
	for name, data := range map[string][]byte{
		"nothing": nil, "a header": good[:16], "less": good[:len(good)-1], "more": append(slices.Clone(good), 0),
		"other vectors": synonyms(v.Sum()+1, 3, whole...), "other words": synonyms(v.Sum(), 2, whole...),
		"no such word": synonyms(v.Sum(), 3, 0, 0, 1, 6, 0, 0, 0), "padding": synonyms(v.Sum(), 3, 1, 0, 0, 0, 0, 0, 0),
		"another version": append([]byte("QSYN\x02"), good[5:]...),
	} {
		if err := v.Relate(data); err == nil {
			t.Errorf("Relate takes %s", name)
		}
	}
	if len(v.Related(3)) != 0 {
		t.Error("synonyms that were refused are there")
	}
}

func FuzzRelate(f *testing.F) {
	f.Add(whole)
	f.Add([]byte{0xff, 0xff, 0xff, 0x07, 3})
	data := table([]string{"x", "y", "z"}, []float32{1, 1, 1}, [][]int8{{1, 2}, {1, 2}, {1, 2}})
	f.Fuzz(func(t *testing.T, lists []byte) {
		v, err := vector.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		if v.Relate(synonyms(v.Sum(), 3, lists...)) != nil {
			return
		}
		for id := int32(3); id < int32(v.Len()); id++ {
			for _, other := range v.Related(id) {
				if !slices.Contains(v.Related(other), id) {
					t.Errorf("%d is related with %d, but not the other way", id, other)
				}
			}
		}
	})
}
