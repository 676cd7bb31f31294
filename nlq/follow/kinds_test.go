package follow_test

import (
	"strings"
	"testing"

	"quern/nlq"
	"quern/nlq/follow"
)

// What people say behind an answer, by kind. An empty want is no follow-up; doubt is a
// part of the sentence that says why the reading may be wrong.
var kinds = map[string][]struct{ before, said, want, doubt string }{
	"count": {
		{`select * from orders where orders.status = 'open'`, "so how many is that now?", "SELECT count(*) FROM orders WHERE status = 'open'", ""},
		{`select customers.name from customers`, "how many people is that?", "SELECT count(*) FROM customers", ""},
		{`select count(*) from orders where orders.status = 'open'`, "how many is that?", "SELECT count(*) FROM orders WHERE status = 'open'", ""},
		{`select sum(orders.amount) from orders where orders.urgent = true`, "how many orders was that?", "SELECT count(*) FROM orders WHERE urgent = true", ""},
		{`select orders.order_id from orders order by orders.amount desc limit 3`, "how many are those?",
			"SELECT count(*) FROM orders WHERE order_id IN (SELECT order_id FROM orders ORDER BY amount DESC LIMIT 3)", ""},
		{`select orders.customer_id from orders group by orders.customer_id having count(*) > 3`, "how many exactly?",
			"SELECT customer_id, count(*) FROM orders GROUP BY customer_id HAVING count(*) > 3", ""},
		{`select orders.status from orders group by orders.status having count(*) > 3`, "how many is that?",
			"SELECT count(DISTINCT status) FROM orders WHERE status IN (SELECT status FROM orders GROUP BY status HAVING count(*) > 3)", ""},
		{`select * from orders where orders.status = 'open'`, "how many of those are urgent?", "SELECT count(*) FROM orders WHERE status = 'open' AND urgent = true", ""},
		{`select count(*) from orders where orders.status = 'open'`, "Which were they?", "SELECT * FROM orders WHERE status = 'open'", ""},
		{`select orders.urgent, count(*) from orders group by orders.urgent`, "I meant by status, sorry", "SELECT status, count(*) FROM orders GROUP BY status", ""},
		{`select count(*) from orders where orders.status = 'open'`, "same again for paid", "SELECT count(*) FROM orders WHERE status = 'paid'", ""},
		{`select * from orders`, "how many orders are there?", "", ""},
		{`select * from orders`, "how many customers are there?", "", ""},
	},
	"order": {
		{`select orders.order_id from orders`, "sorted by amount, highest first", "SELECT order_id FROM orders ORDER BY amount DESC", ""},
		{`select * from customers`, "alphabetically by name", "SELECT * FROM customers ORDER BY c.name", ""},
		{`select * from customers`, "alphabetical please", "SELECT * FROM customers ORDER BY c.name", ""},
		{`select * from customers`, "in alphabetical order", "SELECT * FROM customers ORDER BY c.name", ""},
		{`select * from customers`, "by joined, latest first", "SELECT * FROM customers ORDER BY c.joined DESC", ""},
		{`select orders.order_id from orders`, "the three biggest only", "SELECT order_id FROM orders ORDER BY amount DESC NULLS LAST LIMIT 3", ""},
		{`select orders.status, sum(orders.amount) from orders group by orders.status`, "just the two with the most",
			"SELECT status, sum(amount) FROM orders GROUP BY status ORDER BY sum(amount) DESC NULLS LAST LIMIT 2", ""},
		{`select orders.status, sum(orders.amount) from orders group by orders.status`, "top 2 only, highest first",
			"SELECT status, sum(amount) FROM orders GROUP BY status ORDER BY sum(amount) DESC LIMIT 2", ""},
		{`select orders.status, avg(orders.amount) from orders group by orders.status`, "sort by that, lowest first",
			"SELECT status, avg(amount) FROM orders GROUP BY status ORDER BY avg(amount)", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "busiest status first",
			"SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) DESC NULLS LAST", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "which status had the most?",
			"SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) DESC NULLS LAST LIMIT 1", ""},
		{`select orders.status, avg(orders.amount) from orders group by orders.status`, "worst first",
			"SELECT status, avg(amount) FROM orders GROUP BY status ORDER BY avg(amount) NULLS LAST", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "worst first",
			"SELECT status, count(*) FROM orders GROUP BY status ORDER BY count(*) NULLS LAST", "lowest to be the worst"},
		{`select orders.order_id from orders`, "which is the cheapest?", "SELECT order_id FROM orders ORDER BY amount NULLS LAST LIMIT 1", ""},
		{`select orders.status, avg(orders.amount) from orders group by orders.status`, "who's the worst?",
			"SELECT status, avg(amount) FROM orders GROUP BY status ORDER BY avg(amount) NULLS LAST LIMIT 1", ""},
		{`select count(*) from orders`, "highest first", "", ""},
	},
	"columns": {
		{`select customers.name from customers`, "which city are they in?", "SELECT c.name, c.city FROM customers", ""},
		{`select customers.name from customers`, "when did they join?", "SELECT c.name, c.joined FROM customers", ""},
		{`select customers.name from customers`, "and where do they live?", "SELECT c.name, c.city FROM customers", ""},
		{`select count(*) from customers`, "names and cities please", "SELECT c.name, c.city FROM customers", ""},
		{`select orders.order_id from orders`, "which customer was that for?",
			"SELECT order_id, c.name FROM orders JOIN customers ON customer_id = c.customer_id", ""},
		{`select count(*) from orders where orders.status = 'open'`, "which customers were they?",
			"SELECT DISTINCT c.name FROM orders JOIN customers ON customer_id = c.customer_id WHERE status = 'open'", ""},
		{`select orders.order_id from orders`, "show them with the customer's name and the amount",
			"SELECT order_id, c.name, amount FROM orders JOIN customers ON customer_id = c.customer_id", ""},
		{`select orders.order_id from orders order by orders.amount desc limit 1`, "how much is that?", "SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 1", ""},
		{`select orders.order_id from orders`, "what are their opening hours?", "", ""},
		{`select customers.name from customers where customers.city = 'Berlin'`, "List customers and their cities", "", ""},
		{`select orders.order_id from orders limit 3`, "per status", "", ""},
		{`select distinct orders.status from orders`, "also show the amount", "", ""},
	},
	"people": {
		{`select count(*) from orders where orders.status = 'open'`, "who are they?",
			"SELECT DISTINCT c.name FROM orders JOIN customers ON customer_id = c.customer_id WHERE status = 'open'", ""},
		{`select orders.order_id from orders where orders.status = 'open'`, "whose are they?",
			"SELECT order_id, c.name FROM orders JOIN customers ON customer_id = c.customer_id WHERE status = 'open'", ""},
		{`select count(*) from customers where customers.city = 'Berlin'`, "what are they called?", "SELECT DISTINCT c.name FROM customers WHERE c.city = 'Berlin'", ""},
	},
	"place": {
		{`select orders.order_id from orders order by orders.amount`, "the second one",
			"SELECT order_id FROM orders WHERE order_id IN (SELECT order_id FROM orders ORDER BY amount LIMIT 2) AND " +
				"order_id NOT IN (SELECT order_id FROM orders ORDER BY amount LIMIT 1) ORDER BY amount LIMIT 1", ""},
		{`select orders.order_id from orders order by orders.amount`, "what's the status of the first one?",
			"SELECT order_id, status FROM orders ORDER BY amount LIMIT 1", ""},
		{`select orders.order_id from orders`, "the first one", "SELECT order_id FROM orders LIMIT 1", "no order"},
	},
	"group": {
		{`select count(*) from orders`, "break that down by city",
			"SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.city", ""},
		{`select sum(orders.amount) from orders`, "per customer please",
			"SELECT any_value(c.name), sum(amount) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.customer_id", ""},
		{`select count(*) from orders where orders.status = 'open'`, "split it by status", "SELECT status, count(*) FROM orders GROUP BY status", ""},
		{`select count(*) from orders where orders.status = 'open'`, "all statuses", "SELECT status, count(*) FROM orders GROUP BY status", "each of them"},
		{`select count(*) from orders`, "by month of the year, please, for 2024",
			"SELECT strftime(ordered_on, '%Y-%m') AS month, count(*) FROM orders WHERE (ordered_on >= DATE '2024-01-01' AND ordered_on < DATE '2025-01-01') " +
				"GROUP BY strftime(ordered_on, '%Y-%m') ORDER BY strftime(ordered_on, '%Y-%m')", ""},
		{`select count(*) from orders`, "per city of the customer",
			"SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.city", ""},
		{`select count(*) from orders join customers on orders.customer_id = customers.customer_id where customers.name = 'Ada'`, "per customer",
			"SELECT any_value(c.name), count(*) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.customer_id", ""},
		{`select count(*) from orders where orders.status = 'open'`, "for all statuses", "SELECT count(*) FROM orders", "together"},
		{`select count(*) from orders where orders.status = 'open'`, "for every status", "SELECT status, count(*) FROM orders GROUP BY status", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "by city instead of status",
			"SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id GROUP BY c.city", ""},
		{`select customers.name from customers where customers.customer_id in (select orders.customer_id from orders where orders.urgent = true)`, "how many times each?",
			"SELECT any_value(c.name), count(*) FROM customers JOIN orders ON c.customer_id = customer_id WHERE urgent = true GROUP BY c.customer_id", ""},
	},
	"measure": {
		{`select orders.status, sum(orders.amount) from orders group by orders.status`, "the number of orders instead",
			"SELECT status, count(*) FROM orders GROUP BY status", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "show the total amount instead of the number",
			"SELECT status, sum(amount) FROM orders GROUP BY status", ""},
		{`select orders.status, sum(orders.amount) from orders group by orders.status`, "and on average?", "SELECT status, avg(amount) FROM orders GROUP BY status", ""},
		{`select * from orders where orders.status = 'open'`, "what's the total of these?", "SELECT sum(amount) FROM orders WHERE status = 'open'", ""},
		{`select * from orders where orders.status = 'open'`, "how much is that altogether?", "SELECT sum(amount) FROM orders WHERE status = 'open'", ""},
		{`select count(*) from orders where orders.status = 'open'`, "what percentage of all orders is that?",
			"SELECT 100.0 * count(*) FILTER (WHERE status = 'open') / nullif(count(*), 0) FROM orders", ""},
		{`select count(*) from orders where orders.status = 'open'`, "how many more is that than paid?",
			"SELECT count(*) FILTER (WHERE status = 'open') - count(*) FILTER (WHERE status = 'paid') FROM orders", ""},
		{`select * from orders`, "number of orders", "", ""},
	},
	"narrow": {
		{`select * from orders`, "paid only", "SELECT * FROM orders WHERE status = 'paid'", ""},
		{`select * from orders`, "only the open and the paid ones", "SELECT * FROM orders WHERE status IN ('open', 'paid')", ""},
		{`select count(*) from orders where orders.status = 'open'`, "with a paid or an open status", "SELECT count(*) FROM orders WHERE status IN ('paid', 'open')", ""},
		{`select * from orders`, "just for March", "SELECT * FROM orders WHERE month(ordered_on) = 3", ""},
		{`select * from orders where month(orders.ordered_on) = 9`, "and in October?", "SELECT * FROM orders WHERE month(ordered_on) = 10", ""},
		{`select * from customers`, "just those who live in Berlin", "SELECT * FROM customers WHERE c.city = 'Berlin'", ""},
		{`select * from customers`, "just those who sleep in Berlin", "SELECT * FROM customers WHERE c.city = 'Berlin'", "sleep"},
		{`select * from orders`, "leave out the paid ones", "SELECT * FROM orders WHERE status <> 'paid'", ""},
		{`select * from orders`, "with an amount of 7", "SELECT * FROM orders WHERE amount = 7", ""},
		{`select orders.status, count(*) from orders group by orders.status`, "only those with at least three",
			"SELECT status, count(*) FROM orders GROUP BY status HAVING count(*) >= 3 | SELECT status, count(*) FROM orders WHERE amount >= 3 GROUP BY status", ""},
		{`select orders.customer_id, count(*) from orders group by orders.customer_id`, "only the ones that did it more than once",
			"SELECT customer_id, count(*) FROM orders GROUP BY customer_id HAVING count(*) > 1", ""},
		{`select orders.order_id from orders`, "which of them have no shipped on?", "SELECT order_id FROM orders WHERE shipped_on IS NULL", ""},
		{`select orders.order_id from orders`, "which of them are urgent?", "SELECT order_id FROM orders WHERE urgent = true", ""},
		{`select orders.order_id from orders`, "which of them have no urgent?", "SELECT order_id FROM orders WHERE urgent = false", ""},
		{`select customers.name from customers`, "which of them have no orders?",
			"SELECT c.name FROM customers WHERE c.customer_id NOT IN (SELECT customer_id FROM orders)", ""},
		{`select * from customers`, "those with a name of more than 7", "", ""},
		{`select * from orders`, "only the hold ones", "", ""},
		{`select * from customers`, "only from Rotterdm", "SELECT * FROM customers WHERE c.city = 'Rotterdam'", "rotterdm"},
	},
	"widen": {
		{`select * from orders where orders.status = 'open'`, "include the paid ones as well", "SELECT * FROM orders WHERE status IN ('open', 'paid')", ""},
		{`select * from orders where orders.status = 'open' and orders.amount > 5`, "drop the status filter", "SELECT * FROM orders WHERE amount > 5", ""},
		{`select * from orders where orders.status = 'open' and orders.amount > 5`, "not just the open ones, all orders", "SELECT * FROM orders WHERE amount > 5", ""},
		{`select * from orders where orders.status = 'open'`, "and without that?", "SELECT * FROM orders", ""},
		{`select * from orders where orders.status = 'open' and orders.amount > 5`, "everything, not just the late ones", "SELECT * FROM orders WHERE status = 'open'", "late"},
	},
	"parts": {
		{`select * from orders where orders.status = 'open' and orders.urgent = true`, "never mind the status, but sort them by amount, highest first",
			"SELECT * FROM orders WHERE urgent = true ORDER BY amount DESC NULLS LAST", ""},
		{`select count(*) from orders where orders.amount > 5`, "ok, the open ones, by city",
			"SELECT c.city, count(*) FROM orders JOIN customers ON customer_id = c.customer_id WHERE amount > 5 AND status = 'open' GROUP BY c.city", ""},
		{`select * from orders where orders.status = 'open'`, "forget the status, all orders", "SELECT * FROM orders", ""},
		{`select * from orders`, "which customers live in Berlin, and how many orders do they have?", "", ""},
	},
}

