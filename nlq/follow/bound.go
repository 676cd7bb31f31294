package follow

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// bounds are how one bounds a number.
var bounds = []struct {
	words english.Set
	op    tree.CompareOp
}{
	{english.Above, tree.Greater}, {english.AtLeast, tree.GreaterEq}, {english.Below, tree.Less}, {english.AtMost, tree.LessEq},
}

// boundOf returns the comparison that a word or phrase asks for.
func boundOf(phrase string) (op tree.CompareOp, ok bool) {
	for _, b := range bounds {
		if b.words.Has(phrase) {
			return b.op, true
		}
	}
	return op, false
}

// bound reads a bound of a number: "over 100", "price under 20".
func (e *editor) bound() []tree.Cond {
	for i := range e.words {
		for length := 2; length > 0; length-- {
			op, ok := boundOf(strings.Join(e.words[i:min(i+length, len(e.words))], " "))
			if !ok {
				continue
			}
			number, end, ok := e.number(i + length)
			if !ok {
				return nil
			}
			return e.bounded(op, number, i, end)
		}
	}
	return e.boundBehind()
}

// boundBehind reads a bound that stands behind its number: "4 or less".
func (e *editor) boundBehind() []tree.Cond {
	for i, w := range e.words {
		number, ok := lex.Number(w)
		if !ok || i+2 >= len(e.words) || e.words[i+1] != "or" {
			continue
		}
		op := tree.GreaterEq
		switch side := e.words[i+2]; {
		case english.OrLess.Has(side):
			op = tree.LessEq
		case !english.OrMore.Has(side):
			continue
		}
		return e.bounded(op, number, i, i+3)
	}
	return nil
}

// bounded returns a bound that some words state, of a column or of the number of each
// group, in both ways where both can be meant, and takes the words.
func (e *editor) bounded(op tree.CompareOp, number string, from, to int) []tree.Cond {
	var ways []tree.Cond
	is := func(of tree.Expr) {
		ways = append(ways, tree.Compare{Op: op, Left: of, Right: tree.Literal{Kind: tree.Number, Text: number}})
	}
	if column, ok := e.boundColumn(from, to); ok {
		is(column)
	} else if of, ok := e.groupNumber(); ok {
		is(of)
		often := timesWords[e.words[to-1]] != ""
		if other, ok := e.onlyNumber(); ok && !often {
			is(other)
		}
	}
	if len(ways) > 0 {
		e.take(from, to)
	}
	return ways
}

// groupNumber returns the one number of each group.
func (e *editor) groupNumber() (tree.Expr, bool) {
	if len(e.query.Select.Group) == 0 {
		return nil, false
	}
	numbers := slices.DeleteFunc(aggregated(e.query.Select.Items), e.isGroup)
	if len(numbers) != 1 {
		return nil, false
	}
	return numbers[0].Expr, true
}

// equalNumber reads a number that a column is to be: "with a score of 4", "15 percent
// discount", or another number of what the condition before says of one.
func (e *editor) equalNumber() (tree.Cond, bool) {
	for i := range e.words {
		_, bounds := boundOf(e.words[i])
		if _, more := boundOf(strings.Join(e.words[i:min(i+2, len(e.words))], " ")); more || bounds || e.words[i] == "than" {
			return nil, false
		}
	}
	for i := range e.words {
		number, end, ok := e.number(i)
		if !ok || !e.free(i, end) || lex.IsOrdinal(e.words[i]) || e.words[i] == "one" {
			continue
		}
		column, ok := e.numberColumn(i, end)
		if !ok {
			continue
		}
		e.take(i, end)
		return tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Number, Text: number}}, true
	}
	return nil, false
}

