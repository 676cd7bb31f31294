package duckdb

import (
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
