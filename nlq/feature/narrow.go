package feature

import (
	"cmp"
	"math"
	"slices"
	"time"

	"quern/nlq/schema"
)

const (
	// ColumnsPerTable is how many columns a table is given room for, so that a
	// schema of so many columns keeps a tenth as many tables.
	ColumnsPerTable = 10
	// mostSeeds is how many of the best tables are joined with each other.
	mostSeeds = 4
)

// The weights of a word's relations, to be divided among all that have them. Set by
// hand (docs/translator.md, Thresholds).
var (
	nameWeights    = [...]float64{0, 1, 3}
	valueWeights   = [...]float64{0, 0.5, 2.5, 0.1, 0.02}
	similarWeights = [...]float64{0.2, 0.5, 0.8, 0.8} // the last is of synonyms
	tableWeights   = [...]float64{0, 1.5, 4, 0.3, 0.6, 1, 1}
)

// Narrow returns the part of a schema that a question is most likely about, with
// at most so many columns: the tables that its words name or whose values it
// holds, those on the way from one of these to another, and of their columns the
// ones that were named, that identify rows or that link. What is kept stays in
// its order. A schema that is small enough is returned as it is.
func Narrow(s *schema.Schema, question string, v Vectors, now time.Time, maxColumns int) *schema.Schema {
	if len(s.Columns) <= maxColumns {
		return s
	}
	n := rank(s, Extract(s, question, v, now), mostTables(maxColumns))
	return n.cutColumns(maxColumns)
}

// mostTables is how many tables are kept of a schema that is narrowed to so many columns.
func mostTables(maxColumns int) int { return max(1, maxColumns/ColumnsPerTable) }

// About tells of a schema as many tables as Narrow keeps, those that a question is most
// likely about.
func About(question string, v Vectors, now time.Time, maxColumns int) schema.About {
	return func(s *schema.Schema) []int {
		return RankTables(s, Extract(s, question, v, now), mostTables(maxColumns))
	}
}

// RankTables returns the tables that a question is most likely about, best first,
// with those on the way from one of the very best to another; at most so many.
func RankTables(s *schema.Schema, f *Features, most int) []int {
	return rank(s, f, most).chosen
}

// rank scores a schema and chooses its best tables.
func rank(s *schema.Schema, f *Features, most int) *narrowing {
	n := &narrowing{schema: s, columns: make([]float64, len(s.Columns)), tables: make([]float64, len(s.Tables))}
	n.score(f)
	n.chooseTables(most)
	return n
}

// narrowing is a schema on its way to a smaller one.
type narrowing struct {
	schema  *schema.Schema
	columns []float64 // scores
	tables  []float64
	chosen  []int // tables, best first
	kept    []bool
}

// score adds up, for every token, the best of what it says of a table. A token
// that says the same of many says little of each.
func (n *narrowing) score(f *Features) {
	best := make([]float64, len(n.tables))
	for i := range f.Tokens {
		var names, values, similar [5]int
		for _, r := range f.Columns[i] {
			switch {
			case r >= ColumnMeant:
				continue
			case r >= ColumnSimilar:
				similar[r-ColumnSimilar]++
				continue
			}
			names[r/ValueRelations]++
			values[r%ValueRelations]++
		}
		clear(best)
		for c, r := range f.Columns[i] {
			if r == 0 || r >= ColumnMeant {
				continue
			}
			var score float64
			if r >= ColumnSimilar {
				score = similarWeights[r-ColumnSimilar] * rarity(similar[r-ColumnSimilar])
			} else {
				name, value := r/ValueRelations, r%ValueRelations
				score = nameWeights[name]*rarity(names[name]) + valueWeights[value]*rarity(values[value])
			}
			n.columns[c] += score
			t := n.schema.Columns[c].Table
			best[t] = max(best[t], score)
		}
		n.scoreTables(f.Tables[i], best)
	}
}

func (n *narrowing) scoreTables(relations []uint8, best []float64) {
	var shared [TableRelations]int
	for _, r := range relations {
		shared[r]++
	}
	for t, r := range relations {
		n.tables[t] += max(best[t], tableWeights[r]*rarity(shared[r]))
	}
}

// rarity falls with how many share something.
func rarity(shared int) float64 { return 1 / (1 + math.Log2(float64(max(1, shared)))) }

// chooseTables takes the best tables and those between the very best.
func (n *narrowing) chooseTables(most int) {
	order := make([]int, len(n.tables))
	for t := range order {
		order[t] = t
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(n.tables[b], n.tables[a]) })
	taken := make([]bool, len(order))
	take := func(t int) {
		if !taken[t] && len(n.chosen) < most {
			taken[t] = true
			n.chosen = append(n.chosen, t)
		}
	}
	seeds := order[:min(mostSeeds, most, len(order))]
	next := n.neighbours()
	for i, t := range seeds {
		take(t)
		for _, other := range seeds[:i] {
			for _, between := range shortestPath(next, other, t) {
				take(between)
			}
		}
	}
	for _, t := range order {
		take(t)
	}
}

