package embedded

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"quern/nlq/sign"
)

// judgement is what the signs for and against readings are worth: how likely
// each is the right one, and how likely the likeliest is right.
type judgement struct {
	rank       []float64 // of each sign
	confidence []float64 // of each sign, the probability, the lead, and one
}

// learned is what train/judgement.py writes.
type learned struct {
	Signs       map[string][2]float64 `json:"signs"` // what each is worth for the rank and for the confidence
	Probability float64               `json:"probability"`
	Lead        float64               `json:"lead"`
	One         float64               `json:"one"`
}

// loadJudgement reads what was learned. A sign that it does not know is worth
// nothing, so that readings can be exported to learn from; tests see to it that
// none is left so.
func loadJudgement(data []byte) (*judgement, error) {
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
	j := new(judgement)
	for _, name := range names {
		worth := l.Signs[name]
		j.rank, j.confidence = append(j.rank, worth[0]), append(j.confidence, worth[1])
	}
	j.confidence = append(j.confidence, l.Probability, l.Lead, l.One)
	return j, nil
}

// best gives the candidate that is likeliest right, and how likely that is.
func (j *judgement) best(signs [][]float64) (best int, confidence float64) {
	scores := make([]float64, len(signs))
	for i, s := range signs {
		scores[i] = dot(j.rank, s)
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
	sure := append(append([]float64{}, signs[best]...), 1/total, (1-next)/total, 1)
	return best, 1 / (1 + math.Exp(-dot(j.confidence, sure)))
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
