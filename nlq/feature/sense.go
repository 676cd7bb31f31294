package feature

import (
	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// nearBy are the products of senses from which on a word means nearly, and very nearly,
// what a value does.
var nearBy = [...]float32{0.3, 0.45}

// senses compares the words of a question with the values of columns of kinds by what
// they mean.
type senses struct {
	of    func(text string) []float32
	spans []sensed
}

// sensed is a word, or two that stand beside each other, and what they mean.
type sensed struct {
	lex.Span
	sense []float32
}

func newSenses(q *question, v Vectors) *senses {
	s := &senses{of: v.Sense}
	says := func(i int) bool { return i < len(q.tokens) && q.content[i] && q.kinds[i] == Plain }
	for i := range q.tokens {
		if !says(i) {
			continue
		}
		if !lex.Thin(q.lower[i]) {
			s.add(q, lex.Span{First: i, Last: i})
		}
		if says(i + 1) {
			s.add(q, lex.Span{First: i, Last: i + 1})
		}
	}
	return s
}

func (s *senses) add(q *question, span lex.Span) {
	if sense := s.of(q.text[q.tokens[span.First].Start:q.tokens[span.Last].End]); sense != nil {
		s.spans = append(s.spans, sensed{span, sense})
	}
}

// markSenses marks the words that mean nearly what a value of a column of kinds does,
// where nothing better is known of them. A schema so wide that it is narrowed first is left
// as it is: to look at all values would take long.
func (q *question) markSenses(s *schema.Schema, v Vectors, f *Features) {
	const widest = 200 // columns
	if len(s.Columns) > widest {
		return
	}
	senses := newSenses(q, v)
	for c := range s.Columns {
		senses.mark(&s.Columns[c], func(word int) *uint8 { return &f.Columns[word][c] })
	}
}

func (s *senses) mark(c *schema.Column, relationOf func(word int) *uint8) {
	if c.Type != quern.Text || !c.Category() || c.Values.Numeric() {
		return
	}
	for _, span := range s.spans {
		_, near, _, ok := c.Values.Nearest(span.sense, s.of)
		if !ok || near < nearBy[0] {
			continue
		}
		relation := uint8(ColumnMeant)
		if near >= nearBy[1] {
			relation++
		}
		for i := span.First; i <= span.Last; i++ {
			known := relationOf(i)
			weak := *known == 0 || *known == ColumnSimilar || *known == ColumnSimilar+1
			if weak || *known == ColumnMeant {
				*known = relation
			}
		}
	}
}
