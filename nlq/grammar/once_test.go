package grammar_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/housetest"
	"quern/nlq/grammar"
	"quern/nlq/nlqtest"
	"quern/nlq/schema"
)

// world is tables whose rows refer to rows of a table before, drawn at random, and
// the rows themselves.
type world struct {
	names  []string
	parent []int // of each table; -1 for the first
	rows   [][]worldRow
}

type worldRow struct {
	parent int // its place among the rows of the parent; -1: none
	kind   string
	weight int
}

var worldNames = []string{"ports", "boats", "crates", "pilots", "ropes"}

func drawWorld(r *rand.Rand) *world {
	w := &world{names: slices.Clone(worldNames[:2+r.IntN(len(worldNames)-1)])}
	r.Shuffle(len(w.names), func(i, j int) { w.names[i], w.names[j] = w.names[j], w.names[i] })
	for i := range w.names {
		parent := -1
		if i > 0 {
			parent = r.IntN(i)
		}
		w.parent = append(w.parent, parent)
		rows := make([]worldRow, 6+r.IntN(12))
		for j := range rows {
			rows[j] = worldRow{-1, []string{"red", "blue", "green"}[r.IntN(3)], r.IntN(100)}
			if parent >= 0 && r.IntN(8) > 0 {
				rows[j].parent = r.IntN(len(w.rows[parent]))
			}
		}
		if parent >= 0 { // two of one parent, so that what refers is no key
			rows[0].parent, rows[1].parent = 0, 0
		}
		w.rows = append(w.rows, rows)
	}
	return w
}

// store makes the tables datasets of a namespace, and links them.
func (w *world) store(t *testing.T, h *housetest.House, p quern.Principal, namespace string) {
	t.Helper()
	for i, name := range w.names {
		own := strings.TrimSuffix(name, "s") + "_id"
		var rows []map[string]any
		for j, row := range w.rows[i] {
			made := map[string]any{own: j, "kind": row.kind, "weight": row.weight}
			if w.parent[i] >= 0 {
				made[w.reference(i)] = nil
			}
			if row.parent >= 0 {
				made[w.reference(i)] = row.parent
			}
			rows = append(rows, made)
		}
		text, err := json.Marshal(rows)
		housetest.Must(t, err)
		h.Dataset(p, namespace+"/"+name, string(text))
		if w.parent[i] >= 0 {
			parent := w.names[w.parent[i]]
			h.Link(p, fmt.Sprintf("ada.%s.%s.%s", namespace, name, w.reference(i)),
				fmt.Sprintf("ada.%s.%s.%s_id", namespace, parent, strings.TrimSuffix(parent, "s")))
		}
	}
}

// reference is the column of a table that refers to its parent.
func (w *world) reference(table int) string {
	return "of_" + strings.TrimSuffix(w.names[w.parent[table]], "s")
}

// rowAt is a row of a table, by its place.
type rowAt struct{ table, row int }

// linked returns the rows of a table that some row of another is joined with, over
// the tables between them.
func (w *world) linked(from rowAt, to int) (found []int) {
	path := w.path(from.table, to)
	rows := []int{from.row}
	for i := 1; i < len(path); i++ {
		var next []int
		for _, row := range rows {
			next = append(next, w.neighbours(rowAt{path[i-1], row}, path[i])...)
		}
		rows = next
	}
	return rows
}

// neighbours returns the rows of a table that a row is joined with directly.
func (w *world) neighbours(at rowAt, table int) (rows []int) {
	if w.parent[at.table] == table {
		if parent := w.rows[at.table][at.row].parent; parent >= 0 {
			return []int{parent}
		}
		return nil
	}
	for i, row := range w.rows[table] {
		if row.parent == at.row {
			rows = append(rows, i)
		}
	}
	return rows
}

// path returns the tables from one to another.
func (w *world) path(from, to int) []int {
	up := func(t int) (all []int) {
		for ; t >= 0; t = w.parent[t] {
			all = append(all, t)
		}
		return all
	}
	a, b := up(from), up(to)
	for i, t := range a {
		if j := slices.Index(b, t); j >= 0 {
			back := slices.Clone(b[:j])
			slices.Reverse(back)
			return append(slices.Clone(a[:i+1]), back...)
		}
	}
	return nil
}

