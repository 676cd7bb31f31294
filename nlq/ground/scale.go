package ground

import (
	"math/big"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
)

// OwnScale is the unit in which the data have what a text says in another.
type OwnScale struct {
	english.Scale
	Word string        // for it, as the data have it
	Said english.Scale // the one that the text says
}

// Amount returns a number of the unit that was said in that of the data, with its word, or
// the word alone where there is no number.
func (o OwnScale) Amount(number string) (text string, ok bool) {
	if number == "" {
		return o.Word, true
	}
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return "", false
	}
	n.Mul(n, big.NewRat(o.Said.Size, o.Size))
	return strings.TrimSuffix(strings.TrimRight(n.FloatString(6), "0"), ".") + " " + o.Word, true
}

// OwnScale returns the unit of the data for one that a text says; ok is false where the
// data have that itself, several, or none. One letter is a unit behind a number alone.
func (r *Asked) OwnScale(word string, counted bool) (own OwnScale, ok bool) {
	said, isUnit := english.ScaleOf(word)
	if !isUnit || len(word) == 1 && !counted {
		return own, false
	}
	for _, c := range r.Whole.Columns {
		name, s, measures := ScaleOf(c)
		switch {
		case !measures || s.Kind != said.Kind || ok && s == own.Scale:
		case s == said || ok:
			return own, false
		default:
			own, ok = OwnScale{s, name, said}, true
		}
	}
	return own, ok
}

// ScaleOf returns the unit that the numbers of a column are in, by its name or its unit,
// with the word for it; prices for a unit are in none.
func ScaleOf(c schema.Column) (word string, s english.Scale, ok bool) {
	isPrice := func(w string) bool { return english.Money.Has(w) || english.IsCurrency(w) }
	if !c.Type.Numeric() || slices.ContainsFunc(c.Words, isPrice) || slices.Contains(c.Words, "per") {
		return "", s, false
	}
	for i, w := range append(slices.Clone(c.Words), c.Unit) {
		isLast := i >= len(c.Words)-1 // a letter is a unit behind what is measured
		if s, ok = english.ScaleOf(w); ok && (len(w) > 1 || isLast) {
			return w, s, true
		}
	}
	return "", s, false
}
