package grammar_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quern/nlq/grammar"
	"quern/nlq/schema"
	"quern/tree"
)

// draw makes a derivation of what the automaton allows. After so many tokens it
// makes for the end.
func draw(r *rand.Rand, s *schema.Schema, q grammar.Question, long int) []grammar.Token {
	var all []grammar.Token
	for stack := grammar.Start(); !stack.Done(); {
		t := step(r, s, q, grammar.Allowed(stack.Top()), all, len(all) >= long)
		next, ok := stack.Next(t)
		if !ok {
			panic("the automaton does not take what it allows")
		}
		all, stack = append(all, t), next
	}
	return all
}

func step(r *rand.Rand, s *schema.Schema, q grammar.Question, c grammar.Choice, before []grammar.Token, hurry bool) grammar.Token {
	if c.Word {
		return grammar.Token{Kind: grammar.Word, ID: word(r, q, c, before)}
	}
	end := slices.Index(grammar.Symbols(), "END")
	if hurry && slices.Contains(c.Symbols, end) {
		return grammar.Token{Kind: grammar.Symbol, ID: end}
	}
	if c.Table && (len(c.Symbols) == 0 || r.IntN(3) == 0) {
		return grammar.Token{Kind: grammar.Table, ID: r.IntN(len(s.Tables))}
	}
	if c.Column && (hurry || len(c.Symbols) == 0 || r.IntN(2) == 0) {
		return grammar.Token{Kind: grammar.Column, ID: near(r, s, before)}
	}
	if where := slices.Index(grammar.Symbols(), "WHERE"); slices.Contains(c.Symbols, where) && r.IntN(2) == 0 {
		return grammar.Token{Kind: grammar.Symbol, ID: where}
	}
	if value := slices.Index(grammar.Symbols(), "VAL"); slices.Contains(c.Symbols, value) && r.IntN(2) == 0 {
		return grammar.Token{Kind: grammar.Symbol, ID: value}
	}
	symbol := c.Symbols[r.IntN(len(c.Symbols))]
	if strings.Contains("+-*/", grammar.Symbols()[symbol]) { // seldom of the types that fit
		symbol = c.Symbols[r.IntN(len(c.Symbols))]
	}
	return grammar.Token{Kind: grammar.Symbol, ID: symbol}
}

// near points to a column: mostly of a table that was pointed to before.
func near(r *rand.Rand, s *schema.Schema, before []grammar.Token) int {
	for _, t := range before {
		if t.Kind == grammar.Column && r.IntN(3) > 0 {
			table := s.Tables[s.Columns[t.ID].Table]
			return table.First + r.IntN(table.Len)
		}
	}
	return r.IntN(len(s.Columns))
}

// word points to a word: mostly to where something of the remark begins or ends,
// to any otherwise.
func word(r *rand.Rand, q grammar.Question, c grammar.Choice, before []grammar.Token) int {
	first := 0
	if c.Last {
		first = before[len(before)-1].ID
	}
	some := first + r.IntN(min(len(q.Tokens)-first, grammar.MaxSpan))
	if r.IntN(5) == 0 {
		return some
	}
	text := remarked[r.IntN(len(remarked))]
	for i, t := range q.Tokens[first:] {
		if !c.Last && t.Start == strings.Index(q.Text, text) {
			return i
		}
		if c.Last && slices.Contains(remarked, q.Text[q.Tokens[first].Start:t.End]) {
			return first + i
		}
	}
	return some
}

var remarked = []string{"Berlin", "Tea Pot", "42 dollars", "March 2021", "yes", "3rd of may 2020", "Grace", "Cups"}

var remark = asked(`Berlin or "Tea Pot" for 42 dollars in March 2021, yes, since 3rd of may 2020, like Grace and Cups`)

