package account

import (
	"quern"
	"quern/nlq/feature"
	"quern/nlq/schema"
)

// leftValue reports whether a token is all of a value of a column of kinds, in any form,
// and says of which. The query does not hold it to that, and a likeness to something else
// makes up for it as little: tankers are no arrivals.
func (t Text) leftValue(w *Word) bool {
	switch t.Features.Kinds[w.First] {
	case feature.Plain, feature.Capitalised, feature.Quoted:
	default:
		return false
	}
	key := schema.KeyOf(t.lower(w.First))
	for id, relation := range t.Features.Columns[w.First] {
		c := t.View.Columns[id]
		if relation >= feature.ColumnSimilar || relation%feature.ValueRelations != feature.ValueExact || c.Type != quern.Text || !c.Category() {
			continue
		}
		if _, whole := c.Values.Alike(key); whole {
			w.Means = "a value of " + t.columnName(id)
			return true
		}
	}
	return false
}

// left reports whether a token names something that is not used, and says what.
func (t Text) left(w *Word) bool {
	best := uint8(0)
	for id, relation := range t.Features.Tables[w.First] {
		if relation > best && relation < feature.TableSimilar {
			best, w.Means = relation, t.tableName(id)
		}
	}
	for id, relation := range t.Features.Columns[w.First] {
		if name := nameRelation(relation); name > best {
			best, w.Means = name, t.columnName(id)
		}
		if best == 0 && relation == feature.ValueExact {
			best, w.Means = 1, "a value of "+t.columnName(id)
		}
	}
	return best > 0
}
