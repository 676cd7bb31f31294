package ingest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"quern"
	"quern/ingest"
)

var limits = ingest.Limits{Rows: 1000, Columns: 20}

func TestValuesHaveTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		values string // of one column, one per row
		want   quern.Type
	}{
		{`null`, ""},
		{`true, false, null`, quern.Boolean},
		{`0, -1, 9223372036854775807, -9223372036854775808`, quern.Integer},
		{`1, 2.5`, quern.Double},
		{`-0`, quern.Double},
		{`0.1, 1e3, 1E-7, -2.50, 1.7976931348623157e308, 5e-324`, quern.Double},
		{`3.141592653589793`, quern.Double},
		{`0.123456789012345`, quern.Double},
		{`0.1234567890123456789`, quern.Decimal(20, 19)},
		{`123456789012345678.25`, quern.Decimal(20, 2)},
		{`9223372036854775807, 0.5`, quern.Decimal(20, 1)},
		{`"2024-02-29"`, quern.Date},
		{`"2023-02-29"`, quern.Text},
		{`"0000-01-01"`, quern.Text},
		{`"2024-2-29"`, quern.Text},
		{`"2024-02-29T12:00:00Z", "2024-02-29T12:00:00.123456+05:30"`, quern.Timestamp},
		{`"2024-02-29T12:00:00.1234567Z"`, quern.Text},
		{`"2024-02-29T24:00:00Z"`, quern.Text},
		{`"2024-02-29T12:00:00"`, quern.Text},
		{`"2024-02-29 12:00:00Z"`, quern.Text},
		{`"2024-02-29T12:00:00,5Z"`, quern.Text},
		{`"2024-02-29T1:00:00Z"`, quern.Text},
		{`"2024-02-29T01:00:00+24:00"`, quern.Text},
		{`"2024-02-29T01:00:60Z"`, quern.Text},
		{`"2024-02-29t01:00:00z"`, quern.Text},
		{`"2024\u002d02-29"`, quern.Text},
		{`"0001-01-01T00:00:00+14:00"`, quern.Text},
		{`"2024-02-29", "2024-02-29T12:00:00Z"`, quern.Text},
		{`""`, quern.Text},
		{`"5"`, quern.Text},
		{`5, "5"`, quern.Text},
		{`true, 1`, quern.Text},
		{`{"a":1}`, quern.JSON},
		{`[1,2], 5, "x"`, quern.JSON},
	} {
		var rows []string
		for _, value := range splitValues(tt.values) {
			rows = append(rows, `{"c":`+value+`}`)
		}
		n, columns, err := ingest.Scan(strings.NewReader(`{"data":[`+strings.Join(rows, ",")+`]}`), io.Discard, limits)
		if err != nil || n != int64(len(rows)) || len(columns) != 1 || columns[0].Type != tt.want {
			t.Errorf("Scan(%s) = %d, %+v, %v, want %d rows of type %q", tt.values, n, columns, err, len(rows), tt.want)
		}
	}
}

// splitValues splits at commas that end a value.
func splitValues(text string) (values []string) {
	for dec := json.NewDecoder(strings.NewReader("[" + text + "]")); ; {
		if _, err := dec.Token(); err != nil {
			return values
		}
		for dec.More() {
			var raw json.RawMessage
			if dec.Decode(&raw) != nil {
				return values
			}
			values = append(values, string(raw))
		}
	}
}

