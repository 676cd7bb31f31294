package ask_test

import (
	"strings"
	"testing"

	"quern"
	"quern/ask"
)

func TestTalkNeedsNoQuery(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 0)
	h.dataset("order_items", `[{"sku":"a","unit_price":5,"placed":"2024-01-01"},{"sku":"b","unit_price":6,"placed":null}]`)
	h.dataset("customers", `[{"name":"Ada"}]`)
	what, field := "Lines of orders.", map[string]string{"sku": "The article | its `code`"}
	must(t, h.Catalog.PutDefinition(t.Context(), h.ada, pathOf("order_items"), quern.InferDefinition{DataDescription: &what, SchemaDefinition: field}))
	agent := ask.NewAssistant(h.querier)
	const inventory = "These are the datasets in shop:\n\n| dataset | rows | columns |\n| --- | ---: | --- |\n| customers | 1 | name |\n| order_items | 2 | sku, unit_price, placed |"
	const items = "Order_items has 2 rows (Lines of orders) and these columns:\n\n| column | type | meaning |\n| --- | --- | --- |\n" +
		"| sku | text | The article \\| its \\`code\\` |\n| unit_price | integer |  |\n| placed | date |  |"
	for question, want := range map[string]string{
		"Hello!":       "Hello! Ask me about the data in shop: customers and order_items.",
		"hi there":     "Hello! Ask me about the data in shop: customers and order_items.",
		"Thanks a lot": "You are welcome.",
		"What can you do?": "I answer questions about the data in shop: customers and order_items. I read a question as a query, run it with your rights, show both, and answer from the rows. " +
			"Ask for counts, totals, averages, lists, the largest or the latest, per group or within a period; ask several things at once, or to compare two; and go on from the answer before. For example: “How many customers are there?”",
		"What data is there?":                          inventory,
		"which datasets do you have?":                  inventory,
		"List all tables":                              inventory,
		"what's in this namespace":                     inventory,
		"What columns does order_items have?":          items,
		"which columns are in the order items table?":  items,
		"describe the dataset order items":             items,
		"Show me the schema of order_item":             items,
		"describe the weather":                         "",
		"what is in customers?":                        "Customers has 1 row and these columns:\n\n| column | type | meaning |\n| --- | --- | --- |\n| name | text |  |",
		"hello, how many customers are there":          "",
		"what data did customers order in 2024":        "",
		"list tables whose price is 5":                 "",
		"which information is missing from customers?": "",
	} {
		before := len(h.script.Asked())
		w, result := h.run(agent, h.work(question))
		if want == "" {
			if len(w.Steps) == 0 {
				t.Errorf("%q = %s, want it read as a question", question, result.Response)
			}
			continue
		}
		if result.Response != want || len(w.Steps) != 0 || w.Plan.Steps == nil {
			t.Errorf("%q = %s, with %d steps; want\n%s, with none", question, result.Response, len(w.Steps), want)
		}
		if len(h.script.Asked()) != before {
			t.Errorf("%q was read as a question", question)
		}
	}
	w := h.work("What data is there?")
	w.In.Namespace = "empty"
	_, err := h.Catalog.CreateNamespace(t.Context(), h.ada, "empty")
	must(t, err)
	if _, result := h.run(agent, w); !strings.HasPrefix(result.Response, "There are no datasets in empty yet") {
		t.Errorf("what data is in an empty namespace = %s, want none", result.Response)
	}
}

func TestTalkTellsNobodyElsesData(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 0)
	h.dataset("secret_plans", `[{"a":1}]`)
	h.dataset("shared", `[{"a":1}]`)
	bob := h.User("bob")
	agent := ask.NewAssistant(h.querier)
	for _, question := range []string{"What data is there?", "hello", "help", "describe secret_plans", "how many plans are there?", "compare open and closed plans"} {
		w := h.work(question)
		w.Principal = bob
		plan, err := agent.Plan(t.Context(), w)
		if err == nil && len(plan.Steps) == 0 {
			w.Plan = plan
			_, err = agent.Answer(t.Context(), w)
		} else if err == nil {
			w.Plan = plan
			_, err = agent.Step(t.Context(), w, 0)
		}
		if !quern.Is(err, quern.NotFound) || err == nil {
			t.Errorf("%q of a stranger = %v, want not found", question, err)
		}
	}
	_, err := h.Catalog.Share(t.Context(), h.ada, pathOf("shared"), quern.Share{Username: "bob", Role: quern.Viewer})
	must(t, err)
	w := h.work("What data is there?")
	w.Principal = bob
	if _, result := h.run(agent, w); strings.Contains(result.Response, "secret") || !strings.Contains(result.Response, "shared") {
		t.Errorf("what bob sees = %s, want shared alone", result.Response)
	}
}
