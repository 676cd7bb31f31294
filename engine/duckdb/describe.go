package duckdb

import (
	"encoding/json"
	"fmt"
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
func (j *job) describe(path string, columns []quern.Column, reported map[string]writerStats, w *engine.Written) error {
	w.Columns = make([]quern.ColumnStats, len(columns))
	var asked []int // columns that are read for what is not known of them
	known := make([]*quern.ColumnStats, len(columns))
	if j.known != nil {
		known = j.known()
	}
	for i := range columns {
		if known[i] == nil {
			asked = append(asked, i)
			continue
		}
		w.Columns[i] = *known[i]
	}
	file := "read_parquet(" + quoteText(path) + ", hive_partitioning = false)"
	if err := j.ranges(file, columns, reported, w); err != nil {
		return err
	}
	if len(asked) > 0 && w.Rows > 0 {
		if err := j.sketches(file, columns, asked, w.Columns); err != nil {
			return err
		}
		if err := j.examples(file, columns, asked, w.Columns); err != nil {
			return err
		}
	}
	for i := range w.Columns {
		if s := &w.Columns[i]; len(s.Examples) == 0 && s.Min != "" {
			s.Examples = slices.Compact([]string{s.Min, s.Max})
		}
	}
	return nil
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
	if len(asked) == 0 && w.Rows >= 0 {
		return nil
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
func (j *job) sketches(file string, columns []quern.Column, asked []int, stats []quern.ColumnStats) error {
	list := make([]string, len(asked))
	for at, i := range asked {
		c := columns[i]
		name := quoteName(c.Name)
		value := name
		switch _, _, decimal := c.Type.DecimalSize(); {
		case decimal || c.Type == quern.Integer:
			value = "CAST(" + name + " AS DOUBLE)"
		case c.Type == quern.JSON:
			value = "CAST(" + name + " AS VARCHAR)"
		}
		if list[at] = "hash(" + value + ")"; stats[i].Nulls > 0 {
			list[at] = "CASE WHEN " + name + " IS NOT NULL THEN " + list[at] + " END"
		}
	}
	registers := make([]quern.Registers, len(asked))
	err := j.each("SELECT "+strings.Join(list, ", ")+" FROM "+file, func(s *stream) {
		for at := range registers {
			addHashes(&registers[at], &s.vectors[at], s.size)
		}
	})
	for at, i := range asked {
		stats[i].Distinct = registers[at].Sketch()
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

// examples takes the first distinct values of columns.
func (j *job) examples(file string, columns []quern.Column, asked []int, stats []quern.ColumnStats) error {
	names := make([]string, len(asked))
	for at, i := range asked {
		names[at] = quoteName(columns[i].Name)
	}
	sql := fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), file, sampleRows)
	return j.each(sql, func(s *stream) {
		for at, i := range asked {
			for row := 0; row < s.size && len(stats[i].Examples) < quern.MaxExamples; row++ {
				addExample(&stats[i], s.vectors[at].value(row))
			}
		}
	})
}

func addExample(s *quern.ColumnStats, value any) {
	if text := statText(value); value != nil && !slices.Contains(s.Examples, text) {
		s.Examples = append(s.Examples, text)
	}
}

// each runs a statement of ours and hands over its chunks.
func (j *job) each(sql string, chunk func(*stream)) error { return j.run(sql, false, chunk) }

// run is each for a statement that may take its time, where patient says so.
func (j *job) run(sql string, patient bool, chunk func(*stream)) error {
	s, err := j.in.run(j.ctx, sql, patient)
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
