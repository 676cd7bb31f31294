package sign_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/model"
	"quern/nlq/schema"
	"quern/nlq/sign"
	"quern/nlq/vector"
)

// trade is customers (c0 id, c1 name, c2 city) and orders (c3 id, c4 customer_id,
// c5 price, c6 status).
func trade() *schema.Schema {
	s := &schema.Schema{Links: []schema.Link{{From: 4, To: 0, Score: 1}}}
	table := func(name string, columns ...schema.Column) {
		s.Tables = append(s.Tables, schema.Table{
			Path: quern.DatasetPath{Dataset: name}, Words: lex.Words(name, nil), Rows: 3, First: len(s.Columns), Len: len(columns),
		})
		for _, c := range columns {
			c.Table = len(s.Tables) - 1
			s.Columns = append(s.Columns, c)
		}
	}
	table("customers", column("id", quern.Integer, "1", "2", "3"), column("name", quern.Text, "Ada", "Bea", "Cem"), column("city", quern.Text, "Lyon", "Lyon", "Paris"))
	table("orders", column("id", quern.Integer, "1", "2", "3"), column("customer_id", quern.Integer, "1", "2", "2"),
		column("price", quern.Double, "10", "20", "30"), column("status", quern.Text, "open", "paid", "open"))
	return s
}

func column(name string, t quern.Type, values ...string) schema.Column {
	index := schema.NewValues(0)
	for _, v := range values {
		index.Add(v)
	}
	index.Done()
	distinct := len(slices.Compact(slices.Sorted(slices.Values(values))))
	return schema.Column{Name: name, Words: lex.Words(name, nil), Type: t, Rows: int64(len(values)), Distinct: int64(distinct), Values: index}
}

func vectors(t *testing.T) *vector.Table {
	t.Helper()
	v, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// asked is a question that readings are held against.
type asked struct {
	*sign.Question
	schema *schema.Schema
	words  grammar.Question
}

func ask(t *testing.T, text string) asked {
	t.Helper()
	s, now := trade(), time.Date(2024, 5, 15, 0, 0, 0, 0, time.UTC)
	f := feature.Extract(s, text, vectors(t), now)
	return asked{sign.About(text, s, f, vectors(t)), s, grammar.Question{Text: text, Tokens: f.Tokens, Now: now}}
}

// reading builds a derivation; a word of the question in parentheses is a constant.
func (a asked) reading(t *testing.T, derivation string) sign.Reading {
	t.Helper()
	var tokens []grammar.Token
	for _, part := range strings.Fields(derivation) {
		if value, ok := strings.CutPrefix(part, "("); ok {
			at := slices.IndexFunc(a.words.Tokens, func(w lex.Token) bool { return w.Text == strings.TrimSuffix(value, ")") })
			tokens = append(tokens, grammar.Token{Kind: grammar.Symbol, ID: slices.Index(grammar.Symbols(), "VAL")},
				grammar.Token{Kind: grammar.Word, ID: at}, grammar.Token{Kind: grammar.Word, ID: at})
			continue
		}
		token, err := grammar.ParseToken(part)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	r, err := grammar.Build(a.schema, a.words, tokens)
	if err != nil {
		t.Fatalf("Build(%s) of %q: %v", derivation, a.words.Text, err)
	}
	sql, err := grammar.SQL(a.schema, r.Query)
	if err != nil {
		t.Fatal(err)
	}
	return sign.Reading{Tokens: tokens, Query: r.Query, SQL: sql, Score: r.Score}
}

// TestSigns holds a reading that a sign speaks against beside one that it does
// not.
func TestSigns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, sign, has, not string }{
		{"How many customers are there?", "count missing", "SEL c1 END", "SEL count STAR t0 END"},
		{"Which customers are in Lyon?", "count unasked", "SEL count STAR t0 WHERE c2 = (Lyon) END", "SEL c1 WHERE c2 = (Lyon) END"},
		{"Which city has the most customers?", "count shown unasked", "SEL c2 count STAR t0 GROUP c2 DESC count STAR t0 LIMIT 1 END", "SEL c2 GROUP c2 DESC count STAR t0 LIMIT 1 END"},
		{"What is the average price of orders?", "average missing", "SEL sum c5 END", "SEL avg c5 END"},
		{"What is the total price of orders?", "average unasked", "SEL avg c5 END", "SEL sum c5 END"},
		{"Which order is the most expensive?", "superlative unmet", "SEL c3 END", "SEL c3 DESC c5 LIMIT 1 END"},
		{"Which customers have no orders?", "negation missing", "SEL c1 EXTRA t1 END", "SEL c1 WHERE c0 !in SEL c4 END END"},
		{"names of customers in order of city", "order missing", "SEL c1 END", "SEL c1 ASC c2 END"},
		{"names of customers by city descending", "order turned", "SEL c1 ASC c2 END", "SEL c1 DESC c2 END"},
		{"names of the customers", "name not shown", "SEL c0 END", "SEL c1 END"},
		{"names of the customers", "keys shown unasked", "SEL c1 c0 END", "SEL c1 c2 END"},
		{"names of the customers", "rows shown unasked", "SEL STAR t0 END", "SEL c1 END"},
		{"names of the customers", "tables unnamed", "SEL c1 EXTRA t1 END", "SEL c1 END"},
		{"names of the customers", "tables idle", "SEL c1 c3 END", "SEL c1 c5 END"},
		{"Show the name and city of customers", "fewer than wanted", "SEL c1 END", "SEL c1 c2 END"},
		{"orders with a price of at least 20", "operator turned", "SEL STAR t1 WHERE c5 > (20) END", "SEL STAR t1 WHERE c5 >= (20) END"},
		{"orders with a price over 20", "operator turned", "SEL STAR t1 WHERE c5 = (20) END", "SEL STAR t1 WHERE c5 > (20) END"},
		{"orders whose price is 2", "constant misplaced", "SEL STAR t1 WHERE c4 = (2) END", "SEL STAR t1 WHERE c5 = (2) END"},
		{"customers in Lyon", "values unused", "SEL c1 END", "SEL c1 WHERE c2 = (Lyon) END"},
		{"customers with 2 orders", "numbers unused", "SEL c1 END", "SEL c1 GROUP c1 HAVING count STAR t1 = (2) END"},
		{"city of customers in Lyon", "conditions shown", "SEL c2 WHERE c2 = (Lyon) END", "SEL c1 WHERE c2 = (Lyon) END"},
		{"status of orders per city", "odd group", "SEL c6 GROUP c2 END", "SEL c2 GROUP c2 END"},
		{"customers without orders", "odd pair", "SEL c1 EXCEPT SEL c6 END", "SEL c0 EXCEPT SEL c4 END"},
		{"customers without orders", "odd pair", "SEL c1 WHERE c5 !in SEL c4 END END", "SEL c1 WHERE c0 !in SEL c4 END END"},
		{"customers without orders", "same sides", "SEL c1 EXCEPT SEL c1 END", "SEL c0 EXCEPT SEL c4 END"},
		{"price of orders of customers", "words ignored", "SEL c1 END", "SEL c1 c5 END"},
	} {
		a := ask(t, c.question)
		at := slices.Index(sign.Names(), c.sign)
		if got := a.Of(a.reading(t, c.has))[at]; got <= 0 {
			t.Errorf("%q read as %s: %s = %v, want more than 0", c.question, c.has, c.sign, got)
		}
		if got := a.Of(a.reading(t, c.not))[at]; got != 0 {
			t.Errorf("%q read as %s: %s = %v, want 0", c.question, c.not, c.sign, got)
		}
	}
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	a := ask(t, "What is the cost of each order?")
	at := slices.Index(sign.Names(), "words alike")
	cost, state := a.Of(a.reading(t, "SEL c5 END"))[at], a.Of(a.reading(t, "SEL c6 END"))[at]
	if cost <= state || cost >= 1 {
		t.Errorf("words alike = %v for the price and %v for the status, want more for the price, and less than 1", cost, state)
	}
}

