package embedded

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"quern/nlq/sign"
	"quern/tree"
)

// Ranker chooses among the readings of a question that ran. What was learned from
// signs does so by default; a model that reads the question, the queries and the
// signs may take its place.
type Ranker interface {
	// Rank returns the index of the reading that is likeliest right, and how likely
	// that is, 0 to 1. There is at least one reading. Each has the values of all
	// signs, in the order of sign.Names. An error fails the question.
	Rank(ctx context.Context, question string, readings []Reading) (best int, confidence float64, err error)
}

// Reading is a reading that ran, as a Ranker and the training of one see it.
type Reading struct {
	Query *tree.Query
	SQL   string
	Signs []float64
}

// readings returns the candidates that ran with what speaks for and against each.
func (g *grounding) readings(ran, all []*candidate) []Reading {
	shares := probabilities(all)
	made := make([]Reading, len(ran))
	for i, c := range ran {
		signs := g.asked.Of(sign.Reading{
			Tokens: c.tokens, Query: c.query, SQL: c.sql, Score: c.score, Odds: odds(c, all, shares), Result: c.outcome.result(),
		})
		made[i] = Reading{c.query, c.sql, signs}
	}
	return made
}

// odds returns how likely a candidate is among all.
func odds(c *candidate, all []*candidate, shares []float64) sign.Odds {
	o := sign.Odds{First: c == all[0]}
	others := map[outcome]float64{}
	for i, other := range all {
		switch {
		case sameRows(c, other):
			o.Mass += shares[i]
		case other.outcome != nil:
			others[*other.outcome] += shares[i]
			o.Rival = max(o.Rival, others[*other.outcome])
		}
		if c == other {
			o.Share = shares[i]
		}
	}
	return o
}

func (o *outcome) result() sign.Result {
	return sign.Result{Failed: o.failed != nil, Rows: o.rows, Nulls: o.onlyNulls, Zero: o.onlyZero, Repeats: o.repeats}
}

// signRanker ranks readings by what their signs are worth, as learned/train/judgement.py
// learned it.
type signRanker struct {
	rank       []float64 // of each sign
	confidence []float64 // of each sign, the probability, the lead, and one
}

// learned is what learned/train/judgement.py writes.
type learned struct {
	Signs       map[string][2]float64 `json:"signs"` // what each is worth for the rank and for the confidence
	Probability float64               `json:"probability"`
	Lead        float64               `json:"lead"`
	One         float64               `json:"one"`
}

// loadRanker reads what was learned. A sign that it does not know is worth
// nothing, so that readings can be exported to learn from; a test fails when one is
// left so.
func loadRanker(data []byte) (*signRanker, error) {
	var l learned
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, err
	}
	names := sign.Names()
	for name := range l.Signs {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("embedded: the judgement has learned of %q, which is no sign", name)
		}
	}
	r := new(signRanker)
	for _, name := range names {
		worth := l.Signs[name]
		r.rank, r.confidence = append(r.rank, worth[0]), append(r.confidence, worth[1])
	}
	r.confidence = append(r.confidence, l.Probability, l.Lead, l.One)
	return r, nil
}

// Rank ranks by signs alone.
func (r *signRanker) Rank(_ context.Context, _ string, readings []Reading) (best int, confidence float64, err error) {
	scores := make([]float64, len(readings))
	for i := range readings {
		scores[i] = dot(r.rank, readings[i].Signs)
		if scores[i] > scores[best] {
			best = i
		}
	}
	total, next := 0.0, 0.0
	for i, s := range scores {
		e := math.Exp(s - scores[best])
		total += e
		if i != best {
			next = max(next, e)
		}
	}
	sure := append(append([]float64{}, readings[best].Signs...), 1/total, (1-next)/total, 1)
	return best, 1 / (1 + math.Exp(-dot(r.confidence, sure))), nil
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
