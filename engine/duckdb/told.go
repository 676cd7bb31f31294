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
	// toldText is the length from which the writer shortens texts.
	toldText = 256
	// toldDigits is up to which precision the writer tells decimals exactly.
	toldDigits = 18
	// toldLayout is how the writer tells timestamps.
	toldLayout = "2006-01-02 15:04:05.999999-07"
)

// toldStats is what the engine's Parquet writer tells of a column.
type toldStats struct {
	Min   *string `json:"min"`
	Max   *string `json:"max"`
	NaN   string  `json:"has_nan"`
	Nulls string  `json:"null_count"`
}

// writerStats reads the answer to a COPY, by quoted column name. What cannot be
// read counts as not told.
func writerStats(s *stream) map[string]toldStats {
	at := slices.Index(s.names, "column_statistics")
	if at < 0 || s.size != 1 {
		return nil
	}
	text, _ := s.vectors[at].value(0).(json.RawMessage)
	var told map[string]toldStats
	if json.Unmarshal(text, &told) != nil {
		return nil
	}
	return told
}

// fill reports whether what was told is exact for a column of type t, and if so
// fills it in.
func (s toldStats) fill(stats *quern.ColumnStats, t quern.Type) bool {
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
	low, okLow := toldValue(*s.Min, t)
	high, okHigh := toldValue(*s.Max, t)
	if !okLow || !okHigh {
		return false
	}
	stats.Nulls, stats.Min, stats.Max = nulls, statText(low), statText(high)
	return true
}

// toldValue gives a value as reading it from the file would.
func toldValue(text string, t quern.Type) (any, bool) {
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
		return text, len(text) < toldText
	case quern.Date:
		_, err := time.Parse(time.DateOnly, text)
		return text, err == nil
	case quern.Timestamp:
		at, err := time.Parse(toldLayout, text)
		return at.UTC().Format(timestampLayout), err == nil
	}
	// Without whole digits the writer leaves out the zero before the point.
	precision, scale, decimal := t.DecimalSize()
	return json.Number(text), decimal && precision <= toldDigits && scale < precision
}
