package embedded

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// A question that names a column of yes and no is about rows: "which items are
// insured" wants items, not yes and no. What is in this file reads it so where
// the chosen reading does not. Nothing else depends on it, so that it can go when
// the networks do it themselves.

var (
	// wantsTruth is how one asks for yes and no, or for what is no condition.
	wantsTruth = regexp.MustCompile(`(?i)^\W*(is|are|was|were|do|does|did|has|have|had|can)\b|\b(whether|if|status|flag|percent\w*|share|proportion|fraction|per|each|every|by|grouped)\b`)
	// denied is how what follows is denied, at most two words in between.
	denied = regexp.MustCompile(`(?i)\b(not|never|no|without|(?:is|are|was|were|has|have|had|do|does|did)n['’]?t)\b(?:\s+\w+){0,2}\s*$`)
	// denials are the words that deny something.
	denials = regexp.MustCompile(`(?i)\b(not|never|no|nobody|none|without|neither|nor|except|(?:is|are|was|were|has|have|had|do|does|did|ca|wo)n['’]?t)\b`)
	// pairs are how columns of text say yes and no.
	pairs = [][2]string{{"yes", "no"}, {"y", "n"}, {"true", "false"}}
)

// truth is a column of yes and no that a question names.
type truth struct {
	column tree.Column
	value  tree.Literal // what the question says of it
	denied bool
	used   bool // the reading has the column somewhere
}

// decided gives a reading with the one column of yes and no that the question
// names as a condition of its rows.
func (r *reader) decided(c *candidate) *candidate {
	s := c.query.Select
	if s == nil || len(s.From) == 0 || wantsTruth.MatchString(r.question.Text) {
		return c
	}
	t, ok := r.truth(c)
	if !ok {
		return c
	}
	text, err := tree.Print(c.query)
	if err != nil {
		return c
	}
	q, err := tree.Parse(text)
	if err != nil || !r.decide(q, t) {
		return c
	}
	more, ok := r.candidate(q, c.score)
	if !ok {
		return c
	}
	more.tokens, more.logProb, more.found = c.tokens, c.logProb, c.found
	return more
}

// truth finds the one column of yes and no, among those of a reading's datasets,
// all of whose words the question has and the reading takes for nothing else.
func (r *reader) truth(c *candidate) (t truth, ok bool) {
	taken, found := r.spans(c), 0
	r.each(c, func(column tree.Column, of schema.Column, id int) {
		yes, no, both := yesAndNo(of)
		first, named := r.named(id, taken)
		if !both || !named {
			return
		}
		found++
		t = truth{column: column, value: yes, denied: denied.MatchString(r.question.Text[:r.features.Tokens[first].Start])}
		t.used = slices.Contains(c.tokens, grammar.Token{Kind: grammar.Column, ID: id})
		if t.denied {
			t.value = no
		}
	})
	return t, found == 1
}

// named gives the first of the words that name a column; ok is false unless all
// words of its name are there.
func (r *reader) named(column int, taken []bool) (first int, ok bool) {
	missing := lex.Stems(r.schema.Columns[column].Words)
	first = -1
	for i, t := range r.features.Tokens {
		relation := r.features.Columns[i][column]
		if taken[i] || relation >= feature.ColumnSimilar || relation/feature.ValueRelations == 0 {
			continue
		}
		if first < 0 {
			first = i
		}
		word := lex.Expand(strings.ToLower(t.Text))
		missing = slices.DeleteFunc(missing, func(w string) bool { return w == lex.Stem(word[0]) })
	}
	return first, first >= 0 && len(missing) == 0
}

// yesAndNo gives how a column says yes and no; ok is false when it says more.
func yesAndNo(c schema.Column) (yes, no tree.Literal, ok bool) {
	if c.Type == quern.Boolean {
		return tree.Literal{Kind: tree.Boolean, Text: "true"}, tree.Literal{Kind: tree.Boolean, Text: "false"}, true
	}
	if c.Type != quern.Text || c.Values == nil || c.Values.Len() != 2 {
		return yes, no, false
	}
	for _, p := range pairs {
		y, hasYes := c.Values.Exact(p[0])
		n, hasNo := c.Values.Exact(p[1])
		if hasYes && hasNo {
			return tree.Literal{Kind: tree.Text, Text: y}, tree.Literal{Kind: tree.Text, Text: n}, true
		}
	}
	return yes, no, false
}

// decide makes what is said of a column of yes and no a condition; it reports
// whether the query was changed.
func (r *reader) decide(q *tree.Query, t truth) bool {
	s := q.Select
	for i, old := range conjuncts(s.Where) {
		if compare, ok := old.(tree.Compare); ok && compare.Left == tree.Expr(t.column) {
			if !t.denied || compare.Op != tree.Equal || reflect.DeepEqual(compare.Right, tree.Expr(t.value)) {
				return false
			}
			compare.Right = t.value
			kept := slices.Clone(conjuncts(s.Where))
			kept[i] = compare
			s.Where = tree.All(kept...)
			return true
		}
	}
	if alone := len(s.Items) == 1 && s.Items[0].Expr == tree.Expr(t.column); alone && len(s.From) == 1 {
		s.Items, s.Distinct, s.Group, s.Having = []tree.Item{{Expr: r.title(s.From[0])}}, false, nil, nil
		q.Order, q.Limit = nil, nil
	} else if t.used {
		return false
	}
	kept := slices.Clone(conjuncts(s.Where))
	if t.denied && len(denials.FindAllString(r.question.Text, 2)) == 1 {
		kept = affirmed(kept)
	}
	s.Where = tree.All(append(kept, tree.Compare{Op: tree.Equal, Left: t.column, Right: t.value})...)
	return true
}

// affirmed gives conditions without their denials: the question's only one is of
// another column.
func affirmed(all []tree.Cond) (kept []tree.Cond) {
	for _, c := range all {
		switch not := c.(type) {
		case tree.Not:
			if in, ok := not.Cond.(tree.In); ok && in.Query != nil {
				continue
			}
			c = not.Cond
		case tree.Compare:
			if not.Op == tree.NotEqual {
				not.Op = tree.Equal
				c = not
			}
		}
		kept = append(kept, c)
	}
	return kept
}

// title gives the column that people know rows of a dataset by: a name, what the
// dataset is called after, or the first text that tells rows apart; all columns
// when there is none.
func (r *reader) title(source tree.Source) tree.Expr {
	var called, apart tree.Expr
	f := &follower{schema: r.schema, in: r.question.In}
	for _, i := range f.columnsOf(source) {
		c := r.schema.Columns[i]
		column := tree.Column{Source: source.Ref(), Name: c.Name}
		switch {
		case c.Type != quern.Text:
		case slices.Equal(c.Words, []string{"name"}) || slices.Equal(c.Words, []string{"title"}):
			return column
		case called == nil && slices.Equal(lex.Stems(c.Words), lex.Stems(r.schema.Tables[c.Table].Words)):
			called = column
		case apart == nil && c.Key() && !f.identifies(i) && !slices.Contains(c.Words, "number") && !slices.Contains(c.Words, "code"):
			apart = column
		}
	}
	switch {
	case called != nil:
		return called
	case apart != nil:
		return apart
	}
	return tree.Star{}
}
