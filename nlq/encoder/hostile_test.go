package encoder_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"quern/nlq/encoder"
)

// FuzzWord checks that any text becomes few pieces of the list, and that case and
// place among spaces do not matter.
func FuzzWord(f *testing.F) {
	pieces, e, g := load(f)
	for _, x := range g.Texts {
		f.Add(x.Text)
	}
	f.Add(strings.Repeat("x", 5000))
	f.Add("\xff\xfe\x00 \u200b\u202e e\u0301" + strings.Repeat("\u0301", 300))
	f.Add("[CLS] [SEP] ##s")
	f.Fuzz(func(t *testing.T, text string) {
		got := pieces.Word(text)
		if len(got) == 0 || len(got) > 12 || slices.Min(got) < 0 || slices.Max(got) >= encoder.Count(pieces) {
			t.Errorf("Word(%q) = %v", text, got)
		}
		if spaced := pieces.Word(" " + text + "\t"); !slices.Equal(spaced, got) {
			t.Errorf("Word(%q) = %v among spaces, and %v alone", text, spaced, got)
		}
		ids, kept := encoder.Read(pieces, encoder.Text{Table: []string{text}, Words: []string{text, text}, Values: []string{text, text, text, text}})
		if len(ids) > 32 || len(kept) == 0 || len(kept) > 5 || slices.Max(kept) >= len(ids) {
			t.Errorf("%q as a name is read as %v, of which %v are kept", text, ids, kept)
		}
		if _, err := e.Encode(t.Context(), []string{text}, nil); err != nil {
			t.Errorf("Encode(%q) = %v", text, err)
		}
	})
}

func TestQuestionsOfAnyLength(t *testing.T) {
	t.Parallel()
	_, e, g := load(t)
	names, err := e.Names(t.Context(), g.Questions[1].Names)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{nil, {""}, slices.Repeat([]string{"ships"}, 2000)} {
		got, err := e.Encode(t.Context(), words, names)
		if err != nil || len(got) != (len(words)+len(names))*e.Width() {
			t.Fatalf("Encode of %d words = %d numbers, %v", len(words), len(got), err)
		}
		if slices.ContainsFunc(got, func(x float32) bool { return math.IsNaN(float64(x)) }) {
			t.Errorf("Encode of %d words has numbers that are none", len(words))
		}
		if beyond := 1999 * e.Width(); len(words) == 2000 && slices.Max(got[beyond:beyond+e.Width()]) != 0 {
			t.Error("a word beyond the bound has a vector")
		}
	}
	got, err := e.Encode(t.Context(), []string{"ships"}, []encoder.Name{nil, names[0]})
	if err != nil || slices.Max(got[e.Width():2*e.Width()]) != 0 || slices.Max(got[2*e.Width():]) == 0 {
		t.Errorf("a name that is not there has a vector, or one that is there has none: %v", err)
	}
}

func TestEncodingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	_, e, g := load(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Names(ctx, g.Questions[0].Names); !errors.Is(err, context.Canceled) {
		t.Errorf("Names = %v, want that it was cancelled", err)
	}
	if _, err := e.Encode(ctx, g.Questions[0].Words, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Encode = %v, want that it was cancelled", err)
	}
}

func TestDamagedNamesDoNotFit(t *testing.T) {
	t.Parallel()
	_, e, g := load(t)
	names, err := e.Names(t.Context(), g.Questions[0].Names)
	if err != nil || !e.Fits(names[0]) {
		t.Fatalf("Names = %v, and the first does not fit", err)
	}
	n := names[0]
	noNumber := slices.Concat([]byte{0, 0, 0xc0, 0x7f}, n[4:])
	for what, damaged := range map[string]encoder.Name{
		"empty": {}, "cut": n[1:], "too long": bytes.Repeat(n, 6), "no number": noNumber,
	} {
		if e.Fits(damaged) {
			t.Errorf("a name that is %s fits", what)
		}
	}
}

func TestKeysTellTextsApart(t *testing.T) {
	t.Parallel()
	_, e, _ := load(t)
	seen := map[encoder.Key]encoder.Text{}
	for _, text := range []encoder.Text{
		{Words: []string{"ship"}}, {Words: []string{"ships"}}, {Table: []string{"ship"}, Words: []string{"name"}},
		{Table: []string{"ship"}, Words: []string{"name"}, Values: []string{"blue"}}, {Table: []string{"ship", "name"}}, {},
	} {
		key := e.Key(text)
		if other, ok := seen[key]; ok {
			t.Errorf("%+v and %+v have one key", text, other)
		}
		seen[key] = text
	}
	if e.Key(encoder.Text{Words: []string{"SHIP"}}) != e.Key(encoder.Text{Words: []string{"ship"}}) {
		t.Error("texts of the same pieces have two keys")
	}
}

func TestLoadRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	pieces, e, _ := load(t)
	whole, all := read(t, "weights.bin"), read(t, "pieces.bin")
	for _, data := range [][]byte{nil, all[:10], all[:len(all)-1], bytes.Replace(all, []byte(`"[CLS]"`), []byte(`"[CLX]"`), 1), whole} {
		if _, err := encoder.LoadPieces(data); err == nil {
			t.Errorf("LoadPieces takes %d of %d bytes", len(data), len(all))
		}
	}
	for from, to := range map[string]string{
		`"heads": 2`: `"heads": 3`, `"wide": 64`: `"wide": 63`, `"apart": 2`: `"apart": 3`, `"layers": 3`: `"layers": 4`,
		`layers.2.up`: `layers.9.up`, `"pieces": `: `"pieces":1`, `"size": 32`: `"size": 48`,
	} {
		damaged := bytes.Replace(whole, []byte(from), []byte(to), 1)
		if _, err := encoder.Load(damaged, pieces); err == nil || bytes.Equal(damaged, whole) {
			t.Errorf("Load takes %s for %s", to, from)
		}
	}
	without := bytes.Replace(whole, []byte(`"pretrained"`), []byte(`"pretraineX"`), 1)
	if _, err := encoder.Load(without, pieces); err == nil || encoder.In(without) || !encoder.In(whole) {
		t.Errorf("weights without layers load, or have them: %v", err)
	}
	other, err := encoder.Load(bytes.Replace(whole, []byte(`"tensors"`), []byte(`"tensorS"`), 1), pieces)
	if err != nil || other.Fingerprint() == e.Fingerprint() {
		t.Errorf("other weights have the same fingerprint, %v", err)
	}
}
