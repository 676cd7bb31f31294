// Package link finds out which columns of which datasets belong together, keeps
// what it found and what people decided, and tells both as join paths.
//
// It owns sketches of columns and the links between them:
//
//	data change ──► stale ──lease──► sketch ──► compare with the namespace ──► links
//	                  ▲                 │
//	                  └── crash: the lease runs out
//	people add or remove ──► decisions, which no discovery changes
//
// Two columns belong together when values of one are found in the other, or,
// where that is asked for, when their values name places close to each other;
// only the former are told as join paths.
//
// It compares the datasets of one namespace, never those of two owners, and
// shows a link only to who may see both of its ends; catalog says who that is.
// It never reads more of a column than a bounded sample of its hashes. The
// failure it is built around is the plausible accident: small whole numbers are
// found in every key, so that overlap alone is no reason for a link.
package link

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/engine"
	"quern/store"
	"quern/tree"
)

// DefaultDistance is how far apart, in kilometres, two places may be where
// nothing else is said.
const DefaultDistance = 2.0

const (
	// mostListed bounds the links that are read at once.
	mostListed = 10_000
	// mostDatasets bounds the datasets of a namespace that are compared.
	mostDatasets = 1_000
)

// Service finds, keeps and tells links.
type Service struct {
	store   *store.Store
	catalog *catalog.Service
	files   blob.Files
	engine  engine.Engine
	now     func() time.Time
	log     *slog.Logger
	settle  time.Duration
	temp    string

	mu        sync.Mutex
	kept      map[quern.DatasetID]keptTable
	keptBytes int
}

// Options says what a Service works with.
type Options struct {
	Store   *store.Store
	Catalog *catalog.Service
	Files   blob.Files
	Engine  engine.Engine
	Now     func() time.Time
	Log     *slog.Logger
	// Settle is how long a dataset must be left alone before its links are
	// looked for again (2 s).
	Settle time.Duration
	// Temp is a folder for files in the making; empty means the machine's.
	Temp string
}

// New makes a Service.
func New(o Options) *Service {
	if o.Settle == 0 {
		o.Settle = 2 * time.Second
	}
	return &Service{store: o.Store, catalog: o.Catalog, files: o.Files, engine: o.Engine, now: o.Now, log: o.Log, settle: o.Settle,
		temp: o.Temp}
}

// Links lists the links in effect at a dataset the principal may read, surest
// first: those whose other end the principal may read too.
func (s *Service) Links(ctx context.Context, p quern.Principal, path quern.DatasetPath) ([]quern.Link, error) {
	all, err := s.all(ctx, p, path)
	return inEffect(all), err
}

func inEffect(all []quern.Link) []quern.Link {
	var some []quern.Link
	for _, l := range all {
		if l.Decision != quern.LinkRemoved {
			some = append(some, l)
		}
	}
	return some
}

// all lists the links and the removed ones.
func (s *Service) all(ctx context.Context, p quern.Principal, path quern.DatasetPath) ([]quern.Link, error) {
	d, err := s.catalog.Dataset(ctx, p, path, catalog.Read)
	if err != nil {
		return nil, err
	}
	stored, err := s.readFresh(ctx, reading{
		fresh: func(tx *store.Tx, n store.NewData) ([]quern.DatasetID, error) {
			return tx.NewSketches(ctx, d.Namespace.ID, n)
		},
		about: func() []quern.DatasetID { return []quern.DatasetID{d.ID} },
		links: func(tx *store.Tx) ([]store.Link, error) { return tx.LinksOf(ctx, d.ID, mostListed) },
	})
	if err != nil {
		return nil, err
	}
	return s.visible(ctx, p, stored)
}

// visible leaves out links with an end that the principal may not read.
func (s *Service) visible(ctx context.Context, p quern.Principal, stored []store.Link) ([]quern.Link, error) {
	known := map[quern.DatasetPath]bool{}
	sees := func(owner quern.UserID, path quern.DatasetPath) (bool, error) {
		if seen, ok := known[path]; ok {
			return seen, nil
		}
		if catalog.Can(p, catalog.Read, catalog.Resource{Owner: owner, Path: path}) {
			known[path] = true // without a grant, so that none need be looked up
			return true, nil
		}
		_, err := s.catalog.Dataset(ctx, p, path, catalog.Read)
		if err != nil && !quern.Is(err, quern.NotFound) && !quern.Is(err, quern.Forbidden) {
			return false, err
		}
		known[path] = err == nil
		return err == nil, nil
	}
	var some []quern.Link
	for _, l := range stored {
		origin, err := sees(l.OriginOwner, l.Origin.DatasetPath)
		if err != nil {
			return nil, err
		}
		destination, err := sees(l.DestinationOwner, l.Destination.DatasetPath)
		if err != nil {
			return nil, err
		}
		if origin && destination {
			some = append(some, l.Link)
		}
	}
	return some, nil
}

// Graph lists the exact links in effect between the datasets of an owner's, and to
// others, as far as the principal may read both ends: the paths to join along. About is
// asked where more datasets are new than are waited for; nil: none of them is.
func (s *Service) Graph(ctx context.Context, p quern.Principal, owner string, about About) ([]tree.Link, error) {
	return s.graph(ctx, p, reading{
		fresh: func(tx *store.Tx, n store.NewData) ([]quern.DatasetID, error) {
			return tx.NewSketchesOfOwner(ctx, owner, n)
		},
		about: about,
		links: func(tx *store.Tx) ([]store.Link, error) { return tx.LinksOfOwner(ctx, owner, mostListed) },
	})
}

// Within is Graph for the datasets of one namespace alone: how long it takes does
// not depend on what else its owner has.
func (s *Service) Within(ctx context.Context, p quern.Principal, id quern.NamespaceID, about About) ([]tree.Link, error) {
	return s.graph(ctx, p, reading{
		fresh: func(tx *store.Tx, n store.NewData) ([]quern.DatasetID, error) { return tx.NewSketches(ctx, id, n) },
		about: about,
		links: func(tx *store.Tx) ([]store.Link, error) { return tx.LinksWithin(ctx, id, mostListed) },
	})
}

// graph reads links as paths to join along, those of new datasets too.
func (s *Service) graph(ctx context.Context, p quern.Principal, of reading) ([]tree.Link, error) {
	stored, err := s.readFresh(ctx, of)
	if err != nil {
		return nil, err
	}
	links, err := s.visible(ctx, p, stored)
	all := make([]tree.Link, 0, len(links))
	for _, l := range links {
		if l.Match == quern.ExactMatch { // a join compares for equality, which places near each other are not
			all = append(all, tree.Link{Origin: end(l.Origin), Destination: end(l.Destination), Score: l.Score})
		}
	}
	return all, err
}

func end(c quern.ColumnPath) tree.End { return tree.End{Dataset: c.DatasetPath, Column: c.Column} }
