package embedded

import (
	"context"

	"quern/nlq/encoder"
	"quern/nlq/ground"
)

// encode sets what the pretrained encoder says of the words of the text, and of the
// columns and tables of the narrowed schema, where the networks read it.
func (g *grounding) encode(ctx context.Context) error {
	if g.Encoder == nil || g.Nets.MeaningWidth() == 0 {
		return nil
	}
	names, err := g.encodedNames(ctx)
	if err != nil {
		return err
	}
	var words []string
	for _, t := range g.Features.Tokens[:min(len(g.Features.Tokens), maxWords)] {
		words = append(words, t.Text)
	}
	if g.meanings, err = g.Encoder.Encode(ctx, words, names); err == nil {
		g.withoutMeanings()
	}
	return err
}

// encodedNames returns what is kept of the names of columns, then of tables. Names that
// are not encoded in time are encoded here, without values.
func (g *grounding) encodedNames(ctx context.Context) ([]encoder.Name, error) {
	s := g.View.Schema
	names := make([]encoder.Name, 0, len(s.Columns)+len(s.Tables))
	var texts []encoder.Text
	var places []int
	add := func(n encoder.Name, t encoder.Text) {
		if n == nil {
			texts, places = append(texts, t), append(places, len(names))
		}
		names = append(names, n)
	}
	for _, c := range s.Columns {
		add(c.Encoded, encoder.Text{Table: s.Tables[c.Table].Words, Words: c.Words})
	}
	for _, t := range s.Tables {
		add(t.Encoded, encoder.Text{Words: t.Words})
	}
	late, err := g.Encoder.Names(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		names[place] = late[i]
	}
	return names, nil
}

// withoutMeanings forgets what the encoder says of words, where it is left out.
func (g *grounding) withoutMeanings() {
	if !g.Uses(ground.Meanings) {
		clear(g.meanings[:min(len(g.Features.Tokens), maxWords)*g.Nets.MeaningWidth()])
	}
}
