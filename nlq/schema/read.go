package schema

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quern"
	"quern/catalog"
	"quern/engine"
)

const (
	// mostNumbers is how many values of a column of numbers are kept.
	mostNumbers = 2_000
	// mostRead bounds the rows of which values are read.
	mostRead = 1_000_000
	// longestRead bounds what is read of a text.
	longestRead = 400
	// mostIndexed bounds the columns of a dataset whose values are kept.
	mostIndexed = 300
	// batch is how many columns one query reads.
	batch = 16
	// mostScanned is how many cells a table may have to be valueCount here, which
	// takes less than asking the engine for each column.
	mostScanned = 500_000
)

// columnRead is a column whose values are to be read, and those that were.
type columnRead struct {
	place  int
	name   string
	limit  int
	values []valueCount
}

type valueCount struct {
	text string
	n    int64
}

// read indexes a table's values, column by column. What it could read before an
// error is returned with it.
func (s *Service) read(ctx context.Context, t *table, snap quern.Snapshot) ([]indexed, error) {
	index := make([]indexed, len(t.columns))
	var columns []columnRead
	for i, c := range t.columns {
		if limit := valuesKept(c.Type); limit > 0 && len(columns) < mostIndexed {
			columns = append(columns, columnRead{place: i, name: c.Name, limit: limit})
		}
	}
	if t.rows == 0 || len(columns) == 0 {
		return index, nil
	}
	opened, release, err := catalog.OpenTable(ctx, s.files, snap.Dataset, snap.Segments)
	if err != nil {
		return index, err
	}
	defer release()
	query, most := s.query, batch
	if t.rows*int64(len(columns)) <= mostScanned {
		query, most = s.scan, len(columns)
	}
	for part := range slices.Chunk(columns, most) {
		if err := query(ctx, opened, part); err != nil {
			return index, err
		}
		for i := range part {
			index[part[i].place] = part[i].index(t.rows)
			part[i].values = nil
		}
	}
	return index, nil
}

// valuesKept returns how many values of a type are kept; 0: none, for bounds say
// enough of them, or they say nothing.
func valuesKept(t quern.Type) int {
	switch t.Class() {
	case quern.ClassText:
		return DefaultValues
	case quern.ClassNumber:
		return mostNumbers
	}
	return 0
}

// query reads the most frequent values of some columns.
func (s *Service) query(ctx context.Context, t engine.Table, part []columnRead) error {
	selects := make([]string, len(part))
	for i := range part {
		name := `"` + strings.ReplaceAll(part[i].name, `"`, `""`) + `"`
		selects[i] = fmt.Sprintf(`(SELECT %d AS c, v, count(*) AS n FROM `+
			`(SELECT left(CAST(%s AS VARCHAR), %d) AS v FROM t WHERE %s IS NOT NULL LIMIT %d) GROUP BY v ORDER BY n DESC, v LIMIT %d)`,
			i, name, longestRead, name, mostRead, part[i].limit+1)
	}
	rows, err := s.engine.Query(ctx, engine.Query{
		SQL:     strings.Join(selects, " UNION ALL "),
		Resolve: func(context.Context, engine.Ref) (engine.Table, error) { return t, nil },
	})
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row := rows.Row()
		c, text, n := row[0].(int64), row[1].(string), row[2].(int64)
		part[c].values = append(part[c].values, valueCount{strings.Clone(text), n})
	}
	return rows.Err()
}

// scan reads the values of all rows.
func (s *Service) scan(ctx context.Context, t engine.Table, part []columnRead) error {
	t.Columns = slices.Clone(t.Columns)
	t.Columns = slices.DeleteFunc(t.Columns, func(c quern.Column) bool {
		return !slices.ContainsFunc(part, func(w columnRead) bool { return w.name == c.Name })
	})
	rows, err := s.engine.Scan(ctx, t, 0, -1)
	if err != nil {
		return err
	}
	defer rows.Close()
	counts := make([]map[string]int64, len(t.Columns))
	for i := range counts {
		counts[i] = map[string]int64{}
	}
	for rows.Next() {
		for i, v := range rows.Row() {
			if v != nil {
				counts[i][textOf(v)]++
			}
		}
	}
	for i := range part {
		place := slices.IndexFunc(t.Columns, func(c quern.Column) bool { return c.Name == part[i].name })
		for text, n := range counts[place] {
			part[i].values = append(part[i].values, valueCount{strings.Clone(text), n})
		}
	}
	return rows.Err()
}

// textOf writes a value of a column of texts or numbers.
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v[:min(len(v), longestRead)]
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		return string(v)
	}
	return ""
}

// index makes the index of what was read, most frequent first.
func (w *columnRead) index(rows int64) indexed {
	slices.SortFunc(w.values, func(a, b valueCount) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.text, b.text)) })
	v := NewValues(w.limit)
	whole, most := rows <= mostRead && len(w.values) <= w.limit, 0
	for _, c := range w.values {
		v.Add(c.text)
		most = max(most, len(c.text))
	}
	v.Done()
	made := indexed{values: v}
	if whole && most < longestRead {
		made.distinct = int64(len(w.values))
	}
	return made
}
