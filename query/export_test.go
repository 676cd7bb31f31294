package query_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/housetest"
	"quern/query"
)

func export(t *testing.T, h *housetest.House, p quern.Principal, at quern.DatasetPath, f query.Format, change ...func(*query.Export)) string {
	t.Helper()
	e, err := h.Query.Export(t.Context(), p, at, f)
	housetest.Must(t, err)
	for _, fn := range change {
		fn(e)
	}
	var out bytes.Buffer
	if err := e.Write(t.Context(), &out); err != nil {
		t.Fatalf("Write(%s) = %v", f, err)
	}
	return out.String()
}

func TestExportFormats(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	at := h.Dataset(ada, "shop/things", `[{"name":"=1+1","n":1.5,"tags":["a"],"ok":true},{"name":"a, \"b\"","n":-2,"tags":null,"ok":false}]`)
	bare := h.Dataset(ada, "shop/bare", "")
	one := h.Dataset(ada, "shop/one", `[{"only":null},{"only":"x"}]`)
	escaped := func(e *query.Export) { e.EscapeFormulas = true }
	for _, tt := range []struct {
		what, got, want string
	}{
		{"csv", export(t, h, ada, at, query.CSV), "name,n,tags,ok\n=1+1,1.5,\"[\"\"a\"\"]\",true\n\"a, \"\"b\"\"\",-2,,false\n"},
		{"csv escaped", export(t, h, ada, at, query.CSV, escaped), "name,n,tags,ok\n'=1+1,1.5,\"[\"\"a\"\"]\",true\n\"a, \"\"b\"\"\",-2,,false\n"},
		{"json", export(t, h, ada, at, query.JSON), `[{"name":"=1+1","n":1.5,"tags":["a"],"ok":true},` + "\n" + `{"name":"a, \"b\"","n":-2,"tags":null,"ok":false}]` + "\n"},
		{"ndjson", export(t, h, ada, at, query.NDJSON), `{"name":"=1+1","n":1.5,"tags":["a"],"ok":true}` + "\n" + `{"name":"a, \"b\"","n":-2,"tags":null,"ok":false}` + "\n"},
		{"json of nothing", export(t, h, ada, bare, query.JSON), "[]\n"},
		{"ndjson of nothing", export(t, h, ada, bare, query.NDJSON), ""},
		{"csv of an empty cell alone", export(t, h, ada, one, query.CSV), "only\n\"\"\nx\n"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s = %q, want %q", tt.what, tt.got, tt.want)
		}
	}
}

func TestExportAsParquetIsReadBack(t *testing.T) {
	t.Parallel()
	h, ada, _ := shopHouse(t)
	path := filepath.Join(t.TempDir(), "orders.parquet")
	housetest.Must(t, os.WriteFile(path, []byte(export(t, h, ada, housetest.Path("ada", "shop/orders"), query.Parquet)), 0o600))
	rows, err := h.Engine.Import(t.Context(), path)
	housetest.Must(t, err)
	if got := first(t, rows); fmt.Sprint(got) != "[1 2 3]" {
		t.Errorf("Import(Write) = %v, want the orders in their order", got)
	}
	left, err := filepath.Glob(filepath.Join(h.Temp, "export-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// long makes a dataset of more rows than an export writes between two looks.
func long(h *housetest.House, p quern.Principal) quern.DatasetPath {
	at := housetest.Path(p.User.Username, "shop/long")
	h.Fill(p, at, 12_000, func(i int) string { return fmt.Sprintf(`{"i":%d}`, i) })
	return at
}

func TestExportStopsWhenTheReaderMayNoLonger(t *testing.T) {
	t.Parallel()
	h, ada, bob := shopHouse(t)
	at := long(h, ada)
	if _, err := h.Query.Export(t.Context(), bob, at, query.CSV); !quern.Is(err, quern.NotFound) {
		t.Fatalf("Export of what bob does not see = %v, want NotFound", err)
	}
	gone := errors.New("the token was revoked")
	for name, change := range map[string]struct {
		do   func(e *query.Export)
		want func(error) bool
	}{
		"the caller is let in no more": {
			func(e *query.Export) { e.StillKnown = func(context.Context) error { return gone } },
			func(err error) bool { return errors.Is(err, gone) },
		},
		"the dataset is another": {
			func(*query.Export) {
				_, err := h.Catalog.DeleteDataset(t.Context(), ada, at)
				housetest.Must(t, err)
				long(h, ada)
			},
			func(err error) bool { return quern.Is(err, quern.NotFound) },
		},
	} {
		e, err := h.Query.Export(t.Context(), ada, at, query.NDJSON)
		housetest.Must(t, err)
		change.do(e)
		var out bytes.Buffer
		if err := e.Write(t.Context(), &out); !change.want(err) {
			t.Errorf("%s: Write = %v after %d bytes, want the reason", name, err, out.Len())
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestExportTellsOfAWriterThatFails(t *testing.T) {
	t.Parallel()
	h, ada, _ := shopHouse(t)
	for _, f := range []query.Format{query.CSV, query.JSON, query.Parquet, query.Arrow} {
		e, err := h.Query.Export(t.Context(), ada, housetest.Path("ada", "shop/orders"), f)
		housetest.Must(t, err)
		if err := e.Write(t.Context(), full{}); err == nil || !strings.Contains(err.Error(), "no room") {
			t.Errorf("Write(%s) = %v, want the writer's error", f, err)
		}
	}
}

// What encoding/csv would quote is quoted, and nothing else.
func TestExportQuotesCSV(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	cells := []string{
		"plain", "a,b", `say "no"`, "two\nlines", "a\r\nb", " led", "\tled", "\u00a0led", "trailed ", `\.`, `\.x`, ",", `"`, "é, ü", "=1+1", "-3", "'", "",
	}
	var want bytes.Buffer
	w := csv.NewWriter(&want)
	rows := make([]string, len(cells))
	housetest.Must(t, w.Write([]string{"n", `a "name", long`}))
	for i, text := range cells {
		housetest.Must(t, w.Write([]string{strconv.Itoa(-i), text}))
		quoted, err := json.Marshal(text)
		housetest.Must(t, err)
		rows[i] = fmt.Sprintf(`{"n":%d,"a \"name\", long":%s}`, -i, quoted)
	}
	w.Flush()
	at := h.Dataset(ada, "lab/cells", "["+strings.Join(rows, ",")+"]")
	if got := export(t, h, ada, at, query.CSV); got != want.String() {
		t.Errorf("Write(csv) = %q, want %q", got, want.String())
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "a=1": "a=1", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx"} {
		if got := query.Harmless(text); got != want {
			t.Errorf("Harmless(%q) = %q, want %q", text, got, want)
		}
	}
}
