package ask_test

import (
	"strings"
	"testing"

	"quern"
	"quern/ask"
	"quern/ask/check"
)

func TestQuestionsBecomeSteps(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 0)
	h.dataset("orders", `[{"id":1,"status":"open","price":5,"city":"Oslo","placed":"2024-01-01"}]`)
	h.dataset("customers", `[{"name":"Ada","city":"Oslo","salary":3}]`)
	h.dataset("sales", `[{"amount":3,"year":2020}]`)
	agent := ask.NewAssistant(h.querier)
	for question, want := range map[string]string{
		"How many orders are open?":                                                        "How many orders are open?",
		"how many orders are there and what is the average price?":                         "How many orders are there?|What is the average price?",
		"How many orders are there, and how many customers are there, and list the cities": "How many orders are there?|How many customers are there?|List the cities.",
		"How many orders are there? What is the average price of orders?":                  "How many orders are there?|What is the average price of orders?",
		"Show orders between 5 and 10 and their prices":                                    "Show orders between 5 and 10 and their prices",
		"Show me products and what they cost":                                              "Show me products and what they cost",
		"List the name and city of customers":                                              "List the name and city of customers",
		"Which orders cost 3.50 or more?":                                                  "Which orders cost 3.50 or more?",
		"Hello! How many orders are open? Thanks!":                                         "How many orders are open?",
		"I am writing a report. How many orders are open?":                                 "I am writing a report. How many orders are open?",
		"How many orders are there? Only the open ones.":                                   "How many orders are there? Only the open ones.",
		"1. How many orders are there\n2. How many customers are there":                    "How many orders are there|How many customers are there",
		"- total price of orders?\n- number of customers?":                                 "total price of orders?|number of customers?",
		`Who wrote "what is it? and how many are there"?`:                                  `Who wrote "what is it? and how many are there"?`,
		"orders of Dr. Who":                                                                "orders of Dr. Who",
		"compare open and closed orders":                                                   "How many open orders are there?|How many closed orders are there?",
		"Compare the number of orders in Oslo and Rome":                                    "What is the number of orders in Oslo?|What is the number of orders in Rome?",
		"compare the average price of orders in oslo and new york":                         "What is the average price of orders in oslo?|What is the average price of orders in new york?",
		"Compare average salary of customers in Oslo with New York":                        "What is the average salary of customers in Oslo?|What is the average salary of customers in New York?",
		"compare total price in 2020 and in 2021":                                          "What is the total price in 2020?|What is the total price in 2021?",
		"compare the number of orders of Oslo and Rome in 2024":                            "What is the number of orders of Oslo in 2024?|What is the number of orders of Rome in 2024?",
		"Compare orders in Oslo, Rome and Paris":                                           "How many orders in Oslo are there?|How many orders in Rome are there?|How many orders in Paris are there?",
		"average price of orders in Oslo versus Rome":                                      "What is the average price of orders in Oslo?|What is the average price of orders in Rome?",
		"total sales 2020 vs 2021":                                                         "What is the total sales 2020?|What is the total sales 2021?",
		"total price of orders in march vs april 2021":                                     "What is the total price of orders in march 2021?|What is the total price of orders in april 2021?",
		"compare the number of orders in Q1 2020 and Q1 2021":                              "What is the number of orders in Q1 2020?|What is the number of orders in Q1 2021?",
		"What is the difference between the highest and lowest price?":                     "What is the highest price?|What is the lowest price?",
		"what is the difference in average price between open and closed orders":           "What is the average price of open orders?|What is the average price of closed orders?",
		"What is the difference between the number of orders and the number of customers?": "What is the number of orders?|What is the number of customers?",
		"difference between the average price of orders in Oslo and that in Rome":          "What is the average price of orders in Oslo?|What is the average price of orders in Rome?",
		"How many more orders are open than closed?":                                       "How many orders are open?|How many orders are closed?",
		"compare Oslo and Rome by number of orders":                                        "What is the number of orders of Oslo?|What is the number of orders of Rome?",
		"compare revenue of open and closed orders":                                        "What is the revenue of open orders?|What is the revenue of closed orders?",
		"compare customers and orders":                                                     "How many customers are there?|How many orders are there?",
		"List all customers and how many orders they have":                                 "List all customers and how many orders they have",
		"What are the names of the customers and how many orders were placed by each?":     "What are the names of the customers and how many orders were placed by each?",
		"How many customers live in Oslo and how many of them earn more than 2?":           "How many customers live in Oslo?|How many of them earn more than 2?",
		"Which city has the most customers and how many customers does it have?":           "Which city has the most customers and how many customers does it have?",
		"How does the average price of orders in Oslo compare to Rome?":                    "What is the average price of orders in Oslo?|What is the average price of orders in Rome?",
		"Show sales in 2021 compared to 2020":                                              "Show sales in 2021.|Show sales in 2020.",
		"compare prices":                                                                   "compare prices",
		"which orders cost more than the average":                                          "which orders cost more than the average",
	} {
		plan, err := agent.Plan(t.Context(), h.work(question))
		must(t, err)
		if got := strings.Join(plan.Steps, "|"); got != want {
			t.Errorf("Plan(%q) =\n%s, want\n%s", question, got, want)
		}
		if plan.Reasoning == "" {
			t.Errorf("Plan(%q) gives no reason", question)
		}
	}
	plan, err := agent.Plan(t.Context(), h.work(strings.Repeat("How many orders are there? ", 20)))
	must(t, err)
	if len(plan.Steps) != 8 || !strings.Contains(plan.Reasoning, "more than 8 parts") {
		t.Errorf("twenty questions are planned as %d steps, %q; want 8, and that the rest is left out", len(plan.Steps), plan.Reasoning)
	}
	for _, question := range []string{strings.Repeat("how many and how many x ", 400), strings.Repeat("and which orders ", 500) + " is", strings.Repeat("vs ", 3000), "compare " + strings.Repeat("a, ", 3000) + "and b",
		strings.Repeat("1. what? ", 1100), strings.Repeat("x", 10_000), strings.Repeat("\n", 10_000), "?", "and", "compare", "compare and", "compare a and", "difference between and", " vs "} {
		plan, err := agent.Plan(t.Context(), h.work(question))
		must(t, err)
		if len(plan.Steps) == 0 || len(plan.Steps) > 8 {
			t.Errorf("Plan(%.40q…) has %d steps, want 1 to 8", question, len(plan.Steps))
		}
	}
}