func TestResultsAndOdds(t *testing.T) {
	t.Parallel()
	a := ask(t, "names of the customers")
	r := a.reading(t, "SEL c1 END")
	r.Odds, r.Result = sign.Odds{Share: 0.5, Mass: 0.75, Rival: 0.25, First: true}, sign.Result{Rows: 2, Repeats: true}
	signs := a.Of(r)
	for name, want := range map[string]float64{
		"share": math.Log(0.5), "mass": math.Log(0.75), "rival": math.Log(0.25), "first": 1,
		"failed": 0, "empty": 0, "zero": 0, "rows": math.Log(3), "one column repeats": 1, "all rows repeat": 1, "one row": 0,
	} {
		if got := signs[slices.Index(sign.Names(), name)]; math.Abs(got-want) > 0.01 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}

func TestNamesAreOnce(t *testing.T) {
	t.Parallel()
	names := sign.Names()
	if sorted := slices.Sorted(slices.Values(names)); len(slices.Compact(sorted)) != len(names) {
		t.Errorf("Names() = %v, want each once", names)
	}
}

// TestEveryDerivationHasSigns draws derivations that the automaton allows.
func TestEveryDerivationHasSigns(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	a := ask(t, "How many customers in Lyon have at least 2 orders with a price over 20 or no paid one?")
	built := 0
	for range 8_000 {
		tokens := draw(r, a)
		reading, err := grammar.Build(a.schema, a.words, tokens)
		if err != nil {
			continue
		}
		built++
		signs := a.Of(sign.Reading{Tokens: tokens, Query: reading.Query, Score: reading.Score})
		if len(signs) != len(sign.Names()) || slices.ContainsFunc(signs, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			t.Fatalf("Of(%v) = %v, want a number for each of %d signs", tokens, signs, len(sign.Names()))
		}
	}
	if built < 100 {
		t.Errorf("%d derivations were readings, want more", built)
	}
}

func draw(r *rand.Rand, a asked) []grammar.Token {
	var all []grammar.Token
	end := slices.Index(grammar.Symbols(), "END")
	for stack := grammar.Start(); !stack.Done(); {
		c := grammar.Allowed(stack.Top())
		var choices []grammar.Token
		for _, s := range c.Symbols {
			if len(all) < 12 || s == end || !slices.Contains(c.Symbols, end) {
				choices = append(choices, grammar.Token{Kind: grammar.Symbol, ID: s})
			}
		}
		add := func(some bool, kind grammar.Kind, n int) {
			for range 2 + len(c.Symbols) { // or else few mean something
				if some {
					choices = append(choices, grammar.Token{Kind: kind, ID: r.IntN(n)})
				}
			}
		}
		add(c.Column, grammar.Column, len(a.schema.Columns))
		add(c.Table, grammar.Table, len(a.schema.Tables))
		add(c.Word, grammar.Word, len(a.words.Tokens))
		t := choices[r.IntN(len(choices))]
		if next, ok := stack.Next(t); ok {
			all, stack = append(all, t), next
		}
	}
	return all
}
