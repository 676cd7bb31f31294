package link_test

import (
	"testing"

	"quern/link"
)

func TestNamesSpeakForADestination(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		column, table, key string
		leading            bool
		least, most        float64
	}{
		{"customer_id", "customers", "id", true, 1, 1},
		{"customerId", "customer", "customer_id", true, 1, 1},
		{"CustomerID", "Customers", "Customer ID", true, 1, 1},
		{"sku", "products", "sku", false, 1, 1},
		{"home_team_id", "teams", "team_id", true, 0.9, 0.9},
		{"home_team", "teams", "id", true, 0.9, 0.9},
		{"patient", "patients", "ssn", true, 0.8, 0.8},
		{"company_id", "operating_companies", "id", true, 0.7, 0.8},
		{"cust_id", "customers", "id", true, 0.7, 0.9},
		{"category", "categories", "code", true, 1, 1},
		{"media_type_id", "media_types", "id", true, 1, 1},
		{"person_id", "people", "id", true, 1, 1},
		{"child", "children", "id", true, 1, 1},
		{"campus", "Campuses", "Id", true, 1, 1},
		{"status_id", "statuses", "id", true, 1, 1},
		{"id", "customers", "id", true, 0.3, 0.3},
		{"order_id", "order_items", "order_item_id", true, 0, 0.45},
		{"age", "customers", "id", true, 0, 0},
		{"people_id", "builders", "builder_id", true, 0, 0},
		{"builder_id", "builders", "people_id", false, 0, 0},
		{"", "customers", "id", true, 0, 0},
		{"größe_id", "größe", "id", true, 1, 1},
	} {
		if got := link.Likeness(c.column, c.table, c.key, c.leading); got < c.least || got > c.most {
			t.Errorf("likeness(%s, %s.%s) = %v, want %v to %v", c.column, c.table, c.key, got, c.least, c.most)
		}
	}
}
