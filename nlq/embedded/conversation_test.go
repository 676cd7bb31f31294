package embedded_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/query"
)

// shop, port, library and festival are namespaces that conversations are held over. They
// have little in common but links, times, yes and no, and missing values.
func shop(t testing.TB, h *nlqtest.House) quern.NamespacePath {
	t.Helper()
	return namespace(t, h, "shop", map[string]string{
		"customers": `[
			{"customer_id":1,"name":"Anna","city":"Rotterdam","membership":"gold","joined":"2021-03-01"},
			{"customer_id":2,"name":"Bram","city":"Rotterdam","membership":"silver","joined":"2022-05-11"},
			{"customer_id":3,"name":"Carla","city":"Berlin","membership":"gold","joined":"2020-01-20"},
			{"customer_id":4,"name":"Dirk","city":"Berlin","membership":"silver","joined":"2023-02-02"},
			{"customer_id":5,"name":"Eva","city":"Rotterdam","membership":"gold","joined":"2023-07-15"},
			{"customer_id":6,"name":"Finn","city":"Oslo","membership":"bronze","joined":"2022-11-30"}]`,
		"products": `[
			{"product_id":21,"name":"Lamp","category":"light","price":40},
			{"product_id":22,"name":"Desk","category":"table","price":220},
			{"product_id":23,"name":"Chair","category":"seat","price":90},
			{"product_id":24,"name":"Stool","category":"seat","price":35},
			{"product_id":25,"name":"Candle","category":"light","price":8}]`,
		"orders": `[
			{"order_id":101,"customer_id":1,"product_id":21,"status":"delivered","amount":80,"ordered_on":"2024-01-10","shipped_on":"2024-01-12"},
			{"order_id":102,"customer_id":1,"product_id":23,"status":"open","amount":90,"ordered_on":"2024-02-11","shipped_on":null},
			{"order_id":103,"customer_id":2,"product_id":25,"status":"delivered","amount":16,"ordered_on":"2024-02-20","shipped_on":"2024-03-01"},
			{"order_id":104,"customer_id":3,"product_id":22,"status":"delivered","amount":220,"ordered_on":"2023-12-05","shipped_on":"2024-01-02"},
			{"order_id":105,"customer_id":4,"product_id":24,"status":"cancelled","amount":70,"ordered_on":"2024-03-15","shipped_on":null},
			{"order_id":106,"customer_id":5,"product_id":22,"status":"delivered","amount":440,"ordered_on":"2024-03-16","shipped_on":"2024-03-20"},
			{"order_id":107,"customer_id":6,"product_id":21,"status":"open","amount":40,"ordered_on":"2023-11-02","shipped_on":null}]`,
	}, "orders.customer_id customers.customer_id", "orders.product_id products.product_id")
}

func port(t testing.TB, h *nlqtest.House) quern.NamespacePath {
	t.Helper()
	return namespace(t, h, "port", map[string]string{
		"ships": `[
			{"ship":"Ariadne","flag":"Greece","kind":"general cargo","built":2008,"length_m":189.9},
			{"ship":"Gloriosa","flag":"Malta","kind":"container ship","built":2015,"length_m":294},
			{"ship":"Havfrue","flag":"Norway","kind":"tanker","built":1999,"length_m":228.5},
			{"ship":"Kyma","flag":"Greece","kind":"tanker","built":2012,"length_m":183}]`,
		"arrivals": `[
			{"arrival":1,"ship":"Gloriosa","arrived":"2025-06-07T11:35:00Z","departed":"2025-06-08T21:35:00Z","cargo":"containers","tonnes":19269.5,"fee":5427,"paid":true},
			{"arrival":2,"ship":"Ariadne","arrived":"2025-06-30T08:00:00Z","departed":"2025-07-02T06:00:00Z","cargo":"grain","tonnes":8000,"fee":2100,"paid":false},
			{"arrival":3,"ship":"Kyma","arrived":"2025-07-04T14:10:00Z","departed":"2025-07-05T09:00:00Z","cargo":"crude oil","tonnes":30500,"fee":6100,"paid":true},
			{"arrival":4,"ship":"Havfrue","arrived":"2025-07-19T03:20:00Z","departed":null,"cargo":"crude oil","tonnes":41000,"fee":7300,"paid":false},
			{"arrival":5,"ship":"Gloriosa","arrived":"2025-07-28T22:00:00Z","departed":null,"cargo":"containers","tonnes":21000,"fee":5600,"paid":false}]`,
	}, "arrivals.ship ships.ship")
}

