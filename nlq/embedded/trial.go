package embedded

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"quern/nlq/account"
	"quern/tree"
)

// trial is the answer that is about to be given, with what speaks for and against
// it.
type trial struct {
	chosen     *candidate
	confidence float64 // of the ranking
	agreement  float64 // how much of the probability of all readings has the clauses of this one
	rival      float64 // the most probability of readings that find other rows
	words      []account.Word
	odds       []float64 // of each word, that nothing answers to it; logarithms
	unsafe     bool      // in doubt whatever the sum: a likelier reading leaves out a word that it may not, or this one strays
	unnamed    int       // columns that are used and that no word names
}

// try collects what speaks for and against a reading.
func (g *grounding) try(ctx context.Context, chosen *candidate, all []*candidate, confidence float64) (*trial, error) {
	t := &trial{chosen: chosen, confidence: confidence, agreement: g.agreement(chosen, all), rival: rival(chosen, all)}
	text := g.Accounts()
	reading := account.Reading{Query: chosen.asRead, Taken: g.constantWords(chosen), Score: chosen.score}
	t.words, t.unnamed = g.ownWords(text.Of(reading)), text.Unnamed(reading)
	doubts, err := g.doubts(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range t.words {
		most := math.Inf(-1)
		for i := w.First; i <= w.Last && i < len(doubts) && !w.Sure; i++ {
			most = max(most, doubts[i])
		}
		t.odds = append(t.odds, most)
	}
	return t, nil
}

// Trial is an answer that was about to be given, as the fitting of doubt sees it.
type Trial struct {
	SQL        string      `json:"sql"`
	Confidence float64     `json:"confidence"`
	Agreement  float64     `json:"agreement"`
	Rival      float64     `json:"rival"`
	Unnamed    int         `json:"unnamed"`
	Misplaced  bool        `json:"misplaced"`
	Together   bool        `json:"together"` // with the questions before it
	Words      []TriedWord `json:"words"`
}

// TriedWord is a word of content, what the reading did with it, and the odds that
// nothing answers to it, as a logarithm.
type TriedWord struct {
	Text   string      `json:"text"`
	Use    account.Use `json:"use"`
	Strict bool        `json:"strict"`
	Odds   float64     `json:"odds"`
}

// isAstray reports whether a constant is compared with a column to which no word points.
func (c *candidate) isAstray() bool { return c.misplaced != "" || c.supposed != "" }

// show returns a trial as others see it.
func (g *grounding) show(t *trial) *Trial {
	shown := &Trial{
		SQL: t.chosen.sql, Confidence: t.confidence, Agreement: t.agreement, Rival: t.rival,
		Unnamed: t.unnamed, Misplaced: t.chosen.isAstray(), Together: g.Own > 0, Words: []TriedWord{},
	}
	for i, w := range t.words {
		shown.Words = append(shown.Words, TriedWord{g.Accounts().Said(w), w.Use, w.Strict, max(t.odds[i], leastOdds)})
	}
	return shown
}

// leastOdds is what the odds of a word are that the networks did not see.
const leastOdds = -30

// doubts returns of each word of the text how likely nothing answers to it, as the
// networks told or another one does; none when nobody tells.
func (g *grounding) doubts(ctx context.Context) ([]float64, error) {
	if g.Doubter == nil {
		return g.told, nil
	}
	return g.Doubter.Doubts(ctx, g.input())
}

// rival returns the most probability of readings that find other rows than one.
func rival(c *candidate, all []*candidate) float64 {
	return odds(c, all, probabilities(all)).Rival
}

// agreement returns how much of the probability of all readings has the clauses of
// one, that of its least shared clause. One that only calls its rows otherwise has them all. What
// was added to a reading is in no other, which says nothing against it.
func (g *grounding) agreement(c *candidate, all []*candidate) float64 {
	c = cmp.Or(c.completes, c)
	shares := probabilities(all)
	least, same := 1.0, 0.0
	var others [][]string
	for i, other := range all {
		own := clauses(other.query)
		if g.isVariant(c, other) {
			same, own = same+shares[i], nil
		}
		others = append(others, own)
	}
	for _, clause := range clauses(c.query) {
		sum := same
		for i, own := range others {
			if slices.Contains(own, clause) {
				sum += shares[i]
			}
		}
		least = min(least, sum)
	}
	return least
}

// clauses returns the parts of a query, each as a text: what it shows, its
// conditions, groups and order.
func clauses(q *tree.Query) []string {
	if q.Select == nil {
		text, _ := tree.Print(q) // one that cannot be printed agrees with none
		return []string{text}
	}
	var all []string
	add := func(s tree.Select, order []tree.Order, limit *int64) {
		s.From = q.Select.From
		text, _ := tree.Print(&tree.Query{Select: &s, Order: order, Limit: limit})
		_, clause, _ := strings.Cut(text, " FROM ")
		all = append(all, text[:min(len(text), len(text)-len(clause))]+clause)
	}
	star := []tree.Item{{Expr: tree.Star{}}}
	for _, i := range q.Select.Items {
		add(tree.Select{Items: []tree.Item{i}}, nil, nil)
	}
	for _, c := range tree.Conjuncts(q.Select.Where) {
		add(tree.Select{Items: star, Where: c}, nil, nil)
	}
	for _, g := range q.Select.Group {
		add(tree.Select{Items: star, Group: []tree.Expr{g}, Having: q.Select.Having}, nil, nil)
	}
	for _, o := range q.Order {
		add(tree.Select{Items: star}, []tree.Order{o}, q.Limit)
	}
	return all
}
