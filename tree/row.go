package tree

import (
	"slices"
	"strings"

	"quern"
)

// WithRow returns a query's SQL, as SQL writes it, changed so that the result also
// has quern.RowColumn, in which each row tells the number of the row that it is. The engine
// must give that column to whoever names it. It fails when the rows of the result
// are not each one row of the one dataset that the query lists, or when the text
// is not one of the query.
func WithRow(q *Query, sql string) (string, bool) {
	if !listsRows(q) {
		return "", false
	}
	p := &printer{strict: true, top: q, searches: searchesOf(q)}
	p.selectItems(q.Select)
	rest, same := strings.CutPrefix(sql, p.String()+" FROM ")
	if !same || p.err != nil {
		return "", false
	}
	p.write(", ")
	p.expr(Column{q.Select.From[0].Ref(), quern.RowColumn})
	return p.String() + " FROM " + rest, true
}

// ListsRow reports whether a query that somebody wrote lists the rows of one
// dataset, each with its number from quern.RowColumn under that name.
func ListsRow(q *Query) bool {
	if !listsRows(q) {
		return false
	}
	named := false
	for _, i := range q.Select.Items {
		if SameName(i.Alias, quern.RowColumn) {
			return false
		}
		column, ok := i.Expr.(Column)
		named = named || ok && i.Alias == "" && SameName(column.Name, quern.RowColumn)
	}
	return named
}

// listsRows reports whether each row of a query is one row of one dataset.
func listsRows(q *Query) bool {
	if q.Select == nil || len(q.Select.From) != 1 {
		return false
	}
	if !ungrouped(q.Select) {
		return false
	}
	return !slices.ContainsFunc(q.Order, func(o Order) bool { return aggregates(o.Expr) })
}

// ungrouped reports whether rows of a select are rows of its datasets, or of
// their join.
func ungrouped(s *Select) bool {
	if s.Distinct || len(s.Group) > 0 || s.Having != nil {
		return false
	}
	return !slices.ContainsFunc(s.Items, func(i Item) bool { return aggregates(i.Expr) })
}
