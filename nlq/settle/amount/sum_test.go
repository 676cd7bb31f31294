package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTheMostIsASum asks who has the most of something that several rows hold, and
// for the largest of the rows.
func TestTheMostIsASum(t *testing.T) {
	t.Parallel()
	nlqtest.CustomersAndOrders(t).Answers(map[string]string{
		"Which customer spent the most?":           "Bert",
		"Which customer spent the least?":          "Carla",
		"Which product has the most amount?":       "Desk",
		"Which product has the most total amount?": "Desk",
		"Which category has the most amount?":      "office",
		"Which product brought in the most money?": "Desk",
		"Which customer paid the most?":            "Bert",
		"Top 2 customers by total amount":          "Anna 300; Bert 450",
		"Which customer has the largest amount?":   "Anna",
		"Which customer has the most orders?":      "Bert",
	})
}

// TestShareOfSpending: a share of what is spent is one of the money.
func TestShareOfSpending(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("spending", `[{"date":"2023-03-01","shop":"Aldi","category":"groceries","amount":50},{"date":"2023-03-02","shop":"Roma","category":"eating out","amount":40},
		{"date":"2023-03-05","shop":"Aldi","category":"groceries","amount":60},{"date":"2023-03-09","shop":"Esso","category":"car","amount":50}]`)
	h.Answers(map[string]string{"what share of our spending goes on eating out": "20"})
}
