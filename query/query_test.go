package query_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/housetest"
	"quern/query"
)

// shopHouse is a house in which ada has orders, in two segments, and customers
// that they belong to; bob sees nothing of it.
func shopHouse(t *testing.T) (h *housetest.House, ada, bob quern.Principal) {
	t.Helper()
	h = housetest.New(t, housetest.Options{})
	ada, bob = h.User("ada"), h.User("bob")
	h.Dataset(ada, "shop/customers", `[{"id":1,"name":"Ann"},{"id":2,"name":"Ben"}]`)
	orders := h.Dataset(ada, "shop/orders", `[{"order":1,"customer_id":1,"status":"open"},{"order":2,"customer_id":2,"status":"paid"}]`)
	h.Append(ada, orders, `[{"order":3,"customer_id":1,"status":"open"}]`)
	h.Link(ada, "ada.shop.orders.customer_id", "ada.shop.customers.id")
	return h, ada, bob
}

var inShop = quern.NamespacePath{Owner: "ada", Namespace: "shop"}

// first returns the first cell of every row, and closes the rows.
func first(t *testing.T, rows engine.Rows) []any {
	t.Helper()
	defer rows.Close()
	var all []any
	for rows.Next() {
		all = append(all, rows.Row()[0])
	}
	housetest.Must(t, rows.Err())
	return all
}

func TestSQLFindsDatasetsByEveryForm(t *testing.T) {
	t.Parallel()
	h, ada, bob := shopHouse(t)
	h.Dataset(ada, "other/notes", `[{"n":7}]`)
	for sql, want := range map[string]int64{
		`select count(*) from orders`:                                 3,
		`select count(*) from shop.orders`:                            3,
		`select count(*) from "ada/shop/orders"`:                      3,
		`select n from other.notes`:                                   7,
		`select count(*) from orders join customers on id = 1`:        3,
		`select sum("order") from orders where status = 'open'`:       4,
		`with a as (select * from orders) select max("order") from a`: 3,
	} {
		rows, err := h.Query.SQL(t.Context(), ada, query.Request{In: inShop, SQL: sql})
		if err != nil {
			t.Errorf("SQL(%s) = %v, want rows", sql, err)
			continue
		}
		if got := first(t, rows); len(got) != 1 || got[0] != want {
			t.Errorf("SQL(%s) = %v, want %d", sql, got, want)
		}
	}
	_, err := h.Query.SQL(t.Context(), bob, query.Request{In: inShop, SQL: "select 1"})
	if !quern.Is(err, quern.NotFound) {
		t.Errorf("SQL in a namespace that bob does not see = %v, want NotFound", err)
	}
}

// TestSQLOfNestedValues: values inside of JSON columns are found, and a text that is
// compared with one in vain is told how.
func TestSQLOfNestedValues(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	h.Dataset(ada, "shop/people", `[{"n":1,"addr":{"city":"Rome"}}]`)
	rows, err := h.Query.SQL(t.Context(), ada, query.Request{In: inShop, SQL: `select n from people where addr->>'city' = 'Rome'`})
	housetest.Must(t, err)
	if got := first(t, rows); len(got) != 1 || got[0] != int64(1) {
		t.Errorf("a condition on a nested text finds %v, want 1", got)
	}
	rows, err = h.Query.SQL(t.Context(), ada, query.Request{In: inShop, SQL: `select n from people where addr.city = 'Rome'`})
	if err == nil {
		for rows.Next() {
			t.Error("a nested value that is no text is a text, want an error")
		}
		err = rows.Err()
		rows.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "->>") {
		t.Errorf("a text compared with a JSON value = %v, want an error that says how it is done", err)
	}
}

func TestSQLOfWhatIsNotSeenIsAsOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	h, _, bob := shopHouse(t)
	h.Dataset(bob, "mine/a", `[{"x":1}]`)
	mine := quern.NamespacePath{Owner: "bob", Namespace: "mine"}
	say := func(sql string) string {
		_, err := h.Query.SQL(t.Context(), bob, query.Request{In: mine, SQL: sql})
		if !quern.Is(err, quern.Invalid) {
			t.Fatalf("SQL(%s) = %v, want Invalid", sql, err)
		}
		return err.Error()
	}
	hidden, missing := say(`select * from "ada/shop/orders"`), say(`select * from "ada/shop/nobody"`)
	if strings.ReplaceAll(hidden, "orders", "nobody") != missing {
		t.Errorf("hidden: %s\nmissing: %s\nwant them alike", hidden, missing)
	}
}

func TestSQLSaysHowMuchItCut(t *testing.T) {
	t.Parallel()
	h, ada, _ := shopHouse(t)
	for most, want := range map[int]int{0: 3, 2: 2, 20_000: 3} {
		rows, err := h.Query.SQL(t.Context(), ada, query.Request{In: inShop, SQL: "select * from orders", MaxRows: most})
		housetest.Must(t, err)
		n := len(first(t, rows))
		if n != want || rows.Total() != 3 {
			t.Errorf("SQL with at most %d = %d rows of %d, want %d of 3", most, n, rows.Total(), want)
		}
	}
}

