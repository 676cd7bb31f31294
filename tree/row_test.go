package tree_test

import (
	"testing"

	"quern/tree"
)

func TestListingsKnowTheirRows(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`select a from t where b = 1 order by a limit 2`:                 `SELECT "a", "t"."__row" FROM "t" AS "t" WHERE "b" = 1 ORDER BY "a" LIMIT 2`,
		`select a as x, b + 1 from ns.t as u`:                            `SELECT "a" AS "x", "b" + 1 AS "sum", "u"."__row" FROM "ns"."t" AS "u"`,
		`select * from t`:                                                `SELECT *, "t"."__row" FROM "t" AS "t"`,
		`select a from t where exists (select * from u where u.x = t.a)`: `SELECT "a", "t"."__row" FROM "t" AS "t" WHERE EXISTS (SELECT * FROM "u" AS "u" WHERE "u"."x" = "t"."a")`,
		`select a from t where a in (select * from u)`:                   `SELECT "a", "t"."__row" FROM "t" AS "t" WHERE "a" IN (SELECT * FROM "u" AS "u")`,
		`select t.*, t.* from t`:                                         `SELECT "t".*, "t".*, "t"."__row" FROM "t" AS "t"`,
		`select distinct a from t`:                                       "",
		`select a, count(*) from t group by a`:                           "",
		`select count(*) from t`:                                         "",
		`select a from t join u on t.x = u.y`:                            "",
		`select a from t union all select a from t`:                      "",
	} {
		q, err := tree.Parse(text)
		if err != nil {
			t.Errorf("Parse(%s) = %v, want a tree", text, err)
			continue
		}
		sql, err := tree.SQL(q)
		if err != nil {
			t.Errorf("SQL(%s) = %v, want SQL", text, err)
			continue
		}
		if got, ok := tree.WithRow(q, sql); got != want || ok != (want != "") {
			t.Errorf("WithRow(%s) = %s, %v, want %q", text, got, ok, want)
		}
		if got, ok := tree.WithRow(q, "SELECT 1 FROM other"); ok {
			t.Errorf("WithRow(%s) of a text that is another's = %s, want none", text, got)
		}
	}
}

func TestWrittenQueriesThatNameTheRow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`select a, __row from t`:                    true,
		`select t.__ROW from t order by a`:          true,
		`select a from t where __row < 3`:           false,
		`select __row as n from t`:                  false,
		`select 1 as __row, __row from t`:           false,
		`select max(__row) from t`:                  false,
		`select distinct __row from t`:              false,
		`select t.__row from t join u on t.a = u.a`: false,
	} {
		q, err := tree.Parse(text)
		if err != nil {
			t.Errorf("Parse(%s) = %v, want a tree", text, err)
			continue
		}
		if got := tree.ListsRow(q); got != want {
			t.Errorf("ListsRow(%s) = %v, want %v", text, got, want)
		}
	}
}
