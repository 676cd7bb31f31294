package prose_test

import (
	"testing"

	"quern"
	"quern/ask/asktest"
	"quern/ask/prose"
)

const (
	rented2025 = `rentals.start_date >= date '2025-01-01' and rentals.start_date < date '2026-01-01'`
	rented2026 = `rentals.start_date >= date '2026-01-01' and rentals.start_date < date '2027-01-01'`
	rentersIn  = `select customers.customer_id from customers join rentals on customers.customer_id = rentals.customer_id where `
)

// TestAnswersOfARentalShop has a case for each sentence that a newcomer stumbled over.
func TestAnswersOfARentalShop(t *testing.T) {
	t.Parallel()
	texts := []quern.Column{{Name: "text", Type: quern.Text}}
	sum := []quern.Column{{Name: "sum", Type: quern.Double}}
	sums := []quern.Column{{Name: "a", Type: quern.Double}, {Name: "b", Type: quern.Double}, {Name: "c", Type: quern.Double}}
	of2025, of2026 := `sum(amount) filter (where `+rented2025+`)`, `sum(amount) filter (where `+rented2026+`)`
	for name, c := range map[string]struct {
		tree    string
		columns []quern.Column
		rows    []string
		want    string
	}{
		"names are those whose they are": {
			`select distinct customers.name from customers join rentals on customers.customer_id = rentals.customer_id where rentals.paid = false`,
			texts, []string{`["Ada"]`, `["Ben"]`}, "There are 2 different customers whose rental is not paid: Ada and Ben."},
		"names of others": {
			`select distinct customers.name from rentals join customers on customers.customer_id = rentals.customer_id where rentals.paid = false`,
			texts, []string{`["Ada"]`}, "There is 1 customer among rentals that are not paid: Ada."},
		"what else is different":    {`select distinct city from customers`, texts, []string{`["Kiel"]`, `["Oslo"]`}, "There are 2 different cities among customers: Kiel and Oslo."},
		"none are different":        {`select count(distinct customer_id) from rentals where amount > 9`, count, []string{`[0]`}, "There are no customers among rentals whose amount is more than 9."},
		"one is not different":      {`select count(distinct customer_id) from rentals`, count, []string{`[1]`}, "There is 1 customer among rentals."},
		"a noun of yes and no":      {`select count(*) from customers where newsletter = true`, count, []string{`[3]`}, "There are 3 customers with newsletter yes."},
		"is before what is said":    {`select count(*) from customers where is_student = 'no'`, count, []string{`[1]`}, "There is 1 customer that is marked as not student."},
		"what they are and are not": {`select count(*) from rentals where paid = false and damaged = true and days > 2`, count, []string{`[3]`}, "There are 3 rentals that are damaged and not paid and whose days are more than 2."},
		"nouns for many":            {`select count(*) from rentals where remarks = 'flat tyre'`, count, []string{`[3]`}, "There are 3 rentals whose remarks are 'flat tyre'."},
		"nouns for one in s":        {`select count(*) from rentals where status = 'open'`, count, []string{`[3]`}, "There are 3 rentals whose status is 'open'."},
		"tickets sold are many":     {`select count(*) from concerts where tickets_sold > 2`, count, []string{`[3]`}, "There are 3 concerts whose tickets sold are more than 2."},
		"words have ends":           {`select count(*) from customers where starts_with(phone, 'ben ')`, count, []string{`[3]`}, "There are 3 customers whose phone starts with the word 'ben'."},
		"shares of what is so":      {`select 100.0 * count(*) filter (where paid = false) / nullif(count(*), 0) from rentals`, sum, []string{`[25]`}, "25 % of rentals are not paid."},
		"shares of what has it":     {`select 100.0 * count(*) filter (where newsletter = true) / nullif(count(*), 0) from customers`, sum, []string{`[25]`}, "25 % of customers have newsletter yes."},
		"numbers of each":           {`select count(*) / count(distinct customer_id) from rentals`, sum, []string{`[2]`}, "The number of rentals divided by the number of different customers is 2."},
		"numbers of each of some": {`select count(*) / count(distinct customer_id) from rentals where paid = true`, sum, []string{`[2]`},
			"For rentals that are paid, the number of rentals divided by the number of different customers is 2."},
		"time since": {`select date_sub('year', bought_on, date '2026-11-20') from bikes where name = 'Gazelle'`, count, []string{`[1]`},
			"The number of years from the bought date to 2026-11-20 of the bike called 'Gazelle' is 1."},
		"most time since": {`select name, date_diff('day', bought_on, sold_on) as days from bikes order by days desc limit 1`,
			append(texts, count...), []string{`["Gazelle", 31]`}, "The bike with the most days from the bought date to the sold date is Gazelle (31)."},
		"two sums and what is between them": {`select ` + of2025 + `, ` + of2026 + `, ` + of2025 + ` - ` + of2026 + ` from rentals`, sums, []string{`[1273.5, 12, 1261.4999999999998]`},
			"For rentals, the total amount of those whose start date is in 2025 is 1,273.50, the total amount of those whose start date is in 2026 is 12.00 and the difference is 1,261.50."},
		"numbers of those": {`select count(*) filter (where paid = true) from rentals`, count, []string{`[2]`}, "For rentals, the number of those that are paid is 2."},
		"in one and in another": {`select count(*) from customers where customer_id in (` + rentersIn + rented2025 + `) and customer_id in (` + rentersIn + rented2026 + `)`,
			count, []string{`[2]`}, "There are 2 customers whose rental start date is in 2025 and whose rental start date is in 2026."},
		"ids are many":         {`select rental_id from rentals where paid = false`, count, []string{`[1]`, `[4]`}, "The rental ids of the 2 rentals that are not paid: 1 and 4."},
		"nothing is entered":   {`select phone from customers where name = 'Ida'`, texts, []string{`[""]`}, "No phone is entered for the customer called 'Ida'."},
		"none are entered":     {`select remarks from rentals where rental_id = 3`, texts, []string{`[null]`}, "No remarks are entered for the rental whose rental id is 3."},
		"money has cents":      {`select sum(total) from rentals`, sum, []string{`[1273.5]`}, "The total of rentals is 1,273.50."},
		"whole money has none": {`select sum(price) from bikes`, sum, []string{`[1273]`}, "The total price of bikes is 1,273."},
		"money less money":     {`select sum(price) - sum(cost) from bikes`, sum, []string{`[7.5]`}, "For bikes, the total price minus the total cost is 7.50."},
		"weights are no money": {`select sum(amount_kg) from deliveries`, sum, []string{`[7.5]`}, "The total amount of deliveries is 7.5 kg."},
		"points are no money":  {`select avg(total_points) from teams`, sum, []string{`[7.5]`}, "The average total points of teams is 7.5."},
	} {
		if got := prose.Answer(asktest.Step(c.tree, c.columns, c.rows...)); got != c.want {
			t.Errorf("%s: Answer(%s of %v) = %q, want %q", name, c.tree, c.rows, got, c.want)
		}
	}
}
