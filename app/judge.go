package app

import (
	"context"
	"time"

	"quern"
	"quern/ingest"
	"quern/nlq/embedded"
	"quern/nlq/judge"
	"quern/nlq/model"
	"quern/nlq/net"
	"quern/nlq/schema"
	"quern/nlq/vector"
)

// Judge gives the parts that question sets are measured with, and a user of
// their own. With weights, the networks are those of a file instead of ours.
func (a *App) Judge(ctx context.Context, weights []byte) (*judge.House, error) {
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
	nets, err := networks(weights, vectors)
	if err != nil {
		return nil, err
	}
	p := &a.parts
	options := a.schemas()
	options.Wait = time.Minute // what is measured is not how fast values are read
	schemas := schema.New(options)
	a.onClose(schemas.Close)
	translator, err := embedded.New(embedded.Options{Schemas: schemas, Query: p.query, Nets: nets})
	sent := judge.NewSent(p.objects)
	return &judge.House{
		Principal: quern.Principal{User: user}, Catalog: p.catalog, Ingest: ingest.New(a.ingesting(sent)), Sent: sent,
		Links: p.link, Query: p.query, Vectors: vectors, Schemas: schemas,
		Translator: translator,
	}, err
}

// networks reads weights; none means those of this program.
func networks(weights []byte, vectors *vector.Table) (net.Ensemble, error) {
	if weights == nil {
		return nil, nil
	}
	one, err := net.Load(weights, vectors)
	return net.Ensemble{one}, err
}
