package trino

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/engine"
	"quern/queue"
)

// Options is what an Engine works with.
type Options struct {
	// URL is trino://[user[:password]@]host:port[/catalog][?secure=true][&property=value…]:
	// the coordinator, the catalog whose warehouse is by-id, and properties of the
	// sessions, which go before those of the limits below.
	URL    string
	Time   time.Duration // how long a query may run
	Memory int64         // how much memory it may use on the cluster
	Places int           // the queries that run at the same time
	Queue  int           // the queries that wait for a place
	// Patience is how long a coordinator that does not answer is asked again; 0: 10 s.
	Patience time.Duration
	// Lateness is how long after its time a query is given up that the cluster did not
	// end; 0: 10 s.
	Lateness time.Duration
	Log      *slog.Logger
}

// Engine runs queries on a cluster. It is safe for concurrent use.
type Engine struct {
	Options
	client     *client
	catalog    string
	user       string // whom the cluster sees; empty: the asker
	properties string // of sessions, as a header
	places     *queue.Queue
}

// DefaultCatalog is the catalog that is meant when the URL names none.
const DefaultCatalog = "quern"

// New makes an engine. It makes no network requests.
func New(o Options) (*Engine, error) {
	u, err := parseURL(o.URL)
	if err != nil {
		return nil, err
	}
	const waits = 10 * time.Second
	o.Patience, o.Lateness = cmp.Or(o.Patience, waits), cmp.Or(o.Lateness, waits)
	e := &Engine{Options: o, catalog: firstOf(strings.Trim(u.Path, "/"), DefaultCatalog), user: u.User.Username()}
	base := &url.URL{Scheme: "http", Host: u.Host}
	asked := u.Query()
	if asked.Get("secure") == "true" {
		base.Scheme = "https"
	}
	asked.Del("secure")
	e.client = &client{base: base, patience: o.Patience, http: &http.Client{
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if _, given := u.User.Password(); given {
		e.client.password = u.User
	}
	properties := map[string]string{
		"query_max_run_time": fmt.Sprintf("%ds", max(1, int64(o.Time.Seconds()))), "query_max_memory": fmt.Sprintf("%dB", o.Memory),
	}
	for name := range asked {
		properties[name] = asked.Get(name)
	}
	for _, name := range sortedKeys(properties) {
		e.properties += "," + name + "=" + url.QueryEscape(properties[name])
	}
	e.properties = strings.TrimPrefix(e.properties, ",")
	e.places = queue.New(queue.Options{What: "queries of the cluster", Places: max(1, o.Places), Waiting: max(1, o.Queue)})
	return e, nil
}

// Waiting reports how the queue of queries stands.
func (e *Engine) Waiting() queue.Counts { return e.places.Counts() }

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// parseURL reads the address of a cluster.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("trino: the address of the cluster is not a URL")
	}
	_, password := u.User.Password()
	switch {
	case u.Scheme != "trino" || u.Hostname() == "" || u.Fragment != "" || strings.Contains(strings.Trim(u.Path, "/"), "/"):
		return nil, errors.New("trino: the address of the cluster is not of the form trino://[user[:password]@]host:port[/catalog][?property=value]")
	case password && u.Query().Get("secure") != "true":
		return nil, errors.New("trino: the address of the cluster has a password, which is sent over TLS only: add secure=true")
	}
	return u, nil
}

// errTime says that a query ran for longer than it may.
var errTime = errors.New("trino: the time of the query is over")

// Query writes a query in Trino's dialect and runs it. It fails with engine.Unmapped for
// what has no equal there, with Unavailable where the cluster does not answer, and with
// engine.ErrVersionGone where a table has a version no more. What the cluster gives up for
// a fault of its own, before there is a row, is run once more.
func (e *Engine) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	s, err := write(ctx, e.catalog, q)
	if err != nil {
		return nil, err
	}
	leave, err := e.places.Enter(ctx, q.User)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeoutCause(ctx, e.Time+e.Lateness, errTime)
	r := &rows{engine: e, ctx: ctx, end: func() { stop(); leave() }, query: q, statement: s, done: true}
	if err := r.begin(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// headerCredential carries what a statement is run with.
const headerCredential = "X-Trino-Extra-Credential"

// header is what a statement is sent with. The id of the token is part of the source, by
// which the cluster tells sessions with the catalog apart.
func (e *Engine) header(ctx context.Context, q engine.Query, s statement) (http.Header, error) {
	header := http.Header{}
	for name, v := range map[string]string{
		"User": firstOf(e.user, q.User), "Catalog": e.catalog, "Schema": tablesSchema, "Time-Zone": "UTC", "Source": "quern",
		"Client-Info": q.User, "Session": e.properties, "Client-Capabilities": "PARAMETRIC_DATETIME",
	} {
		header.Set("X-Trino-"+name, v)
	}
	if len(s.datasets) == 0 {
		return header, nil
	}
	if q.Sign == nil {
		return nil, errors.New("trino: a query without a way to sign a token")
	}
	token, err := q.Sign(ctx, s.datasets, e.Time+time.Minute)
	if err != nil {
		return nil, err
	}
	header.Set("X-Trino-Source", "quern-"+token.ID)
	header.Set(headerCredential, "token="+url.QueryEscape(token.Secret))
	return header, nil
}

// Ready fails unless the cluster takes queries.
func (e *Engine) Ready(ctx context.Context) error {
	if err := e.client.ready(ctx); err != nil {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the cluster does not answer").Because(err)
	}
	return nil
}

// Close ends what is kept of the cluster.
func (e *Engine) Close() error {
	e.client.http.CloseIdleConnections()
	return nil
}

var _ engine.Querier = (*Engine)(nil)
