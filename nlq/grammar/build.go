package grammar

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Question is the text that word pointers point into.
type Question struct {
	Text   string
	Tokens []lex.Token
	Now    time.Time
	// Repeats says that rows which a join repeats count each time; to measure what it is
	// worth that they do not.
	Repeats bool
	// Sense is what a short text means, as a vector (see encoder.Senses); with it constants
	// stand for values in other words. It may be nil.
	Sense func(text string) []float32
}

// span returns the text from one word to another.
func (q Question) span(first, last int) string {
	return q.Text[q.Tokens[first].Start:q.Tokens[last].End]
}

// Reading is a derivation as a tree.
type Reading struct {
	Query *tree.Query
	// Score is how well constants match values of the data, 0 to 1: the worst of them.
	Score float64
}

// ErrMeaningless says that a derivation is no query: a constant does not fit its
// column, values are not of the types they are used as, or nothing connects its
// tables.
var ErrMeaningless = errors.New("grammar: the derivation has no meaning")

// Build reads a derivation. The error is ErrMeaningless, with a reason, when the
// automaton would not have let it through or its parts do not fit.
func Build(s *schema.Schema, q Question, tokens []Token) (Reading, error) {
	if err := check(s, q, tokens); err != nil {
		return Reading{}, err
	}
	b := &builder{schema: s, question: q, tokens: tokens, score: 1}
	built := b.query()
	if b.err != nil {
		return Reading{}, b.err
	}
	if err := tree.Validate(built, schema.View{Schema: s}.Tree()); err != nil {
		return Reading{}, meaningless("%v", err)
	}
	return Reading{built, b.score}, nil
}

func meaningless(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMeaningless, fmt.Sprintf(format, args...))
}

// check fails when the automaton does not allow a derivation, or one of its pointers
// points to nothing.
func check(s *schema.Schema, q Question, tokens []Token) error {
	stack := Start()
	limits := [...]int{Symbol: len(symbols), Column: len(s.Columns), Table: len(s.Tables), Word: len(q.Tokens)}
	for i, t := range tokens {
		if int(t.Kind) >= len(limits) || t.ID < 0 || t.ID >= limits[t.Kind] {
			return meaningless("token %d points to nothing", i)
		}
		next, ok := stack.Next(t)
		if !ok {
			return meaningless("token %d, %s, is not allowed", i, t)
		}
		stack = next
	}
	if !stack.Done() {
		return meaningless("it ends early")
	}
	return nil
}

// builder walks over a derivation that the automaton has let through.
type builder struct {
	schema   *schema.Schema
	question Question
	tokens   []Token
	at       int
	depth    int // how many queries are being read, each inside the one before
	score    float64
	err      error
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = meaningless(format, args...)
	}
}

func (b *builder) peek() Token { return b.tokens[b.at] }

func (b *builder) take() Token {
	b.at++
	return b.tokens[b.at-1]
}

// is reports whether the next token is one of some symbols.
func (b *builder) is(names ...string) bool {
	t := b.peek()
	return t.Kind == Symbol && slices.Contains(names, symbols[t.ID])
}

// eat takes the next token if it is the symbol.
func (b *builder) eat(name string) bool {
	if b.is(name) {
		b.at++
		return true
	}
	return false
}

// part is a select in the making.
type part struct {
	tree.Select
	order   []tree.Order
	limit   *int64
	tables  []int // in the order in which they are mentioned
	hints   []int
	zero    bool  // keeps groups without rows
	counted []int // the tables whose rows are counted
}

func (p *part) mention(table int) {
	if !slices.Contains(p.tables, table) {
		p.tables = append(p.tables, table)
	}
}

func (b *builder) query() *tree.Query {
	b.depth++
	defer func() { b.depth-- }()
	b.eat(symSelect)
	p := &part{}
	p.Distinct, p.zero = b.eat(symDistinct), b.eat(symZero)
	for b.itemNext() {
		b.selectItem(p)
	}
	if b.eat(symWhere) {
		p.Where = b.conds(p)
	}
	if b.eat(symGroup) {
		for b.peek().Kind == Column || b.is(parts...) {
			p.Group = append(p.Group, b.item(p))
		}
	}
	if b.eat(symHaving) {
		p.Having = b.conds(p)
	}
	b.orderAndLimit(p)
	if b.eat(symExtra) {
		for b.peek().Kind != Symbol {
			if t := b.take(); t.Kind == Table {
				p.mention(t.ID)
			} else {
				p.hints = append(p.hints, t.ID)
			}
		}
	}
	left := b.finish(p)
	if end := symbols[b.take().ID]; end != symEnd {
		return &tree.Query{Set: &tree.Set{Op: tree.SetOp(end), Left: left, Right: b.query()}}
	}
	return left
}

