package ingest_test

import (
	"strings"
	"testing"

	"quern/ingest"
)

// usualRows are rows one behind the other, as lines: most of them usual, and others that
// look like it.
var usualRows = []string{
	`{"a":1,"b":"x"}` + "\n" + `{"a":2,"b":"y"}` + "\n" + `{"b":"z","a":3}` + "\n" + `{"a":4}` + "\n" + `{"a":null,"b":null}`,
	`{"n":12345}` + "\n" + `{"n":-1}` + "\n" + `{"n":-0}` + "\n" + `{"n":0}` + "\n" + `{"n":01}` + "\n" + `{"n":1.5}` + "\n" + `{"n":1}` + "\n" + `{"n":123456}`,
	`{"n":12.25}` + "\n" + `{"n":1.50}` + "\n" + `{"n":0.1}` + "\n" + `{"n":-0.0}` + "\n" + `{"n":1.}` + "\n" + `{"n":1e5}` + "\n" + `{"n":.5}` + "\n" + `{"n":7}`,
	`{"n":1.5}` + "\n" + `{"n":1234567890123456}` + "\n" + `{"n":123456789012345.5}` + "\n" + `{"n":9.00}`,
	`{"d":"2024-01-31"}` + "\n" + `{"d":"2024-02-29"}` + "\n" + `{"d":"2023-02-29"}` + "\n" + `{"d":"2024-01-31"}`,
	`{"t":"2024-01-31T00:00:00Z"}` + "\n" + `{"t":"2024-01-31T00:00:00.123456+02:00"}` + "\n" + `{"t":"2024-01-31T00:00:00"}`,
	`{"t":"2024-01-31T00:00:00Z"}` + "\n" + `{"t":"2024-01-31T00:00:00+02"}`,
	`{"t":"2024-01-31T00:00:00Z"}` + "\n" + `{"t":"2024-01-31 00:00:00Z"}`,
	`{"t":"2024-01-31T00:00:00Z"}` + "\n" + `{"t":"9999-12-31T23:59:59-01:00"}`,
	`{"b":true}` + "\n" + `{"b":false}` + "\n" + `{"b":truth}` + "\n" + `{"b":"true"}`,
	`{"s":"x"}` + "\n" + `{"s":"2024-01-31"}` + "\n" + `{"s":"a\"\\\/\b\f\n\r\tb"}` + "\n" + `{"s":"\u00e9"}` + "\n" + `{"s":"\ud800"}` + "\n" + `{"s":"\x"}` + "\n" + `{"s":5}`,
	`{"s":"grüße 東京"}` + "\n" + "{\"s\":\"\xff\"}" + "\n" + "{\"s\":\"\x01\"}" + "\n" + `{"s":"x}`,
	` { "a" : 1 , "b" : "x" } ` + "\n" + "\t{\t\"a\"\t:\t2\t,\t\"b\":\"y\"}\r" + "\n" + `{"a":1,"b":"x",}` + "\n" + `{"a":1 "b":"x"}` + "\n" + `{"a" 1}`,
	`{"a":1,"b":2}` + "\n" + `{"a":1,"a":2}` + "\n" + `{"a":1,"A":2}` + "\n" + `{"b":1}` + "\n" + `{"b":1,"b":2}`,
	`{"a":1}` + "\n" + `{"a":1}{"a":2}` + "\n" + `{"a":1}x` + "\n" + `{}` + "\n" + `[]` + "\n" + `{"a"`,
	`{"a":[1]}` + "\n" + `{"a":[ 2 ]}` + "\n" + `{"a":{"x":1}}` + "\n" + `{"a":"x"}`,
	`{"__a":1,"b":1}` + "\n" + `{"__a":2,"b":2}` + "\n" + `{"":1}`,
	`{"a\u0062":1}` + "\n" + `{"ab":2}` + "\n" + `{"a\u0062":3,"ab":4}`,
}

// TestUsualRowsAreShapedAsOthers shapes rows with and without the quick way.
func TestUsualRowsAreShapedAsOthers(t *testing.T) {
	t.Parallel()
	for _, lines := range usualRows {
		got, want := ingest.ShapeLines(strings.Split(lines, "\n"), true), ingest.ShapeLines(strings.Split(lines, "\n"), false)
		if got != want {
			t.Errorf("shaped quickly, %s\n= %s\nwant %s", lines, got, want)
		}
	}
}

// FuzzUsual holds that no line is shaped otherwise by the quick way.
func FuzzUsual(f *testing.F) {
	for _, lines := range usualRows {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		got, want := ingest.ShapeLines(strings.Split(lines, "\n"), true), ingest.ShapeLines(strings.Split(lines, "\n"), false)
		if got != want {
			t.Errorf("shaped quickly, %q\n= %s\nwant %s", lines, got, want)
		}
	})
}
