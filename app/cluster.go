package app

import (
	"context"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/trino"
	"quern/query"
	"quern/server"
)

// addCluster makes the engine that runs large queries on other machines, if one is set.
func (a *App) addCluster(context.Context) error {
	if a.cfg.Cluster.URL == "" {
		return nil
	}
	q := a.cfg.Query
	made, err := trino.New(trino.Options{
		URL: a.cfg.Cluster.URL, Time: q.Time, Memory: q.Memory, Places: clusterPlaces, Queue: waitingQueries, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.parts.cluster = made
	a.onClose(made.Close)
	return nil
}

// clusterPlaces is how many queries of this server run on the cluster at the same time.
const clusterPlaces = 32

// cluster says what queries know of the cluster.
func (a *App) cluster() query.Cluster {
	p := &a.parts
	if p.cluster == nil {
		return query.Cluster{}
	}
	c := query.Cluster{
		Engine: p.cluster, Route: a.cfg.Cluster.Route, Size: a.cfg.Cluster.Size,
		Publish: func(ctx context.Context, d quern.Dataset) (int64, error) {
			loaded, err := p.tables.Load(ctx, d)
			return loaded.Metadata.Version(), err
		},
		Sign: func(ctx context.Context, who quern.Principal, datasets []quern.DatasetID, life time.Duration) (engine.Token, error) {
			made, err := p.auth.SignTables(ctx, who, datasets, life)
			return engine.Token(made), err
		},
	}
	if a.cfg.S3.Endpoint != "" {
		c.Room = a.cfg.S3.CacheSize
	}
	return c
}

// clusterCheck asks whether the cluster takes queries. The server does without it, unless
// all queries are for the cluster.
func (a *App) clusterCheck() []server.Check {
	if a.parts.cluster == nil || a.cfg.Cluster.Route == query.Embedded {
		return nil
	}
	return []server.Check{{Name: "cluster", Probe: a.parts.cluster.Ready, Advisory: a.cfg.Cluster.Route != query.OnCluster}}
}
