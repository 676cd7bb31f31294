package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/api"
)

func TestDatasetFromCreationToDeletion(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/Sales/Orders", `{"dataDescription":"what was sold"}`)
		h.want(409, "ada", "POST", "/ingest/new/sales/orders", "")
		h.want(404, "ada", "POST", "/ingest/ada/Sales/Missing", `{"data":[]}`)
		a := h.want(200, "ada", "POST", "/ingest/sales/orders", `{"data":[
			{"id":1,"item":"quern","price":12.5,"sold":"2030-01-31","at":"2030-01-31T10:00:00+02:00","paid":true,"tags":["a", {"b":1}]},
			{"id":2,"item":"sieve","price":3}]}`)
		if a.body != "{\"indexed\":2}\n" {
			t.Errorf("ingest = %q, want two rows indexed", a.body)
		}
		d := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/Sales/Orders", ""))
		var types []string
		for _, c := range d.Metadata.Columns {
			types = append(types, c.Name+" "+c.Type)
		}
		if got, want := strings.Join(types, ", "), "id integer, item text, price double, sold date, at timestamp, paid boolean, tags json"; got != want {
			t.Errorf("columns = %s, want %s", got, want)
		}
		if d.Metadata.RowCount != 2 || d.Metadata.DataDescription != "what was sold" || d.Dataset.Owner != "ada" || d.Dataset.Role != "owner" {
			t.Errorf("metadata = %+v, want 2 rows of ada's with their description", d)
		}
		page := h.want(200, "ada", "GET", "/data/ada/sales/orders/rows?limit=1", "")
		if want := `{"data":[{"id":1,"item":"quern","price":12.5,"sold":"2030-01-31","at":"2030-01-31T08:00:00Z","paid":true,"tags":["a",{"b":1}]}],"totalCount":2,"nextCursor":"1"}` + "\n"; page.body != want {
			t.Errorf("first page = %s, want %s", page.body, want)
		}
		page = h.want(200, "ada", "GET", "/data/ada/sales/orders/rows?cursor=1&metadata=true", "")
		if !strings.Contains(page.body, `"__metadata":{"row":1}`) || strings.Contains(page.body, "nextCursor") {
			t.Errorf("last page = %s, want row 1 with its metadata and no cursor", page.body)
		}
		h.want(200, "ada", "POST", "/data/self/sales/orders/rename", "Deals")
		h.want(404, "ada", "GET", "/data/self/sales/orders", "")
		h.want(200, "ada", "POST", "/data/self/sales/rename", "Trade")
		if got := h.rows("ada", "trade", "select count(*) as n from deals"); got != `[{"n":2}]` {
			t.Errorf("count after renaming = %s, want 2", got)
		}
		h.want(200, "ada", "POST", "/data/self/trade/deals/clear", "")
		if got := h.want(200, "ada", "GET", "/data/self/trade/deals/rows", "").body; got != "{\"data\":[],\"totalCount\":0}\n" {
			t.Errorf("rows after clearing = %s, want none", got)
		}
		if got := h.want(200, "ada", "GET", "/data/self/trade/deals/inferDefinition", "").body; !strings.Contains(got, "what was sold") {
			t.Errorf("definition after clearing = %s, want it kept", got)
		}
		h.want(409, "ada", "DELETE", "/data/self/trade/balefire", "")
		h.want(200, "ada", "DELETE", "/data/self/trade/deals/balefire", "")
		h.want(404, "ada", "DELETE", "/data/self/trade/deals/balefire", "")
		h.want(200, "ada", "DELETE", "/data/self/trade/balefire", "")
		h.want(201, "ada", "POST", "/data/trade", "")
		h.want(409, "ada", "POST", "/data/TRADE", "")
	})
}

