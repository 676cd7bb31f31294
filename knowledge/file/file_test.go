package file_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"quern/knowledge"
	"quern/knowledge/file"
)

const own = `quern: 1
words:
  - word: cancelled
    means: orders.status
    value: X
measures:
  - name: revenue
    dataset: orders
    expression: quantity * unit_price
    aggregate: sum
    unit: EUR
verified:
  - name: by city
    questions: ["how many orders are from {city}?"]
    query: SELECT count(*) FROM orders WHERE city = 'Rome'
    parameters:
      - name: city
        value: Rome
tests:
  - question: who is the owner?
    query: null
`

func read(t *testing.T, name, text string) file.Content {
	t.Helper()
	c, err := file.Read(strings.NewReader(text), name, file.Auto)
	if err != nil {
		t.Fatalf("Read(%s) = %v, want none", name, err)
	}
	return c
}

// TestOwnFormGoesThereAndBack writes what was read and reads it again.
func TestOwnFormGoesThereAndBack(t *testing.T) {
	t.Parallel()
	first := read(t, "k.yaml", own)
	var b strings.Builder
	if err := file.Write(&b, first.Document); err != nil {
		t.Fatal(err)
	}
	if again := read(t, "k.yaml", b.String()); !reflect.DeepEqual(first.Document, again.Document) {
		t.Errorf("there and back = %+v, want %+v", again.Document, first.Document)
	}
	if first.Document.Measures[0].Expression != "quantity * unit_price" || *first.Document.Words[0].Value != "X" {
		t.Errorf("Read() = %+v, want the measure and the word", first.Document)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("a:\n", 1) + strings.Repeat("[", 60) + strings.Repeat("]", 60)
	for name, tt := range map[string]struct{ text, want string }{
		"a bomb":          {"a: &a [x, x]\nb: &b [*a, *a]\nwords: [*b, *b]\n", "anchor"},
		"a merge":         {"x: &x {word: a}\nwords:\n  - <<: *x\n    means: b\n", "anchor"},
		"depth":           {deep, "cannot be read"},
		"size":            {"words: [" + strings.Repeat("a, ", 2_000_000) + "]", "larger than"},
		"another version": {"quern: 2\n", "version 2"},
		"unknown members": {"wordz: []\n", "wordz"},
		"no YAML":         {"\x00", "cannot be read"},
		"nothing":         {"", "empty"},
		"newer Ossie":     {"version: 0.2.0\nsemantic_model: []\n", "version 0.2.0 of Apache Ossie"},
	} {
		if _, err := file.Read(strings.NewReader(tt.text), "k.yaml", file.Auto); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Read(%s) = %v, want %q", name, err, tt.want)
		}
	}
}

func TestListsOfWords(t *testing.T) {
	t.Parallel()
	c := read(t, "words.csv", "\xef\xbb\xbfWord,Means,Value\nvessels,ships,\nvoid,orders.status,X\n,orders,\n")
	if got := fmt.Sprintln(len(c.Document.Words), c.Document.Words[0].Means, *c.Document.Words[1].Value, c.Lost); got != "2 ships X [line 4: a word or what it means is missing]\n" {
		t.Errorf("Read() of words = %s, want two and a line that was lost", got)
	}
}

const ossie = `version: 0.1.1
semantic_model:
  - name: shop
    ai_context: Be kind.
    datasets:
      - name: orders
        source: db.public.orders
        ai_context: {synonyms: [purchases]}
        fields:
          - name: amount
            expression: {dialects: [{dialect: ANSI_SQL, expression: amt}]}
            ai_context: {synonyms: [value]}
          - name: ordered
            expression: {dialects: [{dialect: ANSI_SQL, expression: ordered}]}
            dimension: {is_time: true}
          - name: net
            expression: {dialects: [{dialect: ANSI_SQL, expression: amt * 0.8}]}
      - name: customers
        source: customers
    relationships:
      - {name: who, from: orders, to: customers, from_columns: [kd], to_columns: [kd]}
      - {name: two, from: orders, to: customers, from_columns: [a, b], to_columns: [a, b]}
    metrics:
      - name: revenue
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.quantity * orders.unit_price)}]}
        ai_context: {synonyms: [turnover]}
      - name: mixed
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.a * customers.b)}]}
`

