package embedded

import (
	"slices"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// amended gives a reading with what the question says of its rows and the
// reading leaves out, if that can only mean one thing: a period where the rows
// have a time, or a value of one of their columns.
func (r *reader) amended(c *candidate) *candidate {
	if c.query.Select == nil || len(c.query.Select.From) == 0 {
		return c
	}
	said, kept := r.unsaid(c), c.query.Select.Where
	if said == nil {
		said, kept = r.corrected(c)
	}
	if said == nil {
		return c
	}
	return r.changed(c, func(q *tree.Query) {
		q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(kept)), said)...)
	})
}

// changed gives a reading with its query changed; the reading itself when the
// query does not fit any more.
func (r *reader) changed(c *candidate, change func(*tree.Query)) *candidate {
	text, err := tree.Print(c.query)
	if err != nil {
		return c
	}
	q, err := tree.Parse(text)
	if err != nil {
		return c
	}
	change(q)
	more, ok := r.candidate(q, c.score)
	if !ok {
		return c
	}
	more.tokens, more.logProb, more.found = c.tokens, c.logProb, c.found
	return more
}

// unsaid gives the condition that a reading leaves out; nil when there is none.
func (r *reader) unsaid(c *candidate) tree.Cond {
	taken := r.spans(c)
	free := func(first, last int) bool {
		for i := first; i <= last && i < len(taken); i++ {
			if taken[i] {
				return false
			}
		}
		return true
	}
	if periods := lex.Periods(r.features.Tokens, r.question.Now); len(periods) == 1 && free(periods[0].First, periods[0].Last) {
		return r.within(c, periods[0])
	}
	return r.having(c, free)
}

// corrected gives the one period that a question names for the one condition of
// a reading that took a part of its words, and the reading's other conditions.
func (r *reader) corrected(c *candidate) (said tree.Cond, others tree.Cond) {
	periods := lex.Periods(r.features.Tokens, r.question.Now)
	if len(periods) != 1 {
		return nil, nil
	}
	var kept []tree.Cond
	for _, old := range tree.Conjuncts(c.query.Select.Where) {
		column, ok := timed(old)
		if !ok {
			kept = append(kept, old)
			continue
		}
		if said != nil {
			return nil, nil
		}
		r.each(c, func(other tree.Column, of schema.Column, _ int) {
			if other == column {
				said = during(column, of, periods[0])
			}
		})
	}
	return said, tree.All(kept...)
}

// timed gives the column that a condition compares with a time.
func timed(c tree.Cond) (tree.Column, bool) {
	switch c := c.(type) {
	case tree.Period:
		column, ok := c.Expr.(tree.Column)
		return column, ok
	case tree.Compare:
		k, ok := c.Right.(tree.Literal)
		column, isColumn := c.Left.(tree.Column)
		return column, ok && isColumn && (k.Kind == tree.Date || k.Kind == tree.Timestamp)
	}
	return tree.Column{}, false
}

// within gives the condition that the rows' one time is in a period.
func (r *reader) within(c *candidate, p lex.Period) tree.Cond {
	var when tree.Cond
	r.each(c, func(column tree.Column, of schema.Column, _ int) {
		if when == nil && (of.Type == quern.Date || of.Type == quern.Timestamp) {
			when = during(column, of, p)
		}
	})
	return when
}

// each calls fn with the columns of the datasets that a reading reads.
func (r *reader) each(c *candidate, fn func(column tree.Column, of schema.Column, id int)) {
	f := &follower{schema: r.schema, in: r.question.In}
	for _, source := range c.query.Select.From {
		for _, i := range f.columnsOf(source) {
			fn(tree.Column{Source: source.Ref(), Name: r.schema.Columns[i].Name}, r.schema.Columns[i], i)
		}
	}
}
