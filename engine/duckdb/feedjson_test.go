package duckdb_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// feedOfValues brings the rows of blockSource: values as far as they are taken, else lines. Before
// each row one is begun and undone.
func feedOfValues(values []string, taken *int) func(context.Context, engine.Blocks) error {
	return func(ctx context.Context, to engine.Blocks) error {
		b := to.Empty()
		row := func(number, value string) bool {
			_, _ = b.Value(0, []byte(number+","))
			_, _ = b.Value(1, []byte(value+"}"))
			b.Undo()
			n, _ := b.Value(0, []byte(number+" ,"))
			all, _ := b.Value(1, []byte(value+"}"))
			if n == len(number) && all == len(value) || n == len(number) && value == "" {
				*taken++
				b.EndRow()
				return true
			}
			b.Undo()
			return b.Line([]byte(`{"c0":` + number + `,"c1":` + value + `}`))
		}
		for i, v := range values {
			ok := row(strconv.Itoa(i), v)
			if i%3 == 0 {
				ok = ok && row(strconv.Itoa(i), "") && row("1", v)
			}
			if !ok {
				return errors.New("not taken: " + v)
			}
			if i%2 == 0 {
				if err := to.Put(ctx, b); err != nil {
					return err
				}
				b = to.Empty()
			}
		}
		return to.Put(ctx, b)
	}
}

// Values that a feed brings are written as those of a file are, and described alike.
func TestFedValuesAreWrittenAsLinesAre(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	for _, test := range blockValues {
		src, dir, taken := blockSource(t, test.kind, test.usual), t.TempDir(), 0
		want, err := e.Write(t.Context(), src, filepath.Join(dir, "file.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		fed := engine.Source{Columns: src.Columns, Feed: feedOfValues(test.usual, &taken)}
		got, err := e.Write(t.Context(), fed, filepath.Join(dir, "fed.parquet"))
		got.Bytes = want.Bytes
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Write(values of %s) = %+v, %v, want %+v", test.kind, got.Columns, err, want.Columns)
		}
		one, other := writtenRows(t, e, src, filepath.Join(dir, "fed.parquet")), writtenRows(t, e, src, filepath.Join(dir, "file.parquet"))
		if !reflect.DeepEqual(one, other) {
			t.Errorf("Write(values of %s) wrote %v, want %v", test.kind, one, other)
		}
		if usual := test.kind != quern.JSON && test.kind != quern.Decimal(20, 4); usual && taken < len(test.usual)/2 {
			t.Errorf("of the values of %s %d were taken at once, want most", test.kind, taken)
		}
	}
}

// FuzzValue holds that what is taken from the beginning of a text is a value of JSON, and counted
// right.
func FuzzValue(f *testing.F) {
	for _, text := range []string{
		`"a",`, `"aé\n\u00e9\ud83d\ude00 and more"}`, `"\ud83d",`, `"\q"`, "\"\x01\"", "\"\xff\"", `"cut`, `"cut\`, `"12345678"`, `"1234567\"8"`, "0,", "-0,", "-0.0,", "00,", "0.50 ,", "12.,", ".5,",
		"123456789012345}", "1234567890123456}", "1234567.8901234}", "1234567.89012345}", "-1.25\n", "1e3,", "1", "null,", "nul", "true,", "false}", `"2024-02-29",`, `"2024-01-01T00:00:00Z"`,
	} {
		f.Add(text)
	}
	kinds := []quern.Type{quern.Text, quern.Integer, quern.Double, quern.Boolean, quern.Date, quern.Timestamp}
	columns := make([]quern.Column, len(kinds))
	for i, kind := range kinds {
		columns[i] = quern.Column{Name: string(kind), Type: kind}
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := duckdb.NewBlock(columns)
		for i, kind := range kinds {
			n, digits := b.Value(i, []byte(text))
			if n == 0 {
				continue
			}
			var value any
			if err := json.Unmarshal([]byte(text[:n]), &value); err != nil {
				t.Fatalf("Value(%s, %q) took %q: %v", kind, text, text[:n], err)
			}
			if got := b.Taken(i); !sameValue(got, value) {
				t.Errorf("Value(%s, %q) = %v, want %v", kind, text, got, value)
			}
			if want := digitsOf(text[:n]); kind.Numeric() && value != nil && digits != want {
				t.Errorf("Value(%s, %q) = %v digits, want %v", kind, text, digits, want)
			}
		}
	})
}

// sameValue reports whether a column has what JSON says; of dates and times that there is one.
func sameValue(got, want any) bool {
	switch v := got.(type) {
	case int64:
		return float64(v) == want
	case string:
		_, text := want.(string)
		return text && (v == want || strings.HasPrefix(v, want.(string)[:4]) || strings.HasSuffix(v, "Z"))
	}
	return got == want
}

// digitsOf counts the digits of a number without an exponent.
func digitsOf(text string) (d quern.Digits) {
	whole, fraction, pointed := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if pointed {
		whole = strings.TrimLeft(whole, "0")
	}
	return quern.Digits{Whole: len(whole), Fraction: len(strings.TrimRight(fraction, "0"))}
}
