package judge

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
)

// Surest gives the share of right answers among the part of the verdicts in
// which the translator was surest.
func Surest(verdicts []Verdict, part float64) float64 {
	sorted := slices.Clone(verdicts)
	slices.SortStableFunc(sorted, func(a, b Verdict) int { return cmp.Compare(b.Confidence, a.Confidence) })
	sorted = sorted[:int(part*float64(len(sorted)))]
	right := 0
	for _, v := range sorted {
		if v.Correct {
			right++
		}
	}
	return float64(right) / float64(max(1, len(sorted)))
}

// verdictLine is a verdict as WriteVerdict writes it.
type verdictLine struct {
	DB         string  `json:"db"`
	Question   string  `json:"question"`
	SQL        string  `json:"sql"`
	Query      string  `json:"query"`
	Answered   bool    `json:"answered"`
	Correct    bool    `json:"correct"`
	Confidence float64 `json:"confidence"`
	Took       float64 `json:"took_ms"`
}

// WriteVerdict writes a verdict as one line of JSON, right or not.
func WriteVerdict(w io.Writer, v Verdict) error {
	return json.NewEncoder(w).Encode(verdictLine{
		v.Question.DB, v.Question.Question, v.Question.SQL, v.Query, v.Answered, v.Correct, v.Confidence, float64(v.Took.Microseconds()) / 1000,
	})
}
