package tree

import (
	"slices"
	"strconv"

	"quern"
)

// Resolve closes what a tree leaves open, in place: implied joins become pairs
// of columns along links, Linked conditions become nested queries, a Search
// without columns gets the text columns, and names become whole. It fails with
// a Problem when no path of links connects what should be, or a name is unknown.
func Resolve(q *Query, s Schema, links []Link) error {
	r := &resolver{schema: s, links: links, graph: newGraph(links)}
	r.query(q, false)
	if r.err != nil {
		return r.err
	}
	return nil
}

type resolver struct {
	schema Schema
	links  []Link
	graph  graph
	err    *Problem
}

func (r *resolver) fail(p *Problem) {
	if r.err == nil {
		r.err = p
	}
}

// query resolves a query; alone says that its columns cannot be those of a
// query around it.
func (r *resolver) query(q *Query, alone bool) {
	if q.Set != nil {
		r.query(q.Set.Left, alone)
		r.query(q.Set.Right, alone)
		return
	}
	s := q.Select
	if link, ok := first(Conjuncts(s.Where)); ok {
		r.replaceLinked(s, link)
		alone = true
	}
	for i := range s.From {
		r.source(&s.From[i])
	}
	if r.err != nil {
		return
	}
	qualify(q, func(column string) string { return r.owner(s.From, column, alone) })
	r.join(s)
	r.resolveInner(q, s)
}

// owner returns the one source that has a column; none when none has, or several.
func (r *resolver) owner(from []Source, column string, alone bool) string {
	if alone && len(from) == 1 {
		return from[0].Ref()
	}
	owner := ""
	for _, source := range from {
		t, _ := r.schema.Table(source.Dataset)
		_, has := t.Column(column)
		switch {
		case has && owner != "":
			return ""
		case has:
			owner = source.Ref()
		}
	}
	return owner
}

func (r *resolver) source(s *Source) {
	t, ok := r.schema.Table(s.Dataset)
	if !ok {
		r.fail(unknown("dataset", s.Dataset.Dataset, r.schema.datasets()))
		return
	}
	if ref := s.Ref(); ref != t.Path.Dataset {
		s.Alias = ref // columns go on using the name as it was written
	}
	s.Dataset = t.Path
}

// resolveInner resolves the queries and searches inside a select.
func (r *resolver) resolveInner(q *Query, s *Select) {
	search := func(c Cond) Cond {
		if found, ok := c.(Search); ok && len(found.Columns) == 0 {
			return r.search(found, s)
		}
		if _, ok := c.(Linked); ok {
			r.fail(problem("", "a link leads to rows only at the start of a condition"))
		}
		return c
	}
	s.Where, s.Having = mapCond(s.Where, search), mapCond(s.Having, search)
	eachSubquery(q, func(inner *Query) { r.query(inner, false) })
}

func (r *resolver) search(found Search, s *Select) Cond {
	for _, source := range s.From {
		t, _ := r.schema.Table(source.Dataset)
		for _, c := range t.Columns {
			if c.Type.Class() == quern.ClassText {
				found.Columns = append(found.Columns, Column{source.Ref(), c.Name})
			}
		}
	}
	if len(found.Columns) == 0 {
		r.fail(problem(s.From[0].Dataset.Dataset, "%q has no text column to search in", s.From[0].Dataset.Dataset))
	}
	return found
}

// replaceLinked replaces a Linked condition, the first of a select's, with nested
// queries along the links.
func (r *resolver) replaceLinked(s *Select, link Linked) {
	r.query(link.Query, true)
	if r.err != nil {
		return
	}
	start := link.Query.Select.From[0].Dataset
	if len(link.Via) > 0 {
		link = r.via(s, link, start)
	}
	if r.err != nil || len(link.Via) > 1 {
		return
	}
	hops := r.hopsOf(s, link, start)
	if r.err != nil {
		return
	}
	inner := link.Query
	for i, h := range hops {
		inner.Select.Items = []Item{{Expr: Column{inner.Select.From[0].Ref(), h.from.Column}}}
		if i < len(hops)-1 {
			inner = &Query{Select: &Select{From: []Source{{Dataset: h.to.Dataset}}, Where: in(h.to, inner)}}
		}
	}
	last := hops[len(hops)-1].to
	s.From[0].Dataset = last.Dataset
	conds := slices.Clone(Conjuncts(s.Where))
	conds[0] = in(last, inner)
	s.Where = All(conds...)
}

func in(e End, q *Query) Cond {
	return In{Expr: Column{e.Dataset.Dataset, e.Column}, Query: q}
}

