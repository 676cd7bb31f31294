package model_test

import (
	"testing"

	"quern/nlq/encoder"
	"quern/nlq/model"
)

// TestLate: what is known before anything is read is what is known after.
func TestLate(t *testing.T) {
	t.Parallel()
	shipped, err := model.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	late := model.Late{}
	if got, want := late.Fingerprint(), shipped.Encoder.Fingerprint(); got != want || got == "" {
		t.Errorf("Fingerprint() = %q, want that of the encoder, %q", got, want)
	}
	text := encoder.Text{Words: []string{"order", "date"}}
	names, err := late.Names(t.Context(), []encoder.Text{text})
	if err != nil || len(names) != 1 || !late.Fits(names[0]) || late.Key(text) != shipped.Encoder.Key(text) {
		t.Errorf("Names() = %d of them, %v, want one that fits", len(names), err)
	}
}
