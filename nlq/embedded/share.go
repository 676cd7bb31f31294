package embedded

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/nlq"
	"quern/nlq/lex"
	"quern/tree"
)

var (
	// sharePattern is how one asks which part of some rows are such.
	sharePattern = regexp.MustCompile(`(?i)^(?:and |so |now |then )*(?:what(?:'s| is| are| was| were)?|which|show(?: me)?|give(?: me)?|tell me|calculate|compute|how much|how large(?: is)?)?(?: the| a)? ?(share|percentage|percent|fraction|proportion|per cent|part)(?: \(?in (?:percent|%)\)?)? (?:of|among) (?:all |the |our |my |all of )*(.+?)[ ?.!]*$`)
	// verb ends the name of the rows of which a part is asked for.
	verb = regexp.MustCompile(`(?i) (?:is|are|was|were|has|have|had|does|do|did|be) `)
)

// shared reads a question for the share of some rows that are such, in percent:
// by the rows that are such and those that there are. ok is false when it is no
// such question.
func (r *reader) shared(ctx context.Context) (t nlq.Translation, ok bool, err error) {
	m := sharePattern.FindStringSubmatch(r.question.Text)
	if m == nil || r.hasColumn(strings.ToLower(m[1])) {
		return t, false, nil
	}
	rows, ok := r.rowsNamed(m[2])
	if !ok {
		return t, false, nil
	}
	all, err := r.counting(ctx, "How many "+rows+" are there?")
	if err != nil || all == nil {
		return t, false, err
	}
	some := r.narrowed(all, m[2][len(rows):])
	if some == nil {
		if some, err = r.counting(ctx, "How many "+m[2]+"?"); err != nil {
			return t, false, err
		}
	}
	c, ok := r.divided(some, all)
	if !ok {
		return t, false, nil
	}
	return r.translation(c, min(some.confidence, all.confidence)), true, nil
}

// narrowed gives the rows that are such where all that says so is a value, a
// period or a state ("are unpaid"), as in a follow-up; nil where the networks have
// to read it.
func (r *reader) narrowed(all *counts, which string) *counts {
	tokens := lex.Tokens(which)
	f := &follower{
		reader: r, schema: r.whole, in: r.question.In, now: r.question.Now, query: all.query, score: 1,
		tokens: tokens, words: lex.Lower(tokens), taken: make([]bool, len(tokens)),
	}
	said := f.conditions()
	if len(said) != 1 || len(said[0]) != 1 || !f.understood() {
		return nil
	}
	some := *all
	some.score, some.confidence = min(all.score, f.score), min(all.confidence, followConfidence)
	c := said[0][0]
	if negative.MatchString(which) {
		c = f.without(c)
	}
	some.conds = append(slices.Clone(all.conds), c)
	return &some
}

// rowsNamed gives the words of a phrase that name rows: up to its verb, or else
// to the name of a table.
func (r *reader) rowsNamed(phrase string) (string, bool) {
	first := -1
	for _, t := range lex.Tokens(phrase) {
		for i := range r.whole.Tables {
			if first < 0 && r.mention(t.Text, i) == 0 {
				first = t.End
			}
		}
	}
	if first < 0 {
		return "", false
	}
	if at := verb.FindStringIndex(phrase[first:]); at != nil {
		return phrase[:first+at[0]], true
	}
	return phrase[:first], true
}

// counts is a question for a number of rows, as it was read.
type counts struct {
	query      *tree.Query
	source     tree.Source
	table      int
	conds      []tree.Cond // of the table alone
	group      []tree.Expr
	score      float64
	confidence float64
}

// counting reads a question for a number of rows; nil when it is read otherwise.
func (r *reader) counting(ctx context.Context, text string) (*counts, error) {
	rest := *r
	rest.question.Text = text
	t, err := rest.standing(ctx)
	if err != nil || t.Query == nil || t.Query.Select == nil || t.Query.Limit != nil || t.Query.Select.Having != nil {
		return nil, err
	}
	s := t.Query.Select
	kept := slices.DeleteFunc(slices.Clone(s.Items), func(i tree.Item) bool {
		return slices.ContainsFunc(s.Group, func(g tree.Expr) bool { return reflect.DeepEqual(g, i.Expr) })
	})
	if len(kept) != 1 {
		return nil, nil
	}
	if a, ok := kept[0].Expr.(tree.Aggregate); !ok || a.Func != tree.Count {
		return nil, nil
	}
	p, ok := r.sourceOf(&tree.Select{Items: kept, From: s.From, Where: s.Where}, text)
	if !ok || p.inner != nil {
		return nil, nil
	}
	for _, g := range s.Group {
		if c, ok := g.(tree.Column); !ok || c.Source != p.source.Ref() {
			return nil, nil
		}
	}
	plain := *t.Query
	only := *s
	only.Group, only.Items, plain.Order, plain.Select = nil, kept, nil, &only
	conds, ok := (&reference{reader: r, table: p.table, source: p.source, rows: &plain}).conds(p.source.Ref())
	if !ok {
		return nil, nil
	}
	return &counts{t.Query, p.source, p.table, conds, s.Group, t.Score, t.Confidence}, nil
}

// divided gives the share that some rows are of all.
func (r *reader) divided(some, all *counts) (*candidate, bool) {
	if some == nil || some.table != all.table || len(all.group) > 0 {
		return nil, false
	}
	rest := some.conds
	for _, c := range all.conds {
		i := slices.IndexFunc(rest, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) })
		if i < 0 {
			return nil, false
		}
		rest = slices.Delete(slices.Clone(rest), i, i+1)
	}
	if len(rest) == 0 {
		return nil, false
	}
	s := &tree.Select{From: []tree.Source{{Dataset: some.source.Dataset, Alias: some.source.Alias}}, Where: tree.All(all.conds...), Group: some.group}
	q := &tree.Query{Select: s}
	for _, g := range some.group {
		s.Items = append(s.Items, tree.Item{Expr: g})
		q.Order = append(q.Order, tree.Order{Expr: g})
	}
	s.Items = append(s.Items, tree.Item{Expr: tree.Share{Where: tree.All(rest...)}})
	return r.candidate(q, min(some.score, all.score))
}