func TestRandomDerivationsAreValidOrMeaningless(t *testing.T) {
	t.Parallel()
	s := shop()
	const rounds = 8_000
	built, again := 0, 0
	for i := range uint64(rounds) {
		r := rand.New(rand.NewPCG(1, i))
		tokens := draw(r, s, remark, 2+r.IntN(24))
		reading, err := grammar.Build(s, remark, tokens)
		if err != nil {
			if !errors.Is(err, grammar.ErrMeaningless) {
				t.Fatalf("round %d: Build(%v) = %v, want ErrMeaningless or a reading", i, tokens, err)
			}
			continue
		}
		built++
		holds(t, s, tokens, reading)
		if roundTrip(t, s, tokens, reading) {
			again++
		}
	}
	t.Logf("%d of %d drawn derivations mean something, %d of them can be said again", built, rounds, again)
	if built < rounds/20 || again < built/3 {
		t.Errorf("%d of %d derivations mean something and %d can be said again, too few to show anything", built, rounds, again)
	}
}

// holds checks that a reading is one that an engine can be given.
func holds(t *testing.T, s *schema.Schema, tokens []grammar.Token, r grammar.Reading) {
	t.Helper()
	if err := tree.Validate(r.Query, tablesOf(s)); err != nil {
		t.Fatalf("Validate(Build(%v)) = %v", tokens, err)
	}
	if _, err := tree.SQL(r.Query); err != nil {
		t.Fatalf("tree.SQL(Build(%v)) = %v", tokens, err)
	}
	if text, err := grammar.SQL(s, r.Query); err != nil || text == "" {
		t.Fatalf("grammar.SQL(Build(%v)) = %q, %v", tokens, text, err)
	}
	if r.Score <= 0 || r.Score > 1 {
		t.Fatalf("Build(%v).Score = %v, want over 0 and at most 1", tokens, r.Score)
	}
}

// roundTrip checks that a reading's own derivation, if it has one, means the same.
func roundTrip(t *testing.T, s *schema.Schema, tokens []grammar.Token, r grammar.Reading) bool {
	t.Helper()
	said, err := grammar.Linearise(s, remark, r.Query)
	if errors.Is(err, grammar.ErrUnsayable) {
		return false
	}
	if err != nil {
		t.Fatalf("Linearise(Build(%v)) = %v, want ErrUnsayable or a derivation", tokens, err)
	}
	other, err := grammar.Build(s, remark, said)
	if err != nil {
		t.Fatalf("Build(%v) = %v, the derivation of Build(%v)", said, err, tokens)
	}
	if !reflect.DeepEqual(unordered(r.Query), unordered(other.Query)) {
		t.Fatalf("Build(%v) = %s\nLinearise gives %v = %s", tokens, printed(t, r), said, printed(t, other))
	}
	return true
}

// unordered returns a query with its sources as a set: joins mean the same in any
// order.
func unordered(q *tree.Query) any {
	type parts struct {
		query   tree.Query
		selects tree.Select
		joined  map[any]bool
	}
	var all []parts
	tree.EachQuery(q, func(q *tree.Query) {
		p := parts{query: tree.Query{Order: q.Order, Limit: q.Limit}, joined: map[any]bool{}}
		if q.Select != nil {
			p.selects = *q.Select
			p.selects.From, p.selects.Where, p.selects.Having = nil, flat(q.Select.Where), flat(q.Select.Having)
			for _, source := range q.Select.From {
				p.joined[source.Dataset] = true
				for _, on := range source.On {
					p.joined[[2]tree.Column{on.Left, on.Right}] = true
					p.joined[[2]tree.Column{on.Right, on.Left}] = true
				}
			}
		}
		if q.Set != nil {
			p.query.Set = &tree.Set{Op: q.Set.Op, All: q.Set.All}
		}
		all = append(all, p)
	})
	return all
}

// flat returns a condition without the queries in it, which are compared by themselves.
func flat(c tree.Cond) tree.Cond {
	switch c := c.(type) {
	case tree.And:
		return tree.And{Conds: flatAll(c.Conds)}
	case tree.Or:
		return tree.Or{Conds: flatAll(c.Conds)}
	case tree.Not:
		return tree.Not{Cond: flat(c.Cond)}
	case tree.In:
		c.Query = nil
		return c
	case tree.Compare:
		if _, ok := c.Right.(tree.Subquery); ok {
			c.Right = tree.Subquery{}
		}
		return c
	}
	return c
}

func flatAll(conds []tree.Cond) []tree.Cond {
	all := make([]tree.Cond, len(conds))
	for i, c := range conds {
		all[i] = flat(c)
	}
	return all
}
