package grammar

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// addByName links columns of the same name in tables that have no link, and, if it need not be
// sure, columns that hold the same people.
func (n *joinGraph) addByName() {
	linked := map[[2]int]bool{}
	for _, l := range n.schema.Links {
		a, b := n.schema.Columns[l.From].Table, n.schema.Columns[l.To].Table
		linked[[2]int{a, b}], linked[[2]int{b, a}] = true, true
	}
	link := func(a, b int, alike func(a, b int) bool) {
		const unsure = 0.01
		one, other := n.schema.Columns[a].Table, n.schema.Columns[b].Table
		if one != other && !linked[[2]int{one, other}] && alike(a, b) {
			n.add(a, b, unsure)
		}
	}
	byName, people := map[string][]int{}, []int(nil)
	for i, c := range n.schema.Columns {
		name := strings.ToLower(c.Name)
		for _, other := range byName[name] {
			link(other, i, n.sameKey)
		}
		byName[name] = append(byName[name], i)
		if n.sure || !c.HoldsPeople() {
			continue
		}
		for _, other := range people {
			link(other, i, n.schema.HoldSamePeople)
		}
		people = append(people, i)
	}
}

// sameKey reports whether of two columns of one name one tells rows apart, or may by its name;
// if it has to be sure, days alone do.
func (n *joinGraph) sameKey(a, b int) bool {
	c, o := n.schema.Columns[a], n.schema.Columns[b]
	if c.Type != o.Type {
		return false
	}
	if c.Type.Temporal() {
		return n.tellsDays(a, b) || n.tellsDays(b, a)
	}
	name := strings.ToLower(c.Name)
	keyed := o.Key() || c.Key() || strings.HasSuffix(name, "id") || strings.HasSuffix(name, "code")
	return keyed && !n.sure && !english.IsRemark(c.Name) && n.schema.ShareValues(a, b)
}

// tellsDays reports whether a column of times alone tells the rows of its table apart, is the
// first of it, and another has times of most of the time that it spans.
func (n *joinGraph) tellsDays(column, of int) bool {
	c := n.schema.Columns[column]
	t := n.schema.Tables[c.Table]
	if !c.Type.Temporal() || !c.Key() || t.First != column || !n.schema.SpansMost(of, column) {
		return false
	}
	return !slices.ContainsFunc(n.schema.Columns[t.First+1:t.First+t.Len], schema.Column.Key)
}

// isMany reports whether a join of a path pairs rows of which neither side is told apart by what
// they have in common, which no link says: the medicines and the appointments of a doctor.
func (w joinPath) isMany(join int) bool {
	before, after := w.join(join)
	s := w.schema
	isLink := slices.ContainsFunc(s.Links, func(l schema.Link) bool {
		return l.From == before.column && l.To == after.column || l.From == after.column && l.To == before.column
	})
	return !isLink && !s.Columns[before.column].Key() && !s.Columns[after.column].Key()
}

// pairs reports whether any join of a path does.
func (w joinPath) pairs() bool {
	for i := range w.on {
		if w.isMany(i) {
			return true
		}
	}
	return false
}

// multiplies reports whether a select needs columns on both sides of a join that pairs each row
// of one with several of the other, and so shows pairs that nothing in the data belongs to.
func (b *builder) multiplies(p *part, w joinPath) bool {
	shown := w.between(b.usedTables(p))
	for i := range w.on {
		before, after := w.join(i)
		if w.isMany(i) && slices.Contains(shown, before.table) && slices.Contains(shown, after.table) {
			return true
		}
	}
	return false
}

// kindsOnce lists each kind once where a path leads over people that no link knows: what the doctor
// who prescribed something is a specialist in, not that as often as there were appointments.
func (b *builder) kindsOnce(p *part, w joinPath) {
	if !w.pairs() || b.depth > 1 || len(p.order) > 0 || len(p.Items) == 0 {
		return
	}
	for _, i := range p.Items {
		c, isColumn := i.Expr.(tree.Column)
		id := slices.IndexFunc(b.schema.Columns, func(of schema.Column) bool {
			return of.Name == c.Name && b.schema.Tables[of.Table].Path.Dataset == c.Source
		})
		if !isColumn || id < 0 || !b.schema.Columns[id].Category() {
			return
		}
	}
	p.Distinct = true
}
