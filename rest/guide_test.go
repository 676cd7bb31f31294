package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quern/api"
)

func TestIngestMakesTheDataset(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(422, "ada", "POST", "/ingest/fresh/ds", `{"data":[{"a":1},{"__b":2}]}`)
		h.want(404, "ada", "GET", "/data/self/fresh/ds", "")
		h.want(404, "ada", "GET", "/data/fresh", "") // nor is its namespace there
		h.want(200, "ada", "POST", "/ingest/fresh/ds", `{"data":[{"a":1}]}`)
		h.want(200, "ada", "POST", "/ingest/fresh/ds", `{"data":[{"a":2}]}`)
		if got := h.rows("ada", "fresh", "select a from ds order by a"); got != `[{"a":1},{"a":2}]` {
			t.Errorf("rows = %s, want both", got)
		}
		h.want(404, "ada", "POST", "/ingest/ada/fresh/other", `{"data":[{"a":1}]}`)
		h.want(404, "bob", "POST", "/ingest/ada/fresh/ds", `{"data":[{"a":1}]}`)
		body, key := `{"data":[{"a":1}]}`, map[string][]string{"Idempotency-Key": {"once"}}
		for range 2 {
			got := h.do(ask{method: "POST", path: "/api/v1/ingest/fresh/once", token: h.user("ada"), body: body, header: key})
			if got.StatusCode != 200 {
				t.Errorf("ingest under a key = %d %s, want 200", got.StatusCode, got.body)
			}
		}
		if got := h.rows("ada", "fresh", "select count(*) as n from once"); got != `[{"n":1}]` {
			t.Errorf("rows stored under one key = %s, want one", got)
		}
	})
}

func TestWhatIsSentWithRowsIsKept(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"infer":{"steps":[]},"link":{"ExactMatch":{"minDistinct":0.25},"GeoMatch":{"distance":10,"distanceUnit":"miles"}},
			"data":[{"a":1}],"dataDescription":"first","schemaDefinition":{"a":"a number"},"additionalInstructions":"none","curate":true}`)
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":2}],"link":null,"infer":null,"dataDescription":"second"}`)
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":3}],"link":{"ExactMatch":null}}`)
		m := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/ns/ds", "")).Metadata
		if m.DataDescription != "second" || m.SchemaDefinition["a"] != "a number" {
			t.Errorf("definition = %q %v, want the one that was sent last", m.DataDescription, m.SchemaDefinition)
		}
		if m.Link.ExactMatch == nil || m.Link.ExactMatch.MinDistinct != 0.25 || m.Link.GeoMatch == nil || fmt.Sprintf("%.3f", *m.Link.GeoMatch.Distance) != "16.093" {
			t.Errorf("link options = %+v, want what was sent, in kilometres", m.Link)
		}
		page := into[api.IngestionPage](t, h.want(200, "ada", "GET", "/data/self/ns/ds/ingest/attempts", ""))
		if len(page.Data) != 3 || page.Data[0].Status != "completed" || page.Data[0].ProcessedRows != 1 || page.Metadata.PageSize != 25 {
			t.Errorf("attempts = %+v, want the three ingests", page)
		}
		h.want(409, "ada", "POST", "/ingestionTracking/"+page.Data[0].ID+"/retry", "")
		h.want(200, "ada", "POST", "/data/self/ns/ds/clear", "")
		cleared := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/ns/ds", "")).Metadata
		if cleared.RowCount != 0 || fmt.Sprint(cleared.ColumnNames) != "[a]" || cleared.DataDescription != "second" {
			t.Errorf("cleared = %+v, want no rows and the columns", cleared)
		}
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":"text now"}]}`)
		if got := h.rows("ada", "ns", "select a from ds"); got != `[{"a":"text now"}]` {
			t.Errorf("rows after clearing = %s, want the new type", got)
		}
	})
}

