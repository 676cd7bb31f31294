package embedded_test

import (
	"testing"

	"quern"
	"quern/nlq/nlqtest"
)

// hire is a shop that hires bikes, several of one model.
func hire(t *testing.T, h *nlqtest.House) quern.NamespacePath {
	t.Helper()
	h.Dataset(h.Ada, "hire/bikes", `[
		{"bike_id":"B1","model":"Puky","type":"kids","bought_on":"2021-04-11","price_per_day":8,"station":"Harbour","in_stock":2},
		{"bike_id":"B2","model":"Puky","type":"kids","bought_on":"2022-04-11","price_per_day":9,"station":"Station","in_stock":0},
		{"bike_id":"B3","model":"Trek","type":"city","bought_on":"2023-02-03","price_per_day":20,"station":"Station","in_stock":1},
		{"bike_id":"B4","model":"Cube","type":"city","bought_on":"2020-09-01","price_per_day":18,"station":"Harbour","in_stock":0},
		{"bike_id":"B5","model":"Cube","type":"city","bought_on":"2020-10-01","price_per_day":18,"station":"Harbour","in_stock":3}]`)
	h.Dataset(h.Ada, "hire/customers", `[
		{"customer_id":1,"name":"Anna Lind","city":"London"},{"customer_id":2,"name":"Ben Frost","city":"Lyon"},{"customer_id":3,"name":"Olga Reed","city":"London"}]`)
	h.Dataset(h.Ada, "hire/rentals", `[
		{"rental_id":1001,"bike_id":"B1","customer_id":1,"start_date":"2023-03-04","amount":16,"paid_so_far":16,"paid":"yes","payment_method":"card","done_by":"Uwe"},
		{"rental_id":1002,"bike_id":"B2","customer_id":2,"start_date":"2023-04-04","amount":27,"paid_so_far":10,"paid":"no","payment_method":"cash","done_by":"Ada"},
		{"rental_id":1003,"bike_id":"B2","customer_id":3,"start_date":"2023-05-04","amount":36,"paid_so_far":0,"paid":"no","payment_method":"card","done_by":"Uwe"},
		{"rental_id":1004,"bike_id":"B1","customer_id":3,"start_date":"2023-05-09","amount":8,"paid_so_far":8,"paid":"yes","payment_method":"cash","done_by":"Uwe"},
		{"rental_id":1005,"bike_id":"B3","customer_id":1,"start_date":"2023-08-09","amount":40,"paid_so_far":15,"paid":"no","payment_method":"card","done_by":"Ada"}]`)
	h.Link(h.Ada, "ada.hire.rentals.bike_id", "ada.hire.bikes.bike_id")
	h.Link(h.Ada, "ada.hire.rentals.customer_id", "ada.hire.customers.customer_id")
	return quern.NamespacePath{Owner: "ada", Namespace: "hire"}
}

// TestGoingOn goes on from answers as people do, which once changed what they were about.
func TestGoingOn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	in := hire(t, h)
	for _, turns := range [][]turn{
		{ // how it was paid says nothing of whether it was
			{"Which rentals are unpaid?", "select rental_id from rentals where paid = 'no'"},
			{"only those paid by card", "select rental_id from rentals where paid = 'no' and payment_method = 'card'"},
			{"how many is that?", "select count(*) from rentals where paid = 'no' and payment_method = 'card'"},
		},
		{
			{"Which rentals are unpaid?", "select rental_id from rentals where paid = 'no'"},
			{"only those paying cash", "select rental_id from rentals where paid = 'no' and payment_method = 'cash'"},
		},
		{ // other rows are counted, not shown beside these
			{"How many rentals?", "select count(*) from rentals"},
			{"and bikes?", "select count(*) from bikes"},
			{"and the stations?", "select count(distinct station) from bikes"},
		},
		{ // the row that the last day is of
			{"When was the last rental?", "select max(start_date) from rentals"},
			{"which one?", "select rental_id from rentals order by start_date desc limit 1"},
		},
		{
			{"When was the last rental?", "select max(start_date) from rentals"},
			{"who was it?", "select name from rentals join customers using (customer_id) order by start_date desc limit 1"},
		},
		{ // several bikes are of one model
			{"Which bikes were rented in 2023?", "select distinct model from bikes join rentals using (bike_id)"},
			{"how many is that?", "select count(distinct bike_id) from rentals"},
		},
		{ // a value that is the name of a column too
			{"Which bikes are at the harbour?", "select model from bikes where station = 'Harbour'"},
			{"and at the station?", "select model from bikes where station = 'Station'"},
		},
		{ // those of which there are some
			{"Which city bikes do we have?", "select model from bikes where type = 'city'"},
			{"only in stock", "select model from bikes where type = 'city' and in_stock > 0"},
		},
		{ // what is owed is what was not paid
			{"How much did Olga Reed spend?", "select sum(amount) from rentals where customer_id = 3"},
			{"what does she still owe?", "select sum(amount - paid_so_far) from rentals where customer_id = 3"},
		},
	} {
		if wrong := talk(t, h, in, turns...); wrong != "" {
			t.Errorf("%q: %s", turns[0].question, wrong)
		}
	}
}
