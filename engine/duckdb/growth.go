package duckdb

import (
	"slices"

	"quern"
)

// DuckDB does not count the memory of texts and lists inside one expression, and
// cannot be interrupted within it. So a query's tree is read once more, for how
// many times larger than the data a value can become: the sum where values are
// put together, the product where that happens per item, and on through
// subqueries.
const (
	// maxGrowth is the most times that a query may make a value larger.
	maxGrowth = 256
	// heavy stands for a value whose size does not come from one cell: the
	// result of an aggregate, of a function that makes text or items from a
	// number, of a recursive step. Few of them can be put together.
	heavy = maxGrowth / 4
	// outside is what a value from around a lambda counts inside it, since it
	// may be taken once per item.
	outside = 16
	// endless stands for everything beyond what is allowed.
	endless = maxGrowth * maxGrowth
)

// growth reads a tree that the walker has accepted.
type growth struct{ err *refusal }

// sizes says how large the values of a table's columns can be.
type sizes struct {
	columns map[string]int // those known by name
	others  int            // all that may have other names, or the same
}

// of returns the size of a column, by any part of its name.
func (s sizes) of(names []any) int {
	size := max(s.others, 1)
	for _, v := range names {
		name, _ := v.(string)
		size = max(size, s.columns[quern.NameKey(name)])
	}
	return size
}

// most returns the size of the largest column.
func (s sizes) most() int {
	size := max(s.others, 1)
	for _, one := range s.columns {
		size = max(size, one)
	}
	return size
}

// with returns the columns of both.
func (s sizes) with(other sizes) sizes {
	both := sizes{columns: map[string]int{}, others: max(s.others, other.others)}
	for _, columns := range []map[string]int{s.columns, other.columns} {
		for name, size := range columns {
			both.columns[name] = max(both.columns[name], size)
		}
	}
	return both
}

// times returns the same columns, each larger.
func (s sizes) times(n int) sizes {
	larger := sizes{columns: map[string]int{}, others: n * max(s.others, 1)}
	for name, size := range s.columns {
		larger.columns[name] = n * size
	}
	return larger
}

// unnamed returns the sizes of columns whose names are not followed.
func unnamed(size int) sizes { return sizes{others: size} }

// sized is a CTE and how large its values can be.
type sized struct {
	name  string
	sizes sizes
	outer *sized
}

func (s *sized) find(name string) sizes {
	for ; s != nil; s = s.outer {
		if s.name == quern.NameKey(name) {
			return s.sizes
		}
	}
	return unnamed(1)
}

// around is what an expression sees.
type around struct {
	cells  sizes
	params map[string]int // of the lambdas around
	ctes   *sized
}

func checkGrowth(statement map[string]any) error {
	g := &growth{}
	g.statement(statement, nil, sizes{})
	if g.err != nil {
		return g.err
	}
	return nil
}

func member(n map[string]any, name string) map[string]any {
	value, _ := n[name].(map[string]any)
	return value
}

func items(n map[string]any, name string) []any {
	list, _ := n[name].([]any)
	return list
}

// What a query sees from around it is its outer.

func (g *growth) statement(n map[string]any, ctes *sized, outer sizes) sizes {
	if node := member(n, "node"); node != nil {
		return g.query(node, ctes, outer)
	}
	return unnamed(1)
}

func (g *growth) query(n map[string]any, ctes *sized, outer sizes) sizes {
	for _, item := range items(member(n, "cte_map"), "map") {
		entry, _ := item.(map[string]any)
		body := member(entry, "value")
		size := g.statement(member(body, "query"), ctes, outer)
		if len(items(body, "aliases")) > 0 {
			size = unnamed(size.most())
		}
		ctes = &sized{quern.NameKey(str(entry, "key")), size, ctes}
	}
	switch str(n, "type") {
	case "SELECT_NODE":
		return g.selection(n, ctes, outer)
	case "RECURSIVE_CTE_NODE":
		size := g.query(member(n, "left"), ctes, outer).most()
		self := &sized{quern.NameKey(str(n, "cte_name")), unnamed(max(size, heavy)), ctes}
		return unnamed(max(size, g.query(member(n, "right"), self, outer).most()))
	}
	size := 1
	for _, v := range append(slices.Clone(items(n, "children")), n["left"], n["right"]) {
		if side, ok := v.(map[string]any); ok {
			size = max(size, g.query(side, ctes, outer).most())
		}
	}
	g.largest(n["modifiers"], around{cells: unnamed(size), ctes: ctes})
	return unnamed(size)
}

