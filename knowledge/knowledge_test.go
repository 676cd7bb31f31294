package knowledge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/housetest"
	"quern/knowledge"
	"quern/store"
	"quern/store/storetest"
)

var must = housetest.Must

// house is a namespace shop of ada's with orders and customers.
type house struct {
	*housetest.House
	*knowledge.Service
	ada, bob, cyd quern.Principal
}

var in = quern.NamespacePath{Owner: "ada", Namespace: "shop"}

func newHouse(t *testing.T, s *store.Store) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Store: s})}
	h.ada, h.bob, h.cyd = h.User("ada"), h.User("bob"), h.User("cyd")
	h.Service = knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: h.Options.Now})
	h.Dataset(h.ada, "shop/orders", `[{"id":1,"kd":7,"qty":2,"price":3.5,"status":"X","ordered":"2024-01-02"}]`)
	h.Dataset(h.ada, "shop/customers", `[{"kd":7,"name":"Eve","born":"1990-01-01"}]`)
	return h
}

func (h *house) share(t *testing.T, username, dataset string, role quern.Role) {
	t.Helper()
	_, err := h.Catalog.Share(t.Context(), h.ada, catalog.Target{Owner: "ada", Namespace: "shop", Dataset: dataset}, quern.Share{Username: username, Role: role})
	must(t, err)
}

func text(s string) *string { return &s }

// lesson has an entry of every kind.
func lesson() *knowledge.Document {
	return &knowledge.Document{
		Words:      []knowledge.Word{{Word: "cancelled", Means: "orders.status", Value: text("X")}, {Word: "clients", Means: "customers"}},
		Adjectives: []knowledge.Adjective{{Word: "old", Opposite: "young", Column: "customers.born", End: knowledge.Lowest}},
		Measures: []knowledge.Measure{
			{Name: "revenue", Dataset: "orders", Expression: "qty * price", Aggregate: "sum", Unit: "EUR"},
			{Name: "double", Dataset: "orders", Expression: "2 * revenue"}},
		Conditions: []knowledge.Condition{{Name: "large", Dataset: "orders", Where: "qty > 10"}},
		Datasets:   []knowledge.Dataset{{Dataset: "orders", Time: "ordered", Unused: []string{"id"}}},
		Links:      []knowledge.Link{{From: "orders.kd", To: "customers.kd", Words: []string{"of"}}},
		OutOfScope: []knowledge.Topic{{Topic: "weather"}},
		Verified: []knowledge.Verified{{Name: "by status", Questions: []string{"how many orders are {status}?"},
			Query: "SELECT count(*) FROM orders WHERE status = 'X'", Parameters: []knowledge.Parameter{{Name: "status", Value: "X"}}}},
		Tests: []knowledge.Test{{Question: "who is the owner?"}},
	}
}

func (h *house) put(t *testing.T, p quern.Principal, d *knowledge.Document, version int64) (knowledge.Current, error) {
	t.Helper()
	return h.Write(t.Context(), p, in, knowledge.Change{Put: d, IfVersion: version})
}

func TestDocumentsAreKeptInVersions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHouse(t, s)
		got, err := h.put(t, h.ada, lesson(), 0)
		must(t, err)
		if got.Version != 1 || len(got.Problems) != 0 || got.Verified[0].By != "ada" {
			t.Fatalf("Write() = version %d with the problems %v, by %q; want 1, none, ada", got.Version, got.Problems, got.Verified[0].By)
		}
		if _, err := h.put(t, h.ada, &knowledge.Document{}, 0); !quern.Is(err, quern.Conflict) {
			t.Errorf("Write() over version 0 again = %v, want Conflict", err)
		}
		same, err := h.put(t, h.ada, lesson(), 1)
		must(t, err)
		if same.Version != 1 {
			t.Errorf("Write() of the same = version %d, want 1", same.Version)
		}
		_, err = h.put(t, h.ada, &knowledge.Document{}, 1)
		must(t, err)
		versions, err := h.Versions(t.Context(), h.ada, in, 0, 10)
		must(t, err)
		if len(versions) != 2 || versions[0].By != "ada" || !strings.HasPrefix(versions[0].Changes[0], "removed words cancelled") {
			t.Errorf("Versions() = %+v, want two of ada's, the last of which removed words", versions)
		}
		first, err := h.At(t.Context(), h.ada, in, 1)
		must(t, err)
		back, err := h.put(t, h.ada, &first.Document, 2)
		must(t, err)
		if back.Version != 3 || len(back.Words) != 2 {
			t.Errorf("undone = version %d with %d words, want 3 with 2", back.Version, len(back.Words))
		}
		if _, err := h.At(t.Context(), h.ada, in, 9); !quern.Is(err, quern.NotFound) {
			t.Errorf("At(9) = %v, want NotFound", err)
		}
	})
}