func library(t testing.TB, h *nlqtest.House) quern.NamespacePath {
	t.Helper()
	return namespace(t, h, "library", map[string]string{
		"members": `[
			{"member_id":1,"name":"Ines","age":34,"town":"Leeds"},
			{"member_id":2,"name":"Jonas","age":17,"town":"York"},
			{"member_id":3,"name":"Kaya","age":52,"town":"Leeds"},
			{"member_id":4,"name":"Liam","age":25,"town":"Hull"},
			{"member_id":5,"name":"Mona","age":41,"town":"York"}]`,
		"books": `[
			{"book_id":51,"title":"Tides","author":"Ode","genre":"novel","pages":310},
			{"book_id":52,"title":"Stone","author":"Prus","genre":"history","pages":520},
			{"book_id":53,"title":"Moss","author":"Quill","genre":"novel","pages":180},
			{"book_id":54,"title":"Salt","author":"Ode","genre":"history","pages":405}]`,
		"loans": `[
			{"loan_id":901,"book_id":51,"member_id":1,"loaned":"2024-05-01","returned":"2024-05-20"},
			{"loan_id":902,"book_id":52,"member_id":1,"loaned":"2024-06-03","returned":null},
			{"loan_id":903,"book_id":51,"member_id":2,"loaned":"2024-06-11","returned":"2024-06-30"},
			{"loan_id":904,"book_id":53,"member_id":3,"loaned":"2023-12-24","returned":"2024-01-15"},
			{"loan_id":905,"book_id":54,"member_id":5,"loaned":"2024-06-21","returned":null},
			{"loan_id":906,"book_id":53,"member_id":5,"loaned":"2024-02-02","returned":"2024-02-09"}]`,
	}, "loans.book_id books.book_id", "loans.member_id members.member_id")
}

func festival(t testing.TB, h *nlqtest.House) quern.NamespacePath {
	t.Helper()
	return namespace(t, h, "festival", map[string]string{
		"films": `[
			{"film_no":1,"title":"Ebb","country":"Portugal","released":"2023-02-01"},
			{"film_no":2,"title":"Flint","country":"Norway","released":"2024-09-12"},
			{"film_no":3,"title":"Gull","country":"Portugal","released":"2025-01-05"}]`,
		"screenings": `[
			{"screening_no":11,"film_no":1,"venue":"Rex","screened":"2024-10-01","tickets_sold":80,"q_a_held":"Yes","subtitled":"Y","counted_on":"2025-11-01"},
			{"screening_no":12,"film_no":1,"venue":"Lux","screened":"2025-10-02","tickets_sold":40,"q_a_held":"No","subtitled":"N","counted_on":null},
			{"screening_no":13,"film_no":2,"venue":"Rex","screened":"2025-10-02","tickets_sold":120,"q_a_held":"Yes","subtitled":"Y","counted_on":"2025-11-01"},
			{"screening_no":14,"film_no":3,"venue":"Odeon","screened":"2025-10-03","tickets_sold":60,"q_a_held":"Yes","subtitled":"Y","counted_on":"2025-11-01"},
			{"screening_no":15,"film_no":3,"venue":"Rex","screened":"2025-10-04","tickets_sold":20,"q_a_held":"No","subtitled":"N","counted_on":null}]`,
		"guests": `[
			{"guest_no":31,"name":"Ona","film_no":1,"hotel":"Anchor","nights":2,"arrival":"2024-09-30","confirmed":"yes","paid":1},
			{"guest_no":32,"name":"Per","film_no":2,"hotel":"Anchor","nights":5,"arrival":"2025-10-01","confirmed":"no","paid":0},
			{"guest_no":33,"name":"Rui","film_no":3,"hotel":"Bellevue","nights":3,"arrival":"2025-10-02","confirmed":"unknown","paid":0},
			{"guest_no":34,"name":"Sol","film_no":3,"hotel":"Bellevue","nights":4,"arrival":"2025-10-02","confirmed":"no","paid":1}]`,
	}, "screenings.film_no films.film_no", "guests.film_no films.film_no")
}

