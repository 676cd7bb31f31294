package follow

import (
	"cmp"
	"reflect"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// target is a query, and the view in which phrases about it are looked up. Its
// Select is not nil.
type target struct {
	view  schema.View
	query *tree.Query
}

// column returns the column of the query's tables that a phrase names: all of its
// words and nothing else, or the only one that has all of the phrase's words.
func (t target) column(phrase string) (tree.Column, bool) {
	words := nameStems(phrase)
	var partial []tree.Column
	for _, source := range t.query.Select.From {
		for _, i := range t.view.ColumnsOf(source) {
			column := tree.Column{Source: source.Ref(), Name: t.view.Columns[i].Name}
			switch named(t.view.Columns[i], words) {
			case fully:
				return column, true
			case partly:
				partial = append(partial, column)
			}
		}
	}
	if len(partial) == 1 {
		return partial[0], true
	}
	return tree.Column{}, false
}

// naming is how much of a name some words are.
type naming uint8

const (
	notAtAll naming = iota
	partly
	fully
)

// named returns how much of one of a column's names some stems are.
func named(c schema.Column, stems []string) naming {
	best := notAtAll
	for _, name := range append([][]string{c.Words}, c.Names...) {
		have := stemsOf(name)
		if slices.Equal(have, stems) {
			return fully
		}
		if len(stems) > 0 && !slices.ContainsFunc(stems, func(w string) bool { return !slices.Contains(have, w) }) {
			best = partly
		}
	}
	return best
}

// nameStems returns the stems of the words of a phrase that can be part of a name: of weekly
// hours, week and hour.
func nameStems(phrase string) []string {
	return stemsOf(slices.DeleteFunc(lex.Words(phrase, nil), lex.Function))
}

// stemsOf returns the stems of words, of monthly that of month.
func stemsOf(words []string) []string {
	units := slices.Clone(words)
	for i, w := range units {
		units[i] = cmp.Or(english.PeriodOf(w), w)
	}
	return english.Stems(units)
}

// singularName returns the words of a name for one of what it names.
func singularName(words []string) []string {
	one := slices.Clone(words)
	if n := len(one); n > 0 {
		one[n-1] = english.Singular(one[n-1])
	}
	return one
}

// reads reports whether the query itself reads a table.
func (t target) reads(table int) bool {
	return slices.ContainsFunc(t.query.Select.From, func(s tree.Source) bool {
		read, ok := t.view.TableOf(s)
		return ok && read == table
	})
}

// namedValue returns what a phrase names among the items and columns of the query.
func (t target) namedValue(phrase string) (tree.Expr, bool) {
	words := english.Stems(lex.Words(phrase, nil))
	for _, i := range t.query.Select.Items {
		a, ok := i.Expr.(tree.Aggregate)
		if ok && len(words) > 0 && slices.Contains(english.Stems(english.FunctionNames(string(a.Func))), words[0]) {
			return i.Expr, true
		}
	}
	column, ok := t.column(phrase)
	if ok && len(t.query.Select.Group) > 0 && !slices.Contains(t.query.Select.Group, tree.Expr(column)) {
		return nil, false
	}
	return column, ok
}

// oneRow reports whether the query has one row, whatever the data.
func (t target) oneRow() bool {
	return len(t.query.Select.Group) == 0 && HasAggregate(t.query.Select.Items...)
}

// lists reports whether a value is among the items.
func (t target) lists(e tree.Expr) bool {
	return slices.ContainsFunc(t.query.Select.Items, func(i tree.Item) bool {
		_, all := i.Expr.(tree.Star)
		return all || reflect.DeepEqual(i.Expr, e)
	})
}

// aggregates reports whether one of the items is a number made of a column.
func (t target) aggregates(column tree.Column) bool {
	return slices.ContainsFunc(t.query.Select.Items, func(i tree.Item) bool {
		a, ok := i.Expr.(tree.Aggregate)
		return ok && a.Arg == tree.Expr(column)
	})
}

// HasAggregate reports whether one of some items is made of many rows.
func HasAggregate(items ...tree.Item) bool {
	return slices.ContainsFunc(items, func(i tree.Item) bool {
		switch of := i.Expr.(type) {
		case tree.Aggregate, tree.Share:
			return true
		case tree.Arith:
			return HasAggregate(tree.Item{Expr: of.Left}, tree.Item{Expr: of.Right})
		}
		return false
	})
}

// aggregated returns the items that are made of many rows.
func aggregated(items []tree.Item) []tree.Item {
	return slices.DeleteFunc(slices.Clone(items), func(i tree.Item) bool { return !HasAggregate(i) })
}

// measure returns the one number that the rows are ranked by.
func (t target) measure() (tree.Expr, bool) {
	if len(t.query.Select.Group) == 0 && !t.query.Select.Distinct {
		column, ok := t.onlyNumber()
		return column, ok
	}
	found := aggregated(t.query.Select.Items)
	if len(found) != 1 {
		return nil, false
	}
	return found[0].Expr, true
}

// onlyNumber returns the one column of numbers among the items, or else among the
// tables, that is not there to tell rows apart.
func (t target) onlyNumber() (tree.Column, bool) {
	var listed, all []tree.Column
	for _, source := range t.query.Select.From {
		for _, i := range t.view.ColumnsOf(source) {
			c := t.view.Columns[i]
			if !c.Type.Numeric() || t.identifies(i) {
				continue
			}
			column := tree.Column{Source: source.Ref(), Name: c.Name}
			all = append(all, column)
			if t.lists(column) {
				listed = append(listed, column)
			}
		}
	}
	if len(listed) == 0 {
		listed = all
	}
	if len(listed) != 1 {
		return tree.Column{}, false
	}
	return listed[0], true
}

// identifies reports whether a column is there to tell rows apart or to link them,
// or holds years.
func (t target) identifies(column int) bool {
	c := t.view.Columns[column]
	words := c.Words
	isNumber := c.Key() && column == t.view.Tables[c.Table].First && c.Type == quern.Integer
	return isNumber || slices.ContainsFunc(words, english.Numbering.Has) || slices.Contains(words, "year") || slices.ContainsFunc(t.view.Links, func(l schema.Link) bool {
		return l.From == column || l.To == column
	})
}

// isTable reports whether a word is one of the names of the query's tables.
func (t target) isTable(word string) bool {
	return slices.ContainsFunc(t.query.Select.From, func(s tree.Source) bool {
		return slices.Contains(english.Stems(lex.Words(s.Dataset.Dataset, nil)), english.Stem(word))
	})
}
