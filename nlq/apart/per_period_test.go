package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPeriodsBesideAnotherYear: a column of another dataset that is named like a period
// does not keep rows from being grouped by their times.
func TestPeriodsBesideAnotherYear(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	h.Put("harvests", `[{"field":"East","year":2021,"tons":4},{"field":"West","year":2022,"tons":6}]`)
	h.Answers(map[string]string{"average price of orders per year": "2021 100.25; 2022 118.33333333333333; 2023 130"})
}

// The name of a column is no period.
func TestColumnsNamedLikePeriods(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("targets", `[{"region":"North","q1":10,"q2":20,"set_on":"2024-01-05"},{"region":"South","q1":30,"q2":40,"set_on":"2024-07-05"}]`)
	h.Answers(map[string]string{"What is the average q1?": "20", "total q2": "60"})
}

func TestNumbersOfEachPeriod(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ question, rows string }{
		{"How many orders were there in each year?", "2021 2; 2022 3; 2023 2"},
		{"How many orders are there per quarter?", "2021-Q1 1; 2021-Q2 1; 2022-Q1 2; 2022-Q3 1; 2023-Q2 1; 2023-Q3 1"},
		{"What is the average price of orders by year?", "2021 100.25; 2022 118.33333333333333; 2023 130"},
		{"How many orders are open, per year?", "2021 1; 2022 1; 2023 1"},
		{"How many orders fall in each year?", "2021 2; 2022 3; 2023 2"},
		{"Which quarter of 2021 had the most orders?", "2021-Q2"},
		{"Which year had the most orders?", "2022"},
		{"In which quarter were the most orders?", "2022-Q1"},
		{"Which year had the highest total price?", "2022"},
	} {
		got := h.Read(c.question, nil)
		if got.Clarification != nil {
			t.Errorf("Translate(%q) asks back %q, want %s", c.question, got.Clarification.Question, c.rows)
			continue
		}
		if rows := h.RowsOf(h.Ada, got); rows != c.rows {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", c.question, got.Reading, rows, c.rows)
		}
		nlqtest.CheckReading(t, c.question, got)
	}
}

func TestPeriodsOfDataWithoutTimes(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("shops", `[{"shop_id":1,"name":"Corner","town":"Paris"},{"shop_id":2,"name":"Market","town":"Nantes"}]`)
	if got := h.Read("How many shops are there per month?", nil); got.Query != nil && len(got.Query.Select.Group) > 0 {
		t.Errorf("Translate(per month of data without times) = %s, want no months", got.Reading)
	}
}

// TestNamesThatHoldAPeriod asks for a column whose name sounds like a period.
func TestNamesThatHoldAPeriod(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("staff", `[{"name":"Ada","role":"Gardener","hourly_rate":20,"started":"2020-01-01"},
		{"name":"Bob","role":"Gardener","hourly_rate":10,"started":"2021-01-01"},{"name":"Eve","role":"Driver","hourly_rate":40,"started":"2021-01-01"}]`)
	h.Put("courses", `[{"title":"Clay","price":60.0,"wks":6,"starts":"2021-01-04"},{"title":"Glaze","price":45.0,"wks":3,"starts":"2021-02-01"}]`)
	h.Answers(map[string]string{"average hourly rate of gardeners": "15", "price per week of every course": "Clay 10; Glaze 15"})
}
