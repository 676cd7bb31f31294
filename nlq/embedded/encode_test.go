package embedded_test

import (
	"context"
	"testing"

	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/encoder"
	"quern/nlq/model"
	"quern/nlq/nlqtest"
)

// watched is an encoder that says what it was asked for.
type watched struct {
	embedded.Encoder
	encoded, names int // names encoded for a question; names that a question was read beside
}

func (w *watched) Names(ctx context.Context, texts []encoder.Text) ([]encoder.Name, error) {
	w.encoded += len(texts)
	return w.Encoder.Names(ctx, texts)
}

func (w *watched) Encode(ctx context.Context, words []string, names []encoder.Name) ([]float32, error) {
	w.names = len(names)
	return w.Encoder.Encode(ctx, words, names)
}

// A question of a wide namespace is read beside the names that it may be about, and
// these were encoded before.
func TestWideNamespacesAreNarrowedBeforeTheyAreEncoded(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	wide(t, h, 20, 20)
	shipped, err := model.Shipped()
	must(t, err)
	w := &watched{Encoder: shipped.Encoder}
	translator, err := embedded.New(embedded.Options{Schemas: h.Schemas, Query: h.House.Query, Encoder: w})
	must(t, err)
	if _, err = translator.Translate(t.Context(), h.Ada, nlq.Question{Text: "How many orders are open?", In: nlqtest.In}); err != nil {
		t.Fatal(err)
	}
	if w.encoded != 0 {
		t.Errorf("%d names were encoded for the question, want none", w.encoded)
	}
	if w.names == 0 || w.names > 200 {
		t.Errorf("the question was read beside %d names of more than 400, want at most 200", w.names)
	}
}
