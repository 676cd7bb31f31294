package embedded

import (
	"reflect"
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// grouped gives what is true of the rows that were put into groups: what was true
// of them before, and that their group is one of those shown where not all are.
func (ref *reference) grouped(name string) ([]tree.Cond, bool) {
	cut := ref.rows.Limit != nil || ref.rows.Select.Having != nil
	if counted, ok := ref.reader.counted(ref.rows.Select); cut && (!ok || counted.Ref() != ref.source.Ref()) {
		return ref.member(name) // a row is a group: a customer of many orders
	}
	single, ok := copied(ref.rows)
	if !ok {
		return nil, false
	}
	single.Select.Items = []tree.Item{{Expr: tree.Star{}}}
	single.Select.Group, single.Select.Having, single.Order, single.Limit = nil, nil, nil, nil
	before := *ref
	before.rows = single
	conds, ok := before.conds(name)
	if !ok || !cut {
		return conds, ok
	}
	within, ok := ref.member(name)
	return slices.Concat(conds, within), ok
}

// shared gives what is true of the rows referred to where a select reads them and
// what they are linked to in the same way: it is true there as it stands. Each of
// the rows must be read once, as one that is read with many others can have one
// for the condition before and another for the next.
func (ref *reference) shared(s *tree.Select) ([]tree.Cond, bool) {
	rows := ref.rows.Select
	if rows == nil || ref.rows.Limit != nil || rows.Having != nil || len(rows.From) < 2 {
		return nil, false
	}
	counted, ok := ref.reader.counted(rows)
	if !ok || counted.Ref() != ref.source.Ref() || !reflect.DeepEqual(rows.From, s.From) {
		return nil, false
	}
	return tree.Conjuncts(rows.Where), true
}

// tallied gives where a query that shows a number for every group reads the rows
// that it counts, unless the question names what they are grouped by before them:
// "for each ship, how many arrivals" is about ships.
func (r *reader) tallied(s *tree.Select, all []place, question string) (place, bool) {
	counted, ok := r.counted(s)
	if !ok || len(s.Group) == 0 || s.Having != nil || !hasAggregates(s.Items) {
		return place{}, false
	}
	at := slices.IndexFunc(all, func(p place) bool { return p.inner == nil && p.source.Ref() == counted.Ref() })
	if at < 0 {
		return place{}, false
	}
	own := r.mention(question, all[at].table)
	for i, p := range all {
		if named := r.mention(question, p.table); i != at && named >= 0 && (own < 0 || named < own) {
			return place{}, false
		}
	}
	return all[at], true
}

// counted gives the source whose rows a select counts: the only one, or the one of
// which there may be many for a row of the others.
func (r *reader) counted(s *tree.Select) (tree.Source, bool) {
	one := map[string]bool{} // the sources that others are linked to by a key
	for _, source := range s.From {
		for _, pair := range source.On {
			for _, end := range []tree.Column{pair.Left, pair.Right} {
				one[end.Source] = one[end.Source] || r.isKey(s, end)
			}
		}
	}
	many := slices.DeleteFunc(slices.Clone(s.From), func(source tree.Source) bool { return one[source.Ref()] })
	if len(many) != 1 {
		return tree.Source{}, false
	}
	return many[0], true
}

// isKey reports whether a column of a select's sources tells their rows apart.
func (r *reader) isKey(s *tree.Select, column tree.Column) bool {
	for _, source := range s.From {
		t, ok := r.tableOf(source)
		if !ok || source.Ref() != column.Source {
			continue
		}
		table := r.whole.Tables[t]
		return slices.ContainsFunc(r.whole.Columns[table.First:table.First+table.Len], func(c schema.Column) bool {
			return c.Name == column.Name && c.Key()
		})
	}
	return false
}

// narrowed gives conditions with more behind them, none of them twice.
func narrowed(where tree.Cond, more ...tree.Cond) tree.Cond {
	all := slices.Clone(tree.Conjuncts(where))
	for _, c := range more {
		if !slices.ContainsFunc(all, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) }) {
			all = append(all, c)
		}
	}
	return tree.All(all...)
}
