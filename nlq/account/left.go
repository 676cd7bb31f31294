package account

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/schema"
)

// leftValue reports whether a token is all of a value of a column of kinds, in any form,
// and says of which. The query does not hold it to that, and a likeness to something else
// makes up for it as little: tankers are no arrivals.
func (t Text) leftValue(u *uses, w *Word) bool {
	if w.First > 0 && t.lower(w.First-1) == "how" {
		return false // how long is no long hair
	}
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
		if value, whole := c.Values.Alike(key); whole && !english.IsDoing(value, t.lower(w.First)) {
			w.Means = "a value of " + t.columnName(id)
			w.Slight = u.grouped && !u.limited && u.columns[id] && len(u.tested[id]) == 0
			return true
		}
	}
	return false
}

// isDoing reports whether a token is a verb, and the value of a column that it is like says what is going on.
func (t Text) isDoing(token, column int) bool {
	c := t.View.Columns[column]
	if c.Values == nil {
		return false
	}
	value, whole := c.Values.Alike(schema.KeyOf(t.lower(token)))
	return whole && english.IsDoing(value, t.lower(token))
}

// left reports whether a token names something that is not used, and says what.
func (t Text) left(u *uses, w *Word) bool {
	best := uint8(0)
	for id, relation := range t.Features.Tables[w.First] {
		if relation > best && relation < feature.TableSimilar {
			best, w.Means, w.Slight = relation, t.tableName(id), t.refersTo(u, id)
		}
	}
	for id, relation := range t.Features.Columns[w.First] {
		if name := nameRelation(relation); name > best {
			c := t.View.Columns[id]
			best, w.Means, w.Slight = name, t.columnName(id), name < feature.NameExact || u.tables[c.Table] && c.Key()
		}
		if best == 0 && relation == feature.ValueExact && !t.isDoing(w.First, id) {
			best, w.Means = 1, "a value of "+t.columnName(id)
		}
	}
	return best > 0
}

// refersTo reports whether a column that is used says which row of a dataset is meant, so that
// the dataset itself need not be read.
func (t Text) refersTo(u *uses, table int) bool {
	return slices.ContainsFunc(t.View.Links, func(l schema.Link) bool {
		return u.columns[l.From] && t.View.Columns[l.To].Table == table
	})
}

// namesUnused reports whether a token is what a dataset is called that is not read, nor told by what is,
// and says which: an exam is no lesson, however near.
func (t Text) namesUnused(u *uses, w *Word) bool {
	for id, relation := range t.Features.Tables[w.First] {
		if relation == feature.TableExact && !u.tables[id] && !t.refersTo(u, id) {
			w.Means = t.tableName(id)
			return true
		}
	}
	return false
}