func TestBodiesAreRefusedWithTheirReason(t *testing.T) {
	t.Parallel()
	wide := make([]string, 21)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"c%d":1`, i)
	}
	for _, tt := range []struct {
		body string
		kind quern.Kind
		want string // in the error or one of its parts
	}{
		{``, quern.Malformed, "ends before"},
		{`{"data":[{"a":1}`, quern.Malformed, "ends before"},
		{`{"data":[{"a":1}]} {}`, quern.Malformed, "byte"},
		{`{"data":[{"a":NaN}]}`, quern.Malformed, "byte"},
		{`{"data":[{"a":01}]}`, quern.Malformed, "byte"},
		{`{"data":[{"a":"\ud800"}]}`, quern.Malformed, "byte"},
		{"{\"data\":[{\"a\":\"\xff\"}]}", quern.Malformed, "byte"},
		{`[]`, quern.Invalid, "body: must be an object"},
		{`{}`, quern.Invalid, "data: is required"},
		{`{"data":5}`, quern.Invalid, "data: must be an array"},
		{`{"data":[{}]}`, quern.Invalid, "data: no row has a member"},
		{`{"data":[1,{"a":1},null]}`, quern.Invalid, "data[2]: must be an object"},
		{`{"data":[{"a":1,"a":2}]}`, quern.Malformed, "names a member twice"},
		{`{"data":[{"a":1,"A":2}]}`, quern.Invalid, `data[0]."a": is named twice`},
		{`{"data":[{"__a":1}]}`, quern.Invalid, "internal"},
		{`{"data":[{"":1}]}`, quern.Invalid, "needs a name"},
		{`{"data":[{"a\u0000":1}]}`, quern.Invalid, "control characters"},
		{`{"data":[{"` + strings.Repeat("é", 129) + `":1}]}`, quern.Invalid, "at most 128 characters"},
		{`{"data":[{"a":9223372036854775808}]}`, quern.Invalid, "beyond 64 bits"},
		{`{"data":[{"a":1e309}]}`, quern.Invalid, "beyond the range of a double"},
		{`{"data":[{"a":1234567890123456789012345678.12345678901234}]}`, quern.Invalid, "more than 38 digits"},
		{`{"data":[{` + strings.Join(wide, ",") + `}]}`, quern.Invalid, "at most 20 columns"},
		{`{"data":[` + strings.Repeat(`{"a":1},`, 1000) + `{"a":1}]}`, quern.Invalid, "at most 1000 rows"},
	} {
		_, _, err := ingest.Scan(strings.NewReader(tt.body), io.Discard, limits)
		if quern.KindOf(err) != tt.kind || !strings.Contains(spelled(err), tt.want) {
			t.Errorf("Scan(%.60q) = %s, want kind %v and %q", tt.body, spelled(err), tt.kind, tt.want)
		}
	}
}

// spelled writes an error with its parts.
func spelled(err error) string {
	text := fmt.Sprint(err)
	if e, ok := err.(*quern.Error); ok {
		text += fmt.Sprint(e.Sub)
	}
	return text
}

func TestRowsAreWrittenByPosition(t *testing.T) {
	t.Parallel()
	body := `{"other":[1],"data":[ {"b":1, "a":null}, {}, {"A":{"x": [1, "é\n"]},"B":2.50} ],"infer":false}`
	want := "{\"c0\":1}\n{}\n{\"c1\":{\"x\":[1,\"é\\n\"]},\"c0\":2.50}\n"
	var out bytes.Buffer
	n, columns, err := ingest.Scan(strings.NewReader(body), &out, limits)
	if err != nil || n != 3 || out.String() != want || len(columns) != 2 || columns[0].Name != "b" || columns[1].Name != "a" {
		t.Errorf("Scan() = %d, %v, %v, %q, want 3 rows of b and a as %q", n, columns, err, out.String(), want)
	}
}

// Long bodies are worked on by two; what one of them meets stops both, and what
// comes first is what is told.
func TestLongBodiesAreWorkedOnByTwo(t *testing.T) {
	t.Parallel()
	big := ingest.Limits{Rows: 1_000_000, Columns: 20}
	row := `{"name":"` + strings.Repeat("x", 1000) + `","n":%d},`
	var good strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&good, row, i)
	}
	wide := make([]string, 21)
	for i := range wide {
		wide[i] = fmt.Sprintf(`"c%d":1`, i)
	}
	tooWide := "{" + strings.Join(wide, ",") + "},"
	for _, tt := range []struct {
		name, rows string
		kind       quern.Kind
		want       string
	}{
		{"too wide early", tooWide + good.String() + `{"n":1}]}`, quern.Invalid, "at most 20 columns"},
		{"too wide late", good.String() + tooWide + `{"n":1}]}`, quern.Invalid, "at most 20 columns"},
		{"too wide before it is cut", tooWide + good.String(), quern.Invalid, "at most 20 columns"},
		{"cut", good.String(), quern.Malformed, "ends before"},
		{"a row that is none", good.String() + `5]}`, quern.Invalid, "data[3000]: must be an object"},
	} {
		_, _, err := ingest.Scan(strings.NewReader(`{"data":[`+tt.rows), io.Discard, big)
		if quern.KindOf(err) != tt.kind || !strings.Contains(spelled(err), tt.want) {
			t.Errorf("Scan(%s) = %s, want kind %v and %q", tt.name, spelled(err), tt.kind, tt.want)
		}
	}
	var out bytes.Buffer
	n, columns, err := ingest.Scan(strings.NewReader(`{"data":[`+good.String()+`{"n":0.5}]}`), &out, big)
	if err != nil || n != 3001 || bytes.Count(out.Bytes(), []byte("\n")) != 3001 || columns[1].Type != quern.Double {
		t.Errorf("Scan(long) = %d, %v, %v, want 3001 rows with a double", n, columns, err)
	}
}

// Whatever the body, a scan ends in an error or in as many lines as rows, each
// of them an object of known members.
func FuzzScan(f *testing.F) {
	for _, body := range []string{
		`{"data":[{"a":1,"b":"2024-01-01"},{"A":1.5,"c":[{}]}]}`, `{"data":[]}`, `{"data":[{"a":1,"a":1}]}`,
		`{"data":[{"a":-0,"b":1e400,"c":0.1234567890123456789}]}`, `[]`, `{"data":[{"\u0061":"\ud83d\ude00","é":null}],"infer":{}}`,
		`{"data":[{"a":"2024-01-01T00:00:00.5+01:00"}],"data":[]}`, "{\"data\":[{\"a\":\"\xff\"}]}",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var out bytes.Buffer
		rows, columns, err := ingest.Scan(bytes.NewReader(body), &out, limits)
		if err != nil {
			if !quern.Is(err, quern.Malformed) && !quern.Is(err, quern.Invalid) {
				t.Errorf("Scan(%q) = %v, want it Malformed or Invalid", body, err)
			}
			return
		}
		var lines int64
		for line := range bytes.Lines(out.Bytes()) {
			lines++
			var row map[string]json.RawMessage
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("Scan(%q) wrote %q: %v", body, line, err)
			}
			for i := range columns {
				delete(row, fmt.Sprintf("c%d", i))
			}
			if len(row) > 0 {
				t.Errorf("Scan(%q) wrote %q with members of no column", body, line)
			}
		}
		if lines != rows || !json.Valid(body) {
			t.Errorf("Scan(%q) = %d rows, wrote %d, valid JSON = %v", body, rows, lines, json.Valid(body))
		}
	})
}
