package enginetest

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/engine"
)

func scan(t *testing.T, e engine.Engine, table engine.Table, from, limit int64) ([]string, error) {
	t.Helper()
	rows, err := e.Scan(t.Context(), table, from, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows)
}

// pieces makes a table of several segments whose columns differ and whose row
// ids have a gap, and returns the rows it should show.
func pieces(t *testing.T, e engine.Engine) (engine.Table, []string) {
	t.Helper()
	narrow := []quern.Column{{Name: "n", Type: quern.Integer}}
	wide := []quern.Column{{Name: "n", Type: quern.Double}, {Name: "s", Type: quern.Text}}
	table := engine.Table{Columns: wide}
	var want []string
	first := int64(0)
	add := func(columns []quern.Column, count int) {
		var rows []string
		for i := range count {
			n := int(first) + i
			if len(columns) == 1 {
				rows = append(rows, fmt.Sprintf(`{"n":%d}`, n))
				want = append(want, fmt.Sprintf("[%d,null]", n))
			} else {
				rows = append(rows, fmt.Sprintf(`{"n":%d.5,"s":"x%d"}`, n, n))
				want = append(want, fmt.Sprintf(`[%d.5,"x%d"]`, n, n))
			}
		}
		table.Segments = append(table.Segments, write(t, e, columns, first, rows))
		first += int64(count)
	}
	add(narrow, 3000)
	add(narrow, 10)
	add(wide, 2500)
	add(narrow, 1)
	add(wide, 1)
	add(wide, 4000)
	return table, want
}

