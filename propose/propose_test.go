package propose_test

import (
	"encoding/json"
	"testing"

	"quern"
	"quern/knowledge"
	"quern/propose"
)

func sample() propose.Dataset {
	columns := []quern.Column{
		{Name: "line_id", Type: quern.Integer}, {Name: "cust_no", Type: quern.Integer}, {Name: "qty", Type: quern.Integer},
		{Name: "unit_price_eur", Type: quern.Decimal(8, 2)}, {Name: "status", Type: quern.Text}, {Name: "ordered_on", Type: quern.Date},
		{Name: "country", Type: quern.Text}, {Name: "email", Type: quern.Text}, {Name: "paid", Type: quern.Boolean}, {Name: "xq7", Type: quern.Text},
	}
	rows := []json.RawMessage{
		json.RawMessage(`{"line_id":1,"cust_no":7,"qty":2,"unit_price_eur":3.5,"status":"open","ordered_on":"2024-01-02","country":"DE","email":"eve@example.org","paid":true}`),
		json.RawMessage(`{"line_id":2,"cust_no":7,"qty":1,"unit_price_eur":8,"status":"open","ordered_on":"2024-03-02","country":"FR","email":"bo@example.org","paid":false,"xq7":"Zz"}`),
		json.RawMessage(`{"line_id":3,"cust_no":9,"qty":4,"unit_price_eur":1,"status":"sent","ordered_on":"2024-02-02","country":"FR","email":"al@example.org","paid":false}`),
	}
	return propose.Sample("order_lines", columns, rows)
}

func TestFieldsAreDescribedByWhatIsSeen(t *testing.T) {
	t.Parallel()
	d := sample()
	for i := range d.Columns {
		if d.Columns[i].Name == "ordered_on" {
			d.Columns[i].Min, d.Columns[i].Max = "2024-01-02", "2024-03-02"
		}
	}
	got := propose.Definition(d)
	for field, want := range map[string]string{
		"line_id":        "line id; tells the rows apart",
		"cust_no":        "customer number; such as 7",
		"unit_price_eur": "unit price in EUR; such as 3.5",
		"status":         "status; one of open or sent",
		"ordered_on":     "when it was ordered; from 2024-01-02 to 2024-03-02",
		"country":        "country; a country; one of DE or FR",
		"email":          "email; an e-mail address; such as eve@example.org",
		"paid":           "paid; yes or no",
		"xq7":            "xq 7; such as Zz; mostly empty",
	} {
		if got.SchemaDefinition[field] != want {
			t.Errorf("Definition() of %s = %q, want %q", field, got.SchemaDefinition[field], want)
		}
	}
	if want := "Order lines with line id, customer number, quantity, unit price, status, when it was ordered, country, email, paid and xq 7, from 2024-01-02 to 2024-03-02."; *got.DataDescription != want {
		t.Errorf("Definition() of the dataset = %q, want %q", *got.DataDescription, want)
	}
}

func TestKnowledgeIsProposedWhereOneThingAloneCanBeMeant(t *testing.T) {
	t.Parallel()
	d := sample()
	got := propose.Knowledge(d)
	if len(got.Measures) != 2 || got.Measures[0].Expression != `"qty" * "unit_price_eur"` || got.Measures[0].Unit != "EUR" || got.Measures[1].Never[0] != "sum" {
		t.Errorf("Knowledge() has the measures %+v, want the product of quantity and price, and a price that is never summed up", got.Measures)
	}
	if len(got.Datasets) != 1 || got.Datasets[0].Time != "ordered_on" {
		t.Errorf("Knowledge() has the datasets %+v, want ordered_on as the time", got.Datasets)
	}
	if len(got.Words) != 2 || got.Words[0].Word != "Germany" || *got.Words[0].Value != "DE" {
		t.Errorf("Knowledge() has the words %+v, want Germany and France", got.Words)
	}
	d.Columns = append(d.Columns, propose.Column{Column: quern.Column{Name: "total", Type: quern.Double}}, propose.Column{Column: quern.Column{Name: "sent_on", Type: quern.Date}})
	got = propose.Knowledge(d)
	if len(got.Measures) != 1 || len(got.Datasets) != 0 {
		t.Errorf("Knowledge() with a total and two dates = %+v, want neither a product nor a time", got)
	}
	if err := knowledge.Check(&got); err != nil {
		t.Errorf("Check() of what is proposed = %v, want none", err)
	}
}

func TestLettersThatEverybodyKnowsAreNamed(t *testing.T) {
	t.Parallel()
	side := propose.Column{Column: quern.Column{Name: "ha", Type: quern.Text}, Values: []string{"H", "A"}, All: true}
	got := propose.Knowledge(propose.Dataset{Name: "fixtures", Rows: 20, Columns: []propose.Column{side}})
	if len(got.Words) != 2 || got.Words[0].Word != "home" || *got.Words[0].Value != "H" || got.Words[0].Means != "fixtures.ha" {
		t.Errorf("Knowledge() of H and A has the words %+v, want home and away", got.Words)
	}
	side.All = false // there may be others
	if got = propose.Knowledge(propose.Dataset{Name: "fixtures", Rows: 20, Columns: []propose.Column{side}}); len(got.Words) > 0 {
		t.Errorf("Knowledge() of some values has the words %+v, want none", got.Words)
	}
}
