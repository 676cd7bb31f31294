package duckdb

import (
	"fmt"
	"path/filepath"
	"testing"
)

// What is read of a foot is what the engine itself says of the file.
func TestFooterIsWhatTheEngineSays(t *testing.T) {
	t.Parallel()
	in := openFor(t)
	defer in.close()
	path := filepath.Join(t.TempDir(), "f.parquet")
	sql := `COPY (SELECT range AS id, 'kind ' || range % 9 AS kind, random() AS score, [range, 3] AS list, {'a': range, 'b': 'x'} AS pair,
		DATE '1960-01-01' + CAST(range AS INT) AS day, CAST(range - 500 AS DECIMAL(9, 2)) AS price, NULL::BIGINT AS nothing
		FROM range(70000)) TO ` + quoteText(path) + " " + copyOptions(smallGroup)
	if err := in.exec(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
	foot, err := readFoot(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readFooter(foot)
	if err != nil || len(got.groups) != 3 {
		t.Fatalf("readFooter() = %d groups, %v, want 3", len(got.groups), err)
	}
	var mine []string
	for _, g := range got.groups {
		for _, c := range g.chunks {
			least, most, known := c.bounds()
			text := fmt.Sprint(c.column, c.from, c.to, c.filter[0], c.filter[1])
			if known && c.column == "id" {
				text += fmt.Sprint(" ", least, most)
			}
			mine = append(mine, text)
		}
	}
	theirs := values(t, in, `SELECT concat(split_part(path_in_schema, ', ', 1), "from", ' ', "from" + total_compressed_size, ' ',
		coalesce(bloom_filter_offset, 0), ' ', coalesce(bloom_filter_offset + bloom_filter_length, 0),
		CASE WHEN path_in_schema = 'id' THEN concat(' ', stats_min_value, ' ', stats_max_value) END)
		FROM (SELECT *, least(coalesce(dictionary_page_offset, data_page_offset), data_page_offset) AS "from" FROM parquet_metadata(`+quoteText(path)+`))
		ORDER BY row_group_id, column_id`)
	if fmt.Sprint(mine) != fmt.Sprint(theirs) {
		t.Errorf("readFooter() =\n%v, want\n%v", mine, theirs)
	}
}

// A foot may be anything.
func FuzzReadFooter(f *testing.F) {
	f.Add([]byte("PAR1"))
	f.Add([]byte{0x15, 0x02, 0x19, 0x2c, 0x48, 0x06, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, foot []byte) {
		read, err := readFooter(foot)
		if err != nil {
			return
		}
		for _, g := range read.groups {
			for _, c := range g.chunks {
				if c.from < 0 || c.to < c.from {
					t.Errorf("readFooter(%x) has a column from %d to %d", foot, c.from, c.to)
				}
			}
		}
	})
}
