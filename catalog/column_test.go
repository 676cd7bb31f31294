package catalog_test

import (
	"testing"

	"quern"
	"quern/catalog"
)

func shape(t quern.Type, whole, fraction int) catalog.Shape {
	return catalog.Shape{Type: t, Digits: quern.Digits{Whole: whole, Fraction: fraction}}
}

func TestJoinLosesNothing(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		a, b catalog.Shape
		want quern.Type
	}{
		{"nothing yet", catalog.Shape{}, shape(quern.Integer, 3, 0), quern.Integer},
		{"same", shape(quern.Date, 0, 0), shape(quern.Date, 0, 0), quern.Date},
		{"small integers fit doubles", shape(quern.Integer, 15, 0), shape(quern.Double, 2, 3), quern.Double},
		{"large integers do not", shape(quern.Integer, 16, 0), shape(quern.Double, 2, 3), quern.Decimal(19, 3)},
		{"doubles beyond decimals", shape(quern.Integer, 16, 0), shape(quern.Double, 300, 0), quern.Text},
		{"tiny doubles beyond decimals", shape(quern.Integer, 19, 0), shape(quern.Double, 0, 30), quern.Text},
		{"decimals grow", shape(quern.Decimal(20, 2), 18, 2), shape(quern.Decimal(21, 20), 1, 20), quern.Decimal(38, 20)},
		{"decimals burst", shape(quern.Decimal(20, 2), 19, 2), shape(quern.Decimal(21, 20), 1, 20), quern.Text},
		{"booleans and numbers", shape(quern.Boolean, 0, 0), shape(quern.Integer, 1, 0), quern.Text},
		{"dates and instants", shape(quern.Date, 0, 0), shape(quern.Timestamp, 0, 0), quern.Text},
		{"numbers and text", shape(quern.Double, 1, 1), shape(quern.Text, 0, 0), quern.Text},
		{"anything and nested", shape(quern.Text, 0, 0), shape(quern.JSON, 0, 0), quern.JSON},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := c.a.Join(c.b); got.Type != c.want {
				t.Errorf("Join(%v, %v) = %s, want %s", c.a, c.b, got.Type, c.want)
			}
			if got := c.b.Join(c.a); got.Type != c.want {
				t.Errorf("Join(%v, %v) = %s, want %s", c.b, c.a, got.Type, c.want)
			}
		})
	}
}

func TestJoinIsAssociativeOverEveryShape(t *testing.T) {
	t.Parallel()
	shapes := []catalog.Shape{{}, shape(quern.Boolean, 0, 0), shape(quern.Integer, 3, 0), shape(quern.Integer, 19, 0), shape(quern.Double, 3, 4),
		shape(quern.Double, 300, 0), shape(quern.Decimal(24, 4), 20, 4), shape(quern.Date, 0, 0), shape(quern.Timestamp, 0, 0), shape(quern.Text, 0, 0), shape(quern.JSON, 0, 0)}
	for _, a := range shapes {
		for _, b := range shapes {
			for _, c := range shapes {
				left, right := a.Join(b).Join(c), a.Join(b.Join(c))
				// Text is final, so digits no longer matter once it is reached.
				if left.Type != right.Type {
					t.Errorf("Join over %v, %v, %v = %s or %s, depending on the order", a, b, c, left.Type, right.Type)
				}
			}
		}
	}
}
