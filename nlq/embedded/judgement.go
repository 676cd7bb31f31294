package embedded

import (
	"encoding/json"
	"errors"
	"math"
)

// judgement is what the signs for and against readings are worth: how likely
// each is the right one, and how likely the likeliest is right.
type judgement struct {
	Rank       []float64 `json:"rank"`       // of each sign
	Confidence []float64 `json:"confidence"` // of each sign, the probability, the lead, and one
}

// loadJudgement reads what train/judgement.py writes.
func loadJudgement(data []byte) (*judgement, error) {
	j := new(judgement)
	if err := json.Unmarshal(data, j); err != nil {
		return nil, err
	}
	if n := len(Signs()); len(j.Rank) != n || len(j.Confidence) != n+3 {
		return nil, errors.New("embedded: the judgement belongs to other signs")
	}
	return j, nil
}

// best gives the candidate that is likeliest right, and how likely that is.
func (j *judgement) best(signs [][]float64) (best int, confidence float64) {
	scores := make([]float64, len(signs))
	for i, s := range signs {
		scores[i] = dot(j.Rank, s)
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
	return best, 1 / (1 + math.Exp(-dot(j.Confidence, sure)))
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
