package query

import (
	"slices"
	"strings"

	"quern"
	"quern/engine"
	"quern/tree"
)

// listing is what is known of a query whose rows may be rows of one dataset.
type listing struct {
	request Request
	sql     string      // that runs
	from    *tree.Query // nil: rows do not know which they are
	named   bool        // datasets have the column of row ids
	hidden  bool        // that column was added, and is not one of the result's
}

// newListing finds out whether the rows of a request can know which they are:
// those of a tree that lists a dataset, and of SQL that names the column.
func newListing(r Request) listing {
	l := listing{request: r, sql: r.SQL, named: strings.Contains(strings.ToLower(r.SQL), quern.RowColumn)}
	if r.Tree != nil {
		if sql, ok := tree.WithRow(r.Tree, r.SQL); ok {
			l.sql, l.from, l.named, l.hidden = sql, r.Tree, true, true
		}
		return l
	}
	if !l.named {
		return l
	}
	if q, err := tree.Parse(r.SQL); err == nil && tree.ListsRow(q) {
		l.from = q
	}
	return l
}

// rows returns the rows of the query, which know their ids where it lists a
// dataset.
func (l listing) rows(held *heldRows, in quern.Namespace) engine.Rows {
	if l.from == nil {
		return held
	}
	dataset, _ := held.open.find(resolve(engine.Ref(l.from.Select.From[0].Dataset), in))
	return newListedRows(held, dataset, l.hidden)
}

// newListedRows makes rows know which they are by their column of row ids, which is
// none of the result's when it is hidden.
func newListedRows(held *heldRows, dataset quern.DatasetID, hidden bool) engine.Rows {
	at := slices.IndexFunc(held.Columns(), func(c quern.Column) bool { return tree.SameName(c.Name, quern.RowColumn) })
	if at < 0 {
		return held
	}
	rows := &listedRows{heldRows: held, dataset: dataset, at: at, hidden: hidden, columns: held.Columns()}
	if hidden {
		rows.columns = slices.Delete(slices.Clone(rows.columns), at, at+1)
	}
	return rows
}

// listedRows are rows of one dataset that know which they are.
type listedRows struct {
	*heldRows
	dataset quern.DatasetID // empty: it is not known
	at      int             // the column of row ids
	hidden  bool            // that column is none of the result's
	columns []quern.Column
	row     []any
}

// Columns describes the result.
func (r *listedRows) Columns() []quern.Column { return r.columns }

// Row is the current row.
func (r *listedRows) Row() []any {
	row := r.heldRows.Row()
	if !r.hidden {
		return row
	}
	r.row = append(append(r.row[:0], row[:r.at]...), row[r.at+1:]...)
	return r.row
}

// rowID returns the id of the current row in the dataset.
func (r *listedRows) rowID() (int64, bool) {
	id, ok := r.heldRows.Row()[r.at].(int64)
	return id, ok
}
