package embedded_test

import (
	"errors"
	"testing"

	"quern"
	"quern/engine"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/nlqtest"
	"quern/nlq/schema"
	"quern/query"
	"quern/tree"
)

// A question about data that no engine has room for fails: that nothing was found would not be true.
func TestDataWithoutRoomAreToldSo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	h.House.Query = query.New(query.Options{Catalog: h.Catalog, Files: h.Files, Engine: h.Engine, Links: h.Links, Temp: h.Temp, MaxRows: 100,
		Cluster: query.Cluster{Engine: h.Engine, Route: query.Embedded, Room: 1}})
	made, err := h.NewTranslator().Translate(t.Context(), h.Ada, nlq.Question{In: nlqtest.In, Text: "How many orders are there?"})
	if _, unmapped := errors.AsType[*engine.Unmapped](err); !unmapped || !quern.Is(err, quern.Invalid) {
		t.Errorf("Translate = %+v, %v, want that the data are too large", made, err)
	}
}

// Of readings that take long fewer are run, whichever of their tables is the long one.
func TestLongReadingsAreFew(t *testing.T) {
	t.Parallel()
	view := schema.View{In: nlqtest.In, Schema: &schema.Schema{Tables: []schema.Table{
		{Path: nlqtest.At("events"), Rows: 10_000_000}, {Path: nlqtest.At("shops"), Rows: 1000},
	}}}
	const (
		long   = `SELECT count(*) AS "n" FROM "ada/trade/events" AS "events"`
		inside = `SELECT "shops"."name" FROM "ada/trade/shops" AS "shops" WHERE "shops"."id" IN (SELECT "events"."shop" FROM "ada/trade/events" AS "events")`
		short  = `SELECT count(*) AS "n" FROM "ada/trade/shops" AS "shops"`
	)
	for _, c := range []struct {
		readings []string
		want     int
	}{
		{[]string{short, short, short, short, short, short}, 5},
		{[]string{long, long, long, long, long}, 3},
		{[]string{inside, short, inside, long, inside}, 4},
		{[]string{long, short}, 2},
	} {
		var all []*tree.Query
		for _, sql := range c.readings {
			all = append(all, parsed(t, sql).Query)
		}
		if got := embedded.Likelier(view, all); got != c.want {
			t.Errorf("of %q are run %d, want %d", c.readings, got, c.want)
		}
	}
}
