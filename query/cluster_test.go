package query_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/engine"
	"quern/housetest"
	"quern/query"
)

// remote is a cluster that fails as a test wants it to, and else answers as the engine
// of a house does.
type remote struct {
	engine.Querier
	fails []error // one after the other; nil: it answers
	asked int
	table engine.Table // as it was resolved last
	token string
}

func (r *remote) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	var err error
	if r.table, err = q.Resolve(ctx, engine.Ref{Dataset: "ships"}); err != nil {
		return nil, err
	}
	signed, err := q.Sign(ctx, []quern.DatasetID{r.table.Dataset}, time.Minute)
	if err != nil {
		return nil, err
	}
	r.token = signed.Secret
	if r.asked++; r.asked <= len(r.fails) && r.fails[r.asked-1] != nil {
		return nil, r.fails[r.asked-1]
	}
	return r.Querier.Query(ctx, engine.Query{SQL: "SELECT 42 AS n"})
}

// routed is a house with a cluster.
type routed struct {
	*housetest.House
	remote  *remote
	cluster query.Cluster
	behind  int64 // how far what other engines read lies behind
}

func newRouted(t *testing.T, route string, size, room int64, fails ...error) *routed {
	t.Helper()
	h := &routed{House: housetest.New(t, housetest.Options{})}
	h.remote = &remote{Querier: h.Engine, fails: fails}
	h.cluster = query.Cluster{
		Engine: h.remote, Route: route, Size: size, Room: room,
		Publish: func(_ context.Context, d quern.Dataset) (int64, error) { return d.Version - h.behind, nil },
		Sign: func(ctx context.Context, p quern.Principal, ids []quern.DatasetID, life time.Duration) (engine.Token, error) {
			made, err := h.Auth.SignTables(ctx, p, ids, life)
			return engine.Token(made), err
		},
	}
	h.Dataset(h.User("ada"), "harbour/ships", `[{"n":1,"name":"Ariadne"},{"n":2,"name":"Boreas"}]`)
	return h
}

// ask runs SQL and returns where it ran with its first value, or its failure.
func (h *routed) ask(t *testing.T, sql string) (ran string, first any, err error) {
	t.Helper()
	s := query.New(query.Options{
		Catalog: h.Catalog, Files: h.Objects, Engine: h.Engine, Links: h.Links, Temp: h.Temp, MaxRows: 100, Cluster: h.cluster,
	})
	ada := h.User("ada")
	rows, err := s.SQL(t.Context(), ada, query.Request{In: quern.NamespacePath{Owner: "ada", Namespace: "harbour"}, SQL: sql})
	if err != nil {
		return "", nil, err
	}
	defer rows.Close()
	ran = query.Ran(s.Sourced(t.Context(), ada, rows))
	if kept := query.NewResult(rows); query.Ran(kept.Stream()) != ran {
		t.Errorf("rows that were kept say that they ran %q, want %q", query.Ran(kept.Stream()), ran)
	}
	if reads := query.Datasets(rows); len(reads) != 1 || reads[0].Dataset != "ships" {
		t.Errorf("Datasets() = %v, want ships", reads)
	}
	if rows.Next() {
		first = rows.Row()[0]
	}
	return ran, first, rows.Err()
}

const count = "SELECT count(*) AS n FROM ships"