func TestKindsOfFollowUps(t *testing.T) {
	t.Parallel()
	for kind, all := range kinds {
		for _, c := range all {
			change := follow.Edit(shop(), nlq.Turn{Question: "Which ones?", Query: parsed(t, c.before)}, c.said, now)
			if got := short(t, change.Queries...); got != c.want {
				t.Errorf("%s: Edit(%s, %q)\n got %s\nwant %s", kind, c.before, c.said, got, c.want)
			}
			doubts := strings.Join(change.Doubts, " ")
			if (c.doubt == "") != (doubts == "") || !strings.Contains(doubts, c.doubt) {
				t.Errorf("%s: Edit(%s, %q) doubts %q, want %q in it", kind, c.before, c.said, doubts, c.doubt)
			}
		}
	}
}

// Hangs tells what goes on from the text before it from what stands on its own.
func TestHangs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"which customer was that for?":                       true,
		"and the names":                                      true,
		"how many orders did we get from each of them?":      true,
		"how many of the customers from there are new?":      true,
		"the number instead":                                 true,
		"which titles?":                                      true,
		"per customer":                                       true,
		"How many orders are there?":                         false,
		"For all customers, how many orders do they have?":   false,
		"Which customers have an order that is urgent?":      false,
		"What is the average amount of all orders in March?": false,
	} {
		if got := follow.Hangs(shop(), text); got != want {
			t.Errorf("Hangs(%q) = %v, want %v", text, got, want)
		}
	}
}
