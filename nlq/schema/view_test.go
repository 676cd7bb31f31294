package schema_test

import (
	"strings"
	"testing"
	"time"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// harbour is ships and their arrivals, as a view.
func harbour() schema.View {
	path := func(name string) quern.DatasetPath {
		return quern.DatasetPath{Owner: "ada", Namespace: "port", Dataset: name}
	}
	column := func(table int, name string, t quern.Type, distinct int64) schema.Column {
		return schema.Column{Table: table, Name: name, Words: strings.Split(name, "_"), Type: t, Rows: 4, Distinct: distinct}
	}
	s := &schema.Schema{
		Tables: []schema.Table{
			{Path: path("ships"), Words: []string{"ships"}, Rows: 4, Len: 2},
			{Path: path("arrivals"), Words: []string{"harbour", "arrivals"}, Rows: 9, First: 2, Len: 4},
		},
		Columns: []schema.Column{
			column(0, "ship", quern.Text, 4), column(0, "flag", quern.Text, 2),
			column(1, "ship", quern.Text, 4), column(1, "arrived", quern.Timestamp, 4), column(1, "departed_on", quern.Date, 4), column(1, "fee", quern.Double, 3),
		},
		Links: []schema.Link{{From: 2, To: 0, Score: 1}},
	}
	s.Columns[2].Rows = 9
	return schema.View{Schema: s, In: quern.NamespacePath{Owner: "ada", Namespace: "port"}}
}

func source(name string) tree.Source {
	return tree.Source{Dataset: quern.DatasetPath{Owner: "ada", Namespace: "port", Dataset: name}}
}

func TestViewFindsTablesAndColumns(t *testing.T) {
	t.Parallel()
	v := harbour()
	from := []tree.Source{source("arrivals"), source("ships")}
	if table, ok := v.TableOf(tree.Source{Dataset: quern.DatasetPath{Dataset: "Arrivals"}}); !ok || table != 1 {
		t.Errorf("TableOf(Arrivals) = %d, %v, want arrivals by its name alone", table, ok)
	}
	if _, ok := v.TableOf(source("cargo")); ok || v.ColumnsOf(source("cargo")) != nil {
		t.Error("the view has a table that is not there")
	}
	if i, ok := v.ColumnOf(from, tree.Column{Source: "arrivals", Name: "fee"}); !ok || i != 5 {
		t.Errorf("ColumnOf(arrivals.fee) = %d, %v, want 5", i, ok)
	}
	if _, ok := v.ColumnOf(from, tree.Column{Source: "ships", Name: "fee"}); ok {
		t.Error("ships have a fee")
	}
	if !v.IsKey(from, tree.Column{Source: "ships", Name: "ship"}) || v.IsKey(from, tree.Column{Source: "arrivals", Name: "ship"}) {
		t.Error("IsKey of the ship: want it of ships and not of arrivals")
	}
	if !v.HasNull(3) || v.HasNull(2) || v.HasNull(0) {
		t.Error("HasNull: want it of the time of arrival alone")
	}
	if !v.ColumnNamed("departed") || v.ColumnNamed("departure") {
		t.Error("ColumnNamed: want departed and not departure")
	}
}

func TestViewFindsMentions(t *testing.T) {
	t.Parallel()
	v := harbour()
	for text, want := range map[string]int{"How many arrivals?": 9, "the arrival of ships": 4, "the harbour": -1} {
		if got := v.Mention(text, 1); got != want {
			t.Errorf("Mention(%q, arrivals) = %d, want %d", text, got, want)
		}
	}
	if !v.MentionsTable("Which ship?") || v.MentionsTable("Which flag?") {
		t.Error("MentionsTable: want it of a ship and not of a flag")
	}
}

func TestViewFindsPlacesAndLinks(t *testing.T) {
	t.Parallel()
	v := harbour()
	q, err := tree.Parse(`select * from ships where ship in (select ship from arrivals where fee > 5)`)
	must(t, err)
	places := v.Places(q.Select)
	if len(places) != 2 || places[0].Table != 0 || places[0].Nested != nil || places[1].Table != 1 || places[1].Nested == nil {
		t.Errorf("Places = %+v, want ships, and arrivals in a nested query", places)
	}
	flag, err := tree.Parse(`select * from ships where ships.flag = 'Malta'`)
	must(t, err)
	c, ok := v.LinkedTo(source("arrivals"), flag)
	if in, isIn := c.(tree.In); !ok || !isIn || in.Query == nil {
		t.Errorf("LinkedTo(arrivals, ships of a flag) = %+v, %v, want a list of ships", c, ok)
	}
	v.Links = nil
	if c, ok := v.LinkedTo(source("arrivals"), flag); ok {
		t.Errorf("LinkedTo without links = %+v, want none", c)
	}
}

func TestTimesOfASource(t *testing.T) {
	t.Parallel()
	v := harbour()
	times := v.TimesOf(source("arrivals"))
	if len(times) != 2 || times[0].Name != "arrived" || times[0].Source != "arrivals" || len(v.TimesOf(source("ships"))) != 0 {
		t.Fatalf("TimesOf(arrivals) = %+v, want arrived and departed_on", times)
	}
	if named := schema.NamedTimes(times, []string{"harbour", "arrivals"}); len(named) != 1 || named[0].Name != "arrived" {
		t.Errorf("NamedTimes(arrivals) = %+v, want arrived", named)
	}
	if named := schema.NamedTimes(times, []string{"on", "date"}); len(named) != 0 {
		t.Errorf("NamedTimes(on) = %+v, want none: the word says nothing", named)
	}
	start, end := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC)
	if c, ok := times[0].Within(lex.Period{From: start, Until: end}).(tree.Period); !ok || c.From.Text != "2025-06-01T00:00:00Z" {
		t.Errorf("Within of an instant = %+v", c)
	}
	if c, ok := times[1].Within(lex.Period{From: start}).(tree.Compare); !ok || c.Op != tree.GreaterEq || c.Right.(tree.Literal).Text != "2025-06-01" {
		t.Errorf("Within of an open period = %+v, want a lower bound", c)
	}
	if c, ok := times[1].Within(lex.Period{Until: end}).(tree.Compare); !ok || c.Op != tree.Less {
		t.Errorf("Within of a period without a start = %+v, want an upper bound", c)
	}
}

func TestRelatedWords(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{{"arrived", "arrival"}: true, {"paid", "paid"}: true, {"in", "invoice"}: false, {"open", "paid"}: false} {
		if got := schema.Related(pair[0], pair[1]); got != want {
			t.Errorf("Related(%s, %s) = %v, want %v", pair[0], pair[1], got, want)
		}
	}
}
