package embedded

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/nlq/lex"
	"quern/tree"
)

var (
	// cue is how a follow-up that narrows or moves the previous rows begins.
	cue = regexp.MustCompile(`^(and |but |now |then |ok |okay |so )*(only|just|what about|how about|and|instead|except|without|not|excluding|those|these|the same|the ones|the [a-z-]+ ones?|which of (?:them|those|these)|of (?:them|those|these)|in|for|from|with|since|before|after|during|over|under|above|below|more than|less than|at least|at most)\b`)
	// negative is how one says what is left out.
	negative = regexp.MustCompile(`\b(except|without|not|excluding|but not|other than)\b`)
	// asking are words of a question that stands on its own.
	asking = set("which what who whom whose how where when why many much")
	// filling are words that say nothing of the rows.
	filling = set("ones one rows results entries records please thanks instead except excluding ok okay now yes no year month day yet still already")
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// filtered narrows the previous rows or asks the same of others: "only the open
// ones", "and in 2021?", "what about Lyon?", "without the cancelled ones".
func filtered(f *follower) bool {
	start := cue.FindString(f.text)
	if start == "" || f.oneRow() && strings.Contains(start, "which of") {
		return false
	}
	for i, n := 0, len(strings.Fields(start)); i < n && i < len(f.words); i++ {
		if asking[f.words[i]] {
			f.taken[i] = true
		}
	}
	said := f.conditions()
	negated := negative.MatchString(f.text)
	if len(said) == 0 || !f.understood() || negated && len(said) > 1 {
		return false
	}
	ways := [][]tree.Cond{nil}
	for _, s := range said {
		var longer [][]tree.Cond
		for _, way := range ways {
			for _, c := range s {
				longer = append(longer, append(slices.Clone(way), c))
			}
		}
		ways = longer
	}
	var made []*tree.Query
	for _, way := range ways[:min(len(ways), mostChoices)] {
		q, ok := copied(f.query)
		if !ok {
			return false
		}
		for _, c := range way {
			f.apply(q, c, negated)
		}
		made = append(made, q)
	}
	f.query, f.also = made[0], made[1:]
	return true
}

// apply puts a new condition where it belongs: into the share that is about the
// same, into the nested list that reads its table, or into the query itself.
func (f *follower) apply(q *tree.Query, c tree.Cond, negated bool) {
	change := func(where tree.Cond) tree.Cond {
		if negated {
			return narrowed(where, f.without(c))
		}
		return replaced(where, c)
	}
	column, _ := about(c).(tree.Column)
	for i, item := range q.Select.Items {
		if share, ok := item.Expr.(tree.Share); ok && asks(share.Where, column) {
			q.Select.Items[i].Expr = tree.Share{Where: change(share.Where)}
			return
		}
	}
	s := q.Select
	for _, p := range f.reader.places(q.Select) {
		if p.source.Ref() == column.Source {
			if p.inner != nil {
				s = p.inner.Select
			}
			break
		}
	}
	s.Where = change(s.Where)
}

// understood reports whether every word is part of a condition, says of which
// datasets it is, or holds the phrase together.
func (f *follower) understood() bool {
	for i, w := range f.words {
		if f.taken[i] {
			continue
		}
		named := slices.ContainsFunc(f.about, func(of string) bool { return related(of, w) })
		if asking[w] || !lex.Function(w) && !filling[w] && !named && !f.isDataset(w) && strings.ContainsFunc(w, isWordRune) {
			return false
		}
	}
	return true
}

func isWordRune(r rune) bool { return r > 127 || lex.Fold(string(r)) != "" }

// isDataset reports whether a word is one of the names of the previous datasets.
func (f *follower) isDataset(word string) bool {
	return slices.ContainsFunc(f.query.Select.From, func(s tree.Source) bool {
		return slices.Contains(lex.Stems(lex.Words(s.Dataset.Dataset, nil)), lex.Stem(word))
	})
}

// without gives the condition that leaves rows out: those of which it is not
// known stay.
func (f *follower) without(c tree.Cond) tree.Cond {
	if not, ok := c.(tree.Not); ok {
		return not.Cond
	}
	var but tree.Cond = tree.Not{Cond: c}
	if compare, ok := c.(tree.Compare); ok && compare.Op == tree.Equal {
		but = tree.Compare{Op: tree.NotEqual, Left: compare.Left, Right: compare.Right}
	}
	column, ok := about(c).(tree.Column)
	if i, known := f.place(column); ok && known && f.schema.Columns[i].Rows < f.schema.Tables[f.schema.Columns[i].Table].Rows {
		return tree.Or{Conds: []tree.Cond{but, tree.IsNull{Expr: column}}}
	}
	return but
}

// place finds a column of the previous datasets in the schema.
func (f *follower) place(column tree.Column) (int, bool) {
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			if source.Ref() == column.Source && f.schema.Columns[i].Name == column.Name {
				return i, true
			}
		}
	}
	return 0, false
}

// about gives the value that a condition is about; nil when there are several.
func about(c tree.Cond) tree.Expr {
	switch c := c.(type) {
	case tree.Compare:
		return c.Left
	case tree.Period:
		return c.Expr
	case tree.Between:
		return c.Expr
	case tree.In:
		return c.Expr
	case tree.Match:
		return c.Expr
	case tree.Not:
		return about(c.Cond)
	case tree.Or:
		first := about(c.Conds[0])
		for _, other := range c.Conds[1:] {
			if !reflect.DeepEqual(first, about(other)) {
				return nil
			}
		}
		return first
	}
	return nil
}

// replaced gives conditions with a new one in the place of those of the same
// column, or behind them. What bounds the other side stays.
func replaced(where, c tree.Cond) tree.Cond {
	var kept []tree.Cond
	for _, o := range tree.Conjuncts(where) {
		if about(o) == nil || !reflect.DeepEqual(about(o), about(c)) || otherSide(o, c) {
			kept = append(kept, o)
		}
	}
	return narrowed(tree.All(kept...), c)
}

// otherSide reports whether two conditions bound a value from below and above,
// with room between.
func otherSide(a, b tree.Cond) bool {
	low, ok := a.(tree.Compare)
	high, also := b.(tree.Compare)
	if !ok || !also {
		return false
	}
	if low.Op == tree.Less || low.Op == tree.LessEq {
		low, high = high, low
	}
	from, ok := low.Right.(tree.Literal)
	until, also := high.Right.(tree.Literal)
	if !ok || !also || from.Kind != until.Kind || low.Op != tree.Greater && low.Op != tree.GreaterEq || high.Op != tree.Less && high.Op != tree.LessEq {
		return false
	}
	if from.Kind == tree.Number {
		return lessNumber(from.Text, until.Text)
	}
	return from.Text < until.Text // dates and times are written so
}