func TestStepsAreHeldToTheContract(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for step, want := range map[string]string{
		`{"type":"rows","deriveFrom":"rows"}`:                                              "infer.steps[0].deriveFrom: no row has a column rows; there are a",
		`{"type":"table","deriveFrom":"t","model":null,"provider":null,"helperPrompt":""}`: "infer.steps[0].deriveFrom: no row has a column t",
		`{"type":"table","deriveFrom":"a","model":"large-9"}`:                              "infer.steps[0].model: there is no such model",
		`{"type":"normalize","mode":"all-in-one","model":null,"helperPrompt":"x"}`:         "infer.steps[0].targetCols: is required",
		`{"type":"validate","mode":"rows","columns":["b"]}`:                                "infer.steps[0].columns: no row has a column b",
		`{"type":"reverseGeo"}`:                                                            "infer.steps[0].deriveFrom: is required",
		`{"type":"dance"}`:                                                                 "infer.steps[0]",
		`{"deriveFrom":"a"}`:                                                               "infer.steps[0]",
		`{"type":"table"}`:                                                                 "infer.steps[0].deriveFrom: a value is required",
		`{"type":"normalise","mode":"quickly"}`:                                            "infer.steps[0].mode: must be one of all-in-one, field-by-field, embeddings",
		`{"type":"validate","mode":"regex"}`:                                               "infer.steps[0].columns: a value is required",
		`{"type":"table","deriveFrom":"a","model":"x","replaceOriginalColumn":1}`:          "infer.steps[0].replaceOriginalColumn: must be true or false",
	} {
		for _, path := range []string{"/ingest/ns/ds", "/infer/preview"} {
			body := `{"data":[{"a":1}],"infer":{"steps":[` + step + `]}}`
			e := h.want(422, "ada", "POST", path, body).failure(t)
			if len(e.SubErrors) != 1 || !strings.HasPrefix(e.SubErrors[0].Message, want) {
				t.Errorf("%s of %s = %+v, want %s", path, step, e.SubErrors, want)
			}
		}
	}
	long, many := strings.Repeat("x", 10_001), map[string]string{}
	for i := range 2001 {
		many[fmt.Sprint("f", i)] = "a field"
	}
	for want, guide := range map[string]map[string]any{
		"dataDescription: must have at most 10000": {"dataDescription": long},
		"schemaDefinition.a: must have at most":    {"schemaDefinition": map[string]string{"a": long}},
		"schemaDefinition: must have at most 2000": {"schemaDefinition": many},
	} {
		guide["data"] = []map[string]int{{"a": 1}}
		body, err := json.Marshal(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/ingest/ns/ds", "/infer/preview"} {
			if e := h.want(422, "ada", "POST", path, string(body)).failure(t); len(e.SubErrors) != 1 || !strings.HasPrefix(e.SubErrors[0].Message, want) {
				t.Errorf("%s with a definition over the limit = %+v, want %s", path, e, want)
			}
		}
	}
	h.want(404, "ada", "GET", "/data/self/ns/ds", "")
}

func TestStepsMakeRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		const notes = `{"data":[{"text":"Ship: Ariadne\nDraught: 7.25\nArrived: 31 January 2030\n\nShip: Bella\nDraught: 4\nArrived: 1 February 2030"}],
			"infer":{"steps":[{"type":"table","deriveFrom":"text","replaceOriginalColumn":true},{"type":"normalise","mode":"all-in-one","targetCols":{"arrival":"date of arrival","ship":null}},
			{"type":"validate","mode":"rows","columns":["ship","arrival","Draught"]}]}`
		preview := into[[]map[string]any](t, h.want(200, "ada", "POST", "/infer/preview", notes+`}`))
		if len(preview) != 2 || preview[0]["arrival"] != "2030-01-31" || preview[1]["Draught"] != 4.0 || preview[0]["__valid"] != true {
			t.Errorf("preview = %v, want two rows with types", preview)
		}
		if about, _ := preview[0]["__metadata_Draught"].(map[string]any); about["from"] != "text" || about["by"] != "label" {
			t.Errorf("provenance = %v, want what the value was read from", about)
		}
		h.want(200, "ada", "POST", "/ingest/ns/visits", notes+`,"schemaDefinition":{"Draught":"depth in metres, at most 5"}}`)
		if got := h.rows("ada", "ns", "select * from visits order by ship"); got != `[{"ship":"Ariadne","Draught":7.25,"arrival":"2030-01-31"},{"ship":"Bella","Draught":4,"arrival":"2030-02-01"}]` {
			t.Errorf("rows = %s", got)
		}
		if got := h.rows("ada", "ns", "select ship, __valid as valid from visits order by ship"); got != `[{"ship":"Ariadne","valid":false},{"ship":"Bella","valid":true}]` {
			t.Errorf("validity = %s", got)
		}
		m := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/ns/visits", "")).Metadata
		if fmt.Sprint(m.ColumnNames) != "[ship Draught arrival]" {
			t.Errorf("columns = %v, want no internal ones", m.ColumnNames)
		}
		if got := h.want(200, "ada", "GET", "/data/self/ns/visits/export?format=csv", "").body; strings.Contains(got, "__") {
			t.Errorf("export = %s, want no internal columns", got)
		}
		whole := h.want(200, "ada", "POST", "/query", `{"username":"self","namespace":"ns","dataset":"visits"}`).body
		if !strings.Contains(whole, `"__valid":false`) || !strings.Contains(whole, `"__metadata_ship":{`) {
			t.Errorf("the whole dataset with metadata = %s, want validity and provenance", whole)
		}
		// The definition that was sent is saved, and used by the next who brings none.
		h.want(200, "ada", "POST", "/ingest/ns/visits", notes+`}`)
		page := into[api.IngestionPage](t, h.want(200, "ada", "GET", "/data/self/ns/visits/ingest/attempts", ""))
		last := page.Data[0].Attributes
		if last.Definition == nil || last.Definition.SchemaDefinition["Draught"] != "depth in metres, at most 5" || len(last.Steps) != 3 || last.Steps[0].RowsOut != 2 {
			t.Errorf("attempt = %+v, want the definition and the steps that were used", last)
		}
	})
}

func TestProposals(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	rows := h.want(200, "ada", "POST", "/infer/preview", `{"data":[{"b":9007199254740993,"a":"x"}],"infer":{"steps":[]}}`)
	if strings.TrimSpace(rows.body) != `[{"a":"x","b":9007199254740993}]` {
		t.Errorf("preview = %s, want the rows as they are", rows.body)
	}
	const sample = `"sample":[{"ship":"Ariadne","draught":7.25,"crew":12,"day":"2030-01-31","paid":true,"tags":[1]}]`
	schema := into[api.InferredSchema](t, h.want(200, "ada", "POST", "/infer/schema", `{`+sample+`,"currentValue":{"schema":{"draught":"Depth"}}}`)).Schema
	const want = "map[crew:crew; such as 12 day:day; such as 2030-01-31 draught:Depth paid:paid; yes or no ship:ship; such as Ariadne tags:tags]"
	if got := fmt.Sprint(schema); got != want {
		t.Errorf("schema = %s, want %s", got, want)
	}
	d := into[api.InferredDescription](t, h.want(200, "ada", "POST", "/infer/description", `{"sample":[{"a":1,"b":2},{"c":3}]}`))
	if d.Description != "Rows with a, b and c." {
		t.Errorf("description = %q", d.Description)
	}
	if kept := into[api.InferredDescription](t, h.want(200, "ada", "POST", "/infer/description", `{"sample":[{"a":1}],"currentValue":{"description":"Ships."}}`)); kept.Description != "Ships." {
		t.Errorf("description = %q, want the one that was there", kept.Description)
	}
	h.want(422, "ada", "POST", "/infer/schema", `{`+sample+`,"model":"large-9"}`)
	e := h.want(422, "ada", "POST", "/infer/schema", `{"sample":[{"__a":1}]}`).failure(t)
	if len(e.SubErrors) != 1 || !strings.HasPrefix(e.SubErrors[0].Message, "sample[0]") {
		t.Errorf("a row that cannot be stored = %+v, want it named", e)
	}
	h.want(422, "ada", "POST", "/infer/description", `{"sample":[]}`)
	h.want(422, "ada", "POST", "/query/autorag", `{"username":"self","namespace":"ns","query":"how many?","models":{"plan":{"model":"large-9"}}}`)
}