func TestOssieGoesThereAndBack(t *testing.T) {
	t.Parallel()
	c := read(t, "model.yaml", ossie)
	d := c.Document
	want := "[{purchases orders <nil>} {amount orders.amt <nil>} {value orders.amt <nil>}]"
	if got := fmt.Sprint(d.Words); got != want {
		t.Errorf("words = %s, want %s", got, want)
	}
	if len(d.Measures) != 2 || d.Measures[1].Dataset != "orders" || d.Measures[1].Aggregate != "sum" || d.Measures[1].Words[0] != "turnover" || d.Measures[0].Name != "net" {
		t.Errorf("measures = %+v, want net and revenue", d.Measures)
	}
	if len(d.Links) != 1 || d.Links[0].To != "customers.kd" || len(d.Datasets) != 1 || d.Datasets[0].Time != "ordered" {
		t.Errorf("links = %+v and datasets = %+v, want one each", d.Links, d.Datasets)
	}
	for _, lost := range []string{"instructions", "several columns", "several datasets"} {
		if !strings.Contains(strings.Join(c.Lost, "\n"), lost) {
			t.Errorf("lost = %q, want %q among it", c.Lost, lost)
		}
	}
	if err := knowledge.Check(&d); err != nil {
		t.Errorf("Check() = %v, want none", err)
	}
	var b strings.Builder
	d.Verified = []knowledge.Verified{{Name: "v", Questions: []string{"q"}, Query: "select 1 from orders"}}
	lost, err := file.WriteOssie(&b, "shop", d)
	if err != nil || len(lost) != 1 || !strings.Contains(lost[0], "verified") {
		t.Fatalf("WriteOssie() = %v %v, want the verified question lost", lost, err)
	}
	again := read(t, "model.yaml", b.String())
	d.Verified = nil
	if changes := knowledge.Diff(&d, &again.Document); len(changes) != 0 {
		t.Errorf("there and back changes %v, want nothing", changes)
	}
}

func TestSnowflake(t *testing.T) {
	t.Parallel()
	c := read(t, "model.yaml", `name: shop
tables:
  - name: purchases
    base_table: {database: d, schema: s, table: ORDERS}
    synonyms: [sales]
    dimensions:
      - {name: town, expr: city, synonyms: [place], data_type: varchar}
    time_dimensions:
      - {name: ordered, expr: ordered, data_type: date}
    facts:
      - {name: net, expr: amount * 0.8}
    metrics:
      - {name: revenue, expr: SUM(amount), synonyms: [turnover]}
      - {name: odd, expr: SUM(a) / SUM(b)}
    filters:
      - {name: large_orders, expr: amount > 100, synonyms: [big]}
relationships:
  - {name: r, left_table: purchases, right_table: customers, relationship_columns: [{left_column: kd, right_column: kd}]}
verified_queries:
  - {name: all, question: 'how many sales are there?', sql: 'SELECT count(*) FROM __purchases'}
  - {name: bad, question: q, sql: "SELECT a, rank() OVER (ORDER BY b) FROM __purchases"}
`)
	d := c.Document
	if len(d.Words) != 4 || d.Measures[1].Name != "revenue" || d.Measures[1].Dataset != "ORDERS" || d.Conditions[0].Name != "large orders" || d.Links[0].From != "ORDERS.kd" {
		t.Errorf("Read() = %+v, want words, measures, a condition and a link", d)
	}
	if len(d.Verified) != 1 || !strings.Contains(d.Verified[0].Query, `ORDERS`) {
		t.Errorf("verified = %+v, want one over ORDERS", d.Verified)
	}
	if got := strings.Join(c.Lost, "\n"); !strings.Contains(got, "metric purchases.odd") || !strings.Contains(got, "verified query bad") {
		t.Errorf("lost = %s, want the odd metric and the bad query", got)
	}
}

func TestPowerBI(t *testing.T) {
	t.Parallel()
	c := read(t, "shop.lsdl.yaml", `Version: 3.3.0
Language: en-US
Entities:
  orders:
    Definition:
      Binding: {ConceptualEntity: orders}
    State: Generated
    Terms:
      - order: {State: Generated}
      - purchase: {Type: Noun}
      - guess: {State: Suggested}
  order.city:
    Binding: {ConceptualEntity: orders, ConceptualProperty: city}
    Terms: [place]
  gone:
    State: Deleted
Relationships:
  order_has_city:
    Phrasings: [{Attribute: {Subject: orders, Object: order.city}}]
`)
	if got := fmt.Sprint(c.Document.Words); got != "[{place orders.city <nil>} {order orders <nil>} {purchase orders <nil>}]" {
		t.Errorf("words = %s, want three", got)
	}
	if len(c.Lost) != 2 {
		t.Errorf("lost = %q, want a suggested term and a phrasing", c.Lost)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(own)
	f.Add(ossie)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := file.Read(strings.NewReader(text), "k.yaml", file.Auto)
		if err == nil {
			_ = knowledge.Check(&c.Document)
		}
	})
}
