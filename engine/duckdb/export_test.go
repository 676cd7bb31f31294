package duckdb

import (
	"context"
	"testing"
)

// EngineValues runs a statement outside guard and sandbox and gives its first
// column, so that tests can ask the engine about itself.
func EngineValues(t testing.TB, sql string) []any {
	t.Helper()
	in := openFor(t)
	defer in.close()
	return values(t, in, sql)
}

// LockedFault runs a statement in an instance that was locked to paths, past
// the guard, and gives the error.
func LockedFault(t testing.TB, paths []string, sql string) error {
	t.Helper()
	in := openFor(t)
	defer in.close()
	if err := in.lock(context.Background(), paths); err != nil {
		t.Fatal(err)
	}
	s, err := in.stream(context.Background(), sql)
	if err != nil {
		return err
	}
	defer s.close()
	for more := true; more; {
		if more, err = s.next(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

// AllowedFunctions and DeniedFunctions are the lists of functions.txt.
func AllowedFunctions() (scalar, table map[string]bool) {
	return allowedFunctions.scalar, allowedFunctions.table
}

// DeniedFunctions may hold patterns that end in *.
func DeniedFunctions() []string { return allowedFunctions.denied }

func openFor(t testing.TB) *instance {
	t.Helper()
	o, err := Options{TempDir: t.TempDir(), Threads: 1}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInstance(o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func values(t testing.TB, in *instance, sql string) []any {
	t.Helper()
	s, err := in.stream(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer s.close()
	var out []any
	for {
		ok, err := s.next(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if !ok {
			return out
		}
		s.load()
		for row := range s.size {
			out = append(out, s.vectors[0].value(row))
		}
	}
}

// Raw is DuckDB without guard, views and sandbox, to measure against.
type Raw struct{ in *instance }

// OpenRaw opens one database that lasts as long as the test.
func OpenRaw(t testing.TB) Raw {
	t.Helper()
	o, err := Options{TempDir: t.TempDir()}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInstance(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.close)
	return Raw{in}
}

// Run runs a statement and reads its rows.
func (r Raw) Run(t testing.TB, sql string) { values(t, r.in, sql) }
