package engine

// ColumnStats is what is known of one column's values. Stats of two segments
// merge into the stats of both.
type ColumnStats struct {
	Nulls    int64    `json:"nulls"`
	Min      string   `json:"min,omitempty"` // as text; empty when all values are null or have no order
	Max      string   `json:"max,omitempty"`
	Examples []string `json:"examples,omitempty"`
	Distinct Sketch   `json:"distinct,omitempty"`
}
