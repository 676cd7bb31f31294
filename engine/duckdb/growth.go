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
	// uncountedSize stands for a value whose size does not come from one cell: the
	// result of an aggregate, of a function that makes text or items from a
	// number, of a recursive step. Few of them can be put together.
	uncountedSize = maxGrowth / 4
	// perItemFactor is what a value from around a lambda counts inside it, since it
	// may be taken once per item.
	perItemFactor = 16
	// refusedSize stands for everything beyond what is allowed.
	refusedSize = maxGrowth * maxGrowth
)

// growthCheck reads a tree that the walker has accepted.
type growthCheck struct{ err *refusal }

// sizes says how large the values of a table's columns can be.
type sizes struct {
	columns map[string]int // those known by name
	others  int            // all that may have other names, or the same
}

// ofColumn returns the size of a column, by any part of its name.
func (s sizes) ofColumn(names []any) int {
	size := max(s.others, 1)
	for _, v := range names {
		name, _ := v.(string)
		size = max(size, s.columns[quern.NameKey(name)])
	}
	return size
}

// largest returns the size of the largest column.
func (s sizes) largest() int {
	size := max(s.others, 1)
	for _, one := range s.columns {
		size = max(size, one)
	}
	return size
}

// union returns the columns of both.
func (s sizes) union(other sizes) sizes {
	both := sizes{columns: map[string]int{}, others: max(s.others, other.others)}
	for _, columns := range []map[string]int{s.columns, other.columns} {
		for name, size := range columns {
			both.columns[name] = max(both.columns[name], size)
		}
	}
	return both
}

// scaled returns the same columns, each larger.
func (s sizes) scaled(n int) sizes {
	larger := sizes{columns: map[string]int{}, others: n * max(s.others, 1)}
	for name, size := range s.columns {
		larger.columns[name] = n * size
	}
	return larger
}

// unnamed returns the sizes of columns whose names are not followed.
func unnamed(size int) sizes { return sizes{others: size} }

// cteSizes is a CTE and how large its values can be.
type cteSizes struct {
	name  string
	sizes sizes
	outer *cteSizes
}

func (s *cteSizes) find(name string) sizes {
	for ; s != nil; s = s.outer {
		if s.name == quern.NameKey(name) {
			return s.sizes
		}
	}
	return unnamed(1)
}

// visible is what an expression sees.
type visible struct {
	cells  sizes
	params map[string]int // of the lambdas around
	ctes   *cteSizes
}

