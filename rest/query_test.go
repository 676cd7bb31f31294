package rest_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"quern/api"
)

func queryBody(t *testing.T, namespace, sql string) string {
	t.Helper()
	body, err := json.Marshal(api.QueryRequest{Username: "self", Namespace: namespace, Query: sql})
	must(t, err)
	return string(body)
}

func TestQueryNamesDatasetsInThreeWays(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/north/a", "")
		h.want(200, "ada", "POST", "/ingest/north/a", `{"data":[{"k":1},{"k":2}]}`)
		h.want(201, "ada", "POST", "/ingest/new/south/b", "")
		h.want(200, "ada", "POST", "/ingest/south/b", `{"data":[{"k":2,"name":"two"}]}`)
		h.want(201, "bob", "POST", "/ingest/new/east/c", "")
		h.want(200, "bob", "POST", "/ingest/east/c", `{"data":[{"k":2,"who":"bob's"}]}`)
		h.want(200, "bob", "POST", "/permissions/namespaces/self/east/shares", `{"username":"ada","role":"viewer"}`)
		got := h.rows("ada", "north", `with x as (select k from A) select b.name, c.who, row_number() over () as n
			from x join south.b on x.k = b.k join "bob/east/c" c on c.k = b.k`)
		if got != `[{"name":"two","who":"bob's","n":1}]` {
			t.Errorf("join over three namespaces = %s, want one row", got)
		}
	})
}

func TestQueryResultSaysWhatItIs(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/data/ns", "")
	a := h.want(200, "ada", "POST", "/query", queryBody(t, "ns", "select range as i from range(12345) order by i"))
	r := into[api.QueryResponse](t, a)
	if r.Metadata.Count != 10_000 || !r.Metadata.Truncated || r.Metadata.TotalCount != 12_345 || len(r.Data) != 10_000 {
		t.Errorf("metadata = %+v with %d rows, want 10000 of 12345, truncated", r.Metadata, len(r.Data))
	}
	a = h.want(200, "ada", "POST", "/query", queryBody(t, "ns", "select 1 as a, 'x' as b, null as c where false"))
	if !strings.HasPrefix(a.body, `{"data":[],"metadata":{"count":0,`) || strings.Contains(a.body, `"truncated":true`) {
		t.Errorf("empty result = %s, want none, whole", a.body)
	}
}

func TestWrongQueriesAreRefusedAlike(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "bob", "POST", "/ingest/new/secret/plans", "")
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	absent := h.want(422, "ada", "POST", "/query", queryBody(t, "ns", `select * from "bob/secret/plant"`))
	hidden := h.want(422, "ada", "POST", "/query", queryBody(t, "ns", `select * from "bob/secret/plans"`))
	if strings.ReplaceAll(absent.body, "plant", "plans") != hidden.body {
		t.Errorf("a dataset of bob's answers %s, one that does not exist %s; want the same", hidden.body, absent.body)
	}
	h.want(404, "ada", "POST", "/query", queryBody(t, "nowhere", "select 1"))
	for _, sql := range []string{
		"select * from nothing", "selec 1", "select 1; select 2", "drop table ds", "select * from read_csv('/etc/passwd')",
		"select * from '/etc/passwd'", "copy ds to '/tmp/x'", "attach ':memory:'", "pragma database_list", "select getenv('HOME')", "select missing from ds",
	} {
		a := h.want(422, "ada", "POST", "/query", queryBody(t, "ns", sql))
		if code := a.failure(t).ErrorCode; code != "INVALID_QUERY" {
			t.Errorf("%s is refused as %s, want INVALID_QUERY", sql, code)
		}
	}
	h.want(422, "ada", "POST", "/query", `{"username":"self","namespace":"ns"}`)
	h.want(422, "ada", "POST", "/query", fmt.Sprintf(`{"username":"self","namespace":"ns","query":%q}`, strings.Repeat("x", 100_001)))
}

func TestWholeDatasetsAreReadWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	rows := make([]string, 12_345)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"i":%d}`, i)
	}
	h.want(201, "ada", "POST", "/ingest/new/ns/many", "")
	h.want(200, "ada", "POST", "/ingest/ns/many", `{"data":[`+strings.Join(rows, ",")+`]}`)
	h.want(201, "ada", "POST", "/ingest/new/ns/none", "")
	for _, body := range []string{
		`"dataset":"many"`, `"dataset":"many","query":""`, `"dataset":"many","query":"*","naturalLanguageQuery":""`,
		`"dataset":"","query":"Ontology(ns/many)"`, `"query":"Ontology(\"many\")"`, `"query":"OntologyObject(ada/ns/many).get()"`,
		`"dataset":"many","model":"none such","provider":"nobody"`,
	} {
		a := h.want(200, "ada", "POST", "/query", `{"username":"self","namespace":"ns",`+body+`}`)
		r := into[api.QueryResponse](t, a)
		if len(r.Data) != len(rows) || r.Metadata.Count != int64(len(rows)) || r.Metadata.Truncated || r.Metadata.TotalCount != r.Metadata.Count {
			t.Errorf("%s = %d rows, %+v, want all", body, len(r.Data), r.Metadata)
			continue
		}
		if got := fmt.Sprint(r.Data[12_000]); got != "map[__metadata:map[row:12000 score:1] i:12000]" {
			t.Errorf("%s row 12000 = %s", body, got)
		}
		if r.Metadata.StartingDataset != "ada/ns/many" || r.Metadata.FinalDataset != "ada/ns/many" || r.ResultType != "rows" {
			t.Errorf("%s metadata = %+v, %s, want from and to many", body, r.Metadata, r.ResultType)
		}
	}
	empty := h.want(200, "ada", "POST", "/query", `{"username":"self","namespace":"ns","dataset":"none","includeMetadata":false}`)
	if !strings.HasPrefix(empty.body, `{"data":[],"metadata":{"count":0,`) {
		t.Errorf("an empty dataset = %s", empty.body)
	}
	h.want(404, "ada", "POST", "/query", `{"username":"self","namespace":"ns","dataset":"nothing"}`)
	h.want(404, "bob", "POST", "/query", `{"username":"ada","namespace":"ns","dataset":"many"}`)
	h.want(422, "ada", "POST", "/query", `{"username":"self","namespace":"ns"}`)
	h.want(422, "ada", "POST", "/query", `{"username":"self","namespace":"ns","query":"Ontology(ns/nothing)"}`)
	unnamed := h.want(422, "ada", "POST", "/query", `{"username":"self","namespace":"ns","query":" * "}`).failure(t)
	if want := "dataset: is required with the query *, which reads a whole dataset"; len(unnamed.SubErrors) != 1 || unnamed.SubErrors[0].Message != want {
		t.Errorf("* of no dataset = %+v, want %q", unnamed, want)
	}
}

func TestRowsTellOfThemselves(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":1},{"a":2}]}`)
	body := func(query, more string) string {
		return `{"username":"self","namespace":"ns","query":` + strconv.Quote(query) + more + `}`
	}
	for _, query := range []string{"select a from ds where a = 2", `Ontology("ds").filter(a == 2)`} {
		a := h.want(200, "ada", "POST", "/query", body(query, ""))
		if !strings.HasPrefix(a.body, `{"data":[{"a":2,"__metadata":{"score":1.0}}],`) {
			t.Errorf("%s = %s, want a score", query, a.body)
		}
		a = h.want(200, "ada", "POST", "/query", body(query, `,"includeMetadata":false`))
		if !strings.HasPrefix(a.body, `{"data":[{"a":2}],`) {
			t.Errorf("%s without metadata = %s, want none", query, a.body)
		}
	}
	a := h.want(200, "ada", "POST", "/query", body(`Ontology("ds").filter(a == 2)`, `,"explainRequested":true`))
	e := into[api.QueryResponse](t, a).ExplainResults
	stat := api.DatasetQueriesStat{Username: "ada", Namespace: "ns", Dataset: "ds", ResultCount: 1}
	if e.DatasetQueriesStat != stat || e.ID == "" || e.Start.IsZero() || !strings.HasPrefix(e.Duration, "PT") || e.Children == nil || e.Reading == "" {
		t.Errorf("explainResults = %+v, want what was read and how long it took", e)
	}
}
