package quern

import (
	"fmt"
	"strings"
)

// Type is the type of a column as callers see it.
type Type string

// The column types. A decimal names its precision and scale, as in
// "decimal(18,4)"; the others stand alone.
const (
	Boolean   Type = "boolean"
	Integer   Type = "integer" // 64 bits, signed
	Double    Type = "double"
	Date      Type = "date"
	Timestamp Type = "timestamp" // an instant, with zone, to the microsecond
	Text      Type = "text"
	JSON      Type = "json"
)

// MaxDecimalDigits is the most digits a decimal can hold.
const MaxDecimalDigits = 38

// Decimal is the type of exact numbers with precision digits, scale of them
// behind the point.
func Decimal(precision, scale int) Type {
	return Type(fmt.Sprintf("decimal(%d,%d)", precision, scale))
}

// DecimalSize gives a decimal's precision and scale; ok is false for other types.
func (t Type) DecimalSize() (precision, scale int, ok bool) {
	if !strings.HasPrefix(string(t), "decimal(") {
		return 0, 0, false
	}
	n, err := fmt.Sscanf(string(t), "decimal(%d,%d)", &precision, &scale)
	return precision, scale, err == nil && n == 2
}

// Column is one column of a table.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
}
