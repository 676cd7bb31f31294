package embedded

import (
	"reflect"
	"slices"
	"strings"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// reference is the rows that a question refers back to.
type reference struct {
	reader *reader
	table  int         // whose rows they are
	source tree.Source // the table in rows
	rows   *tree.Query // the select that they are rows of
	loose  bool        // whether a condition of the question takes the place of theirs
}

// referent gives the rows that a question means by "them": those of the previous
// query. ok is false when it has none that a condition can tell.
func (r *reader) referent() (ref *reference, ok bool) {
	if r.question.Previous == nil || r.question.Previous.Query == nil {
		return nil, false
	}
	q, ok := copied(r.question.Previous.Query)
	if !ok {
		return nil, false
	}
	s := q.Select
	if q.Set != nil && q.Set.Op != tree.Union && q.Set.Left.Select != nil && oneColumn(q.Set.Left.Select) {
		s = q.Set.Left.Select
	}
	if s == nil {
		return nil, false
	}
	p, ok := r.sourceOf(s, r.question.Previous.Question)
	if p.inner != nil {
		q = p.inner
	}
	return &reference{reader: r, table: p.table, source: p.source, rows: q}, ok
}

// copied gives a query to change.
func copied(q *tree.Query) (*tree.Query, bool) {
	text, err := tree.Print(q)
	if err != nil {
		return nil, false
	}
	again, err := tree.Parse(text)
	return again, err == nil
}

// oneColumn reports whether a select lists the values of one column.
func oneColumn(s *tree.Select) bool {
	_, column := s.Items[0].Expr.(tree.Column)
	return len(s.Items) == 1 && column
}

// place is where a query reads a table.
type place struct {
	table  int
	source tree.Source
	inner  *tree.Query // the nested query that reads it; nil: the query itself
}

// sourceOf gives the table that a question's rows are of: the one whose columns
// are listed, or counted by group, or the one that it names first, or else the first that is read. A
// question that referred back itself is still about what it referred to.
func (r *reader) sourceOf(s *tree.Select, question string) (place, bool) {
	all := r.places(s)
	if len(all) == 0 {
		return place{}, false
	}
	if p, ok := r.tallied(s, all, question); ok {
		return p, true
	}
	for _, i := range s.Items {
		if c, ok := plainColumn(i.Expr); ok {
			for _, p := range all {
				if p.inner == nil && (c.Source == p.source.Ref() || c.Source == "") {
					return p, true
				}
			}
		}
	}
	best, at := place{}, len(question)
	for _, p := range all {
		if found := r.mention(question, p.table); found >= 0 && found < at {
			best, at = p, found
		}
	}
	if at < len(question) {
		return best, true
	}
	if last := all[len(all)-1]; last.inner != nil && pronouns.MatchString(question) {
		return last, true
	}
	return all[0], true
}

// plainColumn gives the column that an item is, or stands for all of.
func plainColumn(e tree.Expr) (tree.Column, bool) {
	switch e := e.(type) {
	case tree.Column:
		return e, true
	case tree.Star:
		return tree.Column{Source: e.Source}, true
	case tree.Aggregate:
		c, ok := e.Arg.(tree.Column)
		return c, ok && e.Func == tree.Any
	}
	return tree.Column{}, false
}

// places gives where a select reads tables, those of nested lists last.
func (r *reader) places(s *tree.Select) []place {
	var all []place
	for _, source := range s.From {
		if t, ok := r.tableOf(source); ok {
			all = append(all, place{t, source, nil})
		}
	}
	for _, c := range tree.Conjuncts(s.Where) {
		in, ok := c.(tree.In)
		if !ok || in.Query == nil || in.Query.Select == nil {
			continue
		}
		for _, p := range r.places(in.Query.Select) {
			if p.inner == nil {
				p.inner = in.Query
			}
			all = append(all, p)
		}
	}
	return all
}

// tableOf finds the table that a source reads.
func (r *reader) tableOf(source tree.Source) (int, bool) {
	path := tree.Schema{In: r.question.In}.Complete(source.Dataset)
	i := slices.IndexFunc(r.whole.Tables, func(t schema.Table) bool { return tree.SamePath(t.Path, path) })
	return i, i >= 0
}

// mention gives where a text first names a table, by its last word; -1 when it
// does not.
func (r *reader) mention(text string, table int) int {
	words := r.whole.Tables[table].Words
	if len(words) == 0 {
		return -1
	}
	want := lex.Stem(words[len(words)-1])
	for _, t := range lex.Tokens(text) {
		if lex.Stem(t.Text) == want {
			return t.Start
		}
	}
	return -1
}

// names gives what the rows are called: many of them, and one.
func (ref *reference) names() (many, one string) {
	words := slices.Clone(ref.reader.whole.Tables[ref.table].Words)
	last := len(words) - 1
	single := tree.Singular(words[last])
	words[last] = single
	one = strings.Join(words, " ")
	words[last] = tree.Plural(single)
	return strings.Join(words, " "), one
}

// restrict leaves of a query's rows those that belong to the rows referred to.
// ok is false when nothing connects the two.
func (ref *reference) restrict(q *tree.Query) (ok bool) {
	if q.Set != nil {
		return ref.restrict(q.Set.Left) && (q.Set.Op != tree.Union || ref.restrict(q.Set.Right))
	}
	s := q.Select
	for _, source := range s.From {
		if t, known := ref.reader.tableOf(source); known && t == ref.table {
			conds, ok := ref.shared(s)
			if !ok {
				conds, ok = ref.conds(source.Ref())
			}
			ref.nested(s)
			if ref.loose {
				conds = slices.DeleteFunc(slices.Clone(conds), func(c tree.Cond) bool {
					return about(c) != nil && slices.ContainsFunc(tree.Conjuncts(s.Where), func(o tree.Cond) bool { return reflect.DeepEqual(about(o), about(c)) })
				})
			}
			s.Where = narrowed(s.Where, conds...)
			return ok
		}
	}
	rows, ok := ref.alone()
	if !ok || rows.Select.Where == nil && rows.Limit == nil {
		return ok
	}
	var nearest tree.Cond
	for _, source := range s.From {
		if c, ok := ref.reader.linked(source, rows); ok && (nearest == nil || lists(c) < lists(nearest)) {
			nearest = c
		}
	}
	s.Where = narrowed(s.Where, nearest)
	return nearest != nil
}

// alone gives the rows referred to as those of a query over their table alone.
func (ref *reference) alone() (*tree.Query, bool) {
	if s := ref.rows.Select; s != nil && len(s.From) == 1 && len(s.Group) == 0 && s.Having == nil {
		return ref.rows, true
	}
	path := ref.reader.whole.Tables[ref.table].Path
	conds, ok := ref.conds(path.Dataset)
	return &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: path}}, Where: tree.All(conds...)}}, ok
}

