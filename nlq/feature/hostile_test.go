package feature_test

import (
	"strings"
	"testing"

	"quern/nlq/feature"
)

// FuzzExtract holds that whatever is asked has features in their alphabet.
func FuzzExtract(f *testing.F) {
	for _, q := range []string{
		"", "singers from France", "'; drop table singer; --", "«Joe Sharp", strings.Repeat("the name of ", 800), strings.Repeat("\"", 5000),
		"東京の歌手", "1,2,3.4.5 - 6", "between 2019 and", "last three", "q3", "\xff\xfe", "O'Brien's 'name' \"Joe", strings.Repeat("two hundred and ", 600),
	} {
		f.Add(q)
	}
	s := music()
	f.Fuzz(func(t *testing.T, q string) {
		got := feature.Extract(s, q, words, now)
		n := len(got.Tokens)
		if len(got.WordIDs) != n || len(got.Kinds) != n || len(got.Columns) != n || len(got.Tables) != n {
			t.Fatalf("Extract(%q) has %d tokens, %d ids, %d kinds", q, n, len(got.WordIDs), len(got.Kinds))
		}
		for i := range n {
			if got.Kinds[i] >= feature.Kinds {
				t.Fatalf("Extract(%q) has kind %d", q, got.Kinds[i])
			}
			for _, r := range got.Columns[i] {
				if r >= feature.ColumnRelations {
					t.Fatalf("Extract(%q) has relation %d to a column", q, r)
				}
			}
			for _, r := range got.Tables[i] {
				if r >= feature.TableRelations {
					t.Fatalf("Extract(%q) has relation %d to a table", q, r)
				}
			}
		}
	})
}
