package duckdb

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"quern"
)

const (
	// writerTextLimit is the length from which the writer shortens texts.
	writerTextLimit = 256
	// writerDigits is up to which precision the writer tells decimals exactly.
	writerDigits = 18
	// writerTimestamps is how the writer tells timestamps.
	writerTimestamps = "2006-01-02 15:04:05.999999-07"
)

// writerStats is what the engine's Parquet writer tells of a column.
type writerStats struct {
	Min   *string `json:"min"`
	Max   *string `json:"max"`
	NaN   string  `json:"has_nan"`
	Nulls string  `json:"null_count"`
}

// readWriterStats reads the answer to a COPY, by quoted column name. What cannot be
// read counts as not told.
func readWriterStats(s *stream) map[string]writerStats {
	at := slices.Index(s.names, "column_statistics")
	if at < 0 || s.size != 1 {
		return nil
	}
	text, _ := s.vectors[at].value(0).(json.RawMessage)
	var reported map[string]writerStats
	if json.Unmarshal(text, &reported) != nil {
		return nil
	}
	return reported
}

// writtenRows reads from the answer to a COPY how many rows were written; -1 when it does
// not say.
func writtenRows(s *stream) int64 {
	at := slices.Index(s.names, "count")
	if at < 0 || s.size != 1 {
		return -1
	}
	switch n := s.vectors[at].value(0).(type) {
	case int64:
		return n
	case json.Number:
		rows, err := n.Int64()
		if err == nil {
			return rows
		}
	}
	return -1
}

// fill reports whether what was told is exact for a column of type t, and if so
// fills it in.
func (s writerStats) fill(stats *quern.ColumnStats, t quern.Type) bool {
	nulls, err := strconv.ParseInt(s.Nulls, 10, 64)
	if err != nil {
		return false
	}
	if t == quern.JSON {
		stats.Nulls = nulls
		return true
	}
	if s.Min == nil || s.Max == nil || s.NaN == "true" {
		return false
	}
	low, okLow := writerValue(*s.Min, t)
	high, okHigh := writerValue(*s.Max, t)
	if !okLow || !okHigh {
		return false
	}
	stats.Nulls, stats.Min, stats.Max = nulls, statText(low), statText(high)
	return true
}

// writerValue returns a value as reading it from the file would.
func writerValue(text string, t quern.Type) (any, bool) {
	switch t {
	case quern.Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	case quern.Double:
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil && !math.IsInf(f, 0) && f != 0
	case quern.Boolean:
		return text == "1", text == "1" || text == "0"
	case quern.Text:
		return text, len(text) < writerTextLimit
	case quern.Date:
		_, err := time.Parse(time.DateOnly, text)
		return text, err == nil
	case quern.Timestamp:
		at, err := time.Parse(writerTimestamps, text)
		return at.UTC().Format(time.RFC3339Nano), err == nil
	}
	// Without whole digits the writer leaves out the zero before the point.
	precision, scale, decimal := t.DecimalSize()
	return json.Number(text), decimal && precision <= writerDigits && scale < precision
}
