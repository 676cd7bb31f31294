package store_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"quern/store"
	"quern/store/storetest"
)

// Every table of the schema is part of a copy of the metadata, or is named here as left
// out; and every column that names objects is one that NeededObjects knows of.
func TestCopiesLeaveNothingOut(t *testing.T) {
	t.Parallel()
	leftOut := []string{"holds", "schema_version", "servers"}
	// What an entry of the audit trail is about is no object of the store.
	namesObjects := []string{"audit.object_id", "garbage.object_key", "object_digests.object_key", "published.objects",
		"segment_feet.object_key", "segments.object_key", "upload_files.object_key"}
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			s := storetest.Open(t, o)
			driver, at := "sqlite", o.File
			list := `SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table'`
			if o.URL != "" {
				driver, at = "pgx", o.URL
				list = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()`
			}
			db, err := sql.Open(driver, at)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var copied []store.Table
			if err := s.View(t.Context(), func(tx *store.Tx) (err error) {
				copied, err = tx.Tables(t.Context())
				return err
			}); err != nil {
				t.Fatal(err)
			}
			rows, err := db.QueryContext(t.Context(), list)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			n := 0
			for rows.Next() {
				var table, column string
				if err := rows.Scan(&table, &column); err != nil {
					t.Fatal(err)
				}
				n++
				in := slices.ContainsFunc(copied, func(c store.Table) bool { return c.Name == table && slices.Contains(c.Columns, column) })
				if in == slices.Contains(leftOut, table) {
					t.Errorf("%s.%s: in a copy: %v, want every table in it but %v", table, column, in, leftOut)
				}
				if named := table + "." + column; strings.Contains(column, "object") && !slices.Contains(namesObjects, named) {
					t.Errorf("%s seems to name objects: say in NeededObjects whether copies need them, and name it here", named)
				}
			}
			if err := rows.Err(); err != nil || n < 50 {
				t.Errorf("the schema has %d columns, %v, want them all", n, err)
			}
		})
	}
}
