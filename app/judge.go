package app

import (
	"context"
	"time"

	"quern"
	"quern/ingest"
	"quern/nlq/judge"
	"quern/nlq/model"
	"quern/nlq/schema"
)

// Judge returns the parts that question sets are measured with, and a user of
// their own.
func (a *App) Judge(ctx context.Context) (*judge.Product, error) {
	const name = "judge"
	user, err := a.parts.auth.User(ctx, name)
	if quern.Is(err, quern.NotFound) {
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
	options := a.schemas()
	options.Wait = time.Minute // what is measured is not how fast values are read
	schemas := schema.New(options)
	a.onClose(schemas.Close)
	translator, err := a.translator(schemas)
	uploads := judge.NewLocalUploads(p.objects)
	return &judge.Product{
		Principal: quern.Principal{User: user}, Catalog: p.catalog, Ingest: ingest.New(a.ingesting(uploads, nil)), Uploads: uploads,
		Links: p.link, Knowledge: p.knowledge, Query: p.query, Vectors: vectors, Schemas: schemas,
		Translator: translator,
	}, err
}
