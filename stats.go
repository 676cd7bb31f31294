package quern

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
)

// ColumnStats is what is known of one column's values. Stats of two segments
// merge into the stats of both.
type ColumnStats struct {
	Nulls    int64    `json:"nulls"`
	Min      string   `json:"min,omitempty"` // as text; empty when all values are null or have no order
	Max      string   `json:"max,omitempty"`
	Examples []string `json:"examples,omitempty"`
	Distinct Sketch   `json:"distinct,omitempty"`
}

// MaxExamples is how many example values are kept of a column.
const MaxExamples = 5

// Merge returns the stats of the values of both, all of type t.
func (s ColumnStats) Merge(other ColumnStats, t Type) ColumnStats {
	merged := ColumnStats{
		Nulls:    s.Nulls + other.Nulls,
		Min:      bound(s.Min, other.Min, t, -1),
		Max:      bound(s.Max, other.Max, t, +1),
		Examples: slices.Clone(s.Examples),
		Distinct: s.Distinct.Merge(other.Distinct),
	}
	for _, e := range other.Examples {
		if len(merged.Examples) < MaxExamples && !slices.Contains(merged.Examples, e) {
			merged.Examples = append(merged.Examples, e)
		}
	}
	return merged
}

// bound returns the outer of two bounds in the direction of sign.
func bound(a, b string, t Type, sign int) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	case sign*compare(a, b, t) >= 0:
		return a
	}
	return b
}

// compare orders two values of type t, given as text.
func compare(a, b string, t Type) int {
	_, _, decimal := t.DecimalSize()
	switch {
	case decimal || t == Integer || t == Double:
		if order := compareRounded(a, b); order != 0 {
			return order
		}
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		if okX && okY {
			return x.Cmp(y)
		}
	case t == Timestamp:
		x, errX := time.Parse(time.RFC3339Nano, a)
		y, errY := time.Parse(time.RFC3339Nano, b)
		if errX == nil && errY == nil {
			return x.Compare(y)
		}
	}
	return cmp.Compare(a, b)
}

// compareRounded orders two numbers by what they are when they are rounded, which is their order unless
// that is the same; 0 then, and when they are not numbers.
func compareRounded(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || math.IsInf(x, 0) || math.IsInf(y, 0) || math.IsNaN(x) || math.IsNaN(y) {
		return 0
	}
	return cmp.Compare(x, y)
}
