package rest_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"quern/api"
)

// ships ingests rows that windows and histograms are looked at through.
func (h *house) ships() {
	h.t.Helper()
	h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[
		{"ship":"Ariadne","draught":7.25,"built":"2001-05-04","crew":12,"big":true,"more":{"a":[1,2]}},
		{"ship":"Boreas","draught":null,"built":"2003-05-04","crew":7,"big":false,"more":null},
		{"ship":"Circe","draught":9.5,"built":"2001-11-30","crew":12,"big":true,"more":[]}]}`)
	h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[
		{"ship":"Dione, \"the\" second","draught":3,"built":"2010-01-01","crew":31,"big":true,"more":"`+strings.Repeat("é", 300)+`"},
		{"ship":"<b>Eos</b>","draught":7.5,"built":null,"crew":7,"big":false,"more":1}]}`)
}

// page is a page of rows as the tests look at it.
type page struct {
	Data       []map[string]json.RawMessage
	TotalCount int64
	NextCursor string
	Clipped    []api.ClippedValue
}

func (h *house) page(params string) (p page, names string) {
	h.t.Helper()
	a := h.want(200, "ada", "GET", "/data/self/harbour/ships/rows?"+params, "")
	p = into[page](h.t, a)
	for _, row := range p.Data {
		var name string
		must(h.t, json.Unmarshal(row["ship"], &name))
		names += name[:1]
	}
	return p, strings.ReplaceAll(names, "<", "E")
}

func TestWindowsOfRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.ships()
		filter := func(text string) string { return "filter=" + url.QueryEscape(text) }
		for _, c := range []struct {
			params, want string
			total        int64
		}{
			{"", "ABCDE", 5}, {"offset=2", "CDE", 5}, {"offset=3&limit=1", "D", 5}, {"offset=5", "", 5}, {"offset=500", "", 5},
			{"sort=crew", "BEACD", 5}, {"sort=crew:desc", "DACBE", 5}, {"sort=crew:asc&sort=ship:desc", "BECAD", 5}, {"sort=CREW&offset=2&limit=2", "AC", 5},
			{"sort=draught", "DAECB", 5}, {"sort=draught:desc", "CEADB", 5}, {"sort=built:desc", "DBCAE", 5},
			{filter("crew == 12"), "AC", 2}, {filter("crew != 12 && draught > 3"), "E", 1}, {filter("draught == null || big == false"), "BE", 2},
			{filter(`contains(ship, "\"the\"")`), "D", 1}, {filter(`between(built, date("2001-01-01"), date("2004-01-01"))`) + "&sort=built:desc", "BCA", 3},
			{filter(`ship in ["Circe", "Boreas"]`) + "&offset=1", "C", 2}, {filter("`ship` == \"none\""), "", 0},
			{filter("draught > 1") + "&limit=2&offset=2&sort=ship", "CD", 4},
		} {
			p, names := h.page(c.params)
			if names != c.want || p.TotalCount != c.total {
				t.Errorf("rows?%s = %s of %d, want %s of %d", c.params, names, p.TotalCount, c.want, c.total)
			}
		}
		// A page by its place goes on by cursor; one of another order has none.
		p, _ := h.page("offset=1&limit=2")
		if _, names := h.page("cursor=" + p.NextCursor); names != "DE" {
			t.Errorf("rows?cursor=%s = %s, want the two after", p.NextCursor, names)
		}
		if p, _ := h.page("sort=crew&limit=2"); p.NextCursor != "" {
			t.Errorf("a sorted page goes on at %s, want no cursor", p.NextCursor)
		}
		p, _ = h.page("sort=crew:desc&limit=1&metadata=true")
		if got := string(p.Data[0]["__metadata"]); got != `{"row":3}` {
			t.Errorf("a sorted row tells %s, want which row it is", got)
		}
		h.want(200, "ada", "POST", "/data/ada/harbour/ships/clear", "")
		h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[{"ship":"Zephyr","crew":1},{"ship":"Yara","crew":2}]}`)
		if _, names := h.page("offset=1"); names != "Y" {
			t.Errorf("rows?offset=1 after clearing = %s, want the second of the new ones", names)
		}
	})
}

func TestLongValuesAreClipped(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ships()
	for _, params := range []string{"clip=6", "clip=6&sort=ship"} {
		p, _ := h.page(params)
		want := fmt.Sprint([]api.ClippedValue{{Row: 0, Column: "ship", Length: 7}, {Row: 0, Column: "more", Length: 11},
			{Row: 3, Column: "ship", Length: 19}, {Row: 3, Column: "more", Length: 302}, {Row: 4, Column: "ship", Length: 10}})
		if params != "clip=6" { // "<" sorts first
			want = fmt.Sprint([]api.ClippedValue{{Row: 0, Column: "ship", Length: 10}, {Row: 1, Column: "ship", Length: 7}, {Row: 1, Column: "more", Length: 11},
				{Row: 4, Column: "ship", Length: 19}, {Row: 4, Column: "more", Length: 302}})
		}
		if got := fmt.Sprint(p.Clipped); got != want {
			t.Errorf("rows?%s clips %s, want %s", params, got, want)
		}
	}
	p, _ := h.page("clip=6&limit=1")
	if got := string(p.Data[0]["ship"]) + string(p.Data[0]["more"]); got != `"Ariadn""{\"a\":["` {
		t.Errorf("clipped values = %s, want the first six characters", got)
	}
	if p, _ := h.page("clip=400"); p.Clipped != nil {
		t.Errorf("rows?clip=400 clips %v, want nothing", p.Clipped)
	}
}

func TestBadWindows(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.ships()
	for params, want := range map[string]int{
		"offset=-1": 400, "offset=x": 400, "clip=0": 400, "clip=-1": 400, "cursor=1&offset=1": 400, "cursor=1&sort=ship": 400, "cursor=1&filter=crew%3D%3D1": 400,
		"sort=": 400, "sort=nothing": 422, "sort=crew:down": 422, "sort=__row": 422, "filter=crew": 422, "filter=crew+%3D+1": 422, "filter=nothing+%3D%3D+1": 422,
		"filter=crew+%3D%3D+1%3B+drop+table+x": 422, "filter=crew+%3D%3D+%22x%22": 422, "filter=%28": 422, "filter=" + strings.Repeat("%28", 1000): 422,
		"filter=" + strings.Repeat("x", 1001): 400, "sort=" + strings.Repeat("a&sort=", 11) + "a": 400,
	} {
		a := h.as("ada", "GET", "/data/self/harbour/ships/rows?"+params, "")
		if a.StatusCode != want || a.failure(t).Message == "" {
			t.Errorf("rows?%.60s = %d %.300s, want %d", params, a.StatusCode, a.body, want)
		}
	}
	if text := h.want(422, "ada", "GET", "/data/self/harbour/ships/rows?filter=crw+%3E+1", "").failure(t).Message; !strings.Contains(text, `"crew"`) {
		t.Errorf("a mistyped column = %s, want the name that was meant", text)
	}
}

func (h *house) histogram(column, params string) api.Histogram {
	h.t.Helper()
	return into[api.Histogram](h.t, h.want(200, "ada", "GET", "/data/self/harbour/ships/columns/"+column+"/histogram?"+params, ""))
}

func TestHistograms(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.ships()
		for _, c := range []struct{ column, params, want string }{
			{"crew", "bins=5", `number 5 0 [{10 2} {15 2} {20 0} {25 0} {30 0} {35 1}]`},
			{"draught", "bins=4", `number 5 1 [{4 1} {6 0} {8 2} {10 1}]`},
			{"DRAUGHT", "bins=1", `number 5 1 [{9.5 4}]`},
			{"built", "bins=10", `time 5 1 [{2002-01-01 2} {2003-01-01 0} {2004-01-01 1} {2005-01-01 0} {2006-01-01 0} {2007-01-01 0} {2008-01-01 0} {2009-01-01 0} {2010-01-01 0} {2011-01-01 1}]`},
			{"crew", "filter=big%3D%3Dfalse", `number 2 0 [{7 2}]`},
			{"crew", "filter=crew%3E99", `number 0 0 []`},
			{"big", "", `category 5 0 [{3 true} {2 false}] {0 0}`},
			{"ship", "bins=2", `category 5 0 [{1 <b>Eos</b>} {1 Ariadne}] {3 3}`},
			{"more", "", `none 5 1`},
		} {
			got := h.histogram(c.column, c.params)
			text := fmt.Sprintf("%s %d %d", got.Kind, got.Rows, got.Nulls)
			switch got.Kind {
			case api.HistogramKindNumber, api.HistogramKindTime:
				var bins []string
				for _, b := range got.Bins {
					bins = append(bins, fmt.Sprintf("{%v %d}", b.To, b.Count))
				}
				text += " [" + strings.Join(bins, " ") + "]"
			case api.HistogramKindCategory:
				text += fmt.Sprintf(" %v %v", got.Values, got.Others)
			}
			if text != c.want {
				t.Errorf("histogram of %s %s = %s, want %s", c.column, c.params, text, c.want)
			}
		}
		for path, want := range map[string]int{
			"nothing/histogram": 404, "__row/histogram": 404, "crew/histogram?bins=0": 400, "crew/histogram?bins=201": 400, "crew/histogram?filter=x": 422,
		} {
			if a := h.as("ada", "GET", "/data/self/harbour/ships/columns/"+path, ""); a.StatusCode != want {
				t.Errorf("GET columns/%s = %d %s, want %d", path, a.StatusCode, a.body, want)
			}
		}
	})
}
