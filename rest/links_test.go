package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"quern/api"
)

// harbour is ships, their arrivals, and berths that have nothing to do with
// either, in a namespace of ada's.
func (h *house) harbour(ns string) {
	h.t.Helper()
	var ships, arrivals, berths []string
	for i := range 40 {
		ships = append(ships, fmt.Sprintf(`{"id":%d,"name":"ship %d","flag":"%s"}`, i+1, i+1, []string{"NO", "DK", "SE"}[i%3]))
		berths = append(berths, fmt.Sprintf(`{"number":%d,"depth":%d}`, i+1, i))
	}
	for i := range 200 {
		arrivals = append(arrivals, fmt.Sprintf(`{"id":%d,"ship_id":%d,"draught":%d.5,"day":"2030-01-%02d"}`, i+1, i%25+1, i%10, i%28+1))
	}
	for name, rows := range map[string][]string{"ships": ships, "arrivals": arrivals, "berths": berths} {
		h.want(201, "ada", "POST", "/ingest/new/"+ns+"/"+name, "")
		h.want(200, "ada", "POST", "/ingest/"+ns+"/"+name, `{"data":[`+strings.Join(rows, ",")+`]}`)
	}
}

// linksAt reads the links at an address; without any, the answer is 204.
func (h *house) linksAt(user, path string) []api.Link {
	h.t.Helper()
	got := h.as(user, "GET", path, "")
	if got.StatusCode == http.StatusNoContent {
		return nil
	}
	list := into[[]api.Link](h.t, got)
	if got.StatusCode != http.StatusOK || len(list) == 0 {
		h.t.Errorf("GET %s = %d %s, want links or 204", path, got.StatusCode, got.body)
	}
	return list
}

func shownLinks(links []api.Link) string {
	all := make([]string, len(links))
	for i, l := range links {
		all[i] = fmt.Sprintf("%s>%s %d %s", strings.TrimPrefix(l.Origin, "ri.ada."), strings.TrimPrefix(l.Destination, "ri.ada."), l.Hits, l.Cardinality)
		if l.Decision != "" {
			all[i] += " " + string(l.Decision)
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestLinksAreFoundDecidedAndKept(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.harbour("harbour")
		const found = "harbour.arrivals.ship_id>harbour.ships.id 25 many-to-one"
		links := func(path string) string {
			t.Helper()
			return shownLinks(h.linksAt("ada", path))
		}
		post := func(path string) string {
			t.Helper()
			return shownLinks(into[[]api.Link](t, h.want(200, "ada", "POST", path, "")))
		}
		if got := links("/links/self/harbour/arrivals"); got != found {
			t.Errorf("links right after the rows came = %s, want %s", got, found)
		}
		if got := post("/links/preview/self/harbour/arrivals"); got != found {
			t.Errorf("preview = %s, want %s", got, found)
		}
		few := into[[]api.Link](t, h.want(200, "ada", "POST", "/links/preview/self/harbour/arrivals", `{"data":[{"ship_id":1}]}`))
		if got := shownLinks(few); got == found {
			t.Errorf("preview of one row = %s, want what that row has", got)
		}
		if got := links("/links/self/harbour/arrivals"); got != found {
			t.Errorf("links after a preview = %s, want them as they were", got)
		}
		if got := post("/links/self/harbour/arrivals"); got != found {
			t.Errorf("rebuild = %s, want %s", got, found)
		}
		if got := links("/links/self/harbour/ships"); got != found {
			t.Errorf("links of the destination = %s, want %s", got, found)
		}
		link := `{"origin":"ri.self.harbour.arrivals.SHIP_ID","destination":"ri.ada.harbour.ships.id","matchType":"ExactMatch"}`
		h.want(200, "ada", "POST", "/links/add", link)
		other := `{"origin":"ri.ada.harbour.arrivals.draught","destination":"ri.ada.harbour.berths.depth"}`
		h.want(201, "ada", "POST", "/links/add", other)
		h.want(200, "ada", "POST", "/links/add", other)
		h.want(200, "ada", "POST", "/ontology/self/harbour/arrivals", `{"remove":[`+link+`]}`)
		const decided = "harbour.arrivals.draught>harbour.berths.depth 0 many-to-one added"
		if got := post("/links/self/harbour/arrivals"); got != decided {
			t.Errorf("links after decisions and a rebuild = %s, want %s", got, decided)
		}
		if got := links("/ontology/self/harbour/ships"); got != "" {
			t.Errorf("ontology = %s, want none", got)
		}
		if got := links("/ontology/self/harbour/ships?decision=removed"); got != found+" removed" {
			t.Errorf("ontology's removed links = %s, want the removed one", got)
		}
		h.want(201, "ada", "POST", "/links/add", link)
		h.want(200, "ada", "DELETE", "/data/self/harbour/ships/balefire", "")
		if got := links("/links/self/harbour/arrivals"); got != decided {
			t.Errorf("links after the destination is gone = %s, want %s", got, decided)
		}
	})
}

func TestLinksShowOnlyWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.harbour("harbour")
	h.want(200, "ada", "POST", "/links/self/harbour/arrivals", "")
	h.user("bob")
	h.want(200, "ada", "POST", "/permissions/datasets/self/harbour/arrivals/shares", `{"username":"bob","role":"editor"}`)
	for _, r := range []struct{ method, path string }{
		{"GET", "/links/ada/harbour/arrivals"}, {"POST", "/links/ada/harbour/arrivals"}, {"POST", "/links/preview/ada/harbour/arrivals"},
	} {
		if got := h.as("bob", r.method, r.path, ""); got.StatusCode >= 300 || strings.Contains(got.body, "ships") {
			t.Errorf("%s %s of bob's = %d %s, want nothing of ships", r.method, r.path, got.StatusCode, got.body)
		}
	}
	hidden := h.want(404, "bob", "POST", "/links/add", `{"origin":"ri.ada.harbour.arrivals.ship_id","destination":"ri.ada.harbour.ships.id"}`)
	absent := h.want(404, "bob", "POST", "/links/add", `{"origin":"ri.ada.harbour.arrivals.ship_id","destination":"ri.ada.harbour.none.id"}`)
	if hidden.body != absent.body {
		t.Errorf("a hidden destination answers %s, an absent one %s; want the same", hidden.body, absent.body)
	}
	h.want(422, "bob", "POST", "/query", queryBody2("ada", "harbour", `Ontology(\"arrivals\").find(\"ships\")`))
	h.want(422, "bob", "POST", "/query", queryBody2("ada", "harbour", `Ontology(\"arrivals\").follow(\"ship_id\")`))
	h.want(200, "ada", "POST", "/permissions/datasets/self/harbour/ships/shares", `{"username":"bob","role":"viewer"}`)
	if l := h.linksAt("bob", "/links/ada/harbour/arrivals"); len(l) != 1 {
		t.Errorf("links of bob's = %v, want the one to ships", l)
	}
	h.want(200, "bob", "POST", "/query", queryBody2("ada", "harbour", `Ontology(\"arrivals\").find(\"ships\")`))
	h.want(403, "bob", "POST", "/links/add", `{"origin":"ri.ada.harbour.ships.id","destination":"ri.ada.harbour.arrivals.id"}`)
}