func (g *growth) selection(n map[string]any, ctes *sized, outer sizes) sizes {
	at := around{cells: outer, ctes: ctes}
	if from := member(n, "from_table"); from != nil {
		at.cells = outer.with(g.table(from, ctes, outer))
	}
	out := sizes{columns: map[string]int{}}
	for _, v := range items(n, "select_list") {
		item, _ := v.(map[string]any)
		size, name := g.largest(v, at), str(item, "alias")
		switch names := items(item, "column_names"); {
		case str(item, "class") == "STAR":
			out = out.with(at.cells)
			out.others = max(out.others, g.inside(item, at))
		case name == "" && str(item, "class") == "COLUMN_REF" && len(names) > 0:
			name, _ = names[len(names)-1].(string)
			fallthrough
		case name != "":
			out.columns[quern.NameKey(name)] = max(out.columns[quern.NameKey(name)], size)
		default:
			out.others = max(out.others, size)
		}
		// The expressions that follow may use the alias.
		at.cells = at.cells.with(out)
	}
	for name, v := range n {
		if name != "select_list" && name != "from_table" && name != "cte_map" {
			g.largest(v, at)
		}
	}
	return out
}

func (g *growth) table(n map[string]any, ctes *sized, outer sizes) sizes {
	at := around{cells: outer, ctes: ctes}
	out := unnamed(1)
	switch str(n, "type") {
	case "BASE_TABLE":
		if str(n, "schema_name") == "" {
			out = ctes.find(str(n, "table_name"))
		}
	case "SUBQUERY":
		out = g.statement(member(n, "subquery"), ctes, outer)
	case "JOIN":
		// What stands on the right may use what stands on the left.
		left := g.table(member(n, "left"), ctes, outer)
		at.cells = outer.with(left)
		out = left.with(g.table(member(n, "right"), ctes, at.cells))
		g.largest(n["condition"], around{cells: out, ctes: ctes})
	case "PIVOT":
		at.cells = unnamed(max(g.table(member(n, "source"), ctes, outer).most(), heavy))
		out = unnamed(max(at.cells.others, g.largest(n["aggregates"], at), g.largest(n["pivots"], at)))
	case "TABLE_FUNCTION":
		out = unnamed(g.largest(member(n, "function")["children"], at))
	case "EXPRESSION_LIST":
		out = unnamed(g.largest(n["values"], at))
	}
	if len(items(n, "column_name_alias")) > 0 {
		return unnamed(out.most())
	}
	return out
}

// largest returns the size of the largest expression that v holds.
func (g *growth) largest(v any, at around) int {
	size := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			size = max(size, g.largest(item, at))
		}
	case map[string]any:
		if str(v, "class") != "" {
			return g.expression(v, at)
		}
		if node := member(v, "node"); node != nil {
			return g.query(node, at.ctes, at.cells).most()
		}
		for _, item := range v {
			size = max(size, g.largest(item, at))
		}
	}
	return size
}

func (g *growth) expression(n map[string]any, at around) int {
	size := min(g.sizeOf(n, at), endless)
	if size > maxGrowth && g.err == nil && str(n, "class") != "LAMBDA" {
		g.err = refuse(location(n), "this could make a value more than %d times as large as the data", maxGrowth)
	}
	return size
}

func (g *growth) sizeOf(n map[string]any, at around) int {
	switch str(n, "class") {
	case "COLUMN_REF":
		names := items(n, "column_names")
		if len(names) > 0 {
			name, _ := names[0].(string)
			if size, ok := at.params[quern.NameKey(name)]; ok {
				return size
			}
		}
		return at.cells.of(names)
	case "CONSTANT":
		return min(1+len(literal(n))/64, heavy)
	case "STAR":
		return max(at.cells.most(), g.inside(n, at))
	case "COMPARISON", "CONJUNCTION", "BETWEEN":
		g.inside(n, at)
		return 1
	case "FUNCTION", "WINDOW":
		return g.function(n, at)
	case "OPERATOR":
		if str(n, "type") == "ARRAY_CONSTRUCTOR" {
			return g.sum(n, at)
		}
	}
	return g.inside(n, at)
}

// inside returns the largest of a node's parts.
func (g *growth) inside(n map[string]any, at around) int {
	size := 1
	for _, v := range n {
		size = max(size, g.largest(v, at))
	}
	return size
}
