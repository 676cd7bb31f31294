package embedded

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq"
	"quern/nlq/schema"
	"quern/tree"
)

// isRowless reports whether no dataset that the asker sees has rows yet.
func isRowless(s *schema.Schema) bool {
	return !slices.ContainsFunc(s.Tables, func(t schema.Table) bool { return t.Rows > 0 })
}

// hasColumns reports whether a dataset that the asker sees has columns, and can be asked about.
func hasColumns(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Tables, func(t schema.Table) bool { return t.Len > 0 })
}

// nothingThere says that there is nothing to ask about yet.
func nothingThere(s *schema.Schema) quern.Clarification {
	if len(s.Tables) == 0 {
		return quern.Clarification{Question: "There are no datasets here yet. Upload a file or ingest rows first; then ask again."}
	}
	return quern.Clarification{Question: lackRows(names(s), len(s.Tables)) + " Ingest some first; then ask again."}
}

// lackRows says that so many datasets have no rows yet.
func lackRows(names string, number int) string {
	has := " have"
	if number == 1 {
		has = " has"
	}
	return english.Capitalize(names) + has + " no rows yet."
}

// noteRowless says which datasets that an answer reads have no rows yet: that it finds
// nothing is no news then. Where none has, what cannot be read waits for rows.
func (r *reader) noteRowless(t *nlq.Translation) {
	if t.Query == nil {
		if isRowless(r.Whole.Schema) {
			*t = ask(nothingThere(r.Whole.Schema))
		}
		return
	}
	var lacking []string
	tree.EachQuery(t.Query, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		for _, s := range q.Select.From {
			table, ok := r.Whole.TableOf(s)
			if !ok || r.Whole.Tables[table].Rows > 0 {
				continue
			}
			if name := r.Whole.Tables[table].Path.Dataset; !slices.Contains(lacking, name) {
				lacking = append(lacking, name)
			}
		}
	})
	if len(lacking) > 0 {
		t.Notes = append(t.Notes, lackRows(english.List(lacking, "and"), len(lacking)))
	}
}
