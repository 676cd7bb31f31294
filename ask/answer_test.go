package ask_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"quern/ask"
	"quern/ask/check"
)

var update = flag.Bool("update", false, "write the golden files again")

const products = `[
 {"id":1,"name":"Lamp","category":"light","price":1299.5,"stock":10,"launched":"2023-04-01","seen":"2024-05-01T14:30:00Z","sold":true},
 {"id":2,"name":"Chair","category":"seat","price":900.25,"stock":1200,"launched":"2022-01-15","seen":"2024-05-01T14:30:05Z","sold":false},
 {"id":3,"name":"Table","category":"board","price":450,"stock":0,"launched":"2021-12-31","seen":null,"sold":true},
 {"id":4,"name":"Stool","category":"seat","price":35.1,"stock":1500000,"launched":"2024-02-29","seen":"2024-05-02T00:00:00Z","sold":null},
 {"id":5,"name":"Candle","category":"light","price":null,"stock":7,"launched":null,"seen":null,"sold":false},
 {"id":6,"name":"Bench","category":"seat","price":220,"stock":3,"launched":"2023-04-01","seen":null,"sold":true}]`

// answers are questions with their readings; testdata/answers.golden holds what
// is said.
var answers = []struct{ question, sql string }{
	{"how many products are there", `select count(*) from products`},
	{"how many seats are there", `select count(*) from products where category = 'seat'`},
	{"how many boards are there", `select count(*) from products where category = 'board'`},
	{"how many cars are there", `select count(*) from products where category = 'car'`},
	{"how many categories", `select count(distinct category) from products`},
	{"how many prices are known", `select count(price) from products`},
	{"how many kinds of board", `select count(distinct category) from products where category = 'board'`},
	{"what is in stock in total", `select sum(stock) from products`},
	{"average price", `select avg(price) from products where category = 'seat'`},
	{"average price of cars", `select avg(price) from products where category = 'car'`},
	{"latest launch", `select max(launched) from products`},
	{"first seen", `select min(seen) from products`},
	{"numbers of seats", `select count(*), min(price), max(price), avg(stock) from products where category = 'seat'`},
	{"most expensive", `select name from products order by price desc nulls last limit 1`},
	{"most expensive with price", `select name, price from products order by price desc nulls last limit 3`},
	{"newest", `select name, launched from products order by launched desc nulls last limit 2`},
	{"category of the cheapest", `select category from products order by price limit 1`},
	{"category of the two cheapest", `select category from products where price is not null order by price limit 2`},
	{"largest category", `select category, count(*) from products group by category order by count(*) desc limit 1`},
	{"smallest category", `select category from products group by category order by count(*) limit 1`},
	{"best stocked categories", `select category, sum(stock) from products group by category order by sum(stock) desc limit 2`},
	{"per category", `select category, count(*), avg(price) from products group by category order by count(*) desc, category`},
	{"big categories", `select category, count(*) from products group by category having count(*) > 2`},
	{"huge categories", `select category, count(*) from products group by category having count(*) > 20`},
	{"price of the lamp", `select price from products where name = 'Lamp'`},
	{"price of the candle", `select price from products where name = 'Candle'`},
	{"launch of the stool", `select launched from products where name = 'Stool'`},
	{"seen lamp", `select seen from products where name = 'Lamp'`},
	{"lamp in short", `select name, price, sold from products where name = 'Lamp'`},
	{"lamp in full", `select * from products where name = 'Lamp'`},
	{"names of seats", `select name from products where category = 'seat' order by name`},
	{"prices of seats", `select price from products where category = 'seat' order by price`},
	{"all categories", `select distinct category from products order by category`},
	{"all categories of cars", `select distinct category from products where category = 'car'`},
	{"some products", `select name from products limit 2`},
	{"some more", `select id, name, sold from products limit 2`},
	{"all products", `select * from products order by id`},
	{"products and categories", `select products.name, shelves.shelf from products join shelves on shelves.category = products.category order by products.name`},
	{"where is the table", `select shelves.shelf from products join shelves on shelves.category = products.category where products.name = 'Table'`},
	{"count with shelves", `select count(*) from products join shelves on shelves.category = products.category where shelves.shelf = 7`},
	{"shelf with the most", `select any_value(shelves.shelf) from shelves join products on shelves.category = products.category group by shelves.category order by count(*) desc limit 1`},
	{"kind with the most", `select any_value(products.name) from products join shelves on shelves.category = products.category where products.price > 1 group by products.id order by count(*) desc, products.id limit 2`},
	{"highest shelf", `select any_value(products.name), sum(shelves.shelf) from products join shelves on shelves.category = products.category group by products.id order by sum(shelves.shelf) desc limit 1`},
	{"shelves with some", `select any_value(shelves.shelf) from shelves join products on shelves.category = products.category group by shelves.category having count(*) > 2`},
	{"share of seats", `select 100.0 * count(*) filter (where category = 'seat') / nullif(count(*), 0) from products`},
	{"share of nothing", `select 100.0 * count(*) filter (where category = 'seat') / nullif(count(*), 0) from products where id < 0`},
	{"share of seats per shelf", `select shelves.shelf, 100.0 * count(*) filter (where products.category = 'seat') / nullif(count(*), 0) from products join shelves on shelves.category = products.category group by shelves.shelf order by shelves.shelf`},
	{"sold ones", `select sold from products where category = 'seat' order by id`},
	{"sums of halves", `select category, sum(price * 0.1), avg(price) from products group by category order by category`},
	{"largest stock", `select * from products order by stock desc limit 1`},
	{"largest two", `select * from products order by stock desc limit 2`},
	{"search", `select count(*) from products where list_has_all(regexp_extract_all(lower(concat_ws(' ', name, category)), '[\p{L}\p{N}]+'), ['board'])`},
	{"union", `select name from products where category = 'light' union select category from shelves order by name`},
	{"nothing in union", `select name from products where category = 'x' union select category from shelves where category = 'y'`},
	{"except", `select category from shelves except select category from products`},
	{"many", `select n from numbers order by n`},
	{"many with squares", `select n, square from numbers where n > 3 order by n`},
	{"count of numbers", `select count(*) from numbers`},
	{"people", `select count(*) from person`},
	{"one person", `select count(*) from person where year = 1990`},
	{"years", `select name, year from person order by year`},
	{"youngest", `select name, year from person order by year desc limit 1`},
	{"log entries", `select count(*) from log_2`},
	{"sales", `select count(*) from sales where amount > 1000`},
	{"one sale", `select count(*) from sales where amount > 100000`},
	{"sum of sales", `select sum(amount) from sales`},
	{"big sale", `select amount from sales where amount > 100000`},
	{"wide", `select * from wide`},
	{"period", `select count(*) from products where launched >= date '2023-01-01' and launched < date '2024-01-01'`},
	{"void", `select count(*) from void`},
	{"all of void", `select * from void`},
}

