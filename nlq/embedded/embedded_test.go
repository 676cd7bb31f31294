package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

func TestQuestions(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ question, rows string }{
		{"How many orders are there?", "7"},
		{"How many orders are open?", "3"},
		{"What is the average price of orders?", "116.5"},
		{"Show the 3 most expensive orders", "14 2 cancelled Marseille 300 2022-02-14; 17 2 open Marseille 200 2023-09-09; 11 1 open Paris 120.5 2021-03-01"},
		{"How many orders are there per city?", "Lyon 2; Marseille 3; Paris 2"},
		{"total price per status", "cancelled 360; open 360.5; paid 95"},
		{"list the name of shops that have cancelled orders", "Harbour; Market"},
		{"How many orders has the shop Harbour?", "4"},
		{"orders with price over 100", "11 1 open Paris 120.5 2021-03-01; 14 2 cancelled Marseille 300 2022-02-14; 17 2 open Marseille 200 2023-09-09"},
		{"In which town is the shop Harbour?", "Lyon"},
		{"and what is the average price of orders in the city Lyon?", "60"},
	} {
		got := h.Read(c.question, nil)
		if got.Clarification != nil {
			t.Errorf("Translate(%q) asks back %q, want %s", c.question, got.Clarification.Question, c.rows)
			continue
		}
		rows := h.RowsOf(h.Ada, got)
		if !strings.Contains(c.question, "most") {
			rows = nlqtest.Sorted(rows)
		}
		if rows != c.rows {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", c.question, got.Reading, rows, c.rows)
		}
		nlqtest.CheckReading(t, c.question, got)
		if got.Score != 1 {
			t.Errorf("Translate(%q).Score = %v, want 1", c.question, got.Score)
		}
	}
}

func TestMisspeltValuesScoreLess(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	got := h.Read("How many orders are in Marseile?", nil)
	nlqtest.CheckReading(t, "How many orders are in Marseile?", got)
	if rows := h.RowsOf(h.Ada, got); rows != "3" || got.Score >= 1 {
		t.Errorf("orders in Marseile = %s with score %v, want the 3 of Marseille with less than 1", rows, got.Score)
	}
	after := h.Read("How many orders are there?", nil)
	got = h.Read("only the cancels", &after)
	if got.Query == nil || h.RowsOf(h.Ada, got) != "2" || got.Score >= 1 {
		t.Errorf("only the cancels = %+v, want the 2 cancelled with a score of less than 1", got)
	}
}