func queryBody2(owner, namespace, query string) string {
	return `{"username":"` + owner + `","namespace":"` + namespace + `","query":"` + query + `"}`
}

func TestBadLinksAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.harbour("harbour")
	for body, code := range map[string]string{
		`{"origin":"arrivals.ship_id","destination":"ri.ada.harbour.ships.id"}`:                                        "form",
		`{"origin":"ri.ada.harbour.arrivals","destination":"ri.ada.harbour.ships.id"}`:                                 "form",
		`{"origin":"ri.ada.harbour.arrivals.none","destination":"ri.ada.harbour.ships.id"}`:                            "column",
		`{"origin":"ri.ada.harbour.ships.id","destination":"ri.ada.harbour.ships.ID"}`:                                 "same",
		`{"origin":"ri.ada.harbour.arrivals.ship_id","destination":"ri.ada.harbour.ships.id","matchType":"NearMatch"}`: "enum",
		`{"destination":"ri.ada.harbour.ships.id"}`:                                                                    "required",
		`{"origin":"` + strings.Repeat("r", 2001) + `","destination":"ri.ada.harbour.ships.id"}`:                       "maxLength",
	} {
		if got := h.want(422, "ada", "POST", "/links/add", body).failure(t); len(got.SubErrors) != 1 || got.SubErrors[0].Code != code {
			t.Errorf("add %.80s = %+v, want sub error %s", body, got, code)
		}
	}
	h.want(422, "ada", "POST", "/ontology/self/harbour/berths", `{"add":[{"origin":"ri.ada.harbour.arrivals.ship_id","destination":"ri.ada.harbour.ships.id"}]}`)
	h.want(404, "ada", "POST", "/links/add", `{"origin":"ri.bob.harbour.arrivals.ship_id","destination":"ri.ada.harbour.ships.id"}`)
}