func checkGrowth(statement map[string]any) error {
	g := &growthCheck{}
	g.statementSizes(statement, nil, sizes{})
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

func (g *growthCheck) statementSizes(n map[string]any, ctes *cteSizes, outer sizes) sizes {
	if node := member(n, "node"); node != nil {
		return g.querySizes(node, ctes, outer)
	}
	return unnamed(1)
}

func (g *growthCheck) querySizes(n map[string]any, ctes *cteSizes, outer sizes) sizes {
	for _, item := range items(member(n, "cte_map"), "map") {
		entry, _ := item.(map[string]any)
		body := member(entry, "value")
		size := g.statementSizes(member(body, "query"), ctes, outer)
		if len(items(body, "aliases")) > 0 {
			size = unnamed(size.largest())
		}
		ctes = &cteSizes{quern.NameKey(str(entry, "key")), size, ctes}
	}
	switch str(n, "type") {
	case "SELECT_NODE":
		return g.selectSizes(n, ctes, outer)
	case "RECURSIVE_CTE_NODE":
		size := g.querySizes(member(n, "left"), ctes, outer).largest()
		self := &cteSizes{quern.NameKey(str(n, "cte_name")), unnamed(max(size, uncountedSize)), ctes}
		return unnamed(max(size, g.querySizes(member(n, "right"), self, outer).largest()))
	}
	size := 1
	for _, v := range append(slices.Clone(items(n, "children")), n["left"], n["right"]) {
		if side, ok := v.(map[string]any); ok {
			size = max(size, g.querySizes(side, ctes, outer).largest())
		}
	}
	g.largestPart(n["modifiers"], visible{cells: unnamed(size), ctes: ctes})
	return unnamed(size)
}

func (g *growthCheck) selectSizes(n map[string]any, ctes *cteSizes, outer sizes) sizes {
	at := visible{cells: outer, ctes: ctes}
	if from := member(n, "from_table"); from != nil {
		at.cells = outer.union(g.tableSizes(from, ctes, outer))
	}
	out := sizes{columns: map[string]int{}}
	for _, v := range items(n, "select_list") {
		item, _ := v.(map[string]any)
		size, name := g.largestPart(v, at), str(item, "alias")
		switch names := items(item, "column_names"); {
		case str(item, "class") == "STAR":
			out = out.union(at.cells)
			out.others = max(out.others, g.largestChild(item, at))
		case name == "" && str(item, "class") == "COLUMN_REF" && len(names) > 0:
			name, _ = names[len(names)-1].(string)
			fallthrough
		case name != "":
			out.columns[quern.NameKey(name)] = max(out.columns[quern.NameKey(name)], size)
		default:
			out.others = max(out.others, size)
		}
		// The expressions that follow may use the alias.
		at.cells = at.cells.union(out)
	}
	for name, v := range n {
		if name != "select_list" && name != "from_table" && name != "cte_map" {
			g.largestPart(v, at)
		}
	}
	return out
}

func (g *growthCheck) tableSizes(n map[string]any, ctes *cteSizes, outer sizes) sizes {
	at := visible{cells: outer, ctes: ctes}
	out := unnamed(1)
	switch str(n, "type") {
	case "BASE_TABLE":
		if str(n, "schema_name") == "" {
			out = ctes.find(str(n, "table_name"))
		}
	case "SUBQUERY":
		out = g.statementSizes(member(n, "subquery"), ctes, outer)
	case "JOIN":
		// What stands on the right may use what stands on the left.
		left := g.tableSizes(member(n, "left"), ctes, outer)
		at.cells = outer.union(left)
		out = left.union(g.tableSizes(member(n, "right"), ctes, at.cells))
		g.largestPart(n["condition"], visible{cells: out, ctes: ctes})
	case "PIVOT":
		at.cells = unnamed(max(g.tableSizes(member(n, "source"), ctes, outer).largest(), uncountedSize))
		out = unnamed(max(at.cells.others, g.largestPart(n["aggregates"], at), g.largestPart(n["pivots"], at)))
	case "TABLE_FUNCTION":
		out = unnamed(g.largestPart(member(n, "function")["children"], at))
	case "EXPRESSION_LIST":
		out = unnamed(g.largestPart(n["values"], at))
	}
	if len(items(n, "column_name_alias")) > 0 {
		return unnamed(out.largest())
	}
	return out
}

// largestPart returns the size of the largest expression that v holds.
func (g *growthCheck) largestPart(v any, at visible) int {
	size := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			size = max(size, g.largestPart(item, at))
		}
	case map[string]any:
		if str(v, "class") != "" {
			return g.checkedSize(v, at)
		}
		if node := member(v, "node"); node != nil {
			return g.querySizes(node, at.ctes, at.cells).largest()
		}
		for _, item := range v {
			size = max(size, g.largestPart(item, at))
		}
	}
	return size
}

func (g *growthCheck) checkedSize(n map[string]any, at visible) int {
	size := min(g.expressionSize(n, at), refusedSize)
	if size > maxGrowth && g.err == nil && str(n, "class") != "LAMBDA" {
		g.err = refuse(location(n), "this could make a value more than %d times as large as the data", maxGrowth)
	}
	return size
}

func (g *growthCheck) expressionSize(n map[string]any, at visible) int {
	switch str(n, "class") {
	case "COLUMN_REF":
		names := items(n, "column_names")
		if len(names) > 0 {
			name, _ := names[0].(string)
			if size, ok := at.params[quern.NameKey(name)]; ok {
				return size
			}
		}
		return at.cells.ofColumn(names)
	case "CONSTANT":
		return min(1+len(literal(n))/64, uncountedSize)
	case "STAR":
		return max(at.cells.largest(), g.largestChild(n, at))
	case "COMPARISON", "CONJUNCTION", "BETWEEN":
		g.largestChild(n, at)
		return 1
	case "FUNCTION", "WINDOW":
		return g.functionSize(n, at)
	case "OPERATOR":
		if str(n, "type") == "ARRAY_CONSTRUCTOR" {
			return g.childSum(n, at)
		}
	}
	return g.largestChild(n, at)
}

// largestChild returns the largest of a node's parts.
func (g *growthCheck) largestChild(n map[string]any, at visible) int {
	size := 1
	for _, v := range n {
		size = max(size, g.largestPart(v, at))
	}
	return size
}
