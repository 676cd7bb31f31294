package embedded

import (
	"slices"

	"quern"
	"quern/nlq/lex"
	"quern/tree"
)

// settle moves a period to the column of times that is named like the question's
// words or like the rows, where a reading has it of one that is not: "arrivals in
// March" arrived then, whether or not they departed.
func (r *reader) settle(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		column, ok := timed(c)
		if !ok {
			continue
		}
		if better, ok := r.better(q.Select, column); ok {
			conds[i] = moved(c, better)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// better gives the column of times, of the same source and type, that a period is
// more likely of.
func (r *reader) better(s *tree.Select, column tree.Column) (tree.Column, bool) {
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == column.Source })
	if at < 0 {
		return tree.Column{}, false
	}
	all := r.momentsOf(s.From[at])
	own := slices.IndexFunc(all, func(m moment) bool { return m.column == column })
	if own < 0 {
		return tree.Column{}, false
	}
	for _, words := range [][]string{lex.Lower(lex.Tokens(r.question.Text)), lex.Words(s.From[at].Dataset.Dataset, nil)} {
		words = slices.DeleteFunc(words, lex.Function)
		named := fitting(all, words)
		switch {
		case slices.ContainsFunc(named, func(m moment) bool { return m.column == column }):
			return tree.Column{}, false
		case len(named) == 1 && named[0].of.Type == all[own].of.Type:
			return named[0].column, true
		}
	}
	return tree.Column{}, false
}

// momentsOf gives the columns of times of a source.
func (r *reader) momentsOf(source tree.Source) []moment {
	t, ok := r.tableOf(source)
	if !ok {
		return nil
	}
	var all []moment
	table := r.whole.Tables[t]
	for _, c := range r.whole.Columns[table.First : table.First+table.Len] {
		if c.Type == quern.Date || c.Type == quern.Timestamp {
			all = append(all, moment{tree.Column{Source: source.Ref(), Name: c.Name}, c})
		}
	}
	return all
}

// moved gives a condition on a time as one of another column.
func moved(c tree.Cond, to tree.Column) tree.Cond {
	switch c := c.(type) {
	case tree.Period:
		c.Expr = to
		return c
	case tree.Compare:
		c.Left = to
		return c
	}
	return c
}