func shop(t *testing.T, rows int) *house {
	t.Helper()
	h := newHouse(t, rows)
	h.dataset("products", products)
	h.dataset("shelves", `[{"category":"seat","shelf":7},{"category":"light","shelf":8},{"category":"board","shelf":2021},{"category":"wall","shelf":9}]`)
	var numbers []string
	for i := range 57 {
		numbers = append(numbers, strings.NewReplacer("N", itoa(i+1), "S", itoa((i+1)*(i+1))).Replace(`{"n":N,"square":S}`))
	}
	h.dataset("numbers", "["+strings.Join(numbers, ",")+"]")
	h.dataset("person", `[{"name":"Ada","year":1815},{"name":"Grace","year":1906},{"name":"Tim","year":1990}]`)
	h.dataset("log_2", `[{"line":1}]`)
	h.dataset("sales", `[{"amount":1234567.891},{"amount":1000},{"amount":2000.5}]`)
	h.dataset("wide", `[{`+wide(20)+`}]`)
	h.dataset("void", `[{"x":1}]`)
	_, err := h.Catalog.Clear(t.Context(), h.ada, pathOf("void"))
	must(t, err)
	for _, a := range answers {
		h.script.Knows(a.question, a.sql)
	}
	return h
}

func TestAnswersReadWell(t *testing.T) {
	t.Parallel()
	h := shop(t, 50)
	assistant, nl2ql := ask.NewAssistant(h.querier), ask.NewNL2QL(h.querier)
	var said strings.Builder
	for _, a := range answers {
		w, result := h.run(assistant, h.work(a.question))
		said.WriteString("# " + a.sql + "\n" + result.Response + "\n")
		checkAnswer(t, a.question, w, result.Response)
		w, result = h.run(nl2ql, h.work(a.question))
		said.WriteString("~ " + result.Response + "\n\n")
		checkAnswer(t, a.question, w, result.Response)
	}
	golden(t, "answers.golden", said.String())
}

var (
	badGrammar = regexp.MustCompile(`(?i)\b1 [a-z]+s\b|\bThere is [02-9]|\bThere are 1 |  |\?\.| \.|\.\.`)
	wordsOf    = regexp.MustCompile(`[A-Za-z]+`)
)

// checkAnswer holds an answer to what every answer promises.
func checkAnswer(t *testing.T, question string, w ask.Work, answer string) {
	t.Helper()
	if missing := check.Unsourced(answer, w.Steps, w.Task.Question); len(missing) > 0 {
		t.Errorf("%s: %q has no source in\n%s", question, missing, answer)
	}
	if bad := badGrammar.FindString(answer); bad != "" {
		t.Errorf("%s: %q is no English in\n%s", question, bad, answer)
	}
	words := wordsOf.FindAllStringIndex(answer, -1)
	for i := 1; i < len(words); i++ {
		a, b := words[i-1], words[i]
		if between := answer[a[1]:b[0]]; between == " " && strings.EqualFold(answer[a[0]:a[1]], answer[b[0]:b[1]]) {
			t.Errorf("%s: %q is doubled in\n%s", question, answer[a[0]:b[1]], answer)
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if got != string(want) {
		t.Errorf("%s is not what is said now; look at it and run with -update:\n%s", file, got)
	}
}