func (b *builder) orderAndLimit(p *part) {
	if b.is(symAsc, symDesc) {
		desc := symbols[b.take().ID] == symDesc
		for b.itemNext() {
			p.order = append(p.order, tree.Order{Expr: b.item(p), Desc: desc})
		}
	}
	if b.eat(symLimit) {
		n, ok := wholeNumber(b.constant(subject{}, "="))
		if !ok || n < 0 {
			b.fail("the limit is no number")
		}
		p.limit = &n
	}
}

// finish joins the tables of a select and makes it one that an engine accepts.
func (b *builder) finish(p *part) *tree.Query {
	if p.zero {
		b.startAtGroup(p)
	} else {
		b.mentionCounted(p)
	}
	w, ok := connect(b.schema, p.tables, p.hints)
	if !ok {
		b.fail("nothing connects its tables")
		return nil
	}
	if b.multiplies(p, w) {
		b.fail("rows of one of its tables belong to several of another that belong to several of them")
		return nil
	}
	if !p.zero {
		b.kindsOnce(p, w)
		w = b.rowsOnce(p, w)
		if b.depth == 1 {
			w = b.withoutNeedless(p, w)
		}
	}
	p.From = w.sources()
	if p.zero {
		b.keepEmptyGroups(p, w)
	}
	if len(w.tables) == 1 {
		for i, it := range p.Items {
			if _, star := it.Expr.(tree.Star); star {
				p.Items[i].Expr = tree.Star{}
			}
		}
	}
	makeGroupable(p)
	return &tree.Query{Select: &p.Select, Order: p.order, Limit: p.limit}
}

// itemStarts are the symbols that an item begins with.
var itemStarts = slices.Concat(
	aggregates, arithmetic, parts, units, []string{symStar, symPercentile, symPercent, symPortion, symOnly, symChange})

func (b *builder) itemNext() bool { return b.peek().Kind == Column || b.is(itemStarts...) }

// selectItem adds the next item to what is listed.
func (b *builder) selectItem(p *part) {
	listed := []tree.Expr{}
	if b.is(symChange) {
		listed = b.change(p)
	} else {
		listed = append(listed, b.item(p))
	}
	for _, e := range listed {
		p.Items = append(p.Items, tree.Item{Expr: e})
	}
}

func (b *builder) item(p *part) tree.Expr {
	switch {
	case b.is(arithmetic...):
		op := symbols[b.take().ID][0]
		left := b.item(p)
		return b.reckon(op, left, b.item(p))
	case b.is(symPercentile):
		return b.percentile(p)
	case b.is(symPercent), b.is(symPortion), b.is(symOnly):
		return b.filtered(p)
	case b.is(symChange):
		return b.change(p)[2]
	case b.is(aggregates...):
		return b.aggregate(p)
	}
	return b.value(p)
}

// reckon returns arithmetic between two values, which are not the same.
func (b *builder) reckon(op byte, left, right tree.Expr) tree.Expr {
	if reflect.DeepEqual(left, right) {
		b.fail("arithmetic of a value with itself")
	}
	return tree.Arith{Op: op, Left: left, Right: right}
}

func (b *builder) aggregate(p *part) tree.Aggregate {
	a := tree.Aggregate{Func: tree.Func(symbols[b.take().ID])}
	a.Distinct = b.eat(symDist)
	if b.is(symStar) {
		p.counted = append(p.counted, b.tokens[b.at+1].ID)
	}
	a.Arg = b.value(p)
	if _, star := a.Arg.(tree.Star); star {
		if a.Func != tree.Count {
			b.fail("%s of whole rows", a.Func)
		}
		a.Arg, a.Distinct = tree.Star{}, false
	}
	return a
}

// value reads a value without aggregates.
func (b *builder) value(p *part) tree.Expr {
	switch {
	case b.is(arithmetic...):
		op := symbols[b.take().ID][0]
		left := b.value(p)
		return b.reckon(op, left, b.value(p))
	case b.is(parts...):
		return b.partOfTime(p)
	case b.is(units...):
		return b.duration(p)
	}
	return b.columnOrStar(p)
}

func (b *builder) columnOrStar(p *part) tree.Expr {
	if b.eat(symStar) {
		table := b.take().ID
		p.mention(table)
		return tree.Star{Source: b.schema.Tables[table].Path.Dataset}
	}
	return b.column(p)
}