func TestComparisonsAreComputedFromTheRows(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	agent := ask.NewAssistant(h.querier)
	for _, kind := range []string{"seat", "light", "board", "wall"} {
		h.script.Knows("What is the number of "+kind+" products?", "select count(*) from products where category = '"+kind+"'")
		h.script.Knows("What is the average price of "+kind+" products?", "select avg(price) from products where category = '"+kind+"'")
	}
	for question, want := range map[string]string{
		"compare the number of seat and light products": "There are 3 products whose category is 'seat'.\n\nThere are 2 products whose category is 'light'.\n\n" +
			"The difference between the two is 1, and the larger is 1.5 times the smaller (computed from the numbers above).",
		"compare the number of seat and wall products": "There are 3 products whose category is 'seat'.\n\nThere are no products whose category is 'wall'.\n\n" +
			"The difference between the two is 3 (computed from the numbers above).",
		"compare the number of seat, light and board products": "There are 3 products whose category is 'seat'.\n\nThere are 2 products whose category is 'light'.\n\nThere is 1 product whose category is 'board'.\n\n" +
			"The difference between the largest and the smallest is 2, and the larger is 3 times the smaller (computed from the numbers above).",
		"compare the number of seat and seat products": "There are 3 products whose category is 'seat'.\n\nThere are 3 products whose category is 'seat'.\n\nThese are equal.",
		"compare the average price of board and wall products": "The average price of products whose category is 'board' is 450.\n\n" +
			"There is no average price to give: there are no products whose category is 'wall', or their price is not known.",
		"What is the difference between the number of seat products and the average price of light products?": "There are 3 products whose category is 'seat'.\n\nThe average price of products whose category is 'light' is 1,299.50.",
		"compare the average price of seat and light products": "The average price of products whose category is 'seat' is about 385.12.\n\nThe average price of products whose category is 'light' is 1,299.50.\n\n" +
			"The difference between the two is about 914.38, and the larger is about 3.37 times the smaller (computed from the numbers above).",
	} {
		w, result := h.run(agent, h.work(question))
		if result.Response != want {
			t.Errorf("%s =\n%s\nwant\n%s", question, result.Response, want)
		}
		if missing := check.Unsourced(result.Response, w.Steps, question); len(missing) > 0 {
			t.Errorf("%s: %q has no source in\n%s", question, missing, result.Response)
		}
	}
}

