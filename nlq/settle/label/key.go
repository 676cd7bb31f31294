package label

import (
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/tree"
)

// Key groups by the rows of a dataset where the text asks for each of them, or which
// of them, and the reading groups by a column of theirs that several share and that no word
// names: each hive is a hive, not the place where it stands.
func (g Rules) Key(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) < 2 || len(s.Group) != 1 || s.Having != nil && g.namesGroup(s) {
		return
	}
	by, ok := s.Group[0].(tree.Column)
	id, known := g.View.ColumnOf(s.From, by)
	if !ok || !known || !g.isShare(id) || g.points(id) {
		return
	}
	table := g.View.Columns[id].Table
	key, hasKey := g.View.KeyOf(table)
	labels := g.View.LabelsOf(table)
	isLabel := slices.Contains(labels, id)
	if !hasKey || key == id || !g.asksEach(table) || isLabel && g.isMostlyOwn(id) {
		return
	}
	if isLabel {
		labels = []int{id}
	}
	g.groupByKey(q, by, tree.Column{Source: by.Source, Name: g.View.Columns[key].Name}, labels)
}

// isShare reports whether several rows have one value of a column.
func (g Rules) isShare(column int) bool {
	c := g.View.Columns[column]
	return c.Distinct < c.Rows && !c.Type.Temporal()
}

// points reports whether a word of the text that is not of the dataset's name names a
// column, has one of its values, or is like its name.
func (g Rules) points(column int) bool {
	if g.Names(column) {
		return true
	}
	table := g.View.Columns[column].Table
	for i, relations := range g.Features.Columns {
		ofTable := g.Features.Tables[i][table]
		isOfTable := ofTable == feature.TablePartial || ofTable == feature.TableExact
		if relations[column] >= feature.ColumnSimilar && !isOfTable && !lex.Function(g.Features.Tokens[i].Text) {
			return true
		}
	}
	return false
}

// asksEach reports whether the text asks for each row of a dataset, or which of its rows.
func (g Rules) asksEach(table int) bool {
	words := lex.Lower(g.Features.Tokens)
	for i := 1; i < len(words); i++ {
		cue := english.Each.Has(words[i-1]) || words[i-1] == "which" || words[i-1] == "per"
		if cue && g.Features.Tables[i][table] == feature.TableExact {
			return true
		}
	}
	return false
}

// groupByKey groups by a key in the place of a column, and shows the key and what its rows
// are called by.
func (g Rules) groupByKey(q *tree.Query, by, key tree.Column, labels []int) {
	s := q.Select
	var shown []tree.Item
	for _, item := range s.Items {
		if c, _, isColumn := shownColumn(item); !isColumn || c != by {
			shown = append(shown, item)
			continue
		}
		shown = append(shown, tree.Item{Expr: key})
		for _, label := range labels {
			shown = append(shown, tree.Item{Expr: tree.Aggregate{Func: tree.Any, Arg: tree.Column{Source: by.Source, Name: g.View.Columns[label].Name}}})
		}
	}
	s.Items, s.Group = shown, []tree.Expr{key}
	q.Order = slices.Clone(q.Order)
	for i, o := range q.Order {
		if o.Expr == tree.Expr(by) {
			q.Order[i].Expr = key
		}
	}
}
