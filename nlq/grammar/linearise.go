package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// ErrUnsayable says that a tree has no derivation over a question: it holds more
// than the grammar, or a constant that the question does not say.
var ErrUnsayable = errors.New("grammar: the query has no derivation")

// Linearise derives a tree whose sources are tables of the schema. The error is
// ErrUnsayable, with a reason.
func Linearise(s *schema.Schema, q Question, gold *tree.Query) (tokens []Token, err error) {
	l := &lineariser{schema: s, question: q}
	l.query(gold)
	if l.err != nil {
		return nil, l.err
	}
	return l.out, check(s, q, l.out)
}

type lineariser struct {
	schema   *schema.Schema
	question Question
	out      []Token
	err      error
}

func (l *lineariser) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%w: %s", ErrUnsayable, fmt.Sprintf(format, args...))
	}
}

func (l *lineariser) say(name string) { l.out = append(l.out, symbol(name)) }

func (l *lineariser) point(k Kind, id int) { l.out = append(l.out, Token{k, id}) }

func (l *lineariser) query(q *tree.Query) {
	if q.Set != nil {
		l.set(q)
		return
	}
	l.selection(q)
	l.say(symEnd)
}

func (l *lineariser) set(q *tree.Query) {
	if q.Set.All || len(q.Order) > 0 || q.Limit != nil || q.Set.Left.Set != nil {
		l.fail("a set operation of another shape")
		return
	}
	l.selection(q.Set.Left)
	l.say(string(q.Set.Op))
	l.query(q.Set.Right)
}

// selection derives a select without its end.
func (l *lineariser) selection(q *tree.Query) {
	p := l.bind(q)
	if l.err != nil {
		return
	}
	l.say(symSelect)
	if q.Select.Distinct {
		l.say(symDistinct)
	}
	if p.zero {
		l.say(symZero)
	}
	p.items(q.Select.Items)
	if q.Select.Where != nil {
		l.say(symWhere)
		p.conds(q.Select.Where)
	}
	if len(q.Select.Group) > 0 {
		l.say(symGroup)
		for _, g := range q.Select.Group {
			p.item(g)
		}
	}
	if q.Select.Having != nil {
		if len(q.Select.Group) == 0 {
			l.fail("having without groups")
		}
		l.say(symHaving)
		p.conds(q.Select.Having)
	}
	p.order(q)
	p.nameExtraTables()
}

func (p *scope) order(q *tree.Query) {
	for i, o := range q.Order {
		if o.Desc != q.Order[0].Desc || o.Nulls != "" {
			p.fail("an order of another shape")
			return
		}
		if i == 0 && o.Desc {
			p.say(symDesc)
		} else if i == 0 {
			p.say(symAsc)
		}
		p.item(o.Expr)
	}
	if q.Limit == nil {
		return
	}
	if len(q.Order) == 0 {
		p.fail("a limit without an order")
		return
	}
	p.say(symLimit)
	p.value(tree.Literal{Kind: tree.Number, Text: fmt.Sprint(*q.Limit)}, subject{}, "=")
}

// scope is one select that is being derived.
type scope struct {
	*lineariser
	tables []int          // of its sources, in order
	refs   map[string]int // by what columns call them
	joins  [][2]int       // pairs of columns that join them
	star   int            // the table that a bare * counts
	named  []int          // tables that the derivation names
	zero   bool           // groups without rows are kept
	ends   []int          // with zero, the columns by which rows of the other tables are counted
}

func (l *lineariser) bind(q *tree.Query) *scope {
	p := &scope{lineariser: l, refs: map[string]int{}}
	if len(q.Select.From) == 0 {
		l.fail("no source")
		return p
	}
	for i, source := range q.Select.From {
		t := slices.IndexFunc(l.schema.Tables, func(t schema.Table) bool { return tree.SameName(t.Path.Dataset, source.Dataset.Dataset) })
		kept := source.Outer && len(q.Select.Group) > 0 && (i == 1 || p.zero)
		if t < 0 || source.Outer != kept || p.zero && !kept || slices.Contains(p.tables, t) {
			l.fail("a source of another shape")
			return p
		}
		p.zero = kept
		p.tables = append(p.tables, t)
		p.refs[strings.ToLower(source.Ref())] = t
		for _, on := range source.On {
			a, okA := p.find(on.Left)
			b, okB := p.find(on.Right)
			if okA && okB {
				p.joins = append(p.joins, [2]int{a, b})
				p.ends = append(p.ends, b)
			}
		}
	}
	p.star = p.starTable(q)
	return p
}

// find returns the column that a name means here.
func (p *scope) find(c tree.Column) (int, bool) {
	for _, t := range p.tables {
		if ref, ok := p.refs[strings.ToLower(c.Source)]; c.Source != "" && (!ok || ref != t) {
			continue
		}
		table := p.schema.Tables[t]
		for i := table.First; i < table.First+table.Len; i++ {
			if tree.SameName(p.schema.Columns[i].Name, c.Name) {
				return i, true
			}
		}
	}
	return 0, false
}

