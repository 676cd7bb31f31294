package embedded

import (
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// Fill takes places among the questions in work until release is called.
func (t *Translator) Fill(n int) (release func()) {
	for range n {
		t.slots <- struct{}{}
	}
	return func() {
		for range n {
			<-t.slots
		}
	}
}

// NewSignRanker reads what the ranking by signs has learned.
func NewSignRanker(learned []byte) (Ranker, error) { return loadRanker(learned) }

// Likelier returns how many readings of a view, all as likely, are run.
func Likelier(whole schema.View, readings []*tree.Query) int {
	r := &reader{Asked: &ground.Asked{Whole: whole}}
	var all []*candidate
	for _, q := range readings {
		all = append(all, &candidate{query: q})
	}
	return len(r.likelier(all))
}
