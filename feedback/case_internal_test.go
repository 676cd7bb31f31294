package feedback

import (
	"testing"

	"quern"
)

func TestDatasetsBecomeTables(t *testing.T) {
	t.Parallel()
	in := quern.NamespacePath{Owner: "ada", Namespace: "Harbour"}
	for sql, want := range map[string]string{
		`SELECT "ships"."name" FROM "ada/harbour/ships" AS "ships"`: `SELECT "ships"."name" FROM "ships" AS "ships"`,
		`SELECT 1 FROM "ADA/Harbour/a", "bob/harbour/b"`:            `SELECT 1 FROM "a", "bob/harbour/b"`,
		`SELECT '"ada/harbour/x"' FROM "ada/harbour/y"`:             `SELECT '"ada/harbour/x"' FROM "y"`,
		`SELECT 'it''s "ada/harbour/x' FROM "ada/harbour/y""z"`:     `SELECT 'it''s "ada/harbour/x' FROM "y""z"`,
		`SELECT count(*) FROM ships`:                                `SELECT count(*) FROM ships`,
		`SELECT 'unfinished "ada/harbour/x"`:                        `SELECT 'unfinished "ada/harbour/x"`,
		``:                                                          ``,
	} {
		if got := within(in, sql); got != want {
			t.Errorf("within(%s) = %s, want %s", sql, got, want)
		}
	}
}
