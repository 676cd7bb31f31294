package duckdb

import (
	"errors"
	"testing"

	"quern"
)

func TestLogIsToldOfFaultsWithoutValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Conversion Error: Could not convert string 'secret' to INT32`:                  "duckdb: Conversion",
		`Out of Range Error: Overflow in multiplication of INT32 (4711 * 815)!`:         "duckdb: Out of Range",
		`IO Error: Cannot open file "/srv/data/ab.parquet": No such file or directory`:  "duckdb: IO: Cannot open file …: No such file or directory",
		`IO Error: Could not read /srv/data/ab.parquet: No space left on device`:        "duckdb: IO: Could not read …: No space left on device",
		"INTERNAL Error: Attempted to access index 3 within vector of size 3\nStack: x": "duckdb: INTERNAL: Attempted to access index 3 within vector of size 3",
		`words that nobody foresaw`: "duckdb: a fault of no known type",
	} {
		if got := quern.LogText(markOwn(parseFault(text))); got != want {
			t.Errorf("LogText(%q) = %q, want %q", text, got, want)
		}
	}
}

// What a disk does is told as such, not as lost data or a fault of ours.
func TestFaultsOfTheDisk(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]quern.Error{
		`IO Error: Could not write file "/srv/tmp/x": No space left on device`:            {Kind: quern.Unavailable, Code: quern.CodeUnavailable},
		`IO Error: Could not read from file "/srv/data/ab.parquet": Input/output error`:   {Kind: quern.Unavailable, Code: quern.CodeUnavailable},
		`Invalid Input Error: No magic bytes found at end of file '/srv/data/ab.parquet'`: {Kind: quern.Internal, Code: quern.CodeDataLost},
	} {
		j := &job{tables: []string{"/nowhere"}}
		if got, ok := errors.AsType[*quern.Error](j.storageError(parseFault(text))); !ok || got.Kind != want.Kind || got.Code != want.Code {
			t.Errorf("storageError(%s) = %v, want %v %v", text, got, want.Kind, want.Code)
		}
	}
}
