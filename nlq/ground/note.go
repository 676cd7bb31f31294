package ground

import (
	"cmp"

	"quern/nlq"
	"quern/tree"
)

// NoteCondition adds to an answer what is to be told of its conditions, the last of it: tell says
// nothing of most.
func NoteCondition(t *nlq.Translation, tell func(from []tree.Source, c tree.Cond) string) {
	if t.Query == nil {
		return
	}
	var note string
	tree.EachQuery(t.Query, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			note = cmp.Or(tell(q.Select.From, c), note)
		}
	})
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
}
