package enginetest

import (
	"fmt"
	"slices"
	"testing"

	"quern"
	"quern/engine"
)

// testRowIDs holds that a table tells its rows' ids when it is asked to, whatever
// the query leaves out and however the rows are spread over files.
func testRowIDs(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	columns := []quern.Column{{Name: "n", Type: quern.Integer}}
	wider := []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "s", Type: quern.Text}}
	many := make([]string, 5_000)
	for i := range many {
		many[i] = fmt.Sprintf(`{"n":%d}`, 1000+i)
	}
	table := engine.Table{Columns: wider, RowIDs: true, Segments: []engine.Segment{
		write(t, e, columns, 7, []string{`{"n":107}`, `{"n":108}`}),
		write(t, e, columns, 9, []string{`{"n":109}`}),
		write(t, e, wider, 10, []string{`{"n":110,"s":"x"}`}),
		write(t, e, columns, 1000, many),
	}}
	reserved := []quern.Column{{Name: "File_Row_Number", Type: quern.Integer}}
	unknown := engine.Table{Columns: reserved, RowIDs: true,
		Segments: []engine.Segment{write(t, e, reserved, 3, []string{`{"File_Row_Number":40}`})}}
	indexed := []quern.Column{{Name: "file_index", Type: quern.Integer}}
	shadowed := engine.Table{Columns: indexed, RowIDs: true, Segments: []engine.Segment{
		write(t, e, indexed, 0, []string{`{"file_index":1}`}), write(t, e, indexed, 1, []string{`{"file_index":0}`}),
	}}
	hidden := table
	hidden.RowIDs = false
	for _, tt := range []struct {
		sql   string
		table engine.Table
		want  []string
	}{
		{"SELECT * FROM t WHERE n < 1000 ORDER BY n DESC", table, []string{`[110,"x",10]`, `[109,null,9]`, `[108,null,8]`, `[107,null,7]`}},
		{`SELECT "t"."__row" FROM t WHERE n >= 5998 ORDER BY n`, table, []string{`[5998]`, `[5999]`}},
		{"SELECT count(*) FROM t WHERE n >= 1000 AND n <> __row", table, []string{`[0]`}},
		{"SELECT n FROM t WHERE __row = 9", table, []string{`[109]`}},
		{"SELECT __row FROM t WHERE n = 109", table, []string{`[9]`}},
		{"SELECT * FROM t WHERE n = 109", hidden, []string{`[109,null]`}},
		{"SELECT * FROM t", unknown, []string{`[40,null]`}},
		{"SELECT * FROM t ORDER BY 1", shadowed, []string{`[0,null]`, `[1,null]`}},
		{"SELECT * FROM t", engine.Table{Columns: columns, RowIDs: true}, nil},
		{"SELECT __row FROM t", engine.Table{Columns: columns, RowIDs: true}, nil},
	} {
		got, err := query(t, e, engine.Query{SQL: tt.sql, Resolve: only("t", tt.table)})
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s = %v, %v, want %v", tt.sql, got, err, tt.want)
		}
	}
	if _, err := query(t, e, engine.Query{SQL: "SELECT __row FROM t", Resolve: only("t", hidden)}); !quern.Is(err, quern.Invalid) {
		t.Errorf("__row of a table that was not asked for it = %v, want Invalid", err)
	}
}