// namespace makes datasets of ada's with links between them.
func namespace(t testing.TB, h *nlqtest.House, name string, datasets map[string]string, links ...string) quern.NamespacePath {
	t.Helper()
	for dataset, rows := range datasets {
		h.Dataset(h.Ada, name+"/"+dataset, rows)
	}
	for _, l := range links {
		ends := strings.Fields(l)
		h.Link(h.Ada, "ada."+name+"."+ends[0], "ada."+name+"."+ends[1])
	}
	return quern.NamespacePath{Owner: "ada", Namespace: name}
}

// cells runs SQL and gives its rows in words.
func cells(t testing.TB, h *nlqtest.House, in quern.NamespacePath, sql string) [][]string {
	t.Helper()
	rows, err := h.House.Query.SQL(t.Context(), h.Ada, query.Request{In: in, SQL: sql})
	if err != nil {
		t.Fatalf("the query %s = %v, want rows", sql, err)
	}
	defer rows.Close()
	var all [][]string
	for rows.Next() {
		var cells []string
		for _, v := range rows.Row() {
			cells = append(cells, fmt.Sprint(v))
		}
		all = append(all, cells)
	}
	must(t, rows.Err())
	return all
}

// covers reports whether rows are those wanted, other columns beside them or not.
func covers(got, want [][]string, ordered bool) bool {
	if len(got) != len(want) {
		return false
	}
	left := slices.Clone(got)
	for i, w := range want {
		has := func(row []string) bool {
			return !slices.ContainsFunc(w, func(cell string) bool { return !slices.Contains(row, cell) })
		}
		if ordered {
			if !has(got[i]) {
				return false
			}
			continue
		}
		at := slices.IndexFunc(left, has)
		if at < 0 {
			return false
		}
		left = slices.Delete(left, at, at+1)
	}
	return true
}

// turn is a question and the query whose rows answer it: "ask" when it should be
// asked back with choices.
type turn struct{ question, rows string }

// talk holds a conversation and gives what went wrong in it.
func talk(t testing.TB, h *nlqtest.House, in quern.NamespacePath, turns ...turn) (wrong string) {
	t.Helper()
	var before *nlq.Turn
	for _, said := range turns {
		q := nlqtest.Question(said.question)
		q.In, q.Previous = in, before
		got, err := h.Translate(t.Context(), h.Ada, q)
		must(t, err)
		switch {
		case said.rows == "ask" && (got.Clarification == nil || len(got.Clarification.Choices) < 2):
			return fmt.Sprintf("%q = %s, want a question back with choices", said.question, got.Reading)
		case said.rows == "ask":
			return ""
		case got.Clarification != nil:
			return fmt.Sprintf("%q asks back %q %v", said.question, got.Clarification.Question, got.Clarification.Choices)
		}
		found, want := cells(t, h, in, got.SQL), cells(t, h, in, said.rows)
		if !covers(found, want, strings.Contains(said.rows, "order by")) {
			return fmt.Sprintf("%q = %s\n  which gives %v, want %v", said.question, got.Reading, found, want)
		}
		before = &nlq.Turn{Question: said.question, Query: got.Query}
	}
	return ""
}
