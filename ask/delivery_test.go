package ask_test

import (
	"context"
	"fmt"
	"testing"

	"quern"
	"quern/ask"
	"quern/nlq"
	"quern/query"
	"quern/tree"
)

// judged reads every question as a query that cannot run, with its rows in hand.
type judged struct{ result *query.Result }

func (j judged) Translate(context.Context, quern.Principal, nlq.Question) (nlq.Translation, error) {
	q, err := tree.Parse(`SELECT "gone" FROM "ada/shop/nowhere" AS "nowhere"`)
	return nlq.Translation{Query: q, SQL: "SELECT gone FROM nowhere", Result: j.result, Confidence: 1, Score: 1}, err
}

// TestARunReadingIsNotRunAgain takes the rows that came with a reading.
func TestARunReadingIsNotRunAgain(t *testing.T) {
	t.Parallel()
	h := shop(t, 2)
	w := h.work("what is it?")
	found := &query.Result{Columns: []quern.Column{{Name: "n", Type: quern.Integer}}, Total: 3, Rows: [][]any{{int64(1)}, {int64(2)}, {int64(3)}}}
	w.Model.Translator, w.Rows = judged{found}, &ask.Delivery{}
	done, _ := h.run(ask.NewNL2QL(h.querier), w)
	step := done.Steps[0]
	if len(step.Data) != 2 || string(step.Data[1]) != `{"n":2,"__metadata":{"score":1.0}}` || step.TotalCount != 3 || !step.Truncated {
		t.Errorf("step = %s of %d rows, want the first two of three", step.Data, step.TotalCount)
	}
	if here := w.Rows.Result(); here == nil || len(here.Rows) != 3 || here.Total != 3 {
		t.Errorf("delivered = %+v, want all three rows", here)
	}
}

// TestRowsAreDeliveredBeyondThoseKept when somebody waits for them.
func TestRowsAreDeliveredBeyondThoseKept(t *testing.T) {
	t.Parallel()
	h := shop(t, 2)
	h.script.Knows("all products", "select name from products order by name")
	for _, wanted := range []bool{true, false} {
		w := h.work("all products")
		if wanted {
			w.Rows = &ask.Delivery{}
		}
		done, _ := h.run(ask.NewNL2QL(h.querier), w)
		step := done.Steps[0]
		if len(step.Data) != 2 || step.TotalCount != 6 {
			t.Errorf("step has %d of %d rows, want 2 of 6", len(step.Data), step.TotalCount)
		}
		if !wanted {
			continue
		}
		here := w.Rows.Result()
		if here == nil || len(here.Rows) != 6 || fmt.Sprint(here.Datasets) != "[{ada shop products}]" {
			t.Errorf("delivered = %+v, want six rows of products", here)
		}
	}
}
