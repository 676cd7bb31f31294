package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/nlq/judge"
	"quern/query"
	"quern/tree"
)

var inn = []string{
	`CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name TEXT, born DATE)`,
	`INSERT INTO guests VALUES (1, 'Ada', '1990-06-15'), (2, 'Ben', '2001-01-31'), (3, 'Cleo', '1985-12-24')`,
	`CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, guest_id INTEGER, board TEXT, rate REAL, nights INTEGER, arrived DATE, departed DATE, booked DATETIME)`,
	`INSERT INTO stays VALUES
		(1, 1, 'half', 50, 2, '2024-03-04', '2024-03-06', '2024-01-05T18:45:00Z'),
		(2, 1, 'full', 80, 3, '2024-04-29', '2024-05-02', '2024-02-06T09:30:00Z'),
		(3, 2, 'half', 60, 5, '2024-03-11', '2024-03-16', '2024-03-01T11:00:00Z'),
		(4, 2, 'half', 40, 0, '2023-12-30', NULL, '2023-12-01T20:15:00Z')`,
}

// What trees can hold the engine can run, and the rows are right.
func TestShapesRun(t *testing.T) {
	t.Parallel()
	h, dir := newHouse(t), t.TempDir()
	database(t, dir, "inn", inn...)
	d, err := judge.Open(dir, "inn")
	must(t, err)
	must(t, h.Load(t.Context(), d))
	must(t, d.Close())
	for text, want := range map[string]string{
		"SELECT sum(rate * nights) FROM stays":                      "640",
		"SELECT stay_id, rate / nights FROM stays WHERE nights = 0": "4 <nil>",
		"SELECT strftime(arrived, '%Y-%m'), count(*) FROM stays GROUP BY strftime(arrived, '%Y-%m') ORDER BY count(*) DESC LIMIT 1":                           "2024-03 2",
		"SELECT concat(year(booked), '-Q', quarter(booked)) FROM stays WHERE stay_id = 2":                                                                     "2024-Q1",
		"SELECT strftime(arrived, '%G-W%V') FROM stays WHERE stay_id = 1":                                                                                     "2024-W10",
		"SELECT count(*) FROM stays WHERE dayname(arrived) = 'Monday'":                                                                                        "3",
		"SELECT stay_id FROM stays WHERE strftime(booked, '%H:%M') > '18:30' ORDER BY stay_id":                                                                "1;4",
		"SELECT hour(booked) FROM stays WHERE stay_id = 3":                                                                                                    "11",
		"SELECT avg(date_diff('day', arrived, departed)) FROM stays":                                                                                          "3.3333333333333335",
		"SELECT name, date_sub('year', born, DATE '2024-06-14') FROM guests ORDER BY name LIMIT 1":                                                            "Ada 33",
		"SELECT date_diff('minute', booked, TIMESTAMPTZ '2024-01-05T20:00:00Z') / 60.0 FROM stays WHERE stay_id = 1":                                          "1.25",
		"SELECT date_diff('day', booked, arrived) FROM stays WHERE stay_id = 1":                                                                               "59",
		"SELECT median(rate) FROM stays":                                                                                                                      "55",
		"SELECT quantile_cont(rate, 0.25) FROM stays":                                                                                                         "47.5",
		"SELECT 100.0 * sum(rate) FILTER (WHERE board = 'full') / nullif(sum(rate), 0) FROM stays":                                                            "34.78260869565217",
		"SELECT board, 100.0 * sum(rate) / nullif(sum(sum(rate)) OVER (), 0) FROM stays GROUP BY board ORDER BY board":                                        "full 34.78260869565217;half 65.21739130434783",
		"SELECT sum(rate) FILTER (WHERE year(arrived) = 2023), sum(rate) FILTER (WHERE year(arrived) = 2024) FROM stays":                                      "40 190",
		"SELECT stay_id FROM stays WHERE rate > (SELECT avg(peers.rate) FROM stays AS peers WHERE peers.board = stays.board)":                                 "3",
		"SELECT guests.name, count(stays.guest_id) FROM guests LEFT JOIN stays ON guests.guest_id = stays.guest_id GROUP BY guests.name ORDER BY guests.name": "Ada 2;Ben 2;Cleo 0",
	} {
		q, err := tree.Parse(text)
		if err != nil {
			t.Errorf("Parse(%s) = %v", text, err)
			continue
		}
		printed, err := tree.SQL(q)
		must(t, err)
		if got := answered(t, h, printed); got != want {
			t.Errorf("%s gives %s, want %s", printed, got, want)
		}
	}
}

// answered runs a query and returns its rows as text.
func answered(t *testing.T, h *judge.Product, text string) string {
	t.Helper()
	in := quern.NamespacePath{Owner: h.Principal.User.Username, Namespace: "inn"}
	rows, err := h.Query.SQL(t.Context(), h.Principal, query.Request{In: in, SQL: text})
	if err != nil {
		return err.Error()
	}
	var all []string
	for rows.Next() {
		all = append(all, strings.Trim(fmt.Sprint(rows.Row()), "[]"))
	}
	must(t, rows.Err())
	must(t, rows.Close())
	return strings.Join(all, ";")
}
