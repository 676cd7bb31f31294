package duckdb

import (
	"fmt"
	"strconv"
	"strings"

	"quern/engine"
)

// maxCSVLine is the longest record of CSV that Write reads.
const maxCSVLine = 4 << 20

// csvSQL writes the query that reads delimited text as the columns' types. Nothing
// is left for the engine to find out, and lines are only read side by side where
// a line's end is a record's end.
func csvSQL(path string, src engine.Source) (string, error) {
	if strings.ContainsAny(path, "*?[") {
		return "", fmt.Errorf("duckdb: source path %q holds a wildcard", path)
	}
	kinds, list := make([]string, src.CSV.Cells), make([]string, len(src.Columns))
	for i := range kinds {
		kinds[i] = "c" + strconv.Itoa(i) + ": 'VARCHAR'"
	}
	for i, c := range src.Columns {
		member := "c" + strconv.Itoa(src.CSV.At[i])
		kind, expr, err := sourceColumn(member, c.Type)
		if err != nil {
			return "", err
		}
		kinds[src.CSV.At[i]] = member + ": " + quoteText(kind)
		list[i] = expr + " AS " + quoteName(c.Name)
	}
	end := `\n`
	if src.CSV.Returns {
		end = `\r\n`
	}
	return fmt.Sprintf(`SELECT %s FROM read_csv(%s, columns = {%s}, auto_detect = false, header = false, skip = %d,
		delim = %s, quote = '"', escape = '"',
		new_line = '%s', nullstr = '', allow_quoted_nulls = false, compression = 'none', parallel = %t, max_line_size = %d, buffer_size = %d)`,
		strings.Join(list, ", "), quoteText(path), strings.Join(kinds, ", "), skipped(src.CSV.Header), quoteText(string(src.CSV.Delimiter)),
		end, !src.CSV.Wrapped, maxCSVLine, 4*maxCSVLine), nil
}

func skipped(header bool) int {
	if header {
		return 1
	}
	return 0
}
