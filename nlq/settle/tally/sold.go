package tally

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

var (
	// sellsBest is how one asks for what is sold most.
	sellsBest = regexp.MustCompile(`(?i)\b` + english.Selling.Pattern() + `\b`)
	// sellsWorst is how one asks for what is sold least.
	sellsWorst = regexp.MustCompile(`(?i)\b(?:worst|least)[ -]sell`)
	// soldSoMany says how many pieces of something were sold: of which we have sold fewer than seven.
	soldSoMany = regexp.MustCompile(`(?i)\bsold (?:fewer than|less than|more than|over|under|at least|at most|only) \w+ of\b|\b(?:fewer|less|more) than \w+ (?:pieces|units|items|of (?:them|it|which)) (?:were |have been |been )?sold\b`)
	// buysMost finds who took the most of something, and what stands behind the most.
	buysMost = regexp.MustCompile(`(?i)\b` + english.Buying.Pattern() + `(?: \w+){0,2} (?:most|fewest|least)(?: (?P<what>\w+))?`)
)

// Sold makes the order of a reading one by how many pieces were sold, where the
// text asks for what sells best or who bought the most: not by a price, nor by the
// number of orders where these say how many pieces each is of.
func (g Rules) Sold(q *tree.Query) {
	s := q.Select
	if s != nil && len(s.Group) > 0 && s.Having != nil && soldSoMany.MatchString(g.Text) {
		g.addUpPieces(q)
		return
	}
	if s == nil || q.Limit == nil || len(q.Order) != 1 || s.Having != nil {
		return
	}
	switch {
	case len(s.Group) > 0 && (ground.IsRowCount(q.Order[0].Expr) || isTakings(q.Order[0].Expr) && !g.AsksForMoney()) && g.countsPieces():
		g.addUpPieces(q)
	case len(s.From) == 1 && sellsBest.MatchString(g.Text):
		g.orderBySales(q)
	}
}

// isTakings reports whether a value is the sum of a product: how many times what one costs.
func isTakings(e tree.Expr) bool {
	a, ok := e.(tree.Aggregate)
	product, multiplies := a.Arg.(tree.Arith)
	return ok && a.Func == tree.Sum && multiplies && product.Op == '*' && a.Where == nil
}

// countsPieces reports whether the text asks for pieces, and not for rows that it names.
func (g Rules) countsPieces() bool {
	if sellsBest.MatchString(g.Text) {
		return true
	}
	m, ok := english.Groups(buysMost, g.Text)
	return ok && (!m.Has("what") || !g.Asked.Whole.MentionsTable(m.Text("what")) || g.countsWithin(m.Text("what")))
}

// countsWithin reports whether each row of a dataset that a text names may be of several of what
// it is called: tickets, so many at once.
func (g Rules) countsWithin(text string) bool {
	for table := range g.View.Tables {
		if g.Asked.Whole.Mention(text, table) < 0 {
			continue
		}
		if _, ok := g.PiecesOf(table); ok {
			return true
		}
	}
	return false
}

// soldThings asks how many of something were sold.
var soldThings = regexp.MustCompile(`(?i)\bhow many (?P<what>\w+)\b.*\b(?:sold|sell|sells|bought|buy|shifted)\b`)

// Pieces adds up how many each row is of where the text asks how many were sold and the
// reading counts the rows: a booking of four tickets is no ticket.
func (g Rules) Pieces(q *tree.Query) {
	m, ok := english.Groups(soldThings, g.Text)
	if !ok || q.Select == nil || !g.countsWithin(m.Text("what")) {
		return
	}
	for _, source := range q.Select.From {
		table, known := g.View.TableOf(source)
		if !known || g.Asked.Whole.Mention(m.Text("what"), table) < 0 {
			continue
		}
		many, one := g.PiecesOf(table)
		if !one {
			continue
		}
		tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
			a, isAggregate := e.(tree.Aggregate)
			if _, rows := a.Arg.(tree.Star); !isAggregate || a.Func != tree.Count || !rows {
				return e
			}
			a.Func, a.Arg = tree.Sum, tree.Column{Source: source.Ref(), Name: g.View.Columns[many].Name}
			return a
		})
	}
}

// addUpPieces makes numbers of rows those of the pieces that the rows are of, where one
// column says how many.
func (g Rules) addUpPieces(q *tree.Query) {
	var pieces []tree.Expr
	for _, source := range q.Select.From {
		for _, i := range g.View.ColumnsOf(source) {
			if c := g.View.Columns[i]; ground.IsAdditive(c) && ground.EndsIn(c, english.Quantities) {
				pieces = append(pieces, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	if len(pieces) != 1 {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if ground.IsRowCount(e) || isTakings(e) {
			return tree.Aggregate{Func: tree.Sum, Arg: pieces[0]}
		}
		return e
	})
}

// orderBySales makes the order of rows of one dataset one by the rows of the one other
// that refers to them, or by the pieces that those are of.
func (g Rules) orderBySales(q *tree.Query) {
	s := q.Select
	sold, ok := g.View.TableOf(s.From[0])
	if !ok {
		return
	}
	if own, ok := g.soldColumn(s.From[0]); ok {
		q.Order = []tree.Order{{Expr: own, Desc: !sellsWorst.MatchString(g.Text), Nulls: tree.NullsLast}}
		return
	}
	var join tree.Source
	sales := 0
	for _, l := range g.View.Links {
		from, to := l.From, l.To
		if g.View.Columns[from].Table == sold {
			from, to = to, from
		}
		if g.View.Columns[to].Table != sold || !g.RefersTo(g.View.Columns[from].Table, sold) {
			continue
		}
		sales++
		path := g.View.Tables[g.View.Columns[from].Table].Path
		join = tree.Source{Dataset: path, On: []tree.Pair{{
			Left:  tree.Column{Source: s.From[0].Ref(), Name: g.View.Columns[to].Name},
			Right: tree.Column{Source: path.Dataset, Name: g.View.Columns[from].Name}}}}
	}
	key, hasKey := g.KeyOf(s.From, sold)
	items := g.NameWhole(&tree.Select{Items: shownOf(s), From: s.From})
	if sales != 1 || !hasKey || len(items) != 1 {
		return
	}
	if _, isColumn := items[0].Expr.(tree.Column); !isColumn {
		return
	}
	if items[0].Expr != key {
		items[0].Expr = tree.Aggregate{Func: tree.Any, Arg: items[0].Expr}
	}
	s.Items, s.From, s.Group = items, append(slices.Clone(s.From), join), []tree.Expr{key}
	q.Order = []tree.Order{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}, Desc: !sellsWorst.MatchString(g.Text)}}
	g.addUpPieces(q)
}

// soldColumn returns the column that says how many of each row of a source were sold.
func (g Rules) soldColumn(source tree.Source) (own tree.Column, ok bool) {
	for _, id := range g.View.ColumnsOf(source) {
		if c := g.View.Columns[id]; c.Type.Numeric() && slices.Equal(c.Words, []string{"sold"}) {
			return tree.Column{Source: source.Ref(), Name: c.Name}, true
		}
	}
	return own, false
}

// shownOf returns what a select of one dataset shows of its rows, without numbers made of
// many of them.
func shownOf(s *tree.Select) []tree.Item {
	var all []tree.Item
	for _, item := range s.Items {
		switch e := item.Expr.(type) {
		case tree.Star:
			item.Expr = tree.Star{Source: s.From[0].Ref()}
		case tree.Aggregate:
			if e.Func != tree.Any {
				continue
			}
			item.Expr = e.Arg
		}
		all = append(all, item)
	}
	return all
}
