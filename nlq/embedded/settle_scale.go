package embedded

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// amountOf finds a word that may be a unit, and the number before it.
var amountOf = regexp.MustCompile(`(?i)\b(?:(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?) ?)?(\pL+)\b`)

// inScale returns a text in the units of the data, where they have none of those that it
// says and one of the same kind: over 2 kg is over 2000 g where weights are in grams.
func (r *reader) inScale(text string) string {
	var changes []english.Change
	for _, at := range amountOf.FindAllStringSubmatchIndex(text, -1) {
		unit := text[at[4]:at[5]]
		number, start := numberBefore(text, at[0])
		if at[2] >= 0 {
			number, start = strings.ReplaceAll(text[at[2]:at[3]], ",", ""), at[0]
		}
		if word, ok := r.ownWord(unit); ok {
			changes = append(changes, english.Change{Start: at[4], End: at[5], By: word})
			continue
		}
		own, ok := r.ownScale(unit, number != "")
		if !ok {
			continue
		}
		if by, ok := own.amount(number); ok {
			changes = append(changes, english.Change{Start: start, End: at[1], By: by})
		}
	}
	return changed(text, changes)
}

// numberBefore returns the number that the words before a place say, and where they begin; no
// number and the place itself where they say none: two hundred kilos.
func numberBefore(text string, place int) (number string, start int) {
	before := strings.TrimRight(text[:place], " ")
	start = place
	for end := len(before); end > 0; {
		first := strings.LastIndexByte(before[:end], ' ') + 1
		decimal, ok := lex.Number(before[first:])
		if !ok && !strings.EqualFold(before[first:end], "and") {
			break
		}
		if ok {
			number, start = decimal, first
		}
		end = len(strings.TrimRight(before[:first], " "))
	}
	return number, start
}

// ownWord returns how the data write a unit that a text says in another way: kg for kilos. ok is
// false where they write it in several ways, in one letter, as the text does, or not at all.
func (r *reader) ownWord(unit string) (word string, ok bool) {
	said, isUnit := english.ScaleOf(unit)
	if !isUnit {
		return "", false
	}
	for _, c := range r.whole.Columns {
		name, s, measures := scaleOf(c)
		switch {
		case !measures || s != said || name == word:
		case ok:
			return "", false
		default:
			word, ok = name, true
		}
	}
	isSame := english.Singular(strings.ToLower(unit)) == english.Singular(strings.ToLower(word))
	return word, ok && len(word) > 1 && !isSame
}

// amount returns a number of the unit that was said in that of the data, with its word, or
// the word alone where there is no number.
func (o ownScale) amount(number string) (text string, ok bool) {
	if number == "" {
		return o.word, true
	}
	n, ok := new(big.Rat).SetString(number)
	if !ok {
		return "", false
	}
	n.Mul(n, big.NewRat(o.said.Size, o.Size))
	return strings.TrimSuffix(strings.TrimRight(n.FloatString(6), "0"), ".") + " " + o.word, true
}

// ownScale is the unit in which the data have what a text says in another.
type ownScale struct {
	english.Scale
	word string
	said english.Scale
}

// ownScale returns the unit of the data for one that a text says; ok is false where the
// data have that itself, several, or none. One letter is a unit behind a number alone.
func (r *reader) ownScale(word string, counted bool) (own ownScale, ok bool) {
	said, isUnit := english.ScaleOf(word)
	if !isUnit || len(word) == 1 && !counted {
		return own, false
	}
	for _, c := range r.whole.Columns {
		name, s, measures := scaleOf(c)
		switch {
		case !measures || s.Kind != said.Kind || ok && s == own.Scale:
		case s == said || ok:
			return own, false
		default:
			own, ok = ownScale{s, name, said}, true
		}
	}
	return own, ok
}

// scaleOf returns the unit that the numbers of a column are in, by its name or its unit,
// with the word for it; prices for a unit are in none.
func scaleOf(c schema.Column) (word string, s english.Scale, ok bool) {
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

// settleScale gives amounts in the unit that the question asks for, where the data have
// them in another: how many litres is a thousandth of all millilitres.
func (g *grounding) settleScale(q *tree.Query) {
	if q.Select == nil {
		return
	}
	words := lex.Tokens(g.question.Text)
	for i, t := range words {
		if i > 0 && isAmount(words[i-1].Text) {
			continue
		}
		own, ok := g.ownScale(t.Text, false)
		if !ok {
			continue
		}
		for k, item := range q.Select.Items {
			if g.isInScale(q, item.Expr, own.Scale) {
				q.Select.Items[k] = tree.Item{Expr: inUnits(item.Expr, own), Alias: strings.ToLower(t.Text)}
			}
		}
		return
	}
}

// inUnits returns an amount in the unit that was said.
func inUnits(e tree.Expr, own ownScale) tree.Expr {
	number := func(n int64) tree.Literal { return tree.Literal{Kind: tree.Number, Text: strconv.FormatInt(n, 10)} }
	if own.said.Size > own.Size {
		return tree.Arith{Op: '/', Left: e, Right: number(own.said.Size / own.Size)}
	}
	return tree.Arith{Op: '*', Left: e, Right: number(own.Size / own.said.Size)}
}

// isInScale reports whether a value is an amount in a unit: a column, an aggregate of it, or
// so many times the column.
func (g *grounding) isInScale(q *tree.Query, e tree.Expr, s english.Scale) bool {
	switch e := e.(type) {
	case tree.Aggregate:
		return e.Func != tree.Count && g.isInScale(q, e.Arg, s)
	case tree.Arith:
		left, right := g.isInScale(q, e.Left, s), g.isInScale(q, e.Right, s)
		switch e.Op {
		case '*':
			return left != right
		case '/':
			return left && !right
		}
		return left && right
	case tree.Column:
		id, known := g.view.ColumnOf(q.Select.From, e)
		if !known {
			return false
		}
		_, own, ok := scaleOf(g.view.Columns[id])
		return ok && own == s
	}
	return false
}