func TestColumnsWidenWithoutChangingAValue(t *testing.T) {
	t.Parallel()
	// The values must not depend on whether segments were merged in between.
	for _, merging := range []bool{false, true} {
		t.Run(fmt.Sprintf("merging=%v", merging), func(t *testing.T) {
			t.Parallel()
			testWidening(t, merging)
		})
	}
}

func testWidening(t *testing.T, merging bool) {
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	steps := []struct{ value, wantType, wantAll string }{
		{`null`, "text", `null`},
		{`7`, "integer", `null,7`},
		{`0.1`, "double", `null,7,0.1`},
		{`9007199254740993`, "decimal(17,1)", `null,7.0,0.1,9007199254740993.0`},
		{`12345678901234567890.123456789`, "decimal(29,9)", `null,7.000000000,0.100000000,9007199254740993.000000000,12345678901234567890.123456789`},
		{`"007"`, "text", `null,"7","0.1","9007199254740993","12345678901234567890.123456789","007"`},
		{`{"a":1e30}`, "json", `null,"7","0.1","9007199254740993","12345678901234567890.123456789","007",{"a":1e30}`},
	}
	for _, s := range steps {
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"v":`+s.value+`}]}`)
		if merging {
			must(t, h.ingest.MergeSmall(t.Context(), time.Now().Add(time.Hour)))
		}
		d := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/ns/ds", ""))
		if got := d.Metadata.Columns[0].Type; got != s.wantType {
			t.Errorf("after %s the column is %s, want %s", s.value, got, s.wantType)
		}
		page := into[struct{ Data []struct{ V json.RawMessage } }](t, h.want(200, "ada", "GET", "/data/self/ns/ds/rows", ""))
		var got []string
		for _, r := range page.Data {
			got = append(got, string(r.V))
		}
		if strings.Join(got, ",") != s.wantAll {
			t.Errorf("after %s the values are %s, want %s", s.value, strings.Join(got, ","), s.wantAll)
		}
	}
	d := into[api.DatasetDescription](t, h.want(200, "ada", "GET", "/data/self/ns/ds", ""))
	if got := fmt.Sprint(d.Metadata.Columns[0].Widened); got != "[{integer 3} {double 4} {decimal(17,1) 5} {decimal(29,9) 6} {text 7}]" {
		t.Errorf("widened = %s, want every type it had and until when", got)
	}
}

func TestSmallDecimalsKeepTheirDigitsWhateverTheyBecome(t *testing.T) {
	t.Parallel()
	for _, next := range []struct{ value, want string }{
		{`"t"`, `"0.12345678901234567","0","-0.1","t"`},
		{`{}`, `0.12345678901234567,0.00000000000000000,-0.10000000000000000,{}`},
	} {
		h := newHouse(t)
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"x":0.12345678901234567},{"x":0.0},{"x":-0.1}]}`)
		h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"x":`+next.value+`}]}`)
		page := into[struct{ Data []struct{ X json.RawMessage } }](t, h.want(200, "ada", "GET", "/data/self/ns/ds/rows", ""))
		var got []string
		for _, r := range page.Data {
			got = append(got, string(r.X))
		}
		if strings.Join(got, ",") != next.want {
			t.Errorf("with %s the values are %s, want %s", next.value, strings.Join(got, ","), next.want)
		}
	}
}

func TestColumnsMayBeNamedLikeTheReadersOwn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"File_Row_Number":9,"filename":"x","rowid":7,"i":0},{"i":1},{"File_Row_Number":0,"i":2},{"i":3}]}`)
	if got := h.want(200, "ada", "GET", "/data/self/ns/ds/rows?cursor=2", "").body; !strings.Contains(got, `"i":2}`) || !strings.Contains(got, `"i":3}`) || strings.Contains(got, `"i":1}`) {
		t.Errorf("rows from 2 on = %s, want 2 and 3", got)
	}
	if got := h.rows("ada", "ns", `select file_row_number as n, filename, rowid from ds where i = 0`); got != `[{"n":9,"filename":"x","rowid":7}]` {
		t.Errorf("columns named like the reader's own = %s, want their values", got)
	}
}

func TestKeysAreForgottenWithTheRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		send := func(path string) answer {
			return h.do(ask{method: "POST", path: "/api/v1" + path, token: h.user("ada"), body: `{"data":[{"a":1}]}`, header: http.Header{"Idempotency-Key": {"once"}}})
		}
		check := func(when, path string) {
			if a := send(path); a.StatusCode != 200 {
				t.Errorf("%s: ingest = %d %s, want 200", when, a.StatusCode, a.body)
			}
			if got := h.rows("ada", "ns", "select count(*) as n from ds"); got != `[{"n":1}]` {
				t.Errorf("%s: rows = %s, want 1", when, got)
			}
		}
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		check("first", "/ingest/ns/ds")
		check("again, by another address", "/ingest/ada/NS/DS")
		h.want(200, "ada", "POST", "/data/self/ns/ds/clear", "")
		check("after clearing", "/ingest/ns/ds")
		h.want(200, "ada", "DELETE", "/data/self/ns/ds/balefire", "")
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		check("after deleting", "/ingest/ns/ds")
	})
}

func TestOddCharactersAreRefusedOnEveryDatabase(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		for _, path := range []string{"/data/%00", "/data/self/%00/d", "/data/self/ns/%00/rows", "/data/self/ns/%FF", "/schema/%00/namespaces", "/data/self/ns/" + strings.Repeat("x", 300)} {
			h.want(404, "ada", "GET", path, "")
		}
		for _, cursor := range []string{"YQAvYi9j", "_y__L_8", "YS8vYg", "YS9iL2MvZA"} {
			h.want(400, "ada", "GET", "/data?cursor="+cursor, "")
		}
		h.want(422, "ada", "PUT", "/data/self/ns/ds/inferDefinition", `{"dataDescription":"a\u0000b"}`)
		h.want(422, "ada", "POST", "/query", `{"username":"\u0000","namespace":"\u0000","query":"select 1"}`)
		for _, key := range []string{"\xe9", strings.Repeat("k", 129)} {
			a := h.do(ask{method: "POST", path: "/api/v1/ingest/ns/ds", token: h.user("ada"), body: `{"data":[{"a":1}]}`, header: http.Header{"Idempotency-Key": {key}}})
			if a.StatusCode != 400 {
				t.Errorf("Idempotency-Key %.8q = %d %s, want 400", key, a.StatusCode, a.body)
			}
		}
		if a := h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":"x\u0000y"}]}`); a.StatusCode == 200 {
			if got := h.want(200, "ada", "GET", "/data/self/ns/ds/rows", "").body; !strings.Contains(got, `"x\u0000y"`) {
				t.Errorf("rows = %s, want the value as it was sent", got)
			}
		}
	})
}

func TestBadRowsStoreNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	wide := make([]string, 5_000)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"c%d":1`, i)
	}
	cases := []struct {
		name, body string
		status     int
		says       string
	}{
		{"no JSON", `{"data":[`, 400, "MALFORMED_JSON"},
		{"empty", ``, 400, "MALFORMED_JSON"},
		{"NaN", `{"data":[{"a":NaN}]}`, 400, "MALFORMED_JSON"},
		{"lone surrogate", `{"data":[{"a":"\ud800"}]}`, 400, "MALFORMED_JSON"},
		{"not UTF-8", "{\"data\":[{\"a\":\"\xff\"}]}", 400, "MALFORMED_JSON"},
		{"more behind it", `{"data":[]} {}`, 400, "MALFORMED_JSON"},
		{"no data", `{"rows":[]}`, 422, "data: is required"},
		{"an array", `[{"a":1}]`, 422, "body: must be an object"},
		{"data no array", `{"data":{"a":1}}`, 422, "data: must be an array"},
		{"a row no object", `{"data":[{"a":1},2,[3]]}`, 422, "data[2]: must be an object"},
		{"internal name", `{"data":[{"__metadata":1}]}`, 422, "names that start with __ are internal"},
		{"empty name", `{"data":[{"":1}]}`, 422, "a column needs a name"},
		{"same name, other case", `{"data":[{"a":1,"A":2}]}`, 422, "in other capitals"},
		{"same name twice", `{"data":[{"a":1,"a":2}]}`, 400, "names a member twice"},
		{"integer beyond 64 bits", `{"data":[{"a":9223372036854775808}]}`, 422, "beyond 64 bits"},
		{"number beyond a double", `{"data":[{"a":1e400}]}`, 422, "beyond the range"},
		{"too many digits", `{"data":[{"a":0.1234567890123456789012345678901234567891}]}`, 422, "more than 38 digits"},
		{"5,000 columns", `{"data":[{` + strings.Join(wide, ",") + `}]}`, 422, "at most 1000 columns"},
		{"empty rows only", `{"data":[{},{}]}`, 422, "no row has a member"},
		{"description no text", `{"data":[{"a":1}],"dataDescription":5}`, 422, "dataDescription: must be a string"},
		{"description too long", `{"dataDescription":"` + strings.Repeat("ä", 10_001) + `","data":[{"a":1}]}`, 422, "at most 10000 characters"},
		{"definition no object", `{"data":[{"a":1}],"schemaDefinition":"x"}`, 422, "schemaDefinition: must be an object"},
		{"definition of nulls", `{"data":[{"a":1}],"schemaDefinition":{"x":null}}`, 422, "must be a string"},
		{"link no object", `{"data":[{"a":1}],"link":5}`, 422, "link: must be an object"},
		{"steps that do not fit", `{"data":[{"a":1}],"infer":{"steps":[{"type":"rows","deriveFrom":"a"}]}}`, 422, "a holds neither JSON nor a table"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := h.as("ada", "POST", "/ingest/ns/ds", c.body)
			if a.StatusCode != c.status || !strings.Contains(a.body, c.says) {
				t.Errorf("ingest %.80s = %d %s, want %d saying %q", c.body, a.StatusCode, a.body, c.status, c.says)
			}
		})
	}
	if got := h.want(200, "ada", "GET", "/data/self/ns/ds", "").body; !strings.Contains(got, `"rowCount":0`) || !strings.Contains(got, `"columns":[]`) {
		t.Errorf("after bad rows the dataset is %s, want it empty and without columns", got)
	}
}

func TestIdempotencyKeyStoresOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		send := func(key, body string) answer {
			return h.do(ask{method: "POST", path: "/api/v1/ingest/ns/ds", token: h.user("ada"), body: body, header: http.Header{"Idempotency-Key": {key}}})
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if a := send("k1", `{"data":[{"a":1},{"a":2}]}`); a.StatusCode != 200 || !strings.Contains(a.body, `"indexed":2`) {
					t.Errorf("ingest under k1 = %d %s, want 2 indexed every time", a.StatusCode, a.body)
				}
			})
		}
		wg.Wait()
		if a := send("k1", `{"data":[{"a":3}]}`); a.StatusCode != 409 {
			t.Errorf("another request under k1 = %d, want 409", a.StatusCode)
		}
		if got := h.rows("ada", "ns", "select count(*) as n from ds"); got != `[{"n":2}]` {
			t.Errorf("rows after eight times the same request = %s, want 2", got)
		}
	})
}

func TestConcurrentIngestsAllLandOnce(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		const writers, each = 8, 10
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					// Every writer brings a column of its own and types that differ,
					// so that plans collide.
					value := []string{"1", "2.5", `"x"`, "true"}[(w+i)%4]
					h.want(200, "ada", "POST", "/ingest/ns/ds", fmt.Sprintf(`{"data":[{"writer":%d,"i":%d,"v":%s,"own%d":1}]}`, w, i, value, w))
				}
			})
		}
		wg.Wait()
		must(t, h.ingest.MergeSmall(t.Context(), time.Now().Add(time.Hour)))
		got := h.rows("ada", "ns", "select count(*) as n, count(distinct (writer, i)) as d, count(own3) as own from ds")
		if want := fmt.Sprintf(`[{"n":%d,"d":%d,"own":%d}]`, writers*each, writers*each, each); got != want {
			t.Errorf("after %d ingests at once: %s, want %s", writers*each, got, want)
		}
		if got := h.rows("ada", "ns", "select v, count(*) as n from ds group by v order by v"); got != `[{"v":"1","n":20},{"v":"2.5","n":20},{"v":"true","n":20},{"v":"x","n":20}]` {
			t.Errorf("values = %s, want each as it was sent", got)
		}
	})
}

func TestMergingKeepsRowsOrderAndIds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	for i := range 40 {
		h.want(200, "ada", "POST", "/ingest/ns/ds", fmt.Sprintf(`{"data":[{"i":%d},{"i":%d}]}`, 2*i, 2*i+1))
		if i%7 == 0 {
			must(t, h.ingest.MergeSmall(t.Context(), time.Time{}))
		}
	}
	before := h.want(200, "ada", "GET", "/data/self/ns/ds/rows?limit=1000&metadata=true", "").body
	must(t, h.ingest.MergeSmall(t.Context(), time.Now().Add(time.Hour)))
	after := h.want(200, "ada", "GET", "/data/self/ns/ds/rows?limit=1000&metadata=true", "").body
	if before != after {
		t.Errorf("merging changed the rows from %.300s to %.300s", before, after)
	}
	var paged strings.Builder
	for cursor := "0"; cursor != ""; {
		page := into[struct {
			Data       []struct{ I int }
			NextCursor json.Number
		}](t, h.want(200, "ada", "GET", "/data/self/ns/ds/rows?limit=7&cursor="+cursor, ""))
		for _, r := range page.Data {
			fmt.Fprint(&paged, r.I, " ")
		}
		cursor = page.NextCursor.String()
	}
	var want strings.Builder
	for i := range 80 {
		fmt.Fprint(&want, i, " ")
	}
	if paged.String() != want.String() {
		t.Errorf("page by page = %s, want %s", paged.String(), want.String())
	}
}

func TestExports(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":"=1+1, \"x\"","b":1.5,"c":{"d":[1]}},{"a":null,"b":-2}]}`)
	cases := []struct{ query, contentType, want string }{
		{"format=csv&escapeFormulas=false", "text/csv", "a,b,c\n\"=1+1, \"\"x\"\"\",1.5,\"{\"\"d\"\":[1]}\"\n,-2,\n"},
		{"", "text/csv", "a,b,c\n\"'=1+1, \"\"x\"\"\",1.5,\"{\"\"d\"\":[1]}\"\n,-2,\n"},
		{"format=csv", "text/csv", "a,b,c\n\"'=1+1, \"\"x\"\"\",1.5,\"{\"\"d\"\":[1]}\"\n,-2,\n"},
		{"format=json", "application/json", "[{\"a\":\"=1+1, \\\"x\\\"\",\"b\":1.5,\"c\":{\"d\":[1]}},\n{\"a\":null,\"b\":-2,\"c\":null}]\n"},
		{"format=ndjson", "application/x-ndjson", "{\"a\":\"=1+1, \\\"x\\\"\",\"b\":1.5,\"c\":{\"d\":[1]}}\n{\"a\":null,\"b\":-2,\"c\":null}\n"},
	}
	for _, c := range cases {
		a := h.want(200, "ada", "GET", "/data/self/ns/ds/export?"+c.query, "")
		if a.body != c.want || a.Header.Get("Content-Type") != c.contentType {
			t.Errorf("export?%s = %s %q, want %s %q", c.query, a.Header.Get("Content-Type"), a.body, c.contentType, c.want)
		}
	}
	a := h.want(200, "ada", "GET", "/data/self/ns/ds/export?format=parquet", "")
	if !strings.HasPrefix(a.body, "PAR1") || !strings.HasSuffix(a.body, "PAR1") {
		t.Errorf("export as Parquet begins %.8q, want a Parquet file", a.body)
	}
	a = h.want(200, "ada", "GET", "/data/self/ns/ds/export?format=arrow", "")
	if begin, end := "\xff\xff\xff\xff", "\xff\xff\xff\xff\x00\x00\x00\x00"; !strings.HasPrefix(a.body, begin) || !strings.HasSuffix(a.body, end) {
		t.Errorf("export as Arrow begins %.8q, want a whole stream", a.body)
	}
	h.want(400, "ada", "GET", "/data/self/ns/ds/export?format=xlsx", "")
}

