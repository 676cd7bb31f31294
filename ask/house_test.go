package ask_test

import (
	"strconv"
	"strings"
	"testing"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/nlq/nlqtest"
)

// house is everything the agents stand on, all of it real but for the
// translator, which knows its questions by heart.
type house struct {
	*housetest.House
	t       *testing.T
	ada     quern.Principal
	querier *ask.Querier
	script  *nlqtest.Script
	model   ask.Model
}

func newHouse(t *testing.T, rows int) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t}
	h.ada = h.User("ada")
	h.script = nlqtest.NewScript(h.Catalog)
	h.querier = ask.NewQuerier(ask.QuerierOptions{Query: h.Query, Rows: rows})
	var err error
	h.model, err = asktest.Only(h.script, ask.EmbeddedPlanner(h.Catalog)).Model("", "")
	must(t, err)
	return h
}

var must = housetest.Must

// dataset makes a dataset of ada's in the namespace shop from a JSON array of rows.
func (h *house) dataset(name, rows string) { h.t.Helper(); h.Dataset(h.ada, "shop/"+name, rows) }

// work is a run of ada's about to begin.
func (h *house) work(question string) ask.Work {
	return ask.Work{Principal: h.ada, Model: h.model, In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Task: quern.Task{Question: question}}
}

func (h *house) run(a ask.Agent, w ask.Work) (ask.Work, quern.Result) {
	h.t.Helper()
	return asktest.Run(h.t, a, w)
}

func pathOf(dataset string) quern.DatasetPath { return housetest.Path("ada", "shop/"+dataset) }

func itoa(n int) string { return strconv.Itoa(n) }

// wide is the members of a row with n columns.
func wide(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = `"c` + itoa(i+1) + `":` + itoa(1000*i)
	}
	return strings.Join(members, ",")
}
