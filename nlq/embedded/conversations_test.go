package embedded_test

import (
	"strings"
	"testing"

	"quern"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/tree"
)

// conversation is two turns or more.
type conversation struct {
	in    string
	turns []turn
}

func TestConversations(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	at := map[string]quern.NamespacePath{"shop": shop(t, h), "port": port(t, h), "library": library(t, h), "festival": festival(t, h)}
	for _, c := range conversations {
		if wrong := talk(t, h, at[c.in], c.turns...); wrong != "" {
			t.Errorf("%s, %q: %s", c.in, c.turns[0].question, wrong)
		}
	}
}

var conversations = []conversation{
	{"shop", []turn{
		{"Which customers come from Rotterdam?", "select name from customers where city = 'Rotterdam'"},
		{"How many of them are gold members?", "select count(*) from customers where city = 'Rotterdam' and membership = 'gold'"},
		{"And from Berlin?", "select count(*) from customers where city = 'Berlin' and membership = 'gold'"},
		{"What did they pay in total?", "select sum(amount) from orders join customers using (customer_id) where city = 'Berlin' and membership = 'gold'"},
		{"Sort that by name", "ask"},
	}},
	{"shop", []turn{
		{"Which customers come from Rotterdam?", "select name from customers where city = 'Rotterdam'"},
		{"What did they pay in total?", "select sum(amount) from orders join customers using (customer_id) where city = 'Rotterdam'"},
		{"per city", "select city, sum(amount) from orders join customers using (customer_id) where city = 'Rotterdam' group by city"},
	}},
	{"shop", []turn{
		{"List the customers from Rotterdam", "select name from customers where city = 'Rotterdam'"},
		{"How many orders do they have?", "select count(*) from orders join customers using (customer_id) where city = 'Rotterdam'"},
		{"only the open ones", "select count(*) from orders join customers using (customer_id) where city = 'Rotterdam' and status = 'open'"},
	}},
	{"shop", []turn{
		{"List the customers from Rotterdam", "select name from customers where city = 'Rotterdam'"},
		{"Who of them joined in 2023?", "select name from customers where city = 'Rotterdam' and joined >= '2023-01-01'"},
	}},
	{"shop", []turn{
		{"How many customers come from Rotterdam?", "select count(*) from customers where city = 'Rotterdam'"},
		{"which ones?", "select name from customers where city = 'Rotterdam'"},
	}},
	{"shop", []turn{
		{"How many customers come from Rotterdam?", "select count(*) from customers where city = 'Rotterdam'"},
		{"and the others?", "select count(*) from customers where city <> 'Rotterdam'"},
		{"show all of them", "select name from customers where city <> 'Rotterdam'"},
	}},
	{"shop", []turn{
		{"List all products", "select name from products"},
		{"What is their average price?", "select avg(price) from products"},
	}},
	{"shop", []turn{
		{"Which products are of the category seat?", "select name from products where category = 'seat'"},
		{"What is their average price?", "select avg(price) from products where category = 'seat'"},
	}},
	{"shop", []turn{
		{"Which products are of the category light?", "select name from products where category = 'light'"},
		{"which one is the cheapest?", "select name from products where category = 'light' order by price limit 1"},
	}},
	{"shop", []turn{
		{"How many orders are open?", "select count(*) from orders where status = 'open'"},
		{"show them", "select order_id from orders where status = 'open'"},
		{"sort them by amount", "select order_id from orders where status = 'open' order by amount"},
		{"the other way round", "select order_id from orders where status = 'open' order by amount desc"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"How many of them are delivered?", "select count(*) from orders where status = 'delivered'"},
		{"and cancelled?", "select count(*) from orders where status = 'cancelled'"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"except those with status cancelled", "select count(*) from orders where status <> 'cancelled'"},
	}},
	{"shop", []turn{
		{"What is the total amount of orders?", "select sum(amount) from orders"},
		{"now by status", "select status, sum(amount) from orders group by status"},
		{"only the top 2", "select status, sum(amount) from orders group by status order by 2 desc limit 2"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"per city", "select city, count(*) from orders join customers using (customer_id) group by city"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"only from Berlin", "select count(*) from orders join customers using (customer_id) where city = 'Berlin'"},
	}},
	{"shop", []turn{
		{"How many orders are delivered?", "select count(*) from orders where status = 'delivered'"},
		{"how many products are there?", "select count(*) from products"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"only the unshipped ones", "select count(*) from orders where shipped_on is null"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"only the undelivered ones", "select count(*) from orders where status <> 'delivered'"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"and in February 2024?", "select count(*) from orders where ordered_on >= '2024-02-01' and ordered_on < '2024-03-01'"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"now by month", "select strftime(ordered_on, '%Y-%m'), count(*) from orders group by all"},
	}},
	{"shop", []turn{
		{"Which 2 products are the most expensive?", "select name from products order by price desc limit 2"},
		{"How many orders do they have?", "select count(*) from orders join products using (product_id) where products.name in ('Desk', 'Chair')"},
	}},
	{"shop", []turn{
		{"Which customers are gold members?", "select name from customers where membership = 'gold'"},
		{"Which products have they ordered?", "select distinct products.name from products join orders using (product_id) join customers using (customer_id) where membership = 'gold'"},
	}},
	{"shop", []turn{
		{"Which customers are gold members?", "select name from customers where membership = 'gold'"},
		{"Which of them have open orders?", "select name from customers where membership = 'gold' and customer_id in (select customer_id from orders where status = 'open')"},
	}},
	{"shop", []turn{
		{"Which customers are gold members?", "select name from customers where membership = 'gold'"},
		{"How many are there?", "select count(*) from customers where membership = 'gold'"},
	}},
	{"shop", []turn{
		{"What percentage of orders are delivered?", "select 100.0 * 4 / 7"},
		{"and open?", "select 100.0 * 2 / 7"},
	}},
	{"shop", []turn{
		{"Which customers come from Rotterdam?", "select name from customers where city = 'Rotterdam'"},
		{"What share of them are gold members?", "select 100.0 * 2 / 3"},
	}},
	{"shop", []turn{
		{"Which product is the most expensive?", "select name from products order by price desc limit 1"},
		{"and the cheapest?", "select name from products order by price limit 1"},
	}},
	{"shop", []turn{
		{"What is the average amount of orders?", "select avg(amount) from orders"},
		{"the same for delivered orders", "select avg(amount) from orders where status = 'delivered'"},
	}},
	{"shop", []turn{
		{"What is the average amount of delivered orders?", "select avg(amount) from orders where status = 'delivered'"},
		{"how many are there?", "select count(*) from orders where status = 'delivered'"},
	}},

	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"only the unpaid ones", "select count(*) from arrivals where not paid"},
		{"and in July 2025?", "select count(*) from arrivals where not paid and arrived >= '2025-07-01' and arrived < '2025-08-01'"},
		{"which ones?", "select arrival from arrivals where not paid and arrived >= '2025-07-01' and arrived < '2025-08-01'"},
	}},
	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"only the paid ones", "select count(*) from arrivals where paid"},
		{"and the others?", "select count(*) from arrivals where not paid"},
	}},
	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"only those that have not departed", "select count(*) from arrivals where departed is null"},
	}},
	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"just those that departed in July 2025", "select count(*) from arrivals where departed >= '2025-07-01' and departed < '2025-08-01'"},
		{"and in June 2025?", "select count(*) from arrivals where departed >= '2025-06-01' and departed < '2025-07-01'"},
	}},
	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"by month", "select strftime(arrived, '%Y-%m'), count(*) from arrivals group by all"},
	}},
	{"port", []turn{
		{"What is the total fee of arrivals?", "select sum(fee) from arrivals"},
		{"per cargo", "select cargo, sum(fee) from arrivals group by cargo"},
	}},
	{"port", []turn{
		{"What is the total fee of arrivals?", "select sum(fee) from arrivals"},
		{"by flag", "select flag, sum(fee) from arrivals join ships using (ship) group by flag"},
	}},
	{"port", []turn{
		{"Which ships sail under the flag Greece?", "select ship from ships where flag = 'Greece'"},
		{"which one is the longest?", "select ship from ships where flag = 'Greece' order by length_m desc limit 1"},
	}},
	{"port", []turn{
		{"Which ships sail under the flag Greece?", "select ship from ships where flag = 'Greece'"},
		{"How many arrivals did they have?", "select count(*) from arrivals join ships using (ship) where flag = 'Greece'"},
	}},
	{"port", []turn{
		{"Which ships sail under the flag Greece?", "select ship from ships where flag = 'Greece'"},
		{"and Norway?", "select ship from ships where flag = 'Norway'"},
	}},
	{"port", []turn{
		{"Which ships sail under the flag Greece?", "select ship from ships where flag = 'Greece'"},
		{"How many of those are tankers?", "select count(*) from ships where flag = 'Greece' and kind = 'tanker'"},
	}},
	{"port", []turn{
		{"List the ships", "select ship from ships"},
		{"sort them by length, largest first", "select ship from ships order by length_m desc"},
		{"only the top 2", "select ship from ships order by length_m desc limit 2"},
	}},
	{"port", []turn{
		{"List the ships", "select ship from ships"},
		{"What is their average length?", "select avg(length_m) from ships"},
	}},
	{"port", []turn{
		{"List the ships", "select ship from ships"},
		{"also show the flag", "select ship, flag from ships"},
	}},
	{"port", []turn{
		{"What percentage of ships are tankers?", "select 50"},
		{"how many is that?", "select count(*) from ships where kind = 'tanker'"},
	}},
	{"port", []turn{
		{"What share of the arrivals carried crude oil?", "select 40"},
		{"and in July 2025?", "select 100.0 * 2 / 3"},
	}},
	{"port", []turn{
		{"How many tankers are there?", "select count(*) from ships where kind = 'tanker'"},
		{"what is the average fee of arrivals?", "select avg(fee) from arrivals"},
	}},

	{"library", []turn{
		{"Which members live in Leeds?", "select name from members where town = 'Leeds'"},
		{"How old are they on average?", "select avg(age) from members where town = 'Leeds'"},
	}},
	{"library", []turn{
		{"Which members live in Leeds?", "select name from members where town = 'Leeds'"},
		{"who of them is the oldest?", "select name from members where town = 'Leeds' order by age desc limit 1"},
	}},
	{"library", []turn{
		{"Which members live in Leeds?", "select name from members where town = 'Leeds'"},
		{"How many loans do they have?", "select count(*) from loans join members using (member_id) where town = 'Leeds'"},
		{"and in York?", "select count(*) from loans join members using (member_id) where town = 'York'"},
	}},
	{"library", []turn{
		{"How many loans are there?", "select count(*) from loans"},
		{"only the unreturned ones", "select count(*) from loans where returned is null"},
	}},
	{"library", []turn{
		{"How many loans are there?", "select count(*) from loans"},
		{"and in June 2024?", "select count(*) from loans where loaned >= '2024-06-01' and loaned < '2024-07-01'"},
	}},
	{"library", []turn{
		{"How many loans are there?", "select count(*) from loans"},
		{"per genre", "select genre, count(*) from loans join books using (book_id) group by genre"},
	}},
	{"library", []turn{
		{"Which books are novels?", "select title from books where genre = 'novel'"},
		{"what is their total number of pages?", "select sum(pages) from books where genre = 'novel'"},
	}},
	{"library", []turn{
		{"Which books are novels?", "select title from books where genre = 'novel'"},
		{"who wrote them?", "select author from books where genre = 'novel'"},
	}},
	{"library", []turn{
		{"Which books did Ode write?", "select title from books where author = 'Ode'"},
		{"which of these have more than 400 pages?", "select title from books where author = 'Ode' and pages > 400"},
	}},
	{"library", []turn{
		{"How many members live in York?", "select count(*) from members where town = 'York'"},
		{"what are their names?", "select name from members where town = 'York'"},
	}},
	{"library", []turn{
		{"How many members live in York?", "select count(*) from members where town = 'York'"},
		{"and how many live in Leeds?", "select count(*) from members where town = 'Leeds'"},
	}},
	{"library", []turn{
		{"How many members are there?", "select count(*) from members"},
		{"how many are older than 30?", "select count(*) from members where age > 30"},
	}},
	{"library", []turn{
		{"Which member is the oldest?", "select name from members order by age desc limit 1"},
		{"how many loans does she have?", "select count(*) from loans join members using (member_id) where name = 'Kaya'"},
	}},
	{"port", []turn{
		{"Which ship is the longest?", "select ship from ships order by length_m desc limit 1"},
		{"what is its flag?", "select flag from ships order by length_m desc limit 1"},
	}},
	{"shop", []turn{
		{"Which customers have no orders with status open?", "select name from customers where customer_id not in (select customer_id from orders where status = 'open')"},
		{"How many of them come from Berlin?", "select count(*) from customers where city = 'Berlin'"},
	}},
	{"shop", []turn{
		{"How many orders are there per status?", "select status, count(*) from orders group by status"},
		{"sort them by count, largest first", "select status, count(*) from orders group by status order by 2 desc, 1 desc"},
	}},
	{"shop", []turn{
		{"What is the total amount of orders?", "select sum(amount) from orders"},
		{"and the average?", "select avg(amount) from orders"},
		{"per status", "select status, avg(amount) from orders group by status"},
		{"what about the maximum?", "select status, max(amount) from orders group by status"},
	}},
	{"port", []turn{
		{"List the arrivals in July 2025", "select arrival from arrivals where arrived >= '2025-07-01' and arrived < '2025-08-01'"},
		{"How many of them carried crude oil?", "select 2"},
	}},
	{"library", []turn{
		{"How many loans were there in June 2024?", "select count(*) from loans where loaned >= '2024-06-01' and loaned < '2024-07-01'"},
		{"and how many were returned in June 2024?", "select count(*) from loans where returned >= '2024-06-01' and returned < '2024-07-01'"},
	}},
	{"shop", []turn{
		{"How many orders are open?", "select count(*) from orders where status = 'open'"},
		{"and the average amount?", "select avg(amount) from orders where status = 'open'"},
		{"what about the total amount of orders per customer?", "select sum(amount) from orders group by customer_id"},
	}},
	{"shop", []turn{
		{"How many orders are there?", "select count(*) from orders"},
		{"what about gold members?", "select count(*) from orders join customers using (customer_id) where membership = 'gold'"},
		{"and only from Rotterdm?", "select count(*) from orders join customers using (customer_id) where membership = 'gold' and city = 'Rotterdam'"},
	}},
	{"port", []turn{
		{"How many ships are there?", "select count(*) from ships"},
		{"without the container ones", "select count(*) from ships where kind <> 'container ship'"},
	}},
	{"port", []turn{
		{"How many arrivals are there?", "select count(*) from arrivals"},
		{"except those with cargo oil", "select count(*) from arrivals where cargo <> 'crude oil'"},
	}},
	{"port", []turn{
		{"What percentage of arrivals are paid?", "select 40"},
		{"and unpaid?", "select 60"},
	}},
	{"port", []turn{
		{"What share of arrivals have not departed?", "select 40"},
	}},
	{"library", []turn{
		{"What fraction of members live in Leeds?", "select 40"},
	}},
	{"library", []turn{
		{"Which member is the oldest?", "select name from members order by age desc limit 1"},
		{"and the youngest?", "select name from members order by age limit 1"},
	}},
	{"festival", []turn{
		{"How many screenings had q a held Yes?", "select count(*) from screenings where q_a_held = 'Yes'"},
		{"per venue", "select venue, count(*) from screenings where q_a_held = 'Yes' group by venue"},
		{"what is their average tickets sold?", "select avg(tickets_sold) from screenings where q_a_held = 'Yes'"},
	}},
	{"festival", []turn{
		{"How many screenings had q a held Yes?", "select count(*) from screenings where q_a_held = 'Yes'"},
		{"per venue", "select venue, count(*) from screenings where q_a_held = 'Yes' group by venue"},
		{"only the top 1", "select venue, count(*) from screenings where q_a_held = 'Yes' group by venue order by 2 desc limit 1"},
		{"what is their average tickets sold?", "select avg(tickets_sold) from screenings where q_a_held = 'Yes' and venue = 'Rex'"},
	}},
	{"festival", []turn{
		{"How many guests have films from Portugal?", "select count(*) from guests join films using (film_no) where country = 'Portugal'"},
		{"per hotel", "select hotel, count(*) from guests join films using (film_no) where country = 'Portugal' group by hotel"},
		{"what is their average nights?", "select avg(nights) from guests join films using (film_no) where country = 'Portugal'"},
	}},
	{"festival", []turn{
		{"How many screenings are there?", "select count(*) from screenings"},
		{"per country", "select country, count(*) from screenings join films using (film_no) group by country"},
		{"what is their average tickets sold?", "select avg(tickets_sold) from screenings"},
	}},
	{"festival", []turn{
		{"How many screenings are there?", "select count(*) from screenings"},
		{"only the subtitled ones", "select count(*) from screenings where subtitled = 'Y'"},
	}},
	{"festival", []turn{
		{"How many screenings are there?", "select count(*) from screenings"},
		{"without the subtitled ones", "select count(*) from screenings where subtitled = 'N'"},
	}},
	{"festival", []turn{
		{"How many screenings had q a held Yes?", "select count(*) from screenings where q_a_held = 'Yes'"},
		{"per country", "select country, count(*) from screenings join films using (film_no) where q_a_held = 'Yes' group by country"},
		{"what is their average tickets sold?", "select avg(tickets_sold) from screenings where q_a_held = 'Yes'"},
		{"and in 2025?", "select avg(tickets_sold) from screenings where q_a_held = 'Yes' and screened >= '2025-01-01'"},
	}},
	{"festival", []turn{
		{"Which films were released in 2024?", "select title from films where year(released) = 2024"},
		{"How many guests do they have?", "select count(*) from guests join films using (film_no) where year(released) = 2024"},
		{"per year", "select year(arrival), count(*) from guests join films using (film_no) where year(released) = 2024 group by all"},
	}},
	{"festival", []turn{
		{"Which films were released in 2024?", "select title from films where year(released) = 2024"},
		{"How many guests do they have?", "select count(*) from guests join films using (film_no) where year(released) = 2024"},
		{"and in 2025?", "select count(*) from guests join films using (film_no) where year(released) = 2025"},
	}},
	{"festival", []turn{
		{"How many screenings in 2024 had films from Portugal?", "select count(*) from screenings join films using (film_no) where country = 'Portugal' and year(screened) = 2024"},
		{"and in 2025?", "select count(*) from screenings join films using (film_no) where country = 'Portugal' and year(screened) = 2025"},
	}},
	{"festival", []turn{
		{"What is the average nights of guests of films from Portugal?", "select avg(nights) from guests join films using (film_no) where country = 'Portugal'"},
		{"and in 2025?", "select avg(nights) from guests join films using (film_no) where country = 'Portugal' and year(arrival) = 2025"},
	}},
	{"festival", []turn{
		{"List the name of guests and the title of their film", "select name, title from guests join films using (film_no)"},
		{"and in 2025?", "select name, title from guests join films using (film_no) where year(arrival) = 2025"},
	}},
	{"festival", []turn{
		{"List the guests", "select name from guests"},
		{"only the unconfirmed ones", "select name from guests where confirmed = 'no'"},
	}},
	{"festival", []turn{
		{"How many guests are there per hotel?", "select hotel, count(*) from guests group by hotel"},
		{"only the unpaid ones", "select hotel, count(*) from guests where paid = 0 group by hotel"},
		{"their average nights", "select avg(nights) from guests where paid = 0"},
	}},
	{"festival", []turn{
		{"List the guests", "select name from guests"},
		{"only the unpaid ones", "select name from guests where paid = 0"},
	}},
	{"festival", []turn{
		{"How many screenings are there?", "select count(*) from screenings"},
		{"per country", "select country, count(*) from screenings join films using (film_no) group by country"},
		{"and in 2025?", "select country, count(*) from screenings join films using (film_no) where screened >= '2025-01-01' group by country"},
	}},
	{"festival", []turn{
		{"How many guests have films from Portugal?", "select count(*) from guests join films using (film_no) where country = 'Portugal'"},
		{"and in 2025?", "select count(*) from guests join films using (film_no) where country = 'Portugal' and arrival >= '2025-01-01'"},
	}},
}