// numberColumn returns the column of numbers that stands beside a number, or that one
// condition before says is a number.
func (e *editor) numberColumn(from, to int) (tree.Column, bool) {
	before, behind := from, to
	for before > 0 && (lex.Function(e.words[before-1]) || e.words[before-1] == "=") {
		before--
	}
	for behind < len(e.words) && (lex.Function(e.words[behind]) || english.Shares.Has(e.words[behind]) || e.words[behind] == "%") {
		behind++
	}
	for length := longestName; length > 0; length-- {
		for _, start := range []int{before - length, behind} {
			if start < 0 || start+length > len(e.words) {
				continue
			}
			c, ok := e.column(strings.Join(e.words[start:start+length], " "))
			i, known := e.view.ColumnOf(e.query.Select.From, c)
			if ok && known && e.view.Columns[i].Type.Numeric() && !e.identifies(i) {
				e.take(min(start, from), max(start+length, to))
				return c, true
			}
		}
	}
	return e.numberBefore()
}

// numberBefore returns the one column that a condition before, be it in a nested query,
// says is a number.
func (e *editor) numberBefore() (tree.Column, bool) {
	wheres := []tree.Cond{e.query.Select.Where}
	for _, p := range e.view.Places(e.query.Select) {
		if p.Nested != nil && p.Nested.Select != nil {
			wheres = append(wheres, p.Nested.Select.Where)
		}
	}
	for _, where := range wheres {
		for _, c := range tree.Conjuncts(where) {
			compare, _ := c.(tree.Compare)
			k, isLiteral := compare.Right.(tree.Literal)
			if column, ok := compare.Left.(tree.Column); ok && isLiteral && k.Kind == tree.Number && compare.Op == tree.Equal {
				return column, true
			}
		}
	}
	return tree.Column{}, false
}

// timesWords are how often something was so, as numbers.
var timesWords = map[string]string{"once": "1", "twice": "2"}

// number reads the longest number that begins at a word.
func (e *editor) number(from int) (decimal string, end int, ok bool) {
	if from < len(e.words) && timesWords[e.words[from]] != "" {
		return timesWords[e.words[from]], from + 1, true
	}
	for end := min(from+longestValue, len(e.words)); end > from; end-- {
		if decimal, ok := lex.Number(strings.Join(e.words[from:end], " ")); ok {
			return decimal, end, true
		}
	}
	return "", from, false
}

// boundColumn returns the column that a bound is of: named before it, after it, or
// the only one that there is.
func (e *editor) boundColumn(from, to int) (tree.Column, bool) {
	for length := longestName; length > 0; length-- {
		for _, start := range []int{from - length, to} {
			if start < 0 || start+length > len(e.words) {
				continue
			}
			phrase := strings.Join(e.words[start:start+length], " ")
			c, ok := e.column(phrase)
			i, known := e.view.ColumnOf(e.query.Select.From, c)
			if !ok || !known || !e.view.Columns[i].Type.Numeric() {
				continue
			}
			if named(e.view.Columns[i], nameStems(phrase)) == partly && isMoney(e.view.Columns[i]) && len(e.moneyColumns()) > 1 {
				return tree.Column{}, false // what something costs may be another of them
			}
			e.take(start, start+length)
			return c, true
		}
	}
	if len(e.query.Select.Group) > 0 {
		return tree.Column{}, false // it is as likely a bound of the groups
	}
	if column, ok := e.boundBefore(); ok {
		return column, true
	}
	return e.onlyNumber()
}

// boundBefore returns the one column that conditions before compare with a number.
func (e *editor) boundBefore() (tree.Column, bool) {
	var found []tree.Column
	for _, c := range tree.Conjuncts(e.query.Select.Where) {
		compare, _ := c.(tree.Compare)
		column, isColumn := compare.Left.(tree.Column)
		k, isLiteral := compare.Right.(tree.Literal)
		if isColumn && isLiteral && k.Kind == tree.Number && !slices.Contains(found, column) {
			found = append(found, column)
		}
	}
	if len(found) != 1 {
		return tree.Column{}, false
	}
	return found[0], true
}
