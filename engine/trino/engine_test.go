package trino_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/engine"
	"quern/engine/trino"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	statementPath = "/v1/statement"
	queryID       = "20260101_000000_00001_abcde"
)

// coordinator is a double of a Trino coordinator, strict about what it is asked: it
// gives the pages that a test scripts, one after the other.
type coordinator struct {
	t         *testing.T
	server    *httptest.Server
	pages     []func(http.ResponseWriter) // answers to requests in turn, the last to all that follow
	mu        sync.Mutex
	header    http.Header // of the statement
	sql       string
	cancelled atomic.Int64
	asked     atomic.Int64
	sent      atomic.Int64 // statements
}

func newCoordinator(t *testing.T, pages ...func(http.ResponseWriter)) *coordinator {
	t.Helper()
	c := &coordinator{t: t, pages: pages}
	c.server = httptest.NewServer(c)
	t.Cleanup(c.server.Close)
	return c
}

// answer is a page; next adds where the one after it lies.
func answer(members string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"`+queryID+`",`+members+`,"stats":{"state":"RUNNING"},"warnings":[]}`)
	}
}

// at is a page's address, under a name that only the coordinator knows itself by.
func at(n int) string {
	return fmt.Sprintf(`"nextUri":"http://inside.example:1%s/executing/%s/slug/%d"`, statementPath, queryID, n)
}

func status(code int, text string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { http.Error(w, text, code) }
}

func (c *coordinator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("X-Trino-User") == "" && r.URL.Path != "/v1/info" {
		c.t.Errorf("%s %s has no user", r.Method, r.URL.Path)
	}
	n := int(c.asked.Add(1)) - 1
	switch {
	case r.Method == http.MethodPost && r.URL.Path == statementPath:
		text, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		c.header, c.sql = r.Header.Clone(), string(text)
		c.mu.Unlock()
		c.sent.Add(1)
		c.pages[min(n, len(c.pages)-1)](w)
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, statementPath+"/executing/"+queryID+"/slug/"):
		if r.Header.Get("X-Trino-Extra-Credential") != "" {
			c.t.Errorf("a page is asked for with the credential of the statement")
		}
		c.pages[min(n, len(c.pages)-1)](w)
	case r.Method == http.MethodDelete && strings.HasPrefix(r.URL.Path, statementPath+"/executing/"):
		c.cancelled.Add(1)
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Path == "/v1/info":
		c.pages[0](w)
	default:
		c.t.Errorf("%s %s is no request of the protocol", r.Method, r.URL.Path)
		w.WriteHeader(http.StatusNotFound)
	}
}

// connect makes an engine of the coordinator.
func (c *coordinator) connect(limit time.Duration) *trino.Engine {
	c.t.Helper()
	e, err := trino.New(trino.Options{
		URL: "trino://" + c.server.Listener.Addr().String() + "/lake?task_concurrency=2", Time: limit, Memory: 1 << 30, Places: 2, Queue: 2,
		Log: slog.New(slog.DiscardHandler), Patience: 300 * time.Millisecond,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = e.Close() })
	return e
}

const dataset quern.DatasetID = "0192f0c1-7a3e-7c2b-9d54-0b8f7e0c6a15"

// typed is a query with a column of every type.
func typed(maxRows int) engine.Query {
	columns := []quern.Column{
		{Name: "B", Type: quern.Boolean}, {Name: "i", Type: quern.Integer}, {Name: "f", Type: quern.Double}, {Name: "d", Type: quern.Decimal(10, 2)},
		{Name: "day", Type: quern.Date}, {Name: "at", Type: quern.Timestamp}, {Name: "s", Type: quern.Text}, {Name: "j", Type: quern.JSON},
	}
	return engine.Query{
		SQL: "SELECT * FROM t", User: "ada", MaxRows: maxRows,
		Resolve: func(context.Context, engine.Ref) (engine.Table, error) {
			return engine.Table{Columns: columns, Dataset: dataset, Version: 3}, nil
		},
		Sign: func(_ context.Context, datasets []quern.DatasetID, _ time.Duration) (engine.Token, error) {
			return engine.Token{Secret: fmt.Sprint("secret of ", datasets), ID: "token-7"}, nil
		},
	}
}

const (
	typedColumns = `"columns":[{"name":"b","type":"boolean"},{"name":"i","type":"bigint"},{"name":"f","type":"double"},{"name":"d","type":"decimal(10,2)"},
		{"name":"day","type":"date"},{"name":"at","type":"timestamp(6) with time zone"},{"name":"s","type":"varchar"},{"name":"j","type":"varchar"}]`
	typedRow  = `[true,-5,0.1,"12.50","2024-02-29","2024-02-29 23:59:59.120000 UTC","é\n","{\"a\":1.10}"]`
	nullRow   = `[null,null,null,null,null,null,null,null]`
	strayRow  = `[false,9007199254740993,"NaN","-0.01","0001-01-01","1969-12-31 23:59:59.000000 UTC","","[]"]`
	wantTyped = `[true,-5,0.1,12.50,"2024-02-29","2024-02-29T23:59:59.12Z","é\n",{"a":1.10}]`
)

func collect(rows engine.Rows) (all []string, err error) {
	for rows.Next() {
		text, err := json.Marshal(rows.Row())
		if err != nil {
			text = []byte(err.Error())
		}
		all = append(all, string(bytes.ReplaceAll(text, []byte(`\u0026`), []byte("&"))))
	}
	return all, errors.Join(rows.Err(), rows.Close())
}

func TestRowsStream(t *testing.T) {
	t.Parallel()
	c := newCoordinator(t, answer(at(0)), answer(at(1)), answer(typedColumns+`,"data":[`+typedRow+`],`+at(2)),
		status(503, "busy"), answer(typedColumns+","+at(3)), answer(typedColumns+`,"data":[`+nullRow+`,`+strayRow+`]`))
	rows, err := c.connect(time.Minute).Query(t.Context(), typed(2))
	if err != nil {
		t.Fatalf("Query() = %v, want rows", err)
	}
	if got := fmt.Sprint(rows.Columns()); !strings.HasPrefix(got, "[{B boolean}") {
		t.Errorf("Columns() = %s, want them as the dataset spells them", got)
	}
	got, err := collect(rows)
	if err != nil || len(got) != 2 || got[0] != wantTyped || got[1] != nullRow || rows.Total() != 3 {
		t.Errorf("rows = %v of %d, %v, want 2 of 3", got, rows.Total(), err)
	}
	if c.cancelled.Load() != 0 {
		t.Error("a query that had ended was cancelled")
	}
	for name, want := range map[string]string{
		"User": "ada", "Catalog": "lake", "Time-Zone": "UTC", "Source": "quern-token-7", "Client-Capabilities": "PARAMETRIC_DATETIME",
		"Extra-Credential": "token=secret+of+%5B" + string(dataset) + "%5D",
		"Session":          "query_max_memory=1073741824B,query_max_run_time=60s,task_concurrency=2",
	} {
		if got := c.header.Get("X-Trino-" + name); got != want {
			t.Errorf("the statement is sent with %s %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(c.sql, `"lake"."tables"."`+string(dataset)+`" FOR VERSION AS OF BIGINT '3'`) {
		t.Errorf("the statement is %s, want the version pinned", c.sql)
	}
}

// failed is a page that says why a statement failed.
func failed(name, kind, message string) func(http.ResponseWriter) {
	return answer(fmt.Sprintf(`"error":{"message":%q,"errorCode":1,"errorName":%q,"errorType":%q}`, message, name, kind))
}

// What a cluster gives up for a fault of its own is run once more, with a token of its
// own, as long as no row was read; what is the query's fault, or fails twice, is not.
func TestFaultsOfTheCluster(t *testing.T) {
	t.Parallel()
	begun, died := answer(at(0)), failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "no final task info")
	columns := answer(typedColumns + "," + at(1))
	row, more := answer(typedColumns+`,"data":[`+typedRow+`]`), answer(typedColumns+`,"data":[`+typedRow+`],`+at(2))
	for name, c := range map[string]struct {
		pages []func(http.ResponseWriter)
		sent  int64
		rows  int
		good  bool
	}{
		"at once":               {[]func(http.ResponseWriter){died, begun, row}, 2, 1, true},
		"before the columns":    {[]func(http.ResponseWriter){begun, died, begun, row}, 2, 1, true},
		"before the first row":  {[]func(http.ResponseWriter){begun, columns, died, begun, columns, row}, 2, 1, true},
		"twice":                 {[]func(http.ResponseWriter){begun, died, begun, died}, 2, 0, false},
		"after a row":           {[]func(http.ResponseWriter){begun, more, died}, 1, 1, false},
		"then of the query":     {[]func(http.ResponseWriter){begun, died, begun, failed("DIVISION_BY_ZERO", "USER_ERROR", "x")}, 2, 0, false},
		"for want of resources": {[]func(http.ResponseWriter){begun, failed("CLUSTER_OUT_OF_MEMORY", "INSUFFICIENT_RESOURCES", "x")}, 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			double, signed := newCoordinator(t, c.pages...), int64(0)
			q := typed(0)
			sign := q.Sign
			q.Sign = func(ctx context.Context, datasets []quern.DatasetID, life time.Duration) (engine.Token, error) {
				signed++
				return sign(ctx, datasets, life)
			}
			rows, err := double.connect(time.Minute).Query(t.Context(), q)
			var got []string
			if err == nil {
				got, err = collect(rows)
			}
			if (err == nil) != c.good || len(got) != c.rows || double.sent.Load() != c.sent || signed != c.sent {
				t.Errorf("%d rows, %v, after %d statements and %d tokens, want %d rows after %d", len(got), err, double.sent.Load(), signed, c.rows, c.sent)
			}
			if double.cancelled.Load() != 0 {
				t.Error("a query that had ended was cancelled")
			}
		})
	}
}

// A cluster that answers wrongly gives no rows and no wrong ones, but a failure that says
// what callers can do.
func TestFailures(t *testing.T) {
	t.Parallel()
	columns := answer(typedColumns + "," + at(1))
	data := func(row string) func(http.ResponseWriter) { return answer(typedColumns + `,"data":[` + row + `]`) }
	swap := func(from, to string) func(http.ResponseWriter) {
		return answer(strings.Replace(typedColumns, from, to, 1) + `,"data":[` + typedRow + `]`)
	}
	for name, c := range map[string]struct {
		pages []func(http.ResponseWriter)
		kind  quern.Kind
		says  string
	}{
		"away":                    {[]func(http.ResponseWriter){status(503, "starting")}, quern.Unavailable, "does not answer"},
		"a stranger":              {[]func(http.ResponseWriter){status(404, "what?")}, quern.Unavailable, "does not answer"},
		"no JSON":                 {[]func(http.ResponseWriter){func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html>") }}, quern.Unavailable, "cannot be used"},
		"half of a page":          {[]func(http.ResponseWriter){func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":"x","nextUri":`) }}, quern.Unavailable, "cannot be used"},
		"another's page":          {[]func(http.ResponseWriter){answer(at(0)), func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"id":"other"}`) }}, quern.Unavailable, "cannot be used"},
		"a page elsewhere":        {[]func(http.ResponseWriter){answer(`"nextUri":"http://169.254.169.254/latest/meta-data"`)}, quern.Unavailable, "cannot be used"},
		"no columns":              {[]func(http.ResponseWriter){answer(`"data":null`)}, quern.Unavailable, "cannot be used"},
		"rows before columns":     {[]func(http.ResponseWriter){answer(at(0)), answer(`"data":[[1]],` + at(1))}, quern.Unavailable, "cannot be used"},
		"fewer columns":           {[]func(http.ResponseWriter){answer(at(0)), answer(`"columns":[{"type":"bigint"}]`)}, quern.Unavailable, "cannot be used"},
		"another type":            {[]func(http.ResponseWriter){answer(at(0)), swap(`"bigint"`, `"double"`)}, quern.Unavailable, "cannot be used"},
		"another scale":           {[]func(http.ResponseWriter){answer(at(0)), swap("decimal(10,2)", "decimal(10,3)")}, quern.Unavailable, "cannot be used"},
		"a short row":             {[]func(http.ResponseWriter){answer(at(0)), columns, data(`[true,1]`)}, quern.Unavailable, "cannot be used"},
		"a row of other values":   {[]func(http.ResponseWriter){answer(at(0)), columns, data(strings.Replace(typedRow, "-5", `"x"`, 1))}, quern.Unavailable, "cannot be used"},
		"JSON that is none":       {[]func(http.ResponseWriter){answer(at(0)), columns, data(strings.Replace(typedRow, `{\"a\":1.10}`, `{\"a\"`, 1))}, quern.Unavailable, "cannot be used"},
		"a day that is none":      {[]func(http.ResponseWriter){answer(at(0)), columns, data(strings.Replace(typedRow, "2024-02-29\"", "2024-02-30\"", 1))}, quern.Unavailable, "cannot be used"},
		"a worker that died":      {[]func(http.ResponseWriter){answer(at(0)), columns, failed("REMOTE_TASK_ERROR", "INTERNAL_ERROR", "x")}, quern.Unavailable, "could not finish"},
		"time":                    {[]func(http.ResponseWriter){answer(at(0)), failed("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "x")}, quern.Timeout, "longer than 1m0s"},
		"memory":                  {[]func(http.ResponseWriter){answer(at(0)), failed("EXCEEDED_GLOBAL_MEMORY_LIMIT", "INSUFFICIENT_RESOURCES", "x")}, quern.Invalid, "more memory"},
		"overflow":                {[]func(http.ResponseWriter){answer(at(0)), columns, failed("NUMERIC_VALUE_OUT_OF_RANGE", "USER_ERROR", "bigint addition overflow")}, quern.Invalid, "bigint addition overflow"},
		"a version that is gone":  {[]func(http.ResponseWriter){answer(at(0)), failed("INVALID_ARGUMENTS", "USER_ERROR", "Iceberg snapshot ID does not exists: 3")}, quern.Unavailable, "changed while"},
		"a table that is gone":    {[]func(http.ResponseWriter){answer(at(0)), failed("TABLE_NOT_FOUND", "USER_ERROR", "x")}, quern.Unavailable, "no longer shared"},
		"what it does not take":   {[]func(http.ResponseWriter){answer(at(0)), failed("FUNCTION_NOT_FOUND", "USER_ERROR", "Function 'x' not registered")}, quern.Invalid, "Function 'x'"},
		"a failure at once":       {[]func(http.ResponseWriter){failed("SYNTAX_ERROR", "USER_ERROR", "line 1:1")}, quern.Invalid, "line 1:1"},
		"a failure of its own":    {[]func(http.ResponseWriter){answer(at(0)), failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "a secret")}, quern.Unavailable, "could not finish"},
		"one that refuses a user": {[]func(http.ResponseWriter){status(401, "who?")}, quern.Unavailable, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newCoordinator(t, c.pages...).connect(time.Minute)
			rows, err := e.Query(t.Context(), typed(0))
			if err == nil {
				_, err = collect(rows)
			}
			told, ok := errors.AsType[*quern.Error](err)
			if !ok || told.Kind != c.kind || !strings.Contains(told.Detail, c.says) || strings.Contains(told.Detail, "a secret") {
				t.Errorf("Query() = %v, want %v that says %q", err, c.kind, c.says)
			}
		})
	}
}

func TestCancelEndsTheQueryThere(t *testing.T) {
	t.Parallel()
	c := newCoordinator(t, answer(at(0)), answer(typedColumns+`,"data":[`+typedRow+`],`+at(1)), answer(typedColumns+","+at(2)))
	ctx, cancel := context.WithCancel(t.Context())
	e := c.connect(time.Minute)
	rows, err := e.Query(ctx, typed(0))
	if err != nil || !rows.Next() {
		t.Fatalf("Query() = %v, want a row", err)
	}
	cancel()
	if rows.Next() || !errors.Is(rows.Err(), context.Canceled) {
		t.Errorf("Next() after a cancellation = %v, want it to end", rows.Err())
	}
	if err := errors.Join(rows.Close(), rows.Close()); err != nil || c.cancelled.Load() != 1 {
		t.Errorf("the query was cancelled %d times, %v, want once", c.cancelled.Load(), err)
	}
	rows, err = e.Query(t.Context(), typed(0))
	if err != nil || rows.Close() != nil || c.cancelled.Load() != 2 {
		t.Errorf("rows that are closed early cancel %d times, %v, want once more", c.cancelled.Load(), err)
	}
}

// A coordinator that answers and never comes to an end is left after the query's time.
func TestSlowClusters(t *testing.T) {
	t.Parallel()
	c := newCoordinator(t, answer(at(0)), func(w http.ResponseWriter) {
		time.Sleep(time.Millisecond)
		answer(at(1))(w)
	})
	e := c.connect(time.Nanosecond)
	e.Lateness = 200 * time.Millisecond
	if _, err := e.Query(t.Context(), typed(0)); !quern.Is(err, quern.Timeout) {
		t.Errorf("Query() that never ends = %v, want a timeout", err)
	}
	if c.cancelled.Load() != 1 {
		t.Errorf("it was cancelled %d times, want once", c.cancelled.Load())
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	for text, ready := range map[string]bool{`{"starting":false}`: true, `{"starting":true}`: false, `{}`: false, `<html>`: false} {
		e := newCoordinator(t, func(w http.ResponseWriter) { _, _ = io.WriteString(w, text) }).connect(time.Minute)
		if err := e.Ready(t.Context()); (err == nil) != ready || err != nil && !quern.Is(err, quern.Unavailable) {
			t.Errorf("Ready() of %s = %v, want ready %v", text, err, ready)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for url, good := range map[string]bool{
		"trino://cluster:8080": true, "trino://reader@cluster/lake": true, "trino://reader:word@cluster:443/lake?secure=true": true,
		"http://cluster": false, "trino://": false, "trino://reader:word@cluster:8080": false, "trino://cluster/a/b": false, "trino://%zz": false, "": false,
	} {
		e, err := trino.New(trino.Options{URL: url})
		if (err == nil) != good {
			t.Errorf("New(%s) = %v, want good %v", url, err, good)
		}
		if err != nil && strings.Contains(err.Error(), "word@") {
			t.Errorf("New(%s) = %v, want the password left out", url, err)
		}
		if e != nil {
			_ = e.Close()
		}
	}
}