// starTable is the table whose rows a bare * means: one that nothing else names,
// and among those the one that refers to the others.
func (p *scope) starTable(q *tree.Query) int {
	var named []int
	tree.EachColumn(q, func(c tree.Column) {
		if i, ok := p.find(c); ok {
			named = append(named, p.schema.Columns[i].Table)
		}
	})
	best, most := p.tables[0], -1
	for _, t := range p.tables {
		rank := 0
		if !slices.Contains(named, t) {
			rank = 100
		}
		for _, link := range p.schema.Links {
			if p.schema.Columns[link.From].Table == t && slices.Contains(p.tables, p.schema.Columns[link.To].Table) {
				rank++
			}
		}
		if rank > most {
			best, most = t, rank
		}
	}
	return best
}

func (p *scope) name(table int) {
	if !slices.Contains(p.named, table) {
		p.named = append(p.named, table)
	}
}

func (p *scope) item(e tree.Expr) {
	switch e := e.(type) {
	case tree.Column:
		i, ok := p.find(e)
		if !ok {
			p.fail("column %s is not of this select", e.Name)
			return
		}
		p.name(p.schema.Columns[i].Table)
		p.point(Column, i)
	case tree.Star:
		t := p.star
		if named, ok := p.refs[strings.ToLower(e.Source)]; ok {
			t = named
		}
		p.name(t)
		p.say(symStar)
		p.point(Table, t)
	case tree.Aggregate:
		p.aggregate(e)
	case tree.Share, tree.Portion:
		p.percentage(e)
	case tree.Call:
		p.part(e)
	case tree.Duration:
		p.duration(e)
	case tree.Arith:
		if e.Op == '%' {
			p.fail("a remainder")
			return
		}
		p.say(string(e.Op))
		p.item(e.Left)
		p.item(e.Right)
	default:
		p.fail("an expression of another shape")
	}
}

// nameExtraTables names the tables that neither a column nor the links between columns
// imply, and the links that are not the surest.
func (p *scope) nameExtraTables() {
	if p.err != nil {
		return
	}
	more := p.missing()
	hints := p.joinHints(append(slices.Clone(p.named), more...))
	if len(more)+len(hints) == 0 {
		return
	}
	p.say(symExtra)
	for _, t := range more {
		p.point(Table, t)
	}
	for _, c := range hints {
		p.point(Column, c)
	}
}

// missing returns the fewest tables to name so that all sources are joined.
func (p *scope) missing() []int {
	rest := slices.DeleteFunc(slices.Clone(p.tables), func(t int) bool { return slices.Contains(p.named, t) })
	enough := func(more ...int) bool {
		need := append(slices.Clone(p.named), more...)
		if len(need) == 0 {
			return false
		}
		w, ok := connect(p.schema, need, nil)
		if !ok || len(w.tables) != len(p.tables) {
			return false
		}
		return !slices.ContainsFunc(p.tables, func(t int) bool { return !slices.Contains(w.tables, t) })
	}
	if enough() {
		return nil
	}
	for _, t := range rest {
		if enough(t) {
			return []int{t}
		}
	}
	return rest
}

// joinHints returns the columns that tell the select's joins from the surest ones.
func (p *scope) joinHints(tables []int) []int {
	w, ok := connect(p.schema, tables, nil)
	if !ok {
		return nil
	}
	var hints []int
	for _, j := range p.joins {
		if slices.Contains(w.on, j) || slices.Contains(w.on, [2]int{j[1], j[0]}) {
			continue
		}
		n := newJoinGraph(p.schema, true)
		a, b := p.schema.Columns[j[0]].Table, p.schema.Columns[j[1]].Table
		for _, c := range j {
			from, to := n.between(a, b, []int{c})
			if from == j[0] && to == j[1] {
				hints = append(hints, c)
				break
			}
		}
	}
	return hints
}

// spanOf returns the words of the question that mean a literal.
func (l *lineariser) spanOf(k tree.Literal, c subject, op string) (first, last int, ok bool) {
	const longest = MaxSpan
	shortest := longest + 1
	best := 0.0
	for i := range l.question.Tokens {
		for j := i; j < min(i+longest, len(l.question.Tokens)); j++ {
			score := l.matchScore(l.question.span(i, j), k, c, op)
			if length := j - i + 1; score > best || score == best && score > 0 && length < shortest {
				first, last, ok = i, j, true
				best, shortest = score, length
			}
		}
	}
	return first, last, ok
}

// matchScore says how well a text of the question means a literal; 0: not at all.
func (l *lineariser) matchScore(text string, k tree.Literal, c subject, op string) float64 {
	text = unquote(text)
	if text == "" {
		return 0
	}
	if op == "like" {
		if strings.EqualFold(text, k.Text) {
			return 1
		}
		return 0
	}
	if k.Kind == tree.Text && lex.Fold(text) == lex.Fold(k.Text) && lex.Fold(text) != "" {
		if meant, _, ok := interpret(l.question, c, op, text); ok && strings.EqualFold(meant.literal.Text, k.Text) {
			return 1
		}
	}
	if !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return !lex.Function(strings.ToLower(w)) }) {
		return 0
	}
	meant, score, ok := interpret(l.question, c, op, text)
	if !ok || meant.isPeriod() || meant.list != nil || !strings.EqualFold(meant.literal.Text, k.Text) && !sameNumber(meant.literal.Text, k.Text) {
		return 0
	}
	return score
}
