package embedded

import "quern/nlq/sign"

// signs gives what speaks for and against each of the candidates that ran.
func (r *reader) signs(ran, all []*candidate) [][]float64 {
	shares := probabilities(all)
	signs := make([][]float64, len(ran))
	for i, c := range ran {
		signs[i] = r.asked.Of(sign.Reading{Tokens: c.tokens, Query: c.query, SQL: c.sql, Score: c.score, Odds: odds(c, all, shares), Result: c.found.result()})
	}
	return signs
}

// odds gives how likely a candidate is among all.
func odds(c *candidate, all []*candidate, shares []float64) sign.Odds {
	o := sign.Odds{First: c == all[0]}
	others := map[found]float64{}
	for i, other := range all {
		switch {
		case same(c, other):
			o.Mass += shares[i]
		case other.found != nil:
			others[*other.found] += shares[i]
			o.Rival = max(o.Rival, others[*other.found])
		}
		if c == other {
			o.Share = shares[i]
		}
	}
	return o
}

func (f *found) result() sign.Result {
	return sign.Result{Failed: f.failed != nil, Rows: f.rows, Nulls: f.nulls, Zero: f.zero, Repeats: f.repeats}
}

// spans marks the words that a candidate takes as constants.
func (r *reader) spans(c *candidate) []bool { return sign.Taken(c.tokens, len(r.features.Tokens)) }
