package query_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"quern/housetest"
	"quern/query"
)

// readArrow reads a stream to its end and returns its schema, the sizes of its batches
// and its values, row by row.
func readArrow(t *testing.T, stream string) (schema *arrow.Schema, sizes []int64, rows []string) {
	t.Helper()
	r, err := ipc.NewReader(strings.NewReader(stream))
	housetest.Must(t, err)
	defer r.Release()
	for r.Next() {
		batch := r.RecordBatch()
		sizes = append(sizes, batch.NumRows())
		for i := range int(batch.NumRows()) {
			var values []string
			for _, c := range batch.Columns() {
				values = append(values, c.ValueStr(i))
			}
			rows = append(rows, strings.Join(values, "|"))
		}
	}
	housetest.Must(t, r.Err())
	return r.Schema(), sizes, rows
}

// whole is the mark that ends an Arrow stream.
var whole = "\xff\xff\xff\xff\x00\x00\x00\x00"

func TestExportAsArrowKeepsTypes(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	at := h.Dataset(ada, "shop/things", `[
		{"ok":true,"n":9007199254740993,"x":0.1,"day":"1969-12-31","at":"2024-02-29T23:59:59.123456+01:00","price":-12345678901234567890.12,
			"text":"Ä \"b\"\n","nested":{"a":[1,null]}},
		{"ok":null,"n":null,"x":null,"day":null,"at":null,"price":null,"text":null,"nested":null},
		{"ok":false,"n":-1,"x":-1e300,"day":"0044-03-15","at":"1901-01-01T00:00:00Z","price":0.07,"text":"","nested":[]}]`)
	stream := export(t, h, ada, at, query.Arrow)
	schema, _, rows := readArrow(t, stream)
	var fields []string
	for _, f := range schema.Fields() {
		told, _ := f.Metadata.GetValue("quern.type")
		fields = append(fields, fmt.Sprintf("%s %s %s %t", f.Name, f.Type, told, f.Nullable))
	}
	want := []string{
		"ok bool boolean true", "n int64 integer true", "x float64 double true", "day date32 date true",
		"at timestamp[us, tz=UTC] timestamp true", "price decimal(22, 2) decimal(22,2) true", "text utf8 text true", "nested utf8 json true",
	}
	if got, want := strings.Join(fields, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("the fields are\n%s\nwant\n%s", got, want)
	}
	wantRows := []string{
		"true|9007199254740993|0.1|1969-12-31|2024-02-29T22:59:59.123456Z|-12345678901234567890.12|Ä \"b\"\n|{\"a\":[1,null]}",
		"(null)|(null)|(null)|(null)|(null)|(null)|(null)|(null)",
		"false|-1|-1e+300|0044-03-15|1901-01-01T00:00:00Z|0.07||[]",
	}
	if got, want := strings.Join(rows, "\n"), strings.Join(wantRows, "\n"); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	if about := schema.Metadata().ToMap(); fmt.Sprint(about) != "map[quern.dataset:ada/shop/things quern.rows:3 quern.version:2]" {
		t.Errorf("the schema tells %v of the dataset", about)
	}
	if !strings.HasSuffix(stream, whole) {
		t.Errorf("a whole stream ends with %x, want its mark", stream[len(stream)-8:])
	}
}

func TestExportAsArrowOfNothing(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	schema, sizes, _ := readArrow(t, export(t, h, ada, h.Dataset(ada, "shop/bare", ""), query.Arrow))
	if schema.NumFields() != 0 || len(sizes) != 0 {
		t.Errorf("nothing as Arrow = %d columns and batches of %v rows, want none", schema.NumFields(), sizes)
	}
}

// A stream is written in batches while rows are read, and one that broke off has
// neither its mark nor the rows it told of.
func TestExportAsArrowIsStreamed(t *testing.T) {
	t.Parallel()
	h, ada, _ := shopHouse(t)
	at := long(h, ada)
	if _, sizes, rows := readArrow(t, export(t, h, ada, at, query.Arrow)); fmt.Sprint(sizes) != "[8192 3808]" || rows[11_999] != "11999" {
		t.Errorf("12,000 rows come in batches of %v, want [8192 3808]", sizes)
	}
	wide := housetest.Path("ada", "shop/wide")
	h.Fill(ada, wide, 40, func(i int) string { return fmt.Sprintf(`{"i":%d,"text":%q}`, i, strings.Repeat("x", 300_000)) })
	if _, sizes, _ := readArrow(t, export(t, h, ada, wide, query.Arrow)); fmt.Sprint(sizes) != "[14 14 12]" {
		t.Errorf("40 rows of 300 kB come in batches of %v, want [14 14 12]", sizes)
	}
	e, err := h.Query.Export(t.Context(), ada, at, query.Arrow)
	housetest.Must(t, err)
	out := &narrow{room: 40_000}
	if err := e.Write(t.Context(), out); !errors.Is(err, errNoRoom) {
		t.Errorf("Write to a reader that vanishes = %v, want its error", err)
	}
	if strings.HasSuffix(out.String(), whole) {
		t.Error("a stream that broke off has the mark of a whole one")
	}
}

var errNoRoom = errors.New("no room")

// narrow takes so many bytes.
type narrow struct {
	bytes.Buffer
	room int
}

func (n *narrow) Write(p []byte) (int, error) {
	if n.Len()+len(p) > n.room {
		return 0, errNoRoom
	}
	return n.Buffer.Write(p)
}
