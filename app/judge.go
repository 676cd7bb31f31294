package app

import (
	"context"

	"quern"
	"quern/nlq/judge"
	"quern/nlq/model"
)

// Judge gives the parts that question sets are measured with, and a user of
// their own.
func (a *App) Judge(ctx context.Context) (*judge.House, error) {
	const name = "judge"
	user, err := a.parts.auth.User(ctx, name)
	if quern.KindOf(err) == quern.NotFound {
		user, err = a.parts.auth.AddUser(ctx, name, NewPassword())
	}
	if err != nil {
		return nil, err
	}
	vectors, err := model.Vectors()
	if err != nil {
		return nil, err
	}
	p := &a.parts
	h := &judge.House{
		Principal: quern.Principal{User: user}, Catalog: p.catalog, Ingest: p.ingest,
		Links: p.link, Query: p.query, Vectors: vectors,
	}
	h.Schemas = judge.InterimSchemas{h}
	return h, nil
}