// An export of nothing still says what it is, also in the form that has no
// byte for it.
func TestExportsOfNothingSayTheirForm(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	forms := map[string]string{
		"csv": "text/csv", "json": "application/json",
		"ndjson": "application/x-ndjson", "parquet": "application/vnd.apache.parquet",
		"arrow": "application/vnd.apache.arrow.stream",
	}
	for form, contentType := range forms {
		a := h.want(200, "ada", "GET", "/data/self/ns/ds/export?format="+form, "")
		file := `attachment; filename="ds.` + strings.Replace(form, "arrow", "arrows", 1) + `"`
		if a.Header.Get("Content-Type") != contentType || a.Header.Get("Content-Disposition") != file {
			t.Errorf("an empty export as %s is %q with %q, want %q with %q", form,
				a.Header.Get("Content-Type"), a.Header.Get("Content-Disposition"), contentType, file)
		}
	}
}

func TestInferDefinitionIsReplacedWhole(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
		const at = "/data/self/ns/ds/inferDefinition"
		if got := h.want(200, "ada", "GET", at, "").body; got != "{}\n" {
			t.Errorf("definition of a new dataset = %s, want an empty one", got)
		}
		full := `{"dataDescription":"d","schemaDefinition":{"a":"b"}}`
		if got := h.want(201, "ada", "PUT", at, full).body; got != full+"\n" {
			t.Errorf("PUT = %s, want %s", got, full)
		}
		h.want(201, "ada", "PUT", at, `{"schemaDefinition":{"c":"d"}}`)
		if got := h.want(200, "ada", "GET", at, "").body; got != `{"schemaDefinition":{"c":"d"}}`+"\n" {
			t.Errorf("definition = %s, want the missing member cleared", got)
		}
		h.want(201, "ada", "PUT", at, `{"dataDescription":"`+strings.Repeat("ä", 10_000)+`"}`)
		h.want(422, "ada", "PUT", at, `{"dataDescription":"`+strings.Repeat("ä", 10_001)+`"}`)
		h.want(422, "ada", "PUT", at, `{"schemaDefinition":{"a":1}}`)
		h.want(422, "ada", "PUT", at, `[]`)
		h.want(400, "ada", "PUT", at, `{`)
		h.want(404, "ada", "PUT", "/data/self/ns/other/inferDefinition", `{}`)
	})
}

