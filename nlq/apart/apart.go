// Package apart reads questions that the networks cannot say as one query: a part is read as it stands,
// and what the rest of the text says is done to its query. Shares are two counts, groups "including those
// with none" are groups that stay without rows, gaps are from one row to the next.
//
// It makes queries of queries, and leaves reading, running and doubt to whom it is given. The failure it
// is built around is the part that is lost: what cannot be done to a query leaves the text to be read whole.
package apart

import (
	"context"

	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// Reader reads texts in parts, with what reads each part.
type Reader struct {
	*ground.Asked
	// ReadWhole reads a text that one query of the networks answers.
	ReadWhole func(context.Context, ground.Wording) (nlq.Translation, error)
	// ReadAlone reads a text that may have parts itself.
	ReadAlone func(context.Context, ground.Wording) (nlq.Translation, error)
	// Translate returns an answer by a query that was made of others; ok is false when it is not valid.
	Translate func(q *tree.Query, score, confidence float64) (t nlq.Translation, ok bool)
	// Ground relates a text to the data.
	Ground func(ground.Wording) *ground.Grounding
}

// Read reads a text in parts; ok is false when it has none that can be told.
func (r Reader) Read(ctx context.Context, w ground.Wording) (t nlq.Translation, ok bool, err error) {
	for _, read := range []func(context.Context, ground.Wording) (nlq.Translation, bool, error){
		r.readWithZero, r.readLeftAside, r.readGaps, r.readFactor, r.readPart, r.readApart, r.readRowsApart, r.readWhichOf, r.readKnown, r.readMoreThan,
		r.readShareOfSuch, r.readShare, r.readTopPeriod, r.readPerPeriod,
	} {
		if t, ok, err := read(ctx, w); ok || err != nil {
			return t, ok, err
		}
	}
	return t, false, nil
}