func TestRowsComePageByPageInTheOrderTheyCame(t *testing.T) {
	t.Parallel()
	h, ada, bob := shopHouse(t)
	orders := housetest.Path("ada", "shop/orders")
	for _, tt := range []struct {
		from, limit int64
		want        []any
	}{
		{0, -1, []any{int64(1), int64(2), int64(3)}},
		{0, 1, []any{int64(1)}},
		{1, 2, []any{int64(2), int64(3)}},
		{2, 5, []any{int64(3)}},
		{3, 5, nil},
	} {
		page, err := h.Query.Rows(t.Context(), ada, orders, tt.from, tt.limit)
		housetest.Must(t, err)
		if page.FirstRow != tt.from || page.Dataset.Name != "orders" {
			t.Errorf("Rows(%d, %d) = %s from %d, want orders from %[1]d", tt.from, tt.limit, page.Dataset.Name, page.FirstRow)
		}
		if got := first(t, page.Rows); !slices.Equal(got, tt.want) {
			t.Errorf("Rows(%d, %d) = %v, want %v", tt.from, tt.limit, got, tt.want)
		}
	}
	if _, err := h.Query.Rows(t.Context(), bob, orders, 0, 1); !quern.Is(err, quern.NotFound) {
		t.Errorf("Rows of what bob does not see = %v, want NotFound", err)
	}
}

// A page that is being read is not disturbed by what happens to the dataset.
func TestRowsStayWhileTheyAreRead(t *testing.T) {
	t.Parallel()
	h, ada, _ := shopHouse(t)
	orders := housetest.Path("ada", "shop/orders")
	page, err := h.Query.Rows(t.Context(), ada, orders, 0, -1)
	housetest.Must(t, err)
	_, err = h.Catalog.Clear(t.Context(), ada, orders)
	housetest.Must(t, err)
	if got := first(t, page.Rows); len(got) != 3 {
		t.Errorf("a page read across a clear = %v, want the 3 rows that were there", got)
	}
	after, err := h.Query.Rows(t.Context(), ada, orders, 0, -1)
	housetest.Must(t, err)
	if got := first(t, after.Rows); len(got) != 0 {
		t.Errorf("a page begun after it = %v, want none", got)
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	h, ada, bob := shopHouse(t)
	plain, err := h.Query.Plan(t.Context(), ada, query.Request{In: inShop, SQL: "select 1"})
	if err != nil || plain != (query.Plan{SQL: "select 1"}) {
		t.Errorf("Plan(SQL) = %+v, %v, want it as it is", plain, err)
	}
	text := `Ontology("shop/orders").filter(status == "open").find("customers")`
	plan, err := h.Query.Plan(t.Context(), ada, query.Request{In: inShop, SQL: text})
	if err != nil || plan.Start != housetest.Path("ada", "shop/orders") || plan.Final != housetest.Path("ada", "shop/customers") {
		t.Fatalf("Plan(%s) = %+v, %v, want one from orders to customers", text, plan, err)
	}
	if got := h.Rows(ada, "shop", plan.SQL); !slices.Equal(got, []string{`{"id":1,"name":"Ann"}`}) {
		t.Errorf("%s finds %v, want Ann", plan.SQL, got)
	}
	for _, tt := range []struct {
		who  quern.Principal
		text string
		want quern.Kind
	}{
		{bob, text, quern.NotFound},
		{ada, `Ontology("shop/orders").filter(status ==`, quern.Invalid},
		{ada, `Ontology("shop/nobody")`, quern.Invalid},
		{ada, `Ontology("shop/orders").filter(nothing == 1)`, quern.Invalid},
	} {
		if _, err := h.Query.Plan(t.Context(), tt.who, query.Request{In: inShop, SQL: tt.text}); !quern.Is(err, tt.want) {
			t.Errorf("Plan(%s) by %s = %v, want kind %v", tt.text, tt.who.User.Username, err, tt.want)
		}
	}
}

func TestPlanFollowsWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h, ada, bob := shopHouse(t)
	orders := catalog.Target{Owner: "ada", Namespace: "shop", Dataset: "orders"}
	_, err := h.Catalog.Share(t.Context(), ada, orders, quern.Share{Username: "bob", Role: quern.Viewer})
	housetest.Must(t, err)
	if _, err := h.Query.Plan(t.Context(), bob, query.Request{In: inShop, SQL: `Ontology("shop/orders").limit(1)`}); err != nil {
		t.Errorf("Plan over what is shared = %v, want one", err)
	}
	_, err = h.Query.Plan(t.Context(), bob, query.Request{In: inShop, SQL: `Ontology("shop/orders").find("customers")`})
	if !quern.Is(err, quern.Invalid) {
		t.Errorf("Plan into what is not shared = %v, want Invalid", err)
	}
}

// A query in the fluent form along a link of new data finds it, however many others are new.
func TestPlanAmongManyNewDatasets(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	ada := h.User("ada")
	const others = 40
	for n := range others {
		h.Dataset(ada, fmt.Sprint("shop/other", n), fmt.Sprintf(`[{"weight":%d.5}]`, n))
	}
	h.Dataset(ada, "shop/customers", `[{"id":1,"name":"Ann"},{"id":2,"name":"Ben"},{"id":3,"name":"Cid"}]`)
	h.Dataset(ada, "shop/orders", `[{"order":1,"customer_id":1},{"order":2,"customer_id":2},{"order":3,"customer_id":3}]`)
	const text = `Ontology("shop/orders").find("customers")`
	var err error
	for range 10 { // a busy machine may need more than the time that one query has
		if _, err = h.Query.Plan(t.Context(), ada, query.Request{In: inShop, SQL: text}); err == nil {
			return
		}
	}
	t.Errorf("Plan(%s) = %v, want one along the link of both", text, err)
}
