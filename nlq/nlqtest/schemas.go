package nlqtest

import (
	"testing"
	"time"

	"quern/housetest"
	"quern/knowledge"
	"quern/nlq/model"
	"quern/nlq/schema"
	"quern/nlq/vector"
)

// Schemas returns what askers see of the namespaces of a house, and the words that
// the translators know.
func Schemas(t testing.TB, h *housetest.House) (*schema.Service, *vector.Table) {
	t.Helper()
	words, err := model.Vectors()
	housetest.Must(t, err)
	shipped, err := model.Shipped()
	housetest.Must(t, err)
	o := schema.Options{
		Catalog: h.Catalog, Links: h.Links, Files: h.Objects, Engine: h.Engine, Known: words.Known, Store: h.Options.Store,
		Now: h.Options.Now, Log: h.Options.Log, Wait: time.Minute,
		Knowledge: knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: h.Options.Now}),
	}
	if shipped.Encoder != nil {
		o.Encoder = shipped.Encoder
	}
	all := schema.New(o)
	t.Cleanup(func() { housetest.Must(t, all.Close()) })
	return all, words
}