func TestPatches(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, err := h.put(t, h.ada, lesson(), 0)
	must(t, err)
	got, err := h.Write(t.Context(), h.ada, in, knowledge.Change{IfVersion: 1,
		Merge:  &knowledge.Document{Measures: []knowledge.Measure{{Name: "Revenue", Dataset: "orders", Expression: "price"}}},
		Remove: &knowledge.Document{Words: []knowledge.Word{{Word: "clients", Means: "customers"}}}})
	must(t, err)
	if len(got.Words) != 1 || len(got.Measures) != 2 || got.Measures[0].Expression != "price" || len(got.Verified) != 1 {
		t.Errorf("Write() = %+v, want one word less and another revenue", got.Document)
	}
}

// TestWhatIsRefused writes what must not be saved.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	measure := func(expression string) knowledge.Document {
		return knowledge.Document{Measures: []knowledge.Measure{{Name: "m", Dataset: "orders", Expression: expression}}}
	}
	many := knowledge.Document{}
	for i := range 100_000 {
		many.Words = append(many.Words, knowledge.Word{Word: fmt.Sprint("w", i), Means: "orders"})
	}
	tests := map[string]struct {
		document knowledge.Document
		want     string
	}{
		"another dataset":       {measure("customers.kd"), "no other dataset"},
		"a query inside":        {measure("(select max(kd) from customers)"), "no query inside"},
		"an aggregate":          {measure("sum(qty)"), "no aggregate"},
		"a way out":             {measure("1) from customers where (1 = 1"), "cannot be read"},
		"two values":            {measure("qty), (price"), "one value"},
		"text":                  {measure("status"), ""},
		"a missing column":      {measure("nothing"), `no column "nothing"`},
		"no expression":         {measure("qty +"), "cannot be read"},
		"an empty one":          {measure(" "), "is empty"},
		"a cycle":               {knowledge.Document{Measures: []knowledge.Measure{{Name: "a", Dataset: "orders", Expression: "b + 1"}, {Name: "b", Dataset: "orders", Expression: "a"}}}, "leads back to itself"},
		"a condition elsewhere": {knowledge.Document{Conditions: []knowledge.Condition{{Name: "c", Dataset: "orders", Where: "kd in (select kd from customers)"}}}, "no query inside"},
		"a query elsewhere":     {knowledge.Document{Verified: []knowledge.Verified{{Name: "v", Questions: []string{"q"}, Query: `select 1 from other.orders`}}}, "another namespace"},
		"a parameter too many":  {knowledge.Document{Verified: []knowledge.Verified{{Name: "v", Questions: []string{"in {town}"}, Query: `select count(*) from orders`}}}, "none of its own"},
		"a value of a dataset":  {knowledge.Document{Words: []knowledge.Word{{Word: "w", Means: "orders", Value: text("1")}}}, "dataset.column"},
		"an end":                {knowledge.Document{Adjectives: []knowledge.Adjective{{Word: "w", Column: "orders.qty", End: "up"}}}, "highest or lowest"},
		"an aggregate's name":   {knowledge.Document{Measures: []knowledge.Measure{{Name: "m", Dataset: "orders", Expression: "qty", Never: []string{"drop"}}}}, "no aggregate"},
		"the same twice":        {knowledge.Document{Words: []knowledge.Word{{Word: "w", Means: "orders"}, {Word: "W", Means: "Orders"}}}, "stands twice"},
		"hidden characters":     {knowledge.Document{Words: []knowledge.Word{{Word: "w\u202e", Means: "orders"}}}, "cannot be seen"},
		"100,000 words":         {many, "at most 10000"},
	}
	for name, tt := range tests {
		_, err := h.put(t, h.ada, &tt.document, 0)
		if !quern.Is(err, quern.Invalid) || !strings.Contains(fmt.Sprint(err, subs(err)), tt.want) {
			t.Errorf("Write(%s) = %v %v, want Invalid and %q", name, err, subs(err), tt.want)
		}
	}
	got, err := h.Read(t.Context(), h.ada, in)
	must(t, err)
	if got.Version != 0 {
		t.Errorf("after refusals the version is %d, want 0", got.Version)
	}
}

func subs(err error) (all []quern.SubError) {
	if e, ok := err.(*quern.Error); ok {
		all = e.Sub
	}
	return all
}

