package prose

import (
	"fmt"
	"math/big"
	"slices"

	"quern"
	"quern/tree"
)

// Contrast compares the numbers of steps that have one each; empty when they do
// not.
func Contrast(steps []quern.Step) string {
	var numbers []*big.Rat
	var first tree.Value
	ofMoney := false
	for i, s := range steps {
		t := NewTable(s)
		if len(t.Rows) != 1 || len(t.Columns) != 1 {
			return ""
		}
		v := t.value(0)
		if i == 0 {
			first, ofMoney = v, t.isMoney(0)
		}
		if !sameMeasure(first, v) {
			return "" // a number of things and the year of one have no difference
		}
		n, ok := Rational(t.Rows[0][0])
		if !ok {
			return ""
		}
		numbers = append(numbers, n)
	}
	least, most := slices.MinFunc(numbers, (*big.Rat).Cmp), slices.MaxFunc(numbers, (*big.Rat).Cmp)
	all := "two"
	if len(numbers) > 2 {
		all = "largest and the smallest"
	}
	if least.Cmp(most) == 0 {
		return "These are equal."
	}
	difference := decimalText(new(big.Rat).Sub(most, least))
	if ofMoney {
		difference = withCents(difference, false)
	}
	text := fmt.Sprintf("The difference between the %s is %s", all, roundForProse(difference, GroupDigits))
	if least.Sign() > 0 {
		ratio := new(big.Rat).Quo(most, least)
		text += fmt.Sprintf(", and the larger is %s times the smaller", roundForProse(decimalText(ratio), GroupDigits))
	}
	return text + " (computed from the numbers above)."
}

// sameMeasure reports whether two values can be compared: both count, or both are
// of a column of the same name.
func sameMeasure(a, b tree.Value) bool {
	if a.Func == tree.Count || b.Func == tree.Count {
		return a.Func == b.Func
	}
	return a.Bare == b.Bare
}

// decimalText writes a rational number with all its digits, or with more than prose
// shows.
func decimalText(r *big.Rat) string {
	if digits, exact := r.FloatPrec(); exact {
		return r.FloatString(digits)
	}
	return r.FloatString(longFraction + 2)
}