func TestRoutes(t *testing.T) {
	t.Parallel()
	away := quern.E(quern.Unavailable, quern.CodeUnavailable, "the cluster is away")
	unmapped := &engine.Unmapped{What: "a search"}
	slow := quern.E(quern.Timeout, quern.CodeTimeout, "too slow")
	const large = 1 << 40
	for name, c := range map[string]struct {
		route      string
		size, room int64
		sql        string
		fails      []error
		behind     int64
		ran        string
		kind       quern.Kind
		says       string
	}{
		"little to read":                     {route: query.Auto, size: large, sql: count, ran: query.Embedded},
		"much to read":                       {route: query.Auto, size: 1, sql: count, ran: query.OnCluster},
		"all are for the cluster":            {route: query.OnCluster, size: large, sql: count, ran: query.OnCluster},
		"none is":                            {route: query.Embedded, size: 1, sql: count, ran: query.Embedded},
		"none is, and no room":               {route: query.Embedded, size: 1, room: 1, sql: count, kind: quern.Invalid, says: "engine_route"},
		"it does not map":                    {route: query.Auto, size: 1, sql: count, fails: []error{unmapped}, ran: query.Embedded},
		"it does not map, and no room":       {route: query.Auto, size: 1, room: 1, sql: count, fails: []error{unmapped}, kind: quern.Invalid, says: "a search"},
		"no tree":                            {route: query.Auto, size: 1, sql: "WITH s AS (SELECT * FROM ships) SELECT count(*) FROM s", ran: query.Embedded},
		"no tree, and no room":               {route: query.Auto, size: 1, room: 1, sql: "WITH s AS (SELECT * FROM ships) SELECT 1 FROM s", kind: quern.Invalid, says: "the cluster cannot"},
		"the cluster is away":                {route: query.Auto, size: 1, sql: count, fails: []error{away}, ran: query.Embedded},
		"the cluster is away, and no room":   {route: query.Auto, size: 1, room: 1, sql: count, fails: []error{away}, kind: quern.Unavailable, says: "away"},
		"it takes too long there":            {route: query.Auto, size: 1, sql: count, fails: []error{slow}, kind: quern.Timeout, says: "slow"},
		"a version that is gone":             {route: query.Auto, size: 1, room: 1, sql: count, fails: []error{engine.ErrVersionGone}, ran: query.OnCluster},
		"versions that go on and on":         {route: query.Auto, size: 1, room: 1, sql: count, fails: []error{engine.ErrVersionGone, engine.ErrVersionGone}, kind: quern.Unavailable, says: "changed"},
		"a version that is not readable yet": {route: query.Auto, size: 1, sql: count, behind: 1, ran: query.Embedded},
		"the same, and no room":              {route: query.Auto, size: 1, room: 1, sql: count, behind: 1, kind: quern.Unavailable, says: "rewritten"},
		"a dataset that is not there":        {route: query.OnCluster, sql: "SELECT count(*) AS n FROM boats", kind: quern.Invalid, says: "boats"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newRouted(t, c.route, c.size, c.room, c.fails...)
			h.behind = c.behind
			ran, first, err := h.ask(t, c.sql)
			told, _ := errors.AsType[*quern.Error](err)
			switch {
			case c.says != "":
				if told == nil || told.Kind != c.kind || !strings.Contains(told.Detail, c.says) {
					t.Errorf("SQL(%s) = %v, want %v that says %q", c.sql, err, c.kind, c.says)
				}
				return
			case err != nil || ran != c.ran:
				t.Fatalf("SQL(%s) ran %q, %v, want %q", c.sql, ran, err, c.ran)
			}
			if want := map[string]int64{query.Embedded: 2, query.OnCluster: 42}[c.ran]; first != want {
				t.Errorf("SQL(%s) = %v, want %d", c.sql, first, want)
			}
		})
	}
}

// The cluster is given the version that the asker sees, and a token that is the asker's.
func TestTheClusterReadsAsTheAsker(t *testing.T) {
	t.Parallel()
	h := newRouted(t, query.OnCluster, 0, 0)
	ran, _, err := h.ask(t, "SELECT * FROM ships ORDER BY n")
	if err != nil || ran != query.OnCluster {
		t.Fatalf("SQL() ran %q, %v, want the cluster", ran, err)
	}
	p, err := h.Auth.ForTables().Authenticate(t.Context(), h.remote.token)
	if err != nil || p.User.Username != "ada" || len(p.Datasets) != 1 || p.Datasets[0] != h.remote.table.Dataset {
		t.Errorf("the token is of %+v, %v, want ada's for ships", p, err)
	}
	if h.remote.table.Version != 2 || len(h.remote.table.Segments) != 0 || len(h.remote.table.Columns) != 2 {
		t.Errorf("the table is %+v, want version 2 without segments", h.remote.table)
	}
	housetest.Must(t, func() error {
		_, err := h.Catalog.Clear(t.Context(), h.User("ada"), housetest.Path("ada", "harbour/ships"))
		return err
	}())
	if _, _, err := h.ask(t, "SELECT * FROM ships ORDER BY n"); err != nil || h.remote.table.Version != 0 {
		t.Errorf("a table without rows has the version %d, %v, want none", h.remote.table.Version, err)
	}
}
