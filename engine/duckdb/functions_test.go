package duckdb_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/engine/duckdb"
)

// parserOnly are callable though the engine does not list them as functions.
var parserOnly = map[string]bool{"!": true, "unnest": true}

// engineFunctions are the functions of some kinds, those of schemas that fulfil a condition.
func engineFunctions(t *testing.T, kinds, schema string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	sql := "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN (" + kinds + ") AND schema_name " + schema
	for _, v := range duckdb.EngineValues(t, sql) {
		names[v.(string)] = true
	}
	return names
}

func denied(name string) bool {
	for _, pattern := range duckdb.DeniedFunctions() {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(name, prefix) || pattern == name {
			return true
		}
	}
	return false
}

func TestFunctionListsMatchTheEngine(t *testing.T) {
	t.Parallel()
	scalar, table := duckdb.AllowedFunctions()
	callable := engineFunctions(t, "'scalar', 'aggregate', 'macro'", "<> '~'")
	ours := engineFunctions(t, "'macro'", "= '~'")
	tables := engineFunctions(t, "'table', 'table_macro'", "<> '~'")
	for name := range scalar {
		if !callable[name] && !ours[name] && !parserOnly[name] {
			t.Errorf("functions.txt allows %s, which the engine does not have", name)
		}
	}
	for name := range table {
		if !tables[name] {
			t.Errorf("functions.txt allows %s in FROM, which the engine does not have", name)
		}
	}
	for name := range callable {
		if !scalar[name] && !denied(name) {
			t.Errorf("the engine has %s: decide on it in functions.txt", name)
		}
	}
	for name := range tables {
		if !table[name] && !denied(name) {
			t.Errorf("the engine has %s in FROM: decide on it in functions.txt", name)
		}
	}
}

func TestDangerousFunctionsAreNotAllowed(t *testing.T) {
	t.Parallel()
	scalar, table := duckdb.AllowedFunctions()
	for name := range strings.FieldsSeq(`getenv current_setting getvariable nextval currval version query query_table
		glob read_csv read_csv_auto read_text read_blob read_parquet parquet_scan read_json read_ndjson sniff_csv
		parquet_metadata parquet_schema json_execute_serialized_sql json_serialize_sql duckdb_settings duckdb_secrets
		duckdb_views pragma_database_list pragma_version summary arrow_scan seq_scan setseed write_log sleep_ms pg_sleep`) {
		if scalar[name] || table[name] {
			t.Errorf("functions.txt allows %s, want it refused", name)
		}
	}
	for name := range scalar {
		// Two names are denied as table functions only.
		if denied(name) && name != "pg_typeof" && name != "histogram" && name != "repeat" {
			t.Errorf("functions.txt both allows and denies %s", name)
		}
	}
}

// The hash decides what sketches of different segments have in common; if an
// upgrade changes it, kept sketches must be made anew.
func TestHashIsTheOneThatKeptSketchesUse(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(duckdb.EngineValues(t, "SELECT unnest([hash('quern'), hash(42::DOUBLE), hash(DATE '2024-01-01')])"))
	if want := "[2784841159066316516 870828535671730594 14080083370409456597]"; got != want {
		t.Errorf("hashes = %s, want %s", got, want)
	}
}