func TestSortOrderDecidesDisplay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(201, "ada", "POST", "/ingest/new/ns/ds", "")
	h.want(200, "ada", "POST", "/ingest/ns/ds", `{"data":[{"a":1,"b":2,"c":3}]}`)
	if got := h.want(200, "ada", "PUT", "/schema/self/ns/ds/sort-order", `{"order":["C","a"]}`).body; got != `{"order":["c","a"]}`+"\n" {
		t.Errorf("sort order = %s, want the dataset's spelling", got)
	}
	if got := h.want(200, "ada", "GET", "/data/self/ns/ds/rows", "").body; !strings.Contains(got, `{"c":3,"a":1,"b":2}`) {
		t.Errorf("rows = %s, want c, a, b", got)
	}
	h.want(422, "ada", "PUT", "/schema/self/ns/ds/sort-order", `{"order":["a","a"]}`)
	h.want(422, "ada", "PUT", "/schema/self/ns/ds/sort-order", `{"order":["z"]}`)
}

func TestListsPageStably(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		for i := range 5 {
			h.want(201, "ada", "POST", fmt.Sprintf("/ingest/new/ns%d/Ds%d", i%2, i), "")
		}
		h.want(201, "bob", "POST", "/ingest/new/ns0/theirs", "")
		h.want(200, "bob", "POST", "/permissions/datasets/self/ns0/theirs/shares", `{"username":"ADA","role":"viewer"}`)
		for _, path := range []string{"/data", "/schema/datasets/all"} {
			var names []string
			for cursor := ""; ; {
				a := h.want(200, "ada", "GET", path+"?limit=2&cursor="+cursor, "")
				for _, e := range into[[]api.DatasetEntry](t, a) {
					names = append(names, e.Owner+"/"+e.Namespace+"/"+e.Name+":"+string(e.Role))
				}
				if cursor = a.Header.Get("X-Next-Cursor"); cursor == "" {
					break
				}
			}
			if got, want := strings.Join(names, " "), "ada/ns0/Ds0:owner ada/ns0/Ds2:owner ada/ns0/Ds4:owner ada/ns1/Ds1:owner ada/ns1/Ds3:owner bob/ns0/theirs:viewer"; got != want {
				t.Errorf("%s page by page = %s, want %s", path, got, want)
			}
		}
		if got := into[[]api.DatasetEntry](t, h.want(200, "ada", "GET", "/data/NS0", "")); len(got) != 4 {
			t.Errorf("GET /data/NS0 = %v, want ada's three and bob's one", got)
		}
		h.want(404, "ada", "GET", "/data/none", "")
		h.want(400, "ada", "GET", "/data?cursor=***", "")
		if got := h.want(200, "ada", "GET", "/schema/bob/namespaces", "").body; got != `[{"name":"ns0","owner":"bob"}]`+"\n" {
			t.Errorf("bob's namespaces as ada = %s, want ns0 without a role", got)
		}
		if got := h.want(200, "ada", "GET", "/schema/nobody/namespaces", "").body; got != "[]\n" {
			t.Errorf("nobody's namespaces = %s, want none", got)
		}
		if got := into[[]api.DatasetEntry](t, h.want(200, "ada", "GET", "/schema/bob/ns0/datasets", "")); len(got) != 1 {
			t.Errorf("bob's datasets in ns0 as ada = %v, want one", got)
		}
		h.want(404, "bob", "GET", "/schema/ada/ns0/datasets", "")
	})
}

func TestIngestKeepsTheLimitOfNesting(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.haven("ada")
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, tt := range []struct {
		body   string
		status int
	}{
		{`{"data":[{"a":3,"deep":` + deep(61) + `}]}`, 200},
		{`{"data":[{"a":3,"deep":` + deep(62) + `}]}`, 400},
		{`{"data":[{"a":3,"deep":"` + strings.Repeat("[", 100) + `"}]}`, 200},
		{`{"data":[{"a":3}],"unknown":` + deep(63) + `}`, 200},
		{`{"data":[{"a":3}],"unknown":` + deep(64) + `}`, 400},
		{deep(65), 400},
		{`{"data":` + deep(9000) + `}`, 400},
	} {
		got := h.as("ada", "POST", "/ingest/harbour/ds", tt.body)
		if got.StatusCode != tt.status || tt.status == 400 && got.failure(t).ErrorCode != "MALFORMED_JSON" {
			t.Errorf("ingest of %.60s… = %d %s, want %d", tt.body, got.StatusCode, got.body, tt.status)
		}
	}
}
