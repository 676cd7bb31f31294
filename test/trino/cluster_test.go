//go:build trino

package trino_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/blobtest"
	"quern/engine"
	"quern/engine/trino"
	"quern/housetest"
	"quern/iceberg"
	"quern/opentable"
	"quern/query"
	"quern/s3door"
	trinotest "quern/test/trino"
)

// cluster is a Trino cluster over the tables of a house.
type cluster struct {
	url     string
	workers []*trinotest.Node
	front   *trinotest.Node
}

// nodes says what a cluster is made of.
type nodes struct {
	workers int               // beside the coordinator; without any, the coordinator works
	config  string            // lines of etc/config.properties of every node
	files   map[string]string // further ones of every node
}

// startCluster starts a coordinator and workers.
func startCluster(t *testing.T, h *house, o nodes) *cluster {
	t.Helper()
	address := blobtest.FreeAddress(t)
	c := &cluster{url: "http://" + address}
	// A user of no datasets stands for the cluster itself; every query brings its asker's token.
	_, token, err := h.Auth.CreateToken(t.Context(), h.User("trino"), quern.TokenSpec{Name: "cluster"})
	housetest.Must(t, err)
	files := map[string]string{"etc/catalog/" + trino.DefaultCatalog + ".properties": trinotest.Catalog(h.server.URL, token, s3door.Region)}
	maps.Copy(files, o.files)
	start := func(id, address, config string) *trinotest.Node {
		return trinotest.Start(t, trinotest.Settings{
			Home: trinotest.Home, ID: id, Address: address, Coordinator: c.url, Config: config + o.config, Files: files,
		})
	}
	c.front = start("coordinator", address, fmt.Sprintf("coordinator=true\nnode-scheduler.include-coordinator=%t\n", o.workers == 0))
	for i := range o.workers {
		c.workers = append(c.workers, start(fmt.Sprint("worker", i), blobtest.FreeAddress(t), "coordinator=false\n"))
	}
	begun := time.Now()
	c.front.Await(t, max(o.workers, 1))
	t.Logf("a coordinator and %d workers were ready after %v", o.workers, time.Since(begun).Round(time.Second))
	return c
}

// house is a house whose tables a cluster can read.
type house struct {
	*housetest.House
	t      *testing.T
	tables *opentable.Service
	server *httptest.Server
	log    *slog.Logger
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{}), t: t}
	h.log = slog.New(slog.NewTextHandler(writer{t}, nil))
	var door http.Handler
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { door.ServeHTTP(w, r) }))
	t.Cleanup(h.server.Close)
	h.tables = opentable.New(opentable.Options{
		Store: h.Store, Catalog: h.Catalog, Objects: h.Objects, Still: h.Auth.Still, Rewrite: h.Ingest, Bucket: s3door.Bucket,
		Endpoint: h.server.URL, Region: s3door.Region, Grace: time.Hour, Now: time.Now, Log: h.log,
	})
	face, err := s3door.New(s3door.Options{Keys: h.tables, Objects: h.Objects, PublicURL: h.server.URL, Now: time.Now})
	housetest.Must(t, err)
	mux := http.NewServeMux()
	mux.Handle(iceberg.Path+"/", iceberg.New(iceberg.Options{Auth: h.Auth.ForTables(), Usage: h.Auth, Catalog: h.Catalog, Tables: h.tables, Now: time.Now}))
	mux.Handle(s3door.Path+"/", face)
	door = mux
	return h
}

// writer logs for a test, and no longer than it.
type writer struct{ t *testing.T }

func (w writer) Write(text []byte) (int, error) {
	if w.t.Context().Err() == nil {
		w.t.Logf("%s", strings.TrimSpace(string(text)))
	}
	return len(text), nil
}

// on makes queries that run on the cluster alone: this machine has no room for any.
func (h *house) on(c *cluster, limit time.Duration) *query.Service {
	h.t.Helper()
	e, err := trino.New(trino.Options{URL: strings.Replace(c.url, "http:", "trino:", 1), Time: limit, Memory: 512 << 20, Places: 8, Queue: 8, Log: h.log})
	housetest.Must(h.t, err)
	h.t.Cleanup(func() { housetest.Must(h.t, e.Close()) })
	return query.New(query.Options{
		Catalog: h.Catalog, Files: h.Objects, Engine: h.Engine, Links: h.Links, Temp: h.Temp, MaxRows: 10_000,
		Cluster: query.Cluster{
			Engine: e, Route: query.OnCluster, Room: 1,
			Publish: func(ctx context.Context, d quern.Dataset) (int64, error) {
				loaded, err := h.tables.Load(ctx, d)
				return loaded.Metadata.Version(), err
			},
			Sign: func(ctx context.Context, p quern.Principal, datasets []quern.DatasetID, life time.Duration) (engine.Token, error) {
				made, err := h.Auth.SignTables(ctx, p, datasets, life)
				return engine.Token(made), err
			},
		},
	})
}

// outcome is what a query gave: columns with their types, rows as JSON, or an error.
type outcome struct {
	columns []quern.Column
	rows    [][]any
	err     error
}

func run(ctx context.Context, s *query.Service, p quern.Principal, r query.Request) (o outcome) {
	plan, err := s.Plan(ctx, p, r)
	if err != nil {
		return outcome{err: err}
	}
	r.SQL, r.Tree = plan.SQL, plan.Tree
	rows, err := s.SQL(ctx, p, r)
	if err != nil {
		return outcome{err: err}
	}
	defer rows.Close()
	o.columns = rows.Columns()
	for rows.Next() {
		row, _ := query.CopyRow(rows.Row())
		o.rows = append(o.rows, row)
	}
	o.err = rows.Err()
	return o
}