// neighbours lists for each table those it is linked with.
func (n *narrowing) neighbours() [][]int {
	all := make([][]int, len(n.schema.Tables))
	for _, l := range n.schema.Links {
		a, b := n.schema.Columns[l.From].Table, n.schema.Columns[l.To].Table
		if a != b {
			all[a], all[b] = append(all[a], b), append(all[b], a)
		}
	}
	return all
}

// shortestPath returns the tables on the shortest way from one table to another.
func shortestPath(next [][]int, from, to int) []int {
	before := make([]int, len(next))
	for t := range before {
		before[t] = -1
	}
	before[from] = from
	for queue := []int{from}; len(queue) > 0 && before[to] < 0; queue = queue[1:] {
		for _, t := range next[queue[0]] {
			if before[t] < 0 {
				before[t] = queue[0]
				queue = append(queue, t)
			}
		}
	}
	var all []int
	for t := to; before[t] >= 0 && t != from; t = before[t] {
		all = append(all, t)
	}
	return all
}

// cutColumns keeps columns in rounds, the best tables first in each: one that
// identifies the rows of each table, those that link them, those that have a
// score, and others. So no table that was chosen is left without a column.
func (n *narrowing) cutColumns(maxColumns int) *schema.Schema {
	s := n.schema
	n.kept = make([]bool, len(s.Columns))
	left := maxColumns
	keep := func(c int) {
		if left > 0 && !n.kept[c] {
			n.kept[c] = true
			left--
		}
	}
	for _, c := range n.essential() {
		keep(c)
	}
	for _, c := range n.scored() {
		keep(c)
	}
	for place := 0; left > 0; place++ {
		some := false
		for _, t := range n.chosen {
			if place < s.Tables[t].Len {
				keep(s.Tables[t].First + place)
				some = true
			}
		}
		if !some {
			break
		}
	}
	return n.rebuild()
}

// essential lists the columns by which rows of the chosen tables are told apart,
// one of each table, and then those by which they are joined.
func (n *narrowing) essential() []int {
	s := n.schema
	chosen := make([]bool, len(s.Tables))
	for _, t := range n.chosen {
		chosen[t] = true
	}
	var links []int
	linked := make([]bool, len(s.Columns))
	for _, l := range s.Links {
		if chosen[s.Columns[l.From].Table] && chosen[s.Columns[l.To].Table] {
			links = append(links, l.From, l.To)
			linked[l.To] = true
		}
	}
	var all []int
	for _, t := range n.chosen {
		if s.Tables[t].Len == 0 {
			continue
		}
		first := s.Tables[t].First
		key := first // where none tells rows apart
		for c := first; c < first+s.Tables[t].Len; c++ {
			if isKey(s, c, linked[c]) {
				key = c
				break
			}
		}
		all = append(all, key)
	}
	return append(all, links...)
}

// scored lists the columns of the chosen tables that have a score, best first.
func (n *narrowing) scored() []int {
	var all []int
	for _, t := range n.chosen {
		for c := n.schema.Tables[t].First; c < n.schema.Tables[t].First+n.schema.Tables[t].Len; c++ {
			if n.columns[c] > 0 {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(n.columns[b]+n.tables[n.schema.Columns[b].Table], n.columns[a]+n.tables[n.schema.Columns[a].Table])
	})
	return all
}

// rebuild returns the schema of what was kept.
func (n *narrowing) rebuild() *schema.Schema {
	s, made := n.schema, &schema.Schema{Taught: n.schema.Taught, Guesses: n.schema.Guesses}
	places := make([]int, len(s.Columns))
	slices.Sort(n.chosen)
	for _, t := range n.chosen {
		table := s.Tables[t]
		first := len(made.Columns)
		for c := table.First; c < table.First+table.Len; c++ {
			if n.kept[c] {
				column := s.Columns[c]
				column.Table = len(made.Tables)
				places[c] = len(made.Columns)
				made.Columns = append(made.Columns, column)
			}
		}
		if table.First, table.Len = first, len(made.Columns)-first; table.Len > 0 {
			made.Tables = append(made.Tables, table)
		}
	}
	for _, l := range s.Links {
		if n.kept[l.From] && n.kept[l.To] {
			l.From, l.To = places[l.From], places[l.To]
			made.Links = append(made.Links, l)
		}
	}
	return made
}