func testScanPages(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	table, want := pieces(t, e)
	whole, err := scan(t, e, table, 0, -1)
	if err != nil || !slices.Equal(whole, want) {
		t.Fatalf("Scan(0, -1) = %d rows, %v, want %d in order", len(whole), err, len(want))
	}
	for _, page := range []int64{1999, 4096, 20_000} {
		var got []string
		for from := int64(0); from < int64(len(want)); from += page {
			rows, err := scan(t, e, table, from, page)
			if err != nil {
				t.Fatalf("Scan(%d, %d) = %v", from, page, err)
			}
			got = append(got, rows...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Scan in pages of %d = %d rows, want the %d of the whole", page, len(got), len(want))
		}
	}
	for _, from := range []int64{2999, 3000, 3009, 3010, 5510, 5511, 5512, 9511} {
		got, err := scan(t, e, table, from, 2)
		if end := min(from+2, int64(len(want))); err != nil || !slices.Equal(got, want[from:end]) {
			t.Errorf("Scan(%d, 2) = %v, %v, want %v", from, got, err, want[from:end])
		}
	}
	for _, none := range [][2]int64{{9512, -1}, {100_000, 5}, {5, 0}} {
		if got, err := scan(t, e, table, none[0], none[1]); err != nil || len(got) != 0 {
			t.Errorf("Scan(%d, %d) = %v, %v, want no rows", none[0], none[1], got, err)
		}
	}
}

func testScanNoColumns(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	rows, err := e.Scan(t.Context(), engine.Table{}, 0, -1)
	if err != nil {
		t.Fatalf("Scan(no columns) = %v, want no rows", err)
	}
	if got, err := collect(rows); err != nil || len(got) != 0 || len(rows.Columns()) != 0 {
		t.Errorf("Scan(no columns) = %v, %v, %v, want nothing", rows.Columns(), got, err)
	}
	got, err := query(t, e, engine.Query{SQL: "SELECT count(*) FROM t", Resolve: only("t", engine.Table{})})
	if err != nil || !slices.Equal(got, []string{"[0]"}) {
		t.Errorf("Query(count of a table without columns) = %v, %v, want 0", got, err)
	}
}

// exact are values that must come back as they went in.
var exact = []struct {
	typ      quern.Type
	in, want string
}{
	{quern.Boolean, "true", "true"},
	{quern.Integer, "9223372036854775807", "9223372036854775807"},
	{quern.Integer, "-9223372036854775808", "-9223372036854775808"},
	{quern.Double, "0.1", "0.1"},
	{quern.Double, "5e-324", "5e-324"},
	{quern.Double, "1.7976931348623157e308", "1.7976931348623157e+308"},
	{quern.Double, "12", "12"},
	{quern.Double, "0.30000000000000004", "0.30000000000000004"},
	{quern.Decimal(38, 18), "12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"},
	{quern.Decimal(38, 0), "99999999999999999999999999999999999999", "99999999999999999999999999999999999999"},
	{quern.Decimal(38, 38), "-0.00000000000000000000000000000000000001", "-0.00000000000000000000000000000000000001"},
	{quern.Decimal(5, 2), "1.5e2", "150.00"},
	{quern.Decimal(5, 2), "12345e-2", "123.45"},
	{quern.Decimal(4, 3), "-1.500", "-1.500"},
	{quern.Date, `"0001-01-01"`, `"0001-01-01"`},
	{quern.Date, `"9999-12-31"`, `"9999-12-31"`},
	{quern.Timestamp, `"2024-02-29T23:59:59.123456Z"`, `"2024-02-29T23:59:59.123456Z"`},
	{quern.Timestamp, `"2024-01-01T01:00:00+02:00"`, `"2023-12-31T23:00:00Z"`},
	{quern.Timestamp, `"1969-12-31T23:59:59.5Z"`, `"1969-12-31T23:59:59.5Z"`},
	{quern.Text, `""`, `""`},
	{quern.Text, `"a\u0000b"`, `"a\u0000b"`},
	{quern.Text, `"\ud83d\ude00 \"q\" \\ \n\t"`, `"😀 \"q\" \\ \n\t"`},
	{quern.Text, `" leading and trailing "`, `" leading and trailing "`},
	{quern.Text, `"null"`, `"null"`},
	{quern.Text, "1.50", `"1.50"`},
	{quern.Text, "12345678901234567890123", `"12345678901234567890123"`},
	{quern.Text, "false", `"false"`},
	{quern.JSON, `{"n":1.10000000000000000000001,"z":12345678901234567890123,"a":[1,"x",null,{}]}`,
		`{"n":1.10000000000000000000001,"z":12345678901234567890123,"a":[1,"x",null,{}]}`},
	{quern.JSON, `"text"`, `"text"`},
	{quern.JSON, `"a\u0000\"b"`, `"a\u0000\"b"`},
	{quern.JSON, "12.50", "12.50"},
	{quern.JSON, "true", "true"},
	{quern.JSON, "[]", "[]"},
}

func testWriteKeepsValues(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	for _, test := range exact {
		columns := []quern.Column{{Name: "v", Type: test.typ}}
		table := engine.Table{Columns: columns, Segments: []engine.Segment{
			write(t, e, columns, 0, []string{`{"v":` + test.in + `}`, `{"v":null}`, `{}`}),
		}}
		got, err := scan(t, e, table, 0, -1)
		want := []string{"[" + test.want + "]", "[null]", "[null]"}
		if test.typ == quern.JSON {
			want[1] = got[1] // null is a value of JSON
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Write(%s as %s) reads back as %v, %v, want %v", test.in, test.typ, got, err, want)
		}
	}
}

func testWriteRefuses(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	for _, test := range []struct {
		typ quern.Type
		in  string
	}{
		{quern.Integer, "9223372036854775808"}, {quern.Integer, "1.5"}, {quern.Integer, `"x"`}, {quern.Integer, "true"},
		{quern.Boolean, "1"}, {quern.Boolean, `"yes"`}, {quern.Double, `"x"`}, {quern.Double, "1e999"},
		{quern.Decimal(5, 2), "1.234"}, {quern.Decimal(5, 2), "1234"}, {quern.Decimal(5, 2), `"x"`},
		{quern.Date, `"2024-02-30"`}, {quern.Date, "5"}, {quern.Timestamp, `"yesterday"`}, {quern.Text, "[1]"},
	} {
		columns := []quern.Column{{Name: "v", Type: test.typ}, {Name: "s", Type: quern.Text}}
		_, path, err := tryWrite(t, e, columns, []string{`{"v":null}`, `{"v":` + test.in + `}`})
		if !quern.Is(err, quern.Invalid) {
			t.Errorf("Write(%s as %s) = %v, want invalid", test.in, test.typ, err)
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("Write(%s as %s) left a file behind", test.in, test.typ)
		}
	}
}

var everyType = []quern.Column{
	{Name: "b", Type: quern.Boolean}, {Name: "i", Type: quern.Integer}, {Name: "f", Type: quern.Double},
	{Name: "d", Type: quern.Decimal(30, 10)}, {Name: "day", Type: quern.Date}, {Name: "at", Type: quern.Timestamp},
	{Name: "Text, with \"quotes\"", Type: quern.Text}, {Name: "j", Type: quern.JSON},
}

// randomRow returns a row of everyType as it is written and as it should be read.
func randomRow(r *rand.Rand) (in, want string) {
	letters := []rune("ab \"\\\n\x00é😀'%;-{}[]:,")
	text := make([]rune, r.IntN(20))
	for i := range text {
		text[i] = letters[r.IntN(len(letters))]
	}
	quoted, _ := json.Marshal(string(text))
	double, _ := json.Marshal(math.Float64frombits(r.Uint64()&^(1<<62) | 1<<60))
	unscaled := new(big.Int).Mul(big.NewInt(r.Int64()), big.NewInt(r.Int64N(1_000_000_000)))
	decimal := new(big.Rat).SetFrac(unscaled, big.NewInt(10_000_000_000)).FloatString(10)
	nested := fmt.Sprintf(`{"t":%s,"n":%d.10,"l":[%s]}`, quoted, r.Int64(), quoted)
	values := []string{
		strconv.FormatBool(r.IntN(2) == 0), strconv.FormatInt(int64(r.Uint64()), 10), string(double), decimal,
		fmt.Sprintf(`"%04d-%02d-%02d"`, 1+r.IntN(9999), 1+r.IntN(12), 1+r.IntN(28)),
		fmt.Sprintf(`"%04d-%02d-%02dT%02d:%02d:%02d.%05d1Z"`, 1+r.IntN(9999), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60),
			r.IntN(100_000)),
		string(quoted), nested,
	}
	var members []string
	for i, value := range values {
		if r.IntN(8) == 0 {
			values[i] = "null"
			continue
		}
		name, _ := json.Marshal(everyType[i].Name)
		members = append(members, string(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}", "[" + strings.Join(values, ",") + "]"
}

func testWriteRandom(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var in, want []string
	for range 20_000 {
		row, read := randomRow(r)
		in, want = append(in, row), append(want, compact(t, read))
	}
	table := engine.Table{Columns: everyType, Segments: []engine.Segment{write(t, e, everyType, 0, in)}}
	got, err := scan(t, e, table, 0, -1)
	if err != nil || len(got) != len(want) {
		t.Fatalf("Scan = %d rows, %v, want %d", len(got), err, len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("row %d of Write(%s) reads back as %s, want %s", i, in[i], got[i], want[i])
		}
	}
}

// compact writes JSON as the encoder does, so that texts can be compared.
func compact(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func testWriteStats(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	columns := []quern.Column{
		{Name: "i", Type: quern.Integer}, {Name: "d", Type: quern.Decimal(6, 2)}, {Name: "s", Type: quern.Text},
		{Name: "day", Type: quern.Date}, {Name: "j", Type: quern.JSON}, {Name: "none", Type: quern.Double}, {Name: "b", Type: quern.Boolean},
	}
	var rows []string
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf(`{"i":%d,"d":%d.25,"s":"%s","day":"2024-01-%02d","j":{"k":%d},"b":%t}`,
			i%1000-500, i, strings.Repeat("x", i%3*300), i%31+1, i%7, i%2 == 0))
	}
	rows = append(rows, "{}")
	written, path, err := tryWrite(t, e, columns, rows)
	if err != nil {
		t.Fatalf("Write = %v", err)
	}
	info, err := os.Stat(path)
	if err != nil || written.Rows != 3001 || written.Bytes != info.Size() {
		t.Errorf("Write = %d rows, %d bytes, want 3001 rows and the file's size, %v", written.Rows, written.Bytes, err)
	}
	long := strings.Repeat("x", 255) + "…"
	want := []struct {
		nulls    int64
		min, max string
		distinct int64
		example  string
	}{
		{1, "-500", "499", 1000, "-500"}, {1, "0.25", "2999.25", 3000, "0.25"}, {1, "", long, 3, ""},
		{1, "2024-01-01", "2024-01-31", 31, "2024-01-01"}, {1, "", "", 7, `{"k":0}`}, {3001, "", "", 0, ""}, {1, "false", "true", 2, "true"},
	}
	for i, w := range want {
		got := written.Columns[i]
		near := math.Abs(float64(got.Distinct.Estimate()-w.distinct)) <= 0.12*float64(w.distinct)
		if got.Nulls != w.nulls || got.Min != w.min || got.Max != w.max || !near {
			t.Errorf("stats of %s = %d nulls, %q to %q, %d distinct, want %+v", columns[i].Name, got.Nulls, got.Min, got.Max,
				got.Distinct.Estimate(), w)
		}
		otherExample := w.distinct > 0 && got.Examples[0] != w.example
		if len(got.Examples) > quern.MaxExamples || otherExample {
			t.Errorf("examples of %s = %q, want at most %d beginning with %q", columns[i].Name, got.Examples, quern.MaxExamples, w.example)
		}
	}
	testWriteBare(t, e, columns, rows)
}

// testWriteBare wants a bare source written like others, and nothing said of its values.
func testWriteBare(t *testing.T, e engine.Engine, columns []quern.Column, rows []string) {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(positional(t, columns, row) + "\n")
	}
	dir := t.TempDir()
	source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "segment.parquet")
	writeFile(t, source, text.String())
	written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns, Bare: true}, path)
	info, statErr := os.Stat(path)
	if err != nil || statErr != nil || written.Rows != int64(len(rows)) || written.Bytes != info.Size() || written.Columns != nil {
		t.Fatalf("Write(bare) = %+v, %v, want %d rows, the file's size and no columns, %v", written, err, len(rows), statErr)
	}
	table := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: written.Rows}}}
	if got, err := scan(t, e, table, 0, -1); err != nil || len(got) != len(rows) {
		t.Errorf("Scan(bare) = %d rows, %v, want %d", len(got), err, len(rows))
	}
}

func testCopy(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	table, want := pieces(t, e)
	path := filepath.Join(t.TempDir(), "copy.parquet")
	written, err := e.Copy(t.Context(), table, path)
	if err != nil || written.Rows != int64(len(want)) {
		t.Fatalf("Copy = %d rows, %v, want %d", written.Rows, err, len(want))
	}
	if nulls := written.Columns[1].Nulls; nulls != 3011 {
		t.Errorf("Copy counts %d nulls, want 3011", nulls)
	}
	merged := engine.Table{Columns: table.Columns, Segments: []engine.Segment{{Path: path, Columns: table.Columns, Rows: written.Rows}}}
	got, err := scan(t, e, merged, 0, -1)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("Scan(copy) = %d rows, %v, want the same %d", len(got), err, len(want))
	}
	table.Segments[0].Path += ".gone"
	if _, err := e.Copy(t.Context(), table, filepath.Join(t.TempDir(), "x.parquet")); quern.KindOf(err) != quern.Internal {
		t.Errorf("Copy(missing segment) = %v, want an internal error", err)
	}
}
