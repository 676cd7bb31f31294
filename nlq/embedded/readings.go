package embedded

import (
	"context"
	"time"

	"quern"
	"quern/nlq"
)

// Reading is a candidate as the training of the judgement sees it.
type Reading struct {
	SQL   string
	Signs []float64
}

// Readings gives the readings of a question that stands on its own, and what
// speaks for and against each.
func (t *Translator) Readings(ctx context.Context, p quern.Principal, q nlq.Question) ([]Reading, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	whole, err := t.Schemas.Schema(ctx, p, q.In, q.Dataset)
	if err != nil {
		return nil, err
	}
	release, err := t.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	r := t.reader(p, q, whole)
	r.look()
	candidates, err := r.candidates(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.run(ctx, candidates); err != nil {
		return nil, err
	}
	var ran []*candidate
	for _, c := range candidates {
		if c.found != nil {
			ran = append(ran, c)
		}
	}
	all := make([]Reading, len(ran))
	for i, signs := range r.signs(ran, candidates) {
		all[i] = Reading{ran[i].sql, signs}
	}
	return all, nil
}
