package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"quern/nlq/grammar"
)

// where builds a query over one column with a condition and gives the condition.
func where(t *testing.T, question, condition string) (text string, score float64, err error) {
	t.Helper()
	s, q := shop(), asked(question)
	reading, err := grammar.Build(s, q, derivation(t, s, q, "SEL "+strings.Fields(condition)[0]+" WHERE "+condition+" END"))
	if err != nil {
		return "", 0, err
	}
	_, text, _ = strings.Cut(printed(t, reading), " WHERE ")
	return strings.ReplaceAll(text, `"`, ""), reading.Score, nil
}

func TestConstants(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, condition, want string
		score                     float64
	}{
		{"over 1.5 million", "orders.total > [1.5_million]", `orders.total > 1500000`, 1},
		{"over 1.5 million", "orders.total > 3", `orders.total > 3`, 1},
		{"the 3rd of them", "lines.quantity = [3rd]", `lines.quantity = 3`, 1},
		{"twenty-five dollars", "products.price <> [twenty-five_dollars]", `products.price <> 25`, 1},
		{"from 10 to 20", "orders.total between [10] [20]", `orders.total BETWEEN 10 AND 20`, 1},
		{"among 7", "lines.quantity in [7]", `lines.quantity IN (7)`, 1},
		{"not among 7", "lines.quantity !in [7]", `lines.quantity NOT IN (7)`, 1},
		{"is it true", "customers.active = [true]", `customers.active = true`, 1},
		{"active ones", "customers.active = 'yes'", `customers.active = true`, 1},
		{"active ones", "customers.active <> 'n'", `customers.active <> false`, 1},
		{"active ones", "customers.active = 1", `customers.active = true`, 1},
		{"sunny days", "weather.sunny = 'true'", `weather.sunny = 'Y'`, 1},
		{"not sunny", "weather.sunny = 'false'", `weather.sunny = 'N'`, 1},
		{"windy days", "weather.windy = 'true'", `weather.windy = 1`, 1},
		{"not windy", "weather.windy <> 'yes'", `weather.windy <> 1`, 1},
		{"in berlin", "customers.city = [berlin]", `customers.city = 'Berlin'`, 1},
		{`in "NEW YORK"`, "customers.city <> [NEW_YORK]", `customers.city <> 'New York'`, 1},
		{"in St. Gallen", "customers.city = [St._Gallen]", `customers.city = 'Sankt Gallen'`, 0.675},
		{"by Lovelace", "customers.name = [Lovelace]", `customers.name = 'Ada Lovelace'`, 0.75},
		{"by Ada Lovelase", "customers.name = [Ada_Lovelase]", `customers.name = 'Ada Lovelace'`, 0.825},
		{"in Paris", "customers.city = [Paris]", `customers.city = 'Paris'`, 0.3},
		{"says fine", "products.note = [fine]", `products.note = 'fine'`, 0.3},
		{"number 42", "products.title = [42]", `products.title = '42'`, 1},
		{"over 43", "products.title > [43]", `products.title > '43'`, 1},
		{"after Tea Pots", "products.title > [Tea_Pots]", `products.title > 'Tea Pots'`, 1},
		{"no title", "products.title = ''", `products.title = ''`, 0.3},
		{"with Pot", "products.title contains [Pot]", `contains(lower(products.title), 'pot')`, 1},
		{"with Pot", "products.title !starts [Pot]", `NOT starts_with(lower(products.title), 'pot')`, 1},
		{"with Pot", "products.title ends [Pot]", `ends_with(lower(products.title), 'pot')`, 1},
		{"with Pot", "products.title like [Pot]", `products.title ILIKE 'pot'`, 1},
		{"none", "products.title null", `products.title IS NULL`, 1},
		{"none", "products.title !null", `products.title IS NOT NULL`, 1},
	} {
		got, score, err := where(t, tt.question, tt.condition)
		if err != nil || got != tt.want || score != tt.score {
			t.Errorf("%q, %s = %s, %v, %v, want %s, %v", tt.question, tt.condition, got, score, err, tt.want, tt.score)
		}
	}
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, condition, want string }{
		{"in March 2021", "customers.joined = [March_2021]", `(customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01')`},
		{"in March 2021", "customers.joined <> [March_2021]", `NOT ((customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01'))`},
		{"in March 2021", "customers.joined < [March_2021]", `customers.joined < DATE '2021-03-01'`},
		{"in March 2021", "customers.joined <= [March_2021]", `customers.joined < DATE '2021-04-01'`},
		{"in March 2021", "customers.joined > [March_2021]", `customers.joined >= DATE '2021-04-01'`},
		{"in March 2021", "customers.joined >= [March_2021]", `customers.joined >= DATE '2021-03-01'`},
		{"in March 2021", "customers.joined in [March_2021]", `(customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01')`},
		{"in March 2021", "customers.joined !in [March_2021]", `NOT ((customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01'))`},
		{"in March 2021", "customers.joined contains [March_2021]", `(customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01')`},
		{"in March 2021", "customers.joined !like [March_2021]", `NOT ((customers.joined >= DATE '2021-03-01' AND customers.joined < DATE '2021-04-01'))`},
		{"from May 2020 to 2021", "customers.joined between [May_2020] [2021]", `(customers.joined >= DATE '2020-05-01' AND customers.joined < DATE '2022-01-01')`},
		{"on 2021-03-04", "customers.joined = [2021-03-04]", `(customers.joined >= DATE '2021-03-04' AND customers.joined < DATE '2021-03-05')`},
		{"yesterday", "customers.joined = [yesterday]", `(customers.joined >= DATE '2024-06-14' AND customers.joined < DATE '2024-06-15')`},
		{"last year", "orders.placed = [last_year]", `(orders.placed >= TIMESTAMPTZ '2023-01-01T00:00:00Z' AND orders.placed < TIMESTAMPTZ '2024-01-01T00:00:00Z')`},
		{"on 4 March 2021", "orders.placed > [4_March_2021]", `orders.placed >= TIMESTAMPTZ '2021-03-05T00:00:00Z'`},
	} {
		if got, score, err := where(t, tt.question, tt.condition); err != nil || got != tt.want || score != 1 {
			t.Errorf("%q, %s = %s, %v, %v, want %s", tt.question, tt.condition, got, score, err, tt.want)
		}
	}
}

func TestConstantsThatDoNotFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ question, condition, want string }{
		{"by Ada", "orders.total = [Ada]", `"Ada" does not fit`},
		{"by Ada", "orders.total between 1 [Ada]", `"Ada" does not fit`},
		{"by Ada", "customers.active = [Ada]", `"Ada" does not fit`},
		{"by Ada", "customers.joined = [Ada]", `"Ada" does not fit`},
		{"by Ada", "customers.joined starts [Ada]", `"Ada" is no time`},
		{"since 2021", "customers.joined = [since_2021]", `"since 2021" does not fit`}, // its end is open
		{"with 4", "lines.quantity contains [4]", "is a number where text is wanted"},
		{"by Ada", "customers.name = customers.customer_id", "cannot be compared"},
	} {
		got, _, err := where(t, tt.question, tt.condition)
		if !errors.Is(err, grammar.ErrMeaningless) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q, %s = %s, %v, want ErrMeaningless: %s", tt.question, tt.condition, got, err, tt.want)
		}
	}
}
