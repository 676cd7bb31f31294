package grammar_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

var now = time.Date(2024, 6, 15, 12, 0, 0, 0, time.UTC)

// shop is a schema with two links between two tables, a pair of tables that only
// a name connects, and one that nothing connects.
func shop() *schema.Schema {
	s := &schema.Schema{}
	addTable(s, "customers",
		column("customer_id", quern.Integer, true),
		column("name", quern.Text, false, "Ada Lovelace", "Grace Hopper", "Alan Turing"),
		column("city", quern.Text, false, "Berlin", "New York", "Sankt Gallen"),
		column("active", quern.Boolean, false),
		column("joined", quern.Date, false))
	addTable(s, "orders",
		column("order_id", quern.Integer, true),
		column("customer_id", quern.Integer, false),
		column("ship_to", quern.Integer, false),
		column("placed", quern.Timestamp, false),
		column("total", quern.Double, false))
	addTable(s, "lines",
		column("order_id", quern.Integer, false),
		column("product_id", quern.Integer, false),
		column("quantity", quern.Integer, false))
	addTable(s, "products",
		column("product_id", quern.Integer, true),
		column("title", quern.Text, false, "Tea Pot", "Cup", "42"),
		column("price", quern.Decimal(8, 2), false),
		column("origin_code", quern.Text, false, "DE", "CH"),
		column("note", quern.Text, false)) // without an index
	addTable(s, "origins",
		column("origin_code", quern.Text, true, "DE", "CH"),
		column("country", quern.Text, false, "Germany", "Switzerland"))
	addTable(s, "weather",
		column("day", quern.Date, false),
		column("rain", quern.Double, false),
		column("sunny", quern.Text, false, "Y", "N"),
		column("windy", quern.Integer, false, "0", "1"))
	s.Columns[at(s, "orders.ship_to")].Rows = 90 // some are missing
	s.Links = []schema.Link{
		{From: at(s, "orders.customer_id"), To: at(s, "customers.customer_id"), Score: 0.95},
		{From: at(s, "orders.ship_to"), To: at(s, "customers.customer_id"), Score: 0.8},
		{From: at(s, "lines.order_id"), To: at(s, "orders.order_id"), Score: 0.9},
		{From: at(s, "lines.product_id"), To: at(s, "products.product_id"), Score: 0.9},
	}
	return s
}

func column(name string, of quern.Type, key bool, values ...string) schema.Column {
	c := schema.Column{Name: name, Type: of, Words: strings.Split(name, "_"), Rows: 100, Distinct: 10}
	if key {
		c.Distinct = c.Rows
	}
	if len(values) > 0 {
		c.Values = schema.NewValues(0)
		for _, v := range values {
			c.Values.Add(v)
		}
		c.Values.Done()
	}
	return c
}

func addTable(s *schema.Schema, name string, columns ...schema.Column) {
	for i := range columns {
		columns[i].Table = len(s.Tables)
	}
	path := quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: name}
	s.Tables = append(s.Tables, schema.Table{Path: path, Words: []string{name}, Rows: 100, First: len(s.Columns), Len: len(columns)})
	s.Columns = append(s.Columns, columns...)
}

// at finds a column by the names of its table and its own; -1 when there is none.
func at(s *schema.Schema, name string) int {
	return slices.IndexFunc(s.Columns, func(c schema.Column) bool { return s.Tables[c.Table].Path.Dataset+"."+c.Name == name })
}

// tablesOf returns a schema as trees are held against.
func tablesOf(s *schema.Schema) tree.Schema {
	all := tree.Schema{In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}}
	for _, t := range s.Tables {
		table := tree.Table{Path: t.Path}
		for _, c := range s.Columns[t.First : t.First+t.Len] {
			table.Columns = append(table.Columns, quern.Column{Name: c.Name, Type: c.Type})
		}
		all.Tables = append(all.Tables, table)
	}
	return all
}

func asked(text string) grammar.Question {
	return grammar.Question{Text: text, Tokens: lex.Tokens(text), Now: now}
}

// derivation writes tokens with names for pointers: a column is table.name, a
// table @name, and a span [its text] with _ for blanks.
func derivation(t *testing.T, s *schema.Schema, q grammar.Question, line string) []grammar.Token {
	t.Helper()
	var all []grammar.Token
	for _, word := range strings.Fields(line) {
		if c := at(s, word); c >= 0 {
			all = append(all, grammar.Token{Kind: grammar.Column, ID: c})
			continue
		}
		if name, ok := strings.CutPrefix(word, "@"); ok {
			id := slices.IndexFunc(s.Tables, func(t schema.Table) bool { return t.Path.Dataset == name })
			all = append(all, grammar.Token{Kind: grammar.Table, ID: id})
			continue
		}
		if strings.HasPrefix(word, "[") {
			all = append(all, span(t, q, strings.ReplaceAll(strings.Trim(word, "[]"), "_", " "))...)
			continue
		}
		token, err := grammar.ParseToken(word)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, token)
	}
	return all
}

func span(t *testing.T, q grammar.Question, text string) []grammar.Token {
	t.Helper()
	start := strings.Index(q.Text, text)
	first := slices.IndexFunc(q.Tokens, func(w lex.Token) bool { return w.Start == start })
	last := slices.IndexFunc(q.Tokens, func(w lex.Token) bool { return w.End == start+len(text) })
	if start < 0 || first < 0 || last < 0 {
		t.Fatalf("%q does not say %q in whole words", q.Text, text)
	}
	value, err := grammar.ParseToken("VAL")
	if err != nil {
		t.Fatal(err)
	}
	return []grammar.Token{value, {Kind: grammar.Word, ID: first}, {Kind: grammar.Word, ID: last}}
}

// printed writes a reading as its query.
func printed(t *testing.T, r grammar.Reading) string {
	t.Helper()
	text, err := tree.Print(r.Query)
	if err != nil {
		t.Fatalf("Print(%+v) = %v", r.Query, err)
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, `"ada/shop/`, `"`), "ada/shop/", "")
}