func TestRightsAreOfEntries(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, err := h.put(t, h.ada, lesson(), 0)
	must(t, err)
	if _, err := h.Read(t.Context(), h.bob, in); !quern.Is(err, quern.NotFound) {
		t.Errorf("Read() by a stranger = %v, want NotFound", err)
	}
	h.share(t, "bob", "orders", quern.Editor)
	h.share(t, "cyd", "orders", quern.Viewer)
	got, err := h.Read(t.Context(), h.bob, in)
	must(t, err)
	if len(got.Words) != 1 || len(got.Adjectives) != 0 || len(got.Links) != 0 || len(got.Measures) != 2 || len(got.OutOfScope) != 1 {
		t.Errorf("Read() by one who sees orders = %+v, want what is about orders alone", got.Document)
	}
	versions, err := h.Versions(t.Context(), h.bob, in, 0, 10)
	must(t, err)
	if strings.Contains(fmt.Sprint(versions), "customers") {
		t.Errorf("Versions() by one who sees orders = %v, want nothing of customers", versions)
	}
	if _, err := h.put(t, h.cyd, &knowledge.Document{}, 1); !quern.Is(err, quern.Forbidden) {
		t.Errorf("Write() by a viewer = %v, want Forbidden", err)
	}
	if _, err := h.put(t, h.bob, &knowledge.Document{}, 1); !quern.Is(err, quern.Forbidden) {
		t.Errorf("Write() of the namespace's own by an editor of a dataset = %v, want Forbidden", err)
	}
	foreign := got.Document
	foreign.Words = append(foreign.Words, knowledge.Word{Word: "people", Means: "customers"})
	if _, err := h.put(t, h.bob, &foreign, 1); !quern.Is(err, quern.Forbidden) {
		t.Errorf("Write() about a dataset that is not seen = %v, want Forbidden", err)
	}
	less := got.Document
	less.Words, less.Verified = nil, nil
	_, err = h.put(t, h.bob, &less, 1)
	must(t, err)
	whole, err := h.Read(t.Context(), h.ada, in)
	must(t, err)
	if len(whole.Words) != 1 || whole.Words[0].Word != "clients" || len(whole.Adjectives) != 1 || len(whole.Links) != 1 || len(whole.Verified) != 0 {
		t.Errorf("after an editor of orders took entries away, the document is %+v; want those about customers still there", whole.Document)
	}
}

func TestProblemsAreReported(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	d := lesson()
	d.Words = append(d.Words, knowledge.Word{Word: "cancelled", Means: "orders.qty"}, knowledge.Word{Word: "boats", Means: "ships"})
	got, err := h.put(t, h.ada, d, 0)
	must(t, err)
	all := fmt.Sprint(got.Problems)
	for _, want := range []string{"means several things", "waits for a dataset that is not there yet: ships"} {
		if !strings.Contains(all, want) {
			t.Errorf("the problems are %s, want %q", all, want)
		}
	}
	_, err = h.Catalog.RenameDataset(t.Context(), h.ada, quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: "orders"}, "sales")
	must(t, err)
	got, err = h.Read(t.Context(), h.ada, in)
	must(t, err)
	if !strings.Contains(fmt.Sprint(got.Problems), "measures orders.revenue") {
		t.Errorf("after a rename the problems are %v, want the measure", got.Problems)
	}
	if _, err := h.put(t, h.ada, &got.Document, 1); err != nil {
		t.Errorf("Write() of a document with an entry that broke = %v, want none", err)
	}
}

// TestWordsThatWereMissedAreCounted counts what nothing answered to, and dismisses
// it for good.
func TestWordsThatWereMissedAreCounted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHouse(t, s)
		missed := quern.Run{Actor: h.bob.User.ID, In: in, Result: &quern.Result{Words: []quern.Word{
			{Text: "Tonnage", State: quern.WordUnknown}, {Text: "orders", State: quern.WordMatched}, {Text: "A12", State: quern.WordUnknown}}}}
		for range 3 {
			must(t, h.Missed(t.Context(), missed))
		}
		items, err := h.Inbox(t.Context(), h.ada, in)
		must(t, err)
		if len(items) != 1 || items[0].Word != "tonnage" || items[0].Times != 3 {
			t.Fatalf("Inbox() = %+v, want tonnage three times", items)
		}
		must(t, h.Dismiss(t.Context(), h.ada, in, items[0].ID))
		must(t, h.Missed(t.Context(), missed))
		if items, err = h.Inbox(t.Context(), h.ada, in); err != nil || len(items) != 0 {
			t.Errorf("Inbox() after it was dismissed = %+v %v, want nothing", items, err)
		}
		if err := h.Dismiss(t.Context(), h.ada, in, "none"); !quern.Is(err, quern.NotFound) {
			t.Errorf("Dismiss() of nothing = %v, want NotFound", err)
		}
		if _, err := h.Inbox(t.Context(), h.bob, in); !quern.Is(err, quern.NotFound) {
			t.Errorf("Inbox() by a stranger = %v, want NotFound", err)
		}
	})
}

