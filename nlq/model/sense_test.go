package model_test

import (
	"math"
	"strings"
	"testing"

	"quern/learned"
	"quern/nlq/encoder"
	"quern/nlq/model"
	"quern/nlq/schema"
)

// nearest returns the value that is nearest in meaning to a text.
func nearest(t *testing.T, text, values string) (value string, near float32) {
	t.Helper()
	senses, err := model.Senses()
	if err != nil {
		t.Fatal(err)
	}
	all := schema.NewValues(0)
	for v := range strings.SplitSeq(values, ",") {
		all.Add(v)
	}
	all.Done()
	value, near, _, _ = all.Nearest(senses.Of(text), senses.Of)
	return value, near
}

func TestSenses(t *testing.T) {
	t.Parallel()
	for said, values := range map[string]string{
		"mobiles": "phone,wallet,umbrella,keys", "couches": "sofa,chair,lamp",
		"online": "website,friend,leaflet", "called off": "cancelled,done,planned",
	} {
		want, _, _ := strings.Cut(values, ",")
		if got, near := nearest(t, said, values); got != want {
			t.Errorf("nearest to %q of %s is %q by %.2f, want %q", said, values, got, near, want)
		}
	}
	if got, near := nearest(t, "fine", "paid,fine"); got != "fine" || math.Abs(float64(near)-1) > 1e-3 {
		t.Errorf("nearest to itself is %q by %f, want itself by 1", got, near)
	}
	senses, err := model.Senses()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "日本", " \x00 "} {
		if got := senses.Of(text); got != nil {
			t.Errorf("Of(%q) = %d numbers, want nil", text, len(got))
		}
	}
}

func TestSensesBelongToTheirPieces(t *testing.T) {
	t.Parallel()
	pieces, err := model.Pieces()
	if err != nil {
		t.Fatal(err)
	}
	whole := learned.Senses()
	other := append([]byte(strings.Replace(string(whole[:100]), `"pieces": `, `"pieces": 1`, 1)), whole[100:]...)
	for name, data := range map[string][]byte{"nothing": nil, "a part": whole[:len(whole)-1], "other pieces": other} {
		if _, err := encoder.LoadSenses(data, pieces); err == nil {
			t.Errorf("LoadSenses of %s = nil, want an error", name)
		}
	}
}