// TestRowsOverJoinsTakePartOnce counts, adds up and lists the rows of one table that
// are joined with such rows of another, in tables and rows drawn at random, and wants
// each row once, however many it is joined with.
func TestRowsOverJoinsTakePartOnce(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	schemas, _ := nlqtest.Schemas(t, h)
	repeated := 0
	const worlds = 12
	for n := range uint64(worlds) {
		r := rand.New(rand.NewPCG(7, n))
		w := drawWorld(r)
		namespace := fmt.Sprintf("world%d", n)
		w.store(t, h, ada, namespace)
		s, err := schemas.Schema(t.Context(), ada, quern.NamespacePath{Owner: "ada", Namespace: namespace}, "", nil)
		housetest.Must(t, err)
		for a := range w.names {
			for b := range w.names {
				if a == b {
					continue
				}
				repeated += w.check(t, onceCase{h, ada, s, namespace, a, b})
				w.checkGroups(t, onceCase{h, ada, s, namespace, a, b})
			}
		}
	}
	if repeated < worlds {
		t.Errorf("%d joins repeated rows, too few to show anything", repeated)
	}
}

// onceCase asks for the rows of table a that are joined with red rows of table b.
type onceCase struct {
	house     *housetest.House
	principal quern.Principal
	schema    *schema.Schema
	namespace string
	a, b      int
}

// check asks in all forms, and returns how often a join would have repeated rows.
func (w *world) check(t *testing.T, c onceCase) (repeated int) {
	t.Helper()
	count, sum := 0, 0
	var keys []string
	for i, row := range w.rows[c.a] {
		such := 0
		for _, j := range w.linked(rowAt{c.a, i}, c.b) {
			if w.rows[c.b][j].kind == "red" {
				such++
			}
		}
		if such > 1 {
			repeated++
		}
		if such > 0 {
			count, sum = count+1, sum+row.weight
			keys = append(keys, fmt.Sprint(i))
		}
	}
	a, b := w.names[c.a], w.names[c.b]
	key := a + "." + strings.TrimSuffix(a, "s") + "_id"
	red := " WHERE " + b + ".kind = [red]"
	where := red + " END"
	question := "how many " + a + " have red " + b + "?"
	total := fmt.Sprint(sum)
	if count == 0 {
		total = "null"
	}
	slices.Sort(keys)
	lines := map[string]string{
		"SEL count STAR @" + a + where:                         fmt.Sprint(count),
		"SEL count STAR @" + b + red + " EXTRA @" + a + " END": fmt.Sprint(count), // the question says what is counted
		"SEL count " + key + where:                             fmt.Sprint(count),
		"SEL sum " + a + ".weight" + where:                     total,
		"SEL " + key + where:                                   strings.Join(keys, " "),
		"SEL " + key + " " + a + ".weight" + where:             "", // as many rows as there are keys
	}
	either := " WHERE " + b + ".kind = [red] OR " + a + ".weight > 100 END" // no weight is
	lines["SEL sum "+a+".weight"+either] = total
	lines["SEL "+key+either] = strings.Join(keys, " ")
	if w.parent[c.b] == c.a {
		lines["SEL count STAR @"+b+where] = fmt.Sprint(count) // and that it is counted at all
	}
	for line, want := range lines {
		q := asked(question)
		reading, err := grammar.Build(c.schema, q, derivation(t, c.schema, q, line))
		housetest.Must(t, err)
		sql, err := grammar.SQL(c.schema, reading.Query)
		housetest.Must(t, err)
		rows := c.house.Rows(c.principal, c.namespace, sql)
		if want == "" {
			if len(rows) != count {
				t.Errorf("%v: Build(%s) = %s finds %d rows, want %d", w.parent, line, sql, len(rows), count)
			}
			continue
		}
		if got := values(rows); got != want {
			t.Errorf("%v: Build(%s) = %s finds %s, want %s", w.parent, line, sql, got, want)
		}
	}
	return repeated
}

