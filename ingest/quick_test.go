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
		cut := errors.New("cut off")
		broken := func() io.Reader {
			return io.MultiReader(strings.NewReader(body[:len(body)-2]), iotest.ErrReader(cut))
		}
		if got, want := scanned(broken(), 1), scanned(broken(), -1); got != want {
			t.Errorf("scanned quickly and cut off, %.300s\n= %.600s\nwant %.600s", body, got, want)
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
	})
}