// What a reference says again is not a second condition.
func TestConversationsRepeatNoCondition(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	in := festival(t, h)
	for _, turns := range [][]string{
		{"How many screenings had q a held Yes?", "How many of them had q a held Yes?"},
		{"List the screenings at Rex", "without the subtitled ones", "without the subtitled ones"},
		{"List the screenings at Rex", "only the uncounted ones", "only the uncounted ones"},
		{"How many guests have films from Portugal?", "How many of them have films from Portugal?"},
		{"Which guests stay in the hotel Bellevue?", "Which of them stay in the hotel Bellevue?"},
	} {
		var before *nlq.Turn
		for _, text := range turns {
			q := nlqtest.Question(text)
			q.In, q.Previous = in, before
			got, err := h.Translate(t.Context(), h.Ada, q)
			must(t, err)
			if got.Query == nil || got.Query.Select == nil {
				t.Fatalf("Translate(%q) = %+v, want a query", text, got)
			}
			before = &nlq.Turn{Question: text, Query: got.Query}
		}
		sql, err := tree.Print(before.Query)
		must(t, err)
		for _, said := range []string{"'Yes'", "'Y'", "IS NULL", "'Portugal'", "'Bellevue'"} {
			if strings.Count(sql, said) > 1 {
				t.Errorf("after %q the query is %s, want no condition twice", turns, sql)
			}
		}
	}
}

