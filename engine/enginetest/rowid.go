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
	named := func(name string, t quern.Type, runs ...engine.LabelRun) engine.Label {
		return engine.Label{Column: quern.Column{Name: name, Type: t}, Runs: runs}
	}
	from := table
	from.Labels = []engine.Label{
		named("__file", quern.Text, engine.LabelRun{From: 7, To: 8, Value: "it's.csv"}, engine.LabelRun{From: 8, To: 10, Value: "b.csv"}),
		named("__page", quern.Integer, engine.LabelRun{From: 9, To: 11, Value: "2"}, engine.LabelRun{From: 1000, To: 1001, Value: "7"}),
	}
	crumbled := from
	crumbled.RowIDs, crumbled.Labels = false, []engine.Label{named("__file", quern.Text)}
	for i := int64(1000); i < 6000; i += 2 { // every other row has one
		crumbled.Labels[0].Runs = append(crumbled.Labels[0].Runs, engine.LabelRun{From: i, To: i + 1, Value: fmt.Sprint("f", i)})
	}
	hidden := table
	hidden.RowIDs = false
	for _, tt := range []struct {
		sql   string
		table engine.Table
		want  []string
	}{
		{"SELECT *, __row FROM t WHERE n < 1000 ORDER BY n DESC", table, []string{`[110,"x",10]`, `[109,null,9]`, `[108,null,8]`, `[107,null,7]`}},
		{"SELECT * FROM t WHERE __row = 10", table, []string{`[110,"x"]`}},
		{"SELECT n, __file, __page, __row FROM t WHERE n <= 1000 ORDER BY n", from, []string{
			`[107,"it's.csv",null,7]`, `[108,"b.csv",null,8]`, `[109,"b.csv",2,9]`, `[110,null,2,10]`, `[1000,null,7,1000]`}},
		{"SELECT __file, count(*), max(__page) FROM t GROUP BY ALL ORDER BY 1 NULLS LAST", from, []string{
			`["b.csv",2,2]`, `["it's.csv",1,null]`, `[null,5001,7]`}},
		{"SELECT * FROM t WHERE __file = 'b.csv' ORDER BY 1", from, []string{`[108,null]`, `[109,null]`}},
		{"FROM t WHERE __page = 2 ORDER BY n", from, []string{`[109,null]`, `[110,"x"]`}},
		{"SELECT t.* EXCLUDE (s), __page FROM t WHERE __page = 7", from, []string{`[1000,7]`}},
		{"SELECT * EXCLUDE s FROM t WHERE __page = 7", from, []string{`[1000]`}},
		{"SELECT * EXCLUDE (__row, s) REPLACE (1 AS n) FROM t WHERE __page = 7", from, []string{`[1]`}},
		{"SELECT * FROM (SELECT *, __page FROM t) WHERE __page = 7", from, []string{`[1000,null,7]`}},
		{"WITH x AS (FROM t) SELECT *, 1 FROM x JOIN t AS y USING (n) WHERE y.__page = 7", from, []string{`[1000,null,null,1]`}},
		{"SELECT count(*), count(__file), max(__file) FROM t", crumbled, []string{`[5004,2500,"f5998"]`}},
		{"SELECT __file FROM t WHERE n IN (1002, 1003) ORDER BY n", crumbled, []string{`["f1002"]`, `[null]`}},
		{"SELECT __file, * FROM t", engine.Table{Columns: columns, Labels: from.Labels}, nil},
		{`SELECT "t"."__row" FROM t WHERE n >= 5998 ORDER BY n`, table, []string{`[5998]`, `[5999]`}},
		{"SELECT count(*) FROM t WHERE n >= 1000 AND n <> __row", table, []string{`[0]`}},
		{"SELECT n FROM t WHERE __row = 9", table, []string{`[109]`}},
		{"SELECT __row FROM t WHERE n = 109", table, []string{`[9]`}},
		{"SELECT * FROM t WHERE n = 109", hidden, []string{`[109,null]`}},
		{"SELECT *, __row FROM t", unknown, []string{`[40,null]`}},
		{"SELECT *, __row FROM t ORDER BY 1", shadowed, []string{`[0,null]`, `[1,null]`}},
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
	natural := engine.Query{SQL: "SELECT a.n FROM t AS a NATURAL JOIN t AS b WHERE a.__row = 7", Resolve: only("t", table)}
	if _, err := query(t, e, natural); !quern.Is(err, quern.Invalid) {
		t.Errorf("a natural join beside __row = %v, want Invalid", err)
	}
}