func TestWhoVouchesIsNoChange(t *testing.T) {
	t.Parallel()
	read := knowledge.Document{Verified: []knowledge.Verified{{Name: "longest", Questions: []string{"longest?"}, Query: "SELECT 1", By: "ada"}}}
	file := knowledge.Document{Verified: []knowledge.Verified{{Name: "longest", Questions: []string{"longest?"}, Query: "SELECT 1"}}}
	if changes := knowledge.Diff(&read, &file); len(changes) != 0 {
		t.Errorf("Diff(saved, the file that was imported) = %v, want no change", changes)
	}
	file.Verified[0].Query = "SELECT 2"
	if changes := knowledge.Diff(&read, &file); len(changes) != 1 {
		t.Errorf("Diff(saved, another query) = %v, want one change", changes)
	}
}

// TestChoicesThatWereTakenAreCounted counts what askers chose when they were asked back,
// as a word and a column and nothing else of the question.
func TestChoicesThatWereTakenAreCounted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHouse(t, s)
		sum := func(column string) quern.Choice {
			return quern.Choice{Label: column, Query: `SELECT sum("orders"."` + column + `") FROM "ada/shop/orders" AS "orders" WHERE "orders"."status" = 'X'`}
		}
		asked := func(words ...quern.Word) quern.Run {
			return quern.Run{Actor: h.bob.User.ID, In: in, Task: quern.Task{Question: "total Value of Eve's orders"}, Result: &quern.Result{
				Words: words, Clarification: &quern.Clarification{Choices: []quern.Choice{sum("qty"), sum("price")}}}}
		}
		orders, value := quern.Word{Text: "orders", State: quern.WordMatched}, quern.Word{Text: "Value", State: quern.WordGuessed}
		unclear := quern.Word{Text: "Value", State: quern.WordMatched, Instead: []quern.Meaning{{Means: "price"}}}
		must(t, h.Chosen(t.Context(), asked(orders, value), sum("price")))
		must(t, h.Chosen(t.Context(), asked(orders, unclear), sum("price")))
		must(t, h.Chosen(t.Context(), asked(orders, value), sum("qty")))
		for name, r := range map[string]quern.Run{
			"two words that were unclear": asked(value, quern.Word{Text: "Eve", State: quern.WordGuessed}), "none": asked(orders),
			"one that may be a name": asked(quern.Word{Text: "R2", State: quern.WordGuessed}), "no question back": {Actor: h.bob.User.ID, In: in},
		} {
			if err := h.Chosen(t.Context(), r, sum("price")); err != nil {
				t.Errorf("Chosen() with %s = %v, want nothing counted", name, err)
			}
		}
		must(t, h.Chosen(t.Context(), asked(value), quern.Choice{Query: "no query"}))
		taught := quern.Word{Text: "void", State: quern.WordGuessed, Instead: []quern.Meaning{{Means: "orders.status = X", Question: "status X orders"}, {Means: "orders", Question: "orders"}}}
		must(t, h.Chosen(t.Context(), asked(taught), quern.Choice{Question: "status X orders"}))
		items, err := h.Inbox(t.Context(), h.ada, in)
		must(t, err)
		var got []string
		for _, i := range items {
			got = append(got, fmt.Sprint(i.Word, " ", i.Meaning, " ", i.Times))
			if w := i.Proposal.Words; i.Kind != knowledge.ItemChoice || i.Action != knowledge.AddWord || len(w) != 1 || (w[0].Value != nil) != (i.Word == "void") {
				t.Errorf("an item = %+v, want a choice with its word proposed", i)
			}
		}
		slices.Sort(got[1:])
		const want = "value orders.price 2; value orders.qty 1; void orders.status = X 1"
		if all := strings.Join(got, "; "); all != want {
			t.Fatalf("Inbox() = %s\nwant %s", all, want)
		}
		now, err := h.Write(t.Context(), h.ada, in, knowledge.Change{Merge: &items[0].Proposal})
		must(t, err)
		if len(now.Words) != 1 || len(now.Problems) != 0 {
			t.Errorf("teaching what was proposed = %+v, want the word", now)
		}
	})
}
