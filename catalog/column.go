package catalog

import (
	"strings"

	"quern"
)

// Shape is what is known of the values of one column: the narrowest type that
// holds them all, and how many digits its numbers have.
type Shape struct {
	Type quern.Type // empty: only nulls so far
	quern.Digits
}

// exactDigits is how many decimal digits every double holds exactly.
const exactDigits = 15

// Join returns the shape that holds the values of both without changing any:
// integers that a double would round become decimals, and what has no exact
// number type in common becomes text.
func (a Shape) Join(b Shape) Shape {
	switch {
	case a.Type == "":
		return b
	case b.Type == "":
		return a
	}
	joined := Shape{Type: a.Type, Digits: quern.Digits{Whole: max(a.Whole, b.Whole), Fraction: max(a.Fraction, b.Fraction)}}
	switch {
	case a.Type == b.Type:
	case a.Type == quern.JSON || b.Type == quern.JSON:
		joined.Type = quern.JSON
	case a.Type.Numeric() && b.Type.Numeric():
		joined.Type = joinNumbers(a, b, joined.Digits)
	default:
		joined.Type = quern.Text
	}
	return joined
}

func joinNumbers(a, b Shape, d quern.Digits) quern.Type {
	mixed := a.Type == quern.Integer && b.Type == quern.Double || a.Type == quern.Double && b.Type == quern.Integer
	whole := a.Whole
	if b.Type == quern.Integer {
		whole = b.Whole
	}
	switch {
	case mixed && whole <= exactDigits:
		return quern.Double
	case d.Whole+d.Fraction <= quern.MaxDecimalDigits:
		return quern.Decimal(max(1, d.Whole+d.Fraction), d.Fraction)
	}
	return quern.Text
}

// Batch is one column of rows about to be appended.
type Batch struct {
	Name string
	Shape
	Unit string // of its numbers, empty when they have none
}

// Plan returns the types in which to write a batch so that it fits the dataset's
// columns, and the names as the dataset spells them.
func Plan(d quern.Dataset, batch []Batch) []quern.Column {
	current := map[string]quern.DatasetColumn{}
	for _, c := range d.Columns {
		current[strings.ToLower(c.Name)] = c
	}
	plan := make([]quern.Column, len(batch))
	for i, b := range batch {
		plan[i] = quern.Column{Name: b.Name, Type: typeOfShape(b.Shape)}
		if c, ok := current[strings.ToLower(b.Name)]; ok {
			plan[i] = quern.Column{Name: c.Name, Type: typeOfShape(shapeOf(c, d.Rows).Join(b.Shape))}
			if unitsDiffer(c, d.Rows, b) {
				plan[i].Type = quern.Text
			}
		}
	}
	return plan
}

// unitsDiffer reports whether numbers would come to stand beside numbers in another
// unit.
func unitsDiffer(c quern.DatasetColumn, rows int64, b Batch) bool {
	return c.Unit != "" && b.Unit != "" && c.Unit != b.Unit && c.Stats.Nulls < rows
}

// typeOfShape returns the type of values of a shape; text where there are only nulls so far.
func typeOfShape(s Shape) quern.Type {
	if s.Type == "" {
		return quern.Text
	}
	return s.Type
}

func shapeOf(c quern.DatasetColumn, rows int64) Shape {
	if c.Stats.Nulls == rows {
		return Shape{}
	}
	return Shape{Type: c.Type, Digits: c.Digits}
}
