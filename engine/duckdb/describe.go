package duckdb

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"quern"
	"quern/engine"
)

const (
	// sampleRows is how many rows examples are looked for in.
	sampleRows = 200
	// maxStatText is the most characters of a value in stats.
	maxStatText = 256
)

// describe measures a file that was just written.
func (j *job) describe(path string, columns []quern.Column, reported map[string]writerStats) (engine.Written, error) {
	info, err := os.Stat(path)
	if err != nil {
		return engine.Written{}, err
	}
	w := engine.Written{Bytes: info.Size(), Columns: make([]quern.ColumnStats, len(columns))}
	file := "read_parquet(" + quoteText(path) + ", hive_partitioning = false)"
	if err := j.ranges(file, columns, reported, &w); err != nil {
		return engine.Written{}, err
	}
	if len(columns) == 0 || w.Rows == 0 {
		return w, nil
	}
	if err := j.sketches(file, columns, w.Columns); err != nil {
		return engine.Written{}, err
	}
	return w, j.examples(file, columns, w.Columns)
}

// ranges counts rows and nulls and finds the smallest and largest values, as far
// as the writer has not told them.
func (j *job) ranges(file string, columns []quern.Column, reported map[string]writerStats, w *engine.Written) error {
	list, asked := []string{"count(*)"}, []int{}
	for i, c := range columns {
		if reported[quoteName(c.Name)].fill(&w.Columns[i], c.Type) {
			continue
		}
		asked = append(asked, i)
		name := quoteName(c.Name)
		low, high := "min("+name+")", "max("+name+")"
		if c.Type == quern.JSON {
			low, high = "NULL", "NULL"
		}
		list = append(list, "count("+name+")", low, high)
	}
	return j.each("SELECT "+strings.Join(list, ", ")+" FROM "+file, func(s *stream) {
		w.Rows = s.vectors[0].value(0).(int64)
		for at, i := range asked {
			at = 1 + 3*at
			w.Columns[i].Nulls = w.Rows - s.vectors[at].value(0).(int64)
			w.Columns[i].Min = statText(s.vectors[at+1].value(0))
			w.Columns[i].Max = statText(s.vectors[at+2].value(0))
		}
	})
}

// sketches hashes every value in the engine and counts the hashes here, which
// is several times faster than grouping by register there. Numbers are hashed
// as doubles, so that a column can widen and its sketches still merge.
func (j *job) sketches(file string, columns []quern.Column, stats []quern.ColumnStats) error {
	list := make([]string, len(columns))
	for i, c := range columns {
		name := quoteName(c.Name)
		value := name
		switch _, _, decimal := c.Type.DecimalSize(); {
		case decimal || c.Type == quern.Integer:
			value = "CAST(" + name + " AS DOUBLE)"
		case c.Type == quern.JSON:
			value = "CAST(" + name + " AS VARCHAR)"
		}
		if list[i] = "hash(" + value + ")"; stats[i].Nulls > 0 {
			list[i] = "CASE WHEN " + name + " IS NOT NULL THEN " + list[i] + " END"
		}
	}
	registers := make([]quern.Registers, len(columns))
	err := j.each("SELECT "+strings.Join(list, ", ")+" FROM "+file, func(s *stream) {
		for i := range registers {
			addHashes(&registers[i], &s.vectors[i], s.size)
		}
	})
	for i := range registers {
		stats[i].Distinct = registers[i].Sketch()
	}
	return err
}

func addHashes(r *quern.Registers, v *vector, size int) {
	for row := range size {
		if !v.null(row) {
			r.Add(at[uint64](v, row))
		}
	}
}

// examples takes the first distinct values of every column.
func (j *job) examples(file string, columns []quern.Column, stats []quern.ColumnStats) error {
	sql := fmt.Sprintf("SELECT * FROM %s LIMIT %d", file, sampleRows)
	err := j.each(sql, func(s *stream) {
		for i := range columns {
			for row := 0; row < s.size && len(stats[i].Examples) < quern.MaxExamples; row++ {
				addExample(&stats[i], s.vectors[i].value(row))
			}
		}
	})
	for i := range stats {
		if len(stats[i].Examples) == 0 && stats[i].Min != "" {
			stats[i].Examples = slices.Compact([]string{stats[i].Min, stats[i].Max})
		}
	}
	return err
}

func addExample(s *quern.ColumnStats, value any) {
	if text := statText(value); value != nil && !slices.Contains(s.Examples, text) {
		s.Examples = append(s.Examples, text)
	}
}

// each runs a statement of ours and hands over its chunks.
func (j *job) each(sql string, chunk func(*stream)) error {
	s, err := j.in.stream(j.ctx, sql)
	if err != nil {
		return err
	}
	defer s.close()
	for {
		ok, err := s.next(j.ctx)
		if err != nil || !ok {
			return err
		}
		s.load()
		chunk(s)
	}
}

// statText writes a value for stats, shortened.
func statText(value any) string {
	var text string
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		text = v
	case json.RawMessage:
		text = string(v)
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		text = fmt.Sprint(v)
	}
	if utf8.RuneCountInString(text) <= maxStatText {
		return text
	}
	runes := []rune(text)
	return string(runes[:maxStatText-1]) + "…"
}
