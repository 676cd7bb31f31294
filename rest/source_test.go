package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quern/api"
)

// shipFile makes a dataset of ships: one row that was sent, and three of a file.
func shipFile(t *testing.T, h *house) {
	t.Helper()
	h.want(201, "ada", "POST", "/ingest/new/harbour/ships", "")
	h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[{"name":"Argo","draught":9.5}]}`)
	session := h.upload(h.user("ada"), "ships.csv", "name,draught\nAriadne,7.25\nBoreas,5.5\nCalypso,6.5\n")
	h.want(202, "ada", "POST", "/data/self/harbour/ships/ingest", `{"sessionId":"`+session+`"}`)
	if took, err := h.ingest.WorkOnce(t.Context()); !took || err != nil {
		t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
}

func TestRowsOfQueriesTellTheirSource(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		shipFile(t, h)
		const calypso = `"name":"Calypso","draught":6.5,"__metadata":{"score":1.0,"row":3,"source":{"file":"ships.csv","row":3}}}`
		for query, want := range map[string]string{
			`Ontology("ships").sortDescending("name")`:                          `[{` + calypso + `,{"name":"Boreas","draught":5.5,"__metadata":{"score":1.0,"row":2,"source":{"file":"ships.csv","row":2}}},`,
			`Ontology("ships").filter(draught > 9)`:                             `[{"name":"Argo","draught":9.5,"__metadata":{"score":1.0}}]`,
			`Ontology("ships").filter(name == "Boreas").select("draught")`:      `[{"draught":5.5,"__metadata":{"score":1.0,"row":2,"source":{"file":"ships.csv","row":2}}}]`,
			`Ontology("ships").search("calypso")`:                               `[{"name":"Calypso","draught":6.5,"__metadata":{"score":1,"row":3,"source":{"file":"ships.csv","row":3}}}]`,
			`Ontology("harbour/ships")`:                                         `,{` + calypso + `]`,
			`SELECT name, draught FROM ships WHERE name = 'Calypso'`:            `[{"name":"Calypso","draught":6.5,"__metadata":{"score":1.0}}]`,
			`SELECT name, __row FROM ships WHERE name = 'Calypso'`:              `[{"name":"Calypso","__row":3,"__metadata":{"score":1.0,"row":3,"source":{"file":"ships.csv","row":3}}}]`,
			`SELECT name, __file FROM ships WHERE __file = 'ships.csv' LIMIT 1`: `[{"name":"Ariadne","__file":"ships.csv","__metadata":{"score":1.0}}]`,
			`SELECT * FROM ships WHERE __file IS NULL`:                          `[{"name":"Argo","draught":9.5,"__metadata":{"score":1.0}}]`,
			`Ontology("ships").filter(__file == "ships.csv" && draught > 7)`:    `[{"name":"Ariadne","draught":7.25,"__metadata":{"score":1.0,"row":1,"source":{"file":"ships.csv","row":1}}}]`,
			`SELECT max(__row) AS __row FROM ships`:                             `[{"__row":3,"__metadata":{"score":1.0}}]`,
			`SELECT 2 AS __row, __row AS n FROM ships WHERE name = 'Calypso'`:   `[{"__row":2,"n":3,"__metadata":{"score":1.0}}]`,
		} {
			body, err := json.Marshal(api.QueryRequest{Username: "self", Namespace: "harbour", Query: query})
			must(t, err)
			if a := h.want(200, "ada", "POST", "/query", string(body)); !strings.Contains(a.body, want) || strings.Contains(into[api.QueryResponse](t, a).Metadata.ExecutedQuery, "__row") != strings.Contains(query, "__row") {
				t.Errorf("%s = %s, want %s, and a query without what was added", query, a.body, want)
			}
		}
		a := h.want(200, "ada", "POST", "/query", `{"username":"self","namespace":"harbour","includeMetadata":false,"query":"Ontology(\"ships\").filter(draught < 6)"}`)
		if !strings.HasPrefix(a.body, `{"data":[{"name":"Boreas","draught":5.5}],`) {
			t.Errorf("rows without metadata = %s, want one that tells nothing of itself", a.body)
		}
	})
}

func TestRowsOfAnswersTellTheirSource(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		shipFile(t, h)
		const from = `"__metadata":{"score":1.0,"row":3,"source":{"file":"ships.csv","row":3}}}`
		for read, sourced := range map[string]bool{
			"select name from ships order by name desc":                                        true,
			"select name from ships where name in (select name from ships) order by name desc": true,
			"select count(*) from ships":                                                       false,
			"select draught, count(*) from ships group by draught":                             false,
			"select distinct name from ships order by name desc":                               false,
			"select name from ships union select name from ships order by name desc":           false,
		} {
			h.script.Knows(read, read)
			answers := map[string]string{"/query": h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: read})).body}
			for _, path := range []string{"/query/autorag", "/query/ask"} {
				answers[path] = h.want(200, "ada", "POST", path, `{"username":"self","namespace":"harbour","query":"`+read+`"}`).body
			}
			for path, body := range answers {
				if strings.Contains(body, `"source"`) != sourced || strings.Contains(body, `[{"name":"Calypso",`+from) != sourced || strings.Contains(body, "__row") {
					t.Errorf("%s of %q = %s, want sources: %v", path, read, body, sourced)
				}
			}
		}
	})
}