func TestFluentQueriesRunAlongLinks(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.harbour("harbour")
		h.want(200, "ada", "POST", "/links/self/harbour/arrivals", "")
		fluent := `Ontology("harbour/arrivals").filter(draught >= 9 && day != date("2030-01-01")).follow("ship_id").filter(flag == "NO").sortDescending("name").limit(2)`
		r := into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", queryBody(t, "harbour", fluent)))
		if got := fmt.Sprint(r.Data); got != "[map[__metadata:map[score:1] flag:NO id:25 name:ship 25] map[__metadata:map[score:1] flag:NO id:10 name:ship 10]]" {
			t.Errorf("rows = %s, want ships 25 and 10", got)
		}
		m := r.Metadata
		if m.OriginalQuery != fluent || m.StartingDataset != "ada/harbour/arrivals" || m.FinalDataset != "ada/harbour/ships" || m.Count != 2 {
			t.Errorf("metadata = %+v, want from arrivals to ships", m)
		}
		again := into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", queryBody(t, "harbour", m.ExecutedQuery)))
		if fmt.Sprint(again.Data) != fmt.Sprint(r.Data) {
			t.Errorf("the executed query gives %v, want %v", again.Data, r.Data)
		}
		for text, want := range map[string]int64{
			`Ontology("ships").find("arrivals")`:                                               200,
			`Ontology("ships").filter(id == 1).searchAround(1).find("arrivals")`:               8,
			`Ontology("ships").search("Ship 7")`:                                               1,
			`Ontology("ships").search("7 ship NO")`:                                            1,
			`Ontology("ada/harbour/berths").filter(between(number, 3, 5))`:                     3,
			`Ontology("ships").filter(containsIgnoreCase(name, "P 1"))`:                        11,
			`Ontology("ships").filter(!(flag in ["NO", "DK"]) || name == "ship 1")`:            14,
			`Ontology("arrivals").filter(during(day, date("2030-01-01"), date("2030-01-03")))`: 16,
			`Ontology("arrivals").filter(year(day) == 2030 && ship_id == null)`:                0,
		} {
			r := into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", queryBody(t, "harbour", text)))
			if r.Metadata.Count != want {
				t.Errorf("%s gives %d rows, want %d (%s)", text, r.Metadata.Count, want, r.Metadata.ExecutedQuery)
			}
		}
	})
}

func TestSearchedRowsTellHowWellTheyMatch(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/garden/plants", "")
	h.want(200, "ada", "POST", "/ingest/garden/plants", `{"data":[{"no":1,"name":"yellow tulips"},{"no":2,"name":"red tulip"},{"no":3,"name":"2024 tulip, Yelow"},{"no":4},{"no":5,"name":"oak"}]}`)
	for text, want := range map[string]string{
		`Ontology("plants").search("tulip")`:                                    "2:1 3:1 1:0.9667",
		`Ontology("plants").search("Yellow tulips")`:                            "1:1 3:0.9611",
		`Ontology("plants").search("2024").filter(no > 1)`:                      "3:1",
		`Ontology("plants").search("2025")`:                                     "",
		`Ontology("plants").search("yellow").select("no").sortDescending("no")`: "3:0.9611 1:1",
		`SELECT no, {'score': 0.25} AS "__metadata" FROM plants WHERE no = 1`:   "1:0.25",
	} {
		r := into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", queryBody(t, "garden", text)))
		var got []string
		for _, row := range r.Data {
			got = append(got, fmt.Sprintf("%v:%v", row["no"], row["__metadata"].(map[string]any)["score"]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s = %s, want %s (%s)", text, strings.Join(got, " "), want, r.Metadata.ExecutedQuery)
		}
	}
}

// The words of a search may stand in any of a wide dataset's columns, far apart from each other.
func TestWideDatasetsAreSearched(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	rows := make([]map[string]any, 2)
	for i := range rows {
		rows[i] = map[string]any{"no": i}
		for c := range 300 {
			rows[i][fmt.Sprintf("c%03d", c)] = fmt.Sprintf("w%dx%d", i, c)
		}
	}
	rows[1]["c150"] = nil
	body, err := json.Marshal(map[string]any{"data": rows})
	if err != nil {
		t.Fatal(err)
	}
	h.want(201, "ada", "POST", "/ingest/new/garden/wide", "")
	h.want(200, "ada", "POST", "/ingest/garden/wide", string(body))
	for text, want := range map[string]int{`Ontology("wide").search("w1x299 W1X0")`: 1, `Ontology("wide").search("w0x299 w1x0")`: 0} {
		r := into[api.QueryResponse](t, h.want(200, "ada", "POST", "/query", queryBody(t, "garden", text)))
		if len(r.Data) != want || want == 1 && fmt.Sprint(r.Data[0]["no"]) != "1" {
			t.Errorf("%s = %d rows, want %d", text, len(r.Data), want)
		}
	}
}

func TestWrongFluentQueriesSayWhere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.harbour("harbour")
	for text, want := range map[string]string{
		`Ontology("ship")`:                      `line 1, column 10: there is no dataset "ship"; did you mean "ships"?`,
		`Ontology("ships").filter(id = 1)`:      "line 1, column 29: equality is written ==",
		`Ontology("ships").filter(flags == 1)`:  `line 1, column 26: there is no column "flags"; did you mean "flag"?`,
		`Ontology("ships").filter(flag > 1)`:    `line 1, column 26: the column "flag" is text and cannot be compared with a number`,
		`Ontology("ships").find("berths")`:      `line 1, column 24: no path of at most 6 links leads from "ships" to "berths"`,
		`Ontology("ships"); drop table ships`:   "line 1, column 18: unexpected ';'",
		`Ontology("bob/secret/plans").limit(1)`: `line 1, column 10: there is no dataset "plans"`,
	} {
		e := h.want(422, "ada", "POST", "/query", queryBody(t, "harbour", text)).failure(t)
		if e.ErrorCode != "INVALID_QUERY" || e.Message != want {
			t.Errorf("%s = %s %s, want %s", text, e.ErrorCode, e.Message, want)
		}
	}
	h.want(404, "ada", "POST", "/query", queryBody(t, "nowhere", `Ontology("ships")`))
}