// Questions that stand on their own are read as they are without a turn before,
// pronouns of their own included.
func TestStandingQuestionsInConversations(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	at := map[string]quern.NamespacePath{"shop": shop(t, h), "port": port(t, h), "library": library(t, h)}
	for _, c := range []struct {
		in, before string
		questions  []string
	}{
		{"shop", "Which customers come from Rotterdam?", []string{
			"List customers and their cities", "How many orders are open?", "What is the average price of products?",
			"For all customers, how many orders do they have?", "Which customers have an order and what is its amount?",
			"Which product is the cheapest one?", "How many customers come from Berlin?", "Show products with a price over 50",
			"What percentage of orders are delivered?", "Which cities have customers?",
		}},
		{"port", "How many arrivals are there?", []string{
			"Which ships are tankers?", "List the ships and their flags", "For each ship, how many arrivals did it have?",
			"How many ships sail under the flag Greece?", "What is the total fee of arrivals per cargo?", "Show ships and the cargo they carried",
			"Which ship has the most arrivals?",
		}},
		{"library", "Which members live in Leeds?", []string{
			"How many books are novels?", "List the title of books and their author", "Show the name of members and the books they have loans of",
			"Which author wrote the most books?", "What is the average age of members?", "Which book is the longest one?",
			"How many loans are there per member?", "in which town do most members live?",
		}},
	} {
		first := nlqtest.Question(c.before)
		first.In = at[c.in]
		before, err := h.Translate(t.Context(), h.Ada, first)
		must(t, err)
		for _, text := range c.questions {
			q := nlqtest.Question(text)
			q.In = at[c.in]
			alone, err := h.Translate(t.Context(), h.Ada, q)
			must(t, err)
			q.Previous = &nlq.Turn{Question: c.before, Query: before.Query}
			after, err := h.Translate(t.Context(), h.Ada, q)
			must(t, err)
			if alone.SQL != after.SQL {
				t.Errorf("Translate(%q) after %q = %s, want %s", text, c.before, after.SQL, alone.SQL)
			}
		}
	}
}