func TestPartsReferToEachOther(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	h.script.Knows("How many products are there?", "select count(*) from products")
	h.script.Knows("What is their average stock?", "select avg(stock) from products")
	h.script.Knows("How many shelves are there?", "select count(*) from shelves")
	agent := ask.NewAssistant(h.querier)
	w, result := h.run(agent, h.work("How many products are there and what is their average stock? How many shelves are there?"))
	if want := "There are 6 products.\n\nThe average stock of products is about 250,203.33.\n\nThere are 4 shelves."; result.Response != want {
		t.Errorf("answer =\n%s\nwant\n%s", result.Response, want)
	}
	asked := h.script.Asked()
	if asked[1].Previous == nil || asked[1].Previous.Question != "How many products are there?" || asked[2].Previous != nil {
		t.Errorf("the second part refers to %+v and the third on %+v; want the first part, and none", asked[1].Previous, asked[2].Previous)
	}
	h.script.Knows("Who is the oldest person?", "select name from person order by year limit 1")
	h.script.Knows("When was she born?", "select year from person order by year limit 1")
	_, _ = h.run(agent, h.work("Who is the oldest person? When was she born?"))
	if last := h.script.Asked()[4]; last.Previous == nil || last.Previous.Question != "Who is the oldest person?" {
		t.Errorf("a part about a person was asked with %+v, want the part before", last.Previous)
	}
	next := h.work("how many shelves is that?")
	next.Earlier = append(next.Earlier, *asked[1].Previous)
	_, _ = h.run(agent, next)
	if last := h.script.Asked()[5]; last.Previous == nil || last.Previous.Question != "How many products are there?" {
		t.Errorf("a follow-up was asked with %+v, want the turn before", last.Previous)
	}
	if len(w.Steps) != 3 {
		t.Errorf("%d steps, want 3", len(w.Steps))
	}
}

func TestChoicesAreTakenAsMeant(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	h.script.Knows("what about seats", "?select count(*) from products where category = 'seat'\nselect name from products where category = 'seat' order by name")
	for name, agent := range map[string]ask.Agent{"assistant": ask.NewAssistant(h.querier), "nl2ql": ask.NewNL2QL(h.querier)} {
		w, result := h.run(agent, h.work("what about seats"))
		want := "What do you mean?\n\n1. Counts products whose category is 'seat'\n2. Lists the name of products whose category is 'seat', sorted by name"
		if result.Response != want || result.Clarification == nil || len(result.Clarification.Choices) != 2 || w.Steps[0].Query != "" {
			t.Errorf("%s: answer =\n%s\nwant\n%s", name, result.Response, want)
		}
		before := len(h.script.Asked())
		for _, said := range []string{"2", "the second one", "Second", "option 2", "#2", "2.", "LISTS the name of products whose category is 'seat', sorted by  name.", "the last one", "I mean the second"} {
			next := h.work(said)
			next.Choices = result.Clarification.Choices
			w, result := h.run(agent, next)
			if len(w.Steps) != 1 || len(w.Steps[0].Data) != 3 || w.Steps[0].Tree == "" || !strings.Contains(w.Steps[0].Query, "ORDER BY") {
				t.Errorf("%s: %q = %+v %s, want the three names", name, said, w.Steps, result.Response)
			}
		}
		if after := len(h.script.Asked()); after != before {
			t.Errorf("%s: choices were read %d times, want never", name, after-before)
		}
		for _, said := range []string{"3", "the third one", "how many products are there", "0"} {
			next := h.work(said)
			next.Choices = result.Clarification.Choices
			if w, _ := h.run(agent, next); len(w.Steps) > 0 && w.Steps[0].Tree != "" && strings.Contains(w.Steps[0].Query, "seat") {
				t.Errorf("%s: %q was taken for a choice", name, said)
			}
		}
	}
	stale := h.work("1")
	stale.Choices = []quern.Choice{{Label: "Counts products", Question: "how many products are there", Query: "no query at all"}}
	if _, result := h.run(ask.NewAssistant(h.querier), stale); result.Response != "There are 6 products." {
		t.Errorf("a choice whose query cannot be read = %s, want its question read", result.Response)
	}
}

func TestWhatIsKnownIsToldBeforeAskingBack(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	h.script.Knows("How many products are there?", "select count(*) from products")
	w, result := h.run(ask.NewAssistant(h.querier), h.work("How many products are there? What is the meaning of life?"))
	if want := "There are 6 products.\n\nThe data say nothing about that."; result.Response != want || result.Clarification == nil || len(w.Steps) != 2 {
		t.Errorf("answer =\n%s\nwant\n%s", result.Response, want)
	}
}