// lists counts the lists that a condition is nested in.
func lists(c tree.Cond) (n int) {
	in, ok := c.(tree.In)
	for ; ok && in.Query != nil; n++ {
		in, ok = in.Query.Select.Where.(tree.In)
	}
	return n
}

// nested restricts the queries that find the largest or the smallest value among
// the rows: it is to be that of the rows referred to.
func (ref *reference) nested(s *tree.Select) {
	for _, c := range tree.Conjuncts(s.Where) {
		compare, ok := c.(tree.Compare)
		sub, isQuery := compare.Right.(tree.Subquery)
		if !ok || !isQuery || sub.Query.Select == nil {
			continue
		}
		a, ok := sub.Query.Select.Items[0].Expr.(tree.Aggregate)
		if t, known := ref.reader.tableOf(sub.Query.Select.From[0]); ok && known && t == ref.table && (a.Func == tree.Min || a.Func == tree.Max) {
			ref.restrict(sub.Query)
		}
	}
}

// conds gives what is true of the rows referred to, of a source by that name.
func (ref *reference) conds(name string) ([]tree.Cond, bool) {
	q := ref.rows
	if s := q.Select; s != nil && len(s.Group) > 0 {
		return ref.grouped(name)
	}
	if s := q.Select; s != nil && len(s.From) == 1 && q.Limit == nil && s.Having == nil && ref.source.Ref() == name {
		return tree.Conjuncts(s.Where), true
	}
	return ref.member(name)
}

// member gives the condition that a source by that name is among the rows referred
// to, or in one of their groups.
func (ref *reference) member(name string) ([]tree.Cond, bool) {
	q := ref.rows
	inner, ok := copied(q)
	if !ok {
		return nil, false
	}
	column, ok := ref.column(inner)
	if !ok {
		return nil, false
	}
	if inner.Select != nil {
		inner.Select.Items, inner.Select.Distinct = []tree.Item{{Expr: column}}, false
	}
	if inner.Limit == nil {
		inner.Order = nil
	}
	return []tree.Cond{tree.In{Expr: tree.Column{Source: name, Name: column.Name}, Query: inner}}, true
}

// column gives the column that tells the rows referred to from others: what they
// are grouped by, or their key.
func (ref *reference) column(q *tree.Query) (tree.Column, bool) {
	if q.Set != nil {
		c, ok := q.Set.Left.Select.Items[0].Expr.(tree.Column)
		return c, ok
	}
	for _, g := range q.Select.Group {
		if c, ok := g.(tree.Column); ok && c.Source == ref.source.Ref() {
			return c, true
		}
	}
	if len(q.Select.Group) > 0 {
		return tree.Column{}, false
	}
	t := ref.reader.whole.Tables[ref.table]
	for _, c := range ref.reader.whole.Columns[t.First : t.First+t.Len] {
		if c.Key() {
			return tree.Column{Source: ref.source.Ref(), Name: c.Name}, true
		}
	}
	return tree.Column{}, false
}

// linked gives the condition that rows of a source are linked to rows of a query
// over one other table. ok is false when no links lead there.
func (r *reader) linked(from tree.Source, to *tree.Query) (tree.Cond, bool) {
	if from.Alias != "" && from.Alias != from.Dataset.Dataset {
		return nil, false
	}
	to, ok := copied(to)
	if !ok {
		return nil, false
	}
	q := &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: from.Dataset}}, Where: tree.Linked{Query: to}}}
	if err := tree.Resolve(q, r.tables(), r.links()); err != nil {
		return nil, false
	}
	return q.Select.Where, true
}

// links gives the links as trees are resolved with.
func (r *reader) links() []tree.Link {
	end := func(column int) tree.End {
		c := r.whole.Columns[column]
		return tree.End{Dataset: r.whole.Tables[c.Table].Path, Column: c.Name}
	}
	all := make([]tree.Link, len(r.whole.Links))
	for i, l := range r.whole.Links {
		all[i] = tree.Link{Origin: end(l.From), Destination: end(l.To), Score: l.Score}
	}
	return all
}
