package judge_test

import (
	"reflect"
	"testing"

	"quern/nlq/judge"
)

func TestOrderOf(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]judge.Order{
		"SELECT town FROM pubs": {},
		"SELECT town, count(*) n FROM pubs GROUP BY 1 ORDER BY n DESC":                                             {By: []int{1}},
		"SELECT town, count(*) AS n FROM pubs GROUP BY town ORDER BY count(*) DESC NULLS LAST, town LIMIT 3":       {By: []int{1, 0}},
		"SELECT p.town, sum(a, b) FROM pubs p ORDER BY 2, town":                                                    {By: []int{1, 0}},
		`SELECT "pubs"."town" FROM "x/y/pubs" AS "pubs" ORDER BY "pubs"."town";`:                                   {By: []int{0}},
		"SELECT name FROM pubs ORDER BY dist":                                                                      {All: true},
		"SELECT * FROM pubs ORDER BY dist":                                                                         {All: true},
		"SELECT name FROM pubs WHERE id IN (SELECT id FROM x ORDER BY y)":                                          {},
		"SELECT name FROM a UNION SELECT name FROM b ORDER BY name":                                                {All: true},
		"SELECT name, ', order by x' t FROM (SELECT name FROM a ORDER BY z) ORDER BY t":                            {By: []int{1}},
		"WITH p AS (SELECT town FROM pubs) SELECT town FROM p ORDER BY town":                                       {All: true},
		"SELECT name, year(born) y FROM (SELECT * FROM people) p WHERE y > (SELECT 1 LIMIT 1) ORDER BY year(born)": {By: []int{1}},
	} {
		if got := judge.OrderOf(sql); !reflect.DeepEqual(got, want) {
			t.Errorf("OrderOf(%s) = %+v, want %+v", sql, got, want)
		}
	}
}

// TestTies: rows that the wanted order leaves equal may come in any, the others may not.
func TestTies(t *testing.T) {
	t.Parallel()
	type row = []any
	want := rows(row{"Ashby", 3}, row{"Corve", 1}, row{"Burford", 1})
	by := judge.Order{By: []int{1}}
	for name, tt := range map[string]struct {
		got  [][]any
		same bool
	}{
		"the ties turned":        {rows(row{"Ashby", 3}, row{"Burford", 1}, row{"Corve", 1}), true},
		"the columns turned too": {rows(row{3, "Ashby"}, row{1, "Burford"}, row{1, "Corve"}), true},
		"the least first":        {rows(row{"Burford", 1}, row{"Corve", 1}, row{"Ashby", 3}), false},
		"another's number":       {rows(row{"Burford", 3}, row{"Ashby", 1}, row{"Corve", 1}), false},
	} {
		if got := judge.Same(want, tt.got, by); got != tt.same {
			t.Errorf("%s: Same = %v, want %v", name, got, tt.same)
		}
	}
}
