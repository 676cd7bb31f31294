package ingest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"quern"
	"quern/catalog"
	"quern/ingest"
)

// quickBodies are bodies of a request, some of them broken at some place.
var quickBodies = []string{
	`{"data":[{"a":1}]}`,
	`{"name":"x","data":[{"a":1},{"a":2},{"a":3},{"a":4}],"description":"y"}`,
	`{"x":1,"data":[{"a":1},{"a":2}],"x":2}`,
	`{"data":[{"a":1},{"a":2}],"data":[]}`,
	`{"data":[{"a":1},{"a":2}]}x`,
	`{"data":[{"a":1},{"a":2}]} {}`,
	`{"data":[{"a":1},{"a":2}`,
	`{"data":[{"a":1},{"a":2},`,
	`{"data":[{"a":1},{"a":2},]}`,
	`{"data":[{"a":1},{"a":2} {"a":3}]}`,
	`{"data":[{"a":1},{"a":2},,{"a":3}]}`,
	`{"data":[{"a":1},{"a":2}5]}`,
	`{"data":[{"a":1},{"a":2}}]}`,
	`{"data":[{"a":1},{"a":2},{"a":3`,
	`{"data":[{"a":1},{"a":2},{"a":03}]}`,
	`{"data":[{"a":1},{"a":2},{"a":3,"a":4}]}`,
	`{"data":[{"a":1},{"a":2},{"a":3,"A":4},{"a":5}]}`,
	`{"data":[{"a":1},{"a":2},5,{"a":3}]}`,
	`{"data":[{"a":1},{"a":2},{"a":99999999999999999999},{"a":3}]}`,
	"{\"data\":[{\"a\":\"x\"},{\"a\":\"y\"},{\"a\":\"\xff\"}]}",
	`{"data":[{"a":"x"},{"a":"y"},{"a":"\ud800"}]}`,
	`{"data":[{"a":1},{"a":2},{"a":{"b":1}},{"a":3},{"a":4},{"a":[]},{"c":1},{"a":5}]}`,
	` { "data" : [ { "a" : 1 } , { "a" : 2 } , {"a":3}
	,{"a":4} ] , "infer" : {} } `,
	`{"data":[{"a":1},{"a":2},{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}]}`,
	`{"data":[{"a":1},{"a":2}],"b":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
	`{"data":[` + strings.Repeat(`{"a":1,"b":"`+strings.Repeat("x", 50)+`"},`, 999) + `{"a":2}]}`,
	`{"data":[` + strings.Repeat(`{"a":1},`, 1000) + `{"a":1}]}`,
	`{"data":[{"a":"x"},{"a":"y"},{"a":"` + strings.Repeat("long ", 100_000) + `"},{"a":"z"},{"a":"z"},{"a":"z"}]}`,
}

// scanned tells what became of a body in which usual rows are looked for from a row on.
func scanned(body io.Reader, from int64) string {
	var out bytes.Buffer
	rows, columns, members, err := ingest.ScanQuickly(body, &out, limits, from)
	return scannedText(&out, rows, columns, members, err)
}

// scannedInParallel tells what became of a body in which all cores look for usual rows.
func scannedInParallel(body io.Reader, limits ingest.Limits, after int64) string {
	var out bytes.Buffer
	rows, columns, members, err := ingest.ScanParallel(body, &out, limits, after)
	return scannedText(&out, rows, columns, members, err)
}

func scannedText(out *bytes.Buffer, rows int64, columns []catalog.Batch, members string, err error) string {
	text := fmt.Sprint(err)
	if e, ok := errors.AsType[*quern.Error](err); ok {
		text = fmt.Sprint(e.Kind, e.Code, e.Detail, e.Sub)
	}
	if err != nil {
		out.Reset() // what was written before does not matter
	}
	return fmt.Sprintln(rows, columns, members, text, out.String())
}

func TestQuickScansSeeWhatOthersSee(t *testing.T) {
	t.Parallel()
	for _, body := range quickBodies {
		want := scanned(strings.NewReader(body), -1)
		for from := range int64(4) {
			if got := scanned(strings.NewReader(body), from); got != want {
				t.Errorf("scanned quickly from row %d, %.300s\n= %.600s\nwant %.600s", from, body, got, want)
			}
		}
		if got := scanned(iotest.OneByteReader(strings.NewReader(body)), 1); got != want {
			t.Errorf("scanned quickly byte by byte, %.300s\n= %.600s\nwant %.600s", body, got, want)
		}
		if got := scannedInParallel(strings.NewReader(body), limits, 1); got != want {
			t.Errorf("scanned by all cores, %.300s\n= %.600s\nwant %.600s", body, got, want)
		}
		cut := errors.New("cut off")
		broken := func() io.Reader {
			return io.MultiReader(strings.NewReader(body[:len(body)-2]), iotest.ErrReader(cut))
		}
		if got, want := scanned(broken(), 1), scanned(broken(), -1); got != want {
			t.Errorf("scanned quickly and cut off, %.300s\n= %.600s\nwant %.600s", body, got, want)
		}
		if got, want := scannedInParallel(broken(), limits, 1), scanned(broken(), -1); got != want {
			t.Errorf("scanned by all cores and cut off, %.300s\n= %.600s\nwant %.600s", body, got, want)
		}
	}
}

// FuzzQuick holds that bodies mean the same, and are refused for the same reason, whether or
// not usual rows are looked for.
func FuzzQuick(f *testing.F) {
	for _, body := range quickBodies {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if got, want := scanned(strings.NewReader(body), 1), scanned(strings.NewReader(body), -1); got != want {
			t.Errorf("scanned quickly, %q\n= %s\nwant %s", body, got, want)
		}
		if got, want := scannedInParallel(strings.NewReader(body), limits, 1), scanned(strings.NewReader(body), -1); got != want {
			t.Errorf("scanned by all cores, %q\n= %s\nwant %s", body, got, want)
		}
	})
}

// TestLongBodiesByAllCores scans bodies of many chunks, in which something happens here and
// there, with all cores and without.
func TestLongBodiesByAllCores(t *testing.T) {
	t.Parallel()
	many := ingest.Limits{Rows: 40_000, Columns: 100}
	for what, change := range map[string]func(i int, row string) string{
		"usual":  func(_ int, row string) string { return row },
		"spaced": func(_ int, row string) string { return "\n  " + row + "\n" },
		"grows":  func(i int, row string) string { return strings.Replace(row, `:1`, fmt.Sprintf(`:%d`, i), 1) },
		"texts": func(i int, row string) string {
			return strings.Replace(row, "text", []string{"},{", "}, ", `\"},`, "],}"}[i%4], 1)
		},
		"nested": func(i int, row string) string {
			return strings.Replace(row, `"x"`, []string{`"x"`, `{"y":[{},{}]}`}[i/15_000], 1)
		},
		"another": func(i int, row string) string {
			return strings.Replace(row, `"b"`, []string{`"b"`, `"c"`}[i/20_000%2], 1)
		},
		"broken": func(i int, row string) string { return strings.Replace(row, `"b"`, []string{`"b"`, `"b`}[i/29_000], 1) },
		"twice": func(i int, row string) string {
			return strings.Replace(row, `"b"`, []string{`"b"`, `"a"`}[i/29_000], 1)
		},
		"long": func(i int, row string) string {
			return strings.Replace(row, "text", strings.Repeat("text ", 1+i/29_990*100_000), 1)
		},
	} {
		var body strings.Builder
		body.WriteString(`{"name":"n","data":[{"a":0}`)
		for i := range 30_000 {
			body.WriteString("," + change(i, fmt.Sprintf(`{"a":1,"b":"some text of row %d","day":"2024-01-02","x":"x"}`, i)))
		}
		for _, end := range []string{`],"description":"d"}`, `]}x`, ``} {
			whole := body.String() + end
			var out bytes.Buffer
			rows, columns, members, err := ingest.ScanQuickly(strings.NewReader(whole), &out, many, -1)
			want := scannedText(&out, rows, columns, members, err)
			for _, after := range []int64{1, 300_000} {
				if got := scannedInParallel(strings.NewReader(whole), many, after); got != want {
					t.Errorf("%s%s, scanned by all cores\n= %.300s\nwant %.300s", what, end, got, want)
				}
			}
		}
		few := ingest.Limits{Rows: 22_222, Columns: 100}
		var out bytes.Buffer
		rows, columns, members, err := ingest.ScanQuickly(strings.NewReader(body.String()+"]}"), &out, few, -1)
		want := scannedText(&out, rows, columns, members, err)
		if got := scannedInParallel(strings.NewReader(body.String()+"]}"), few, 1); got != want {
			t.Errorf("%s, scanned by all cores up to a limit\n= %.300s\nwant %.300s", what, got, want)
		}
	}
}
