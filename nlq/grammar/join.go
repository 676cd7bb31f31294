package grammar

import (
	"cmp"
	"slices"

	"quern/nlq/schema"
)

// joinGraph is the links of a schema by table.
type joinGraph struct {
	schema *schema.Schema
	links  [][]edge // by table, surest first
	sure   bool     // without the links that only names suggest
}

type edge struct {
	from, to int // columns
	score    float64
}

// newJoinGraph takes the links of a schema. Tables that no link connects are connected
// by columns of the same name, if sure by times alone that tell the rows of one apart: the
// days on which tickets were sold.
func newJoinGraph(s *schema.Schema, sure bool) *joinGraph {
	n := &joinGraph{schema: s, links: make([][]edge, len(s.Tables)), sure: sure}
	for _, l := range s.Links {
		n.add(l.From, l.To, l.Score)
	}
	n.addByName()
	for _, edges := range n.links {
		slices.SortStableFunc(edges, func(a, b edge) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
	}
	return n
}

func (n *joinGraph) add(from, to int, score float64) {
	a, b := n.schema.Columns[from].Table, n.schema.Columns[to].Table
	if a == b {
		return
	}
	n.links[a] = append(n.links[a], edge{from, to, score})
	n.links[b] = append(n.links[b], edge{to, from, score})
}

// connect joins tables with as few others as it can. A hint is a column whose
// link is taken where there are several. ok is false when there is no way.
func connect(s *schema.Schema, need, hints []int) (joinPath, bool) {
	if len(need) == 1 {
		return joinPath{schema: s, tables: need}, true
	}
	for _, sure := range []bool{true, false} {
		n := newJoinGraph(s, sure)
		var best joinPath
		for _, start := range need {
			w, ok := n.grow(start, need, hints)
			shorter := best.tables == nil || len(w.tables) < len(best.tables)
			if ok && shorter {
				best = w
			}
		}
		if best.tables != nil {
			return best, true
		}
	}
	return joinPath{}, false
}

// grow adds the nearest needed table, and those on the way, until all are there.
func (n *joinGraph) grow(start int, need, hints []int) (joinPath, bool) {
	w := joinPath{schema: n.schema, tables: []int{start}}
	for {
		missing := slices.DeleteFunc(slices.Clone(need), func(t int) bool { return slices.Contains(w.tables, t) })
		if len(missing) == 0 {
			return w, true
		}
		path, ok := n.nearest(w.tables, missing)
		if !ok {
			return joinPath{}, false
		}
		for i, t := range path[1:] {
			from, to := n.between(path[i], t, hints)
			w.tables = append(w.tables, t)
			w.on = append(w.on, [2]int{from, to})
		}
	}
}

// nearest returns the tables from one that is there to the nearest that is missing.
func (n *joinGraph) nearest(there, missing []int) ([]int, bool) {
	before := map[int]int{}
	for _, t := range there {
		before[t] = -1
	}
	for frontier := slices.Clone(there); len(frontier) > 0; {
		var next []int
		for _, t := range frontier {
			for _, e := range n.links[t] {
				to := n.schema.Columns[e.to].Table
				if _, seen := before[to]; !seen {
					before[to] = t
					next = append(next, to)
				}
			}
		}
		slices.SortFunc(next, n.likelier)
		for _, t := range next {
			if slices.Contains(missing, t) {
				path := []int{t}
				for t = before[t]; t >= 0; t = before[t] {
					path = append(path, t)
				}
				slices.Reverse(path)
				return path, true
			}
		}
		frontier = next
	}
	return nil, false
}

// likelier compares tables that are as near: the one with more rows comes first, for
// what happens oftener is what more questions are about.
func (n *joinGraph) likelier(a, b int) int {
	return cmp.Or(cmp.Compare(n.schema.Tables[b].Rows, n.schema.Tables[a].Rows), cmp.Compare(a, b))
}

// between returns the surest link between two tables, or the one that is hinted at.
func (n *joinGraph) between(a, b int, hints []int) (from, to int) {
	from = -1
	for _, e := range n.links[a] {
		if n.schema.Columns[e.to].Table != b {
			continue
		}
		if slices.Contains(hints, e.from) || slices.Contains(hints, e.to) {
			return e.from, e.to
		}
		if from < 0 {
			from, to = e.from, e.to
		}
	}
	return from, to
}