func (b *builder) column(p *part) tree.Column {
	id := b.take().ID
	p.mention(b.schema.Columns[id].Table)
	return columnOf(b.schema, id)
}

// conds reads conditions; AND binds closer than OR, but for values of one column.
func (b *builder) conds(p *part) tree.Cond {
	either := [][]tree.Cond{{b.cond(p)}}
	for b.is(symAnd, symOr) {
		if symbols[b.take().ID] == symOr {
			either = append(either, nil)
		}
		last := len(either) - 1
		either[last] = append(either[last], b.cond(p))
	}
	return alternatives(either)
}

func (b *builder) cond(p *part) tree.Cond {
	at := b.at
	left := b.item(p)
	c := b.subject(b.tokens[at:b.at])
	op, not := strings.CutPrefix(symbols[b.take().ID], "!")
	made := b.operate(p, left, c, op)
	if not {
		if in, ok := made.(tree.In); ok && in.Query != nil {
			b.excludeNulls(in.Query)
		}
		return tree.Not{Cond: made}
	}
	return made
}

// excludeNulls leaves missing values out of what a query lists: x NOT IN (…, NULL)
// is never true.
func (b *builder) excludeNulls(q *tree.Query) {
	if q.Select == nil || len(q.Select.Items) != 1 || len(q.Select.Group) > 0 {
		return
	}
	item, ok := q.Select.Items[0].Expr.(tree.Column)
	if !ok {
		return
	}
	missing := slices.ContainsFunc(b.schema.Columns, func(c schema.Column) bool {
		t := b.schema.Tables[c.Table]
		return c.Name == item.Name && t.Path.Dataset == item.Source && c.Rows < t.Rows
	})
	if missing {
		q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(q.Select.Where)), tree.Not{Cond: tree.IsNull{Expr: item}})...)
	}
}

// subject returns what a condition's constants are compared with.
func (b *builder) subject(item []Token) subject {
	last := item[len(item)-1]
	if last.Kind != Column || len(item) > 2 {
		return subject{}
	}
	column := &b.schema.Columns[last.ID]
	if len(item) == 1 {
		return subject{column: column}
	}
	switch name := item[0].String(); {
	case name == "min" || name == "max":
		return subject{column: column}
	case slices.Contains(parts, name):
		return subject{column, timeParts[slices.Index(parts, name)].function}
	}
	return subject{}
}

func (b *builder) operate(p *part, left tree.Expr, c subject, op string) tree.Cond {
	switch op {
	case "null":
		return tree.IsNull{Expr: left}
	case "between":
		return b.between(left, b.constant(c, op), b.constant(c, op))
	case "in":
		if b.is(symSelect) {
			return tree.In{Expr: left, Query: b.query()}
		}
		k := b.constant(c, op)
		if k.isPeriod() || k.list != nil {
			return k.compare(left, tree.Equal)
		}
		return tree.In{Expr: left, List: []tree.Literal{k.literal}}
	case "contains", "starts", "ends", "like":
		return b.match(left, c, op)
	}
	switch {
	case b.is(symSelect):
		return tree.Compare{Op: tree.CompareOp(op), Left: left, Right: tree.Subquery{Query: b.query()}}
	case b.is(symPeers):
		return tree.Compare{Op: tree.CompareOp(op), Left: left, Right: b.peers(p)}
	case b.peek().Kind == Column:
		return tree.Compare{Op: tree.CompareOp(op), Left: left, Right: b.column(p)}
	}
	return b.constant(c, op).compare(left, tree.CompareOp(op))
}

func (b *builder) between(left tree.Expr, low, high constant) tree.Cond {
	if low.isPeriod() && high.isPeriod() && low.literal.Kind != tree.Text {
		return tree.Period{Expr: left, From: low.literal, Until: high.until}
	}
	return tree.Between{Expr: left, Low: low.literal, High: high.literal}
}

var matchOps = map[string]tree.MatchOp{
	"contains": tree.Contains, "starts": tree.StartsWith, "ends": tree.EndsWith, "like": tree.Like,
}

func (b *builder) match(left tree.Expr, of subject, op string) tree.Cond {
	text := b.nextText()
	if of.part == "" && of.column != nil && of.column.Type.Temporal() {
		k, ok := timeConstant(b.question, of.column, text)
		if !ok {
			b.fail("%q is no time", text)
		}
		return k.compare(left, tree.Equal)
	}
	return tree.Match{Op: matchOps[op], Expr: left, Text: strings.ToLower(text), Fold: true}
}