// hopsOf returns the hops that a Linked condition stands for, at least one.
func (r *resolver) hopsOf(s *Select, link Linked, start quern.DatasetPath) []hop {
	switch {
	case len(link.Via) == 1:
		hops, _ := r.connected(start, s.From[0].Dataset, link.Via[0])
		return []hop{hops}
	case link.Column != "":
		return r.surestLink(link.Query.Select.From[0].Dataset, link.Column)
	}
	t, ok := r.schema.Table(s.From[0].Dataset)
	switch {
	case !ok:
		r.fail(unknown("dataset", s.From[0].Dataset.Dataset, r.schema.datasets()))
		return nil
	case SamePath(t.Path, start):
		r.fail(problem(t.Path.Dataset, "the rows are already those of %q", t.Path.Dataset))
		return nil
	}
	within := link.Within
	if within == 0 {
		within = MaxPath
	}
	hops, ok := r.graph.shortest([]quern.DatasetPath{start}, t.Path, within)
	if !ok {
		r.fail(problem(t.Path.Dataset, "no path of at most %d links leads from %q to %q", within, start.Dataset, t.Path.Dataset))
	}
	return hops
}

// surestLink returns the surest link from a column.
func (r *resolver) surestLink(start quern.DatasetPath, column string) []hop {
	var best *Link
	var linked []string
	for i, l := range r.links {
		if !SamePath(l.Origin.Dataset, start) {
			continue
		}
		linked = append(linked, l.Origin.Column)
		better := best == nil || l.Score > best.Score
		if better && SameName(l.Origin.Column, column) {
			best = &r.links[i]
		}
	}
	if best != nil {
		return []hop{{best.Origin, best.Destination}}
	}
	t, _ := r.schema.Table(start)
	if _, ok := t.Column(column); !ok {
		r.fail(unknownColumn(t, column))
		return nil
	}
	if near := nearest(column, linked); near != "" {
		r.fail(problem(column, "no link leads on from column %q; one does from %q", column, near))
		return nil
	}
	r.fail(problem(column, "no link leads on from column %q", column))
	return nil
}

// join connects a select's sources that nothing connects yet.
func (r *resolver) join(s *Select) {
	joined := s.From[:1:1]
	waiting := s.From[1:]
	equal := equalities(s)
	for _, next := range waiting {
		if len(next.On) > 0 {
			joined = append(joined, next)
			continue
		}
		if pairs := pairsBetween(equal, next.Ref(), joined); len(pairs) > 0 {
			next.On = pairs
			joined = append(joined, next)
			continue
		}
		if joined = r.connect(joined, next); r.err != nil {
			return
		}
	}
	s.From = joined
}

// connect adds a source along the shortest path from those joined already.
func (r *resolver) connect(joined []Source, next Source) []Source {
	from := make([]quern.DatasetPath, len(joined))
	for i, s := range joined {
		from[i] = s.Dataset
	}
	hops, ok := r.graph.shortest(from, next.Dataset, MaxPath)
	if !ok {
		r.fail(problem(next.Dataset.Dataset, "no links lead to %q from the other datasets of the query", next.Dataset.Dataset))
		return nil
	}
	at := ""
	for _, s := range joined {
		if at == "" && SamePath(s.Dataset, hops[0].from.Dataset) {
			at = s.Ref()
		}
	}
	for i, h := range hops {
		source := next
		if i < len(hops)-1 {
			source = Source{Dataset: h.to.Dataset}
			source.Alias = freshAlias(source, append(slices.Clone(joined), next))
		}
		source.On = []Pair{{Column{at, h.from.Column}, Column{source.Ref(), h.to.Column}}}
		joined, at = append(joined, source), source.Ref()
	}
	return joined
}

// freshAlias returns an alias for a source that no other source has; empty when
// its own name will do.
func freshAlias(s Source, others []Source) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(others, func(o Source) bool { return SameName(o.Ref(), name) })
	}
	if !taken(s.Dataset.Dataset) {
		return ""
	}
	for n := 2; ; n++ {
		if name := s.Dataset.Dataset + "_" + strconv.Itoa(n); !taken(name) {
			return name
		}
	}
}

// equalities returns the pairs of columns that a select's condition demands equal.
func equalities(s *Select) []Pair {
	var all []Pair
	for _, c := range Conjuncts(s.Where) {
		compared, ok := c.(Compare)
		if !ok || compared.Op != Equal {
			continue
		}
		left, okLeft := compared.Left.(Column)
		right, okRight := compared.Right.(Column)
		if okLeft && okRight && left.Source != "" && right.Source != "" && !SameName(left.Source, right.Source) {
			all = append(all, Pair{left, right})
		}
	}
	return all
}

// pairsBetween returns the pairs between a source and those joined already.
func pairsBetween(pairs []Pair, ref string, joined []Source) []Pair {
	var some []Pair
	for _, p := range pairs {
		for _, j := range joined {
			forth := SameName(p.Left.Source, ref) && SameName(p.Right.Source, j.Ref())
			back := SameName(p.Right.Source, ref) && SameName(p.Left.Source, j.Ref())
			if forth || back {
				some = append(some, p)
			}
		}
	}
	return some
}