// checkGroups counts the rows of table a for each kind of rows of table b that they are
// joined with.
func (w *world) checkGroups(t *testing.T, c onceCase) {
	t.Helper()
	counts := map[string]int{}
	for i := range w.rows[c.a] {
		kinds := map[string]bool{}
		for _, j := range w.linked(rowAt{c.a, i}, c.b) {
			kinds[w.rows[c.b][j].kind] = true
		}
		for kind := range kinds {
			counts[kind]++
		}
	}
	var want []string
	for kind, n := range counts {
		want = append(want, fmt.Sprintf(`{"kind":%q,"count":%d}`, kind, n))
	}
	slices.Sort(want)
	a, b := w.names[c.a], w.names[c.b]
	q := asked("the number of " + a + " for each kind of " + b)
	line := "SEL " + b + ".kind count STAR @" + a + " GROUP " + b + ".kind END"
	reading, err := grammar.Build(c.schema, q, derivation(t, c.schema, q, line))
	housetest.Must(t, err)
	reading.Query.Select.Items[1].Alias = "count"
	sql, err := grammar.SQL(c.schema, reading.Query)
	housetest.Must(t, err)
	got := c.house.Rows(c.principal, c.namespace, sql)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%v: Build(%s) = %s finds %v, want %v", w.parent, line, sql, got, want)
	}
}

// values returns the one value of each row, sorted.
func values(rows []string) string {
	all := make([]string, len(rows))
	for i, row := range rows {
		_, value, _ := strings.Cut(strings.Trim(row, "{}"), ":")
		all[i] = value
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// TestCountsAreOfWhatTheQuestionNames builds counts over joins for questions that say
// what is counted, or leave it to the derivation.
func TestCountsAreOfWhatTheQuestionNames(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ question, line, want string }{
		"the parents, though their children are counted": {
			"how many customers ordered for 42 dollars?", "SEL count STAR @orders WHERE orders.total > [42_dollars] END",
			"SELECT count(*) FROM customers WHERE customers.customer_id IN (SELECT orders.customer_id FROM orders WHERE orders.total > 42)"},
		"the children": {
			"how many orders of 42 dollars went to Berlin?",
			"SEL count STAR @orders WHERE orders.total > [42_dollars] AND customers.city = [Berlin] END",
			"SELECT count(*) FROM orders JOIN customers ON orders.customer_id = customers.customer_id WHERE orders.total > 42 AND customers.city = 'Berlin'"},
		"a kind of them": {
			"how many Berlin folk ordered for 42 dollars?",
			"SEL count STAR @orders WHERE orders.total > [42_dollars] AND customers.city = [Berlin] END",
			"SELECT count(*) FROM customers WHERE customers.city = 'Berlin' AND customers.customer_id IN (SELECT orders.customer_id FROM orders WHERE orders.total > 42)"},
		"in groups of others": {
			"number of customers for each product", "SEL products.title count STAR @lines GROUP products.title EXTRA @customers END",
			"SELECT products.title, count(DISTINCT customers.customer_id) FROM customers JOIN orders ON customers.customer_id = orders.customer_id " +
				"JOIN lines ON orders.order_id = lines.order_id JOIN products ON lines.product_id = products.product_id GROUP BY products.title"},
		"of a key that others have too": {
			"which customer has the most orders", "SEL customers.customer_id GROUP customers.customer_id DESC count STAR @orders LIMIT 1 END",
			"SELECT orders.customer_id FROM orders GROUP BY orders.customer_id ORDER BY count(*) DESC LIMIT 1"},
		"by the key that they are grouped by": {
			"names of customers whose number of orders is greater than 2",
			"SEL customers.name GROUP customers.customer_id HAVING count customers.customer_id > [2] EXTRA @orders END",
			"SELECT any_value(customers.name) FROM orders JOIN customers ON orders.customer_id = customers.customer_id GROUP BY customers.customer_id HAVING count(*) > 2"},
		"of which each group has one": {
			"the customer with the most", "SEL customers.name GROUP orders.customer_id DESC count STAR @customers LIMIT 1 END",
			"SELECT any_value(customers.name) FROM customers JOIN orders ON customers.customer_id = orders.customer_id GROUP BY orders.customer_id ORDER BY count(*) DESC LIMIT 1"},
	} {
		if got, err := built(t, shop(), tt.question, tt.line); err != nil || got != tt.want {
			t.Errorf("%s: Build(%s) = %s, %v, want %s", name, tt.line, got, err, tt.want)
		}
	}
}
