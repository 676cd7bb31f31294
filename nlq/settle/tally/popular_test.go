package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsPopular asks what people go for most: what was done most, not what there is most of.
func TestWhatIsPopular(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bikes", `[{"bike_id":"B1","model":"Puky","type":"kids","price":8},{"bike_id":"B2","model":"Trek","type":"city","price":9},{"bike_id":"B3","model":"Cube","type":"city","price":20},
		{"bike_id":"B4","model":"Gazelle","type":"city","price":18},{"bike_id":"B5","model":"Riese","type":"cargo","price":40}]`)
	h.Put("rentals", `[{"rental_id":1,"bike_id":"B1","start_date":"2022-03-04","amount":16},{"rental_id":2,"bike_id":"B1","start_date":"2023-04-04","amount":27},
		{"rental_id":3,"bike_id":"B1","start_date":"2022-05-04","amount":36},{"rental_id":4,"bike_id":"B5","start_date":"2023-05-09","amount":80},{"rental_id":5,"bike_id":"B5","start_date":"2023-08-09","amount":40},
		{"rental_id":6,"bike_id":"B2","start_date":"2023-08-19","amount":41}]`)
	h.Link(h.Ada, "ada.trade.rentals.bike_id", "ada.trade.bikes.bike_id")
	h.Answers(map[string]string{
		"What is our most popular bike type?":         "kids",
		"What is the most popular bike type in 2023?": "cargo",
		"Which type of bike do we have the most of?":  "city",
	})
}
