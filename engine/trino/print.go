package trino

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"quern"
	"quern/engine"
	"quern/tree"
)

// statement is a query in Trino's dialect.
type statement struct {
	sql      string
	columns  []quern.Column    // of the result
	datasets []quern.DatasetID // that it reads, first named first
}

// tablesSchema is where the warehouse by-id has its tables.
const tablesSchema = "tables"

// write writes a query in Trino's dialect: its tree, or that of its SQL. It fails with engine.Unmapped for what has no
// equal there, and as resolve does.
func write(ctx context.Context, catalog string, q engine.Query) (statement, error) {
	p := &printer{ctx: ctx, catalog: catalog, resolve: q.Resolve, labelled: q.Tree != nil, tables: map[tree.Name]engine.Table{}}
	read := q.Tree
	if read == nil {
		var err error
		if read, err = tree.Parse(q.SQL); err != nil {
			return statement{}, &engine.Unmapped{What: err.Error()}
		}
	}
	sql, columns := p.query(read, nil, shown)
	if p.err != nil {
		return statement{}, p.err
	}
	labels := make([]string, len(columns))
	for i, c := range columns {
		labels[i] = c.Name
	}
	for i, label := range engine.UniqueNames(labels) {
		columns[i].Name = label
	}
	return statement{sql, columns, p.datasets}, nil
}

// printer writes one query. The first failure stays.
type printer struct {
	ctx      context.Context //nolint:containedctx // a printer lives no longer than the call that made it
	catalog  string
	labelled bool // values without a name have that of ResultNames
	resolve  func(context.Context, engine.Ref) (engine.Table, error)
	tables   map[tree.Name]engine.Table
	datasets []quern.DatasetID
	err      error
}

// unmapped notes what has no equal in Trino.
func (p *printer) unmapped(format string, args ...any) {
	p.fail(&engine.Unmapped{What: fmt.Sprintf(format, args...)})
}

func (p *printer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// use is what the rows of a query are for, which decides what they may hold.
type use uint8

const (
	shown    use = iota // as the result: names count, and JSON may be among them
	united              // as a part of the result: names count
	compared            // with other rows or values
	counted             // whether there is one
)

// scope is what names mean in a select.
type scope struct {
	sources []source
	items   []tree.Item
	outer   *scope
}

type source struct {
	ref   string
	table engine.Table
}

func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
func quoteText(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }

// query writes a query and describes its columns.
func (p *printer) query(q *tree.Query, outer *scope, rows use) (string, []quern.Column) {
	var text string
	var columns []quern.Column
	var sc *scope
	if q.Set != nil {
		text, columns = p.set(q, outer, rows)
	} else {
		text, columns, sc = p.selectStatement(q, outer, rows)
	}
	keys := make([]string, len(q.Order))
	for i, o := range q.Order {
		keys[i] = p.order(o, sc, columns)
	}
	if len(keys) > 0 {
		text += " ORDER BY " + strings.Join(keys, ", ")
	}
	if q.Limit != nil {
		if len(keys) == 0 {
			p.unmapped("a limit without an order: which rows it leaves is each engine's choice")
		}
		text += " LIMIT " + strconv.FormatInt(*q.Limit, 10)
	}
	return text, columns
}

// set writes two queries as one.
func (p *printer) set(q *tree.Query, outer *scope, rows use) (string, []quern.Column) {
	if rows == shown {
		rows = united
	}
	left, columns := p.query(q.Set.Left, outer, rows)
	right, others := p.query(q.Set.Right, outer, compared)
	if len(columns) != len(others) {
		p.unmapped("%s of different numbers of columns", q.Set.Op)
		return "", nil
	}
	for i := range columns {
		typ, ok := common(value{typ: columns[i].Type}, value{typ: others[i].Type})
		if !ok {
			p.unmapped("%s of %s and %s", q.Set.Op, columns[i].Type, others[i].Type)
		}
		columns[i].Type = typ
	}
	op := " " + string(q.Set.Op) + " "
	if q.Set.All {
		op += "ALL "
	}
	return "(" + left + ")" + op + "(" + right + ")", columns
}

// order writes a key of an order; sc is nil where rows are those of a set.
func (p *printer) order(o tree.Order, sc *scope, columns []quern.Column) string {
	text := ""
	switch c, named := o.Expr.(tree.Column); {
	case named && c.Source == "" && isLabel(c.Name, sc, columns):
		text = quoteName(c.Name)
	case sc == nil:
		p.unmapped("an order of a union, intersection or difference by what is not one of its columns")
	default:
		text = p.compared(o.Expr, sc).sql
	}
	if o.Desc {
		text += " DESC"
	}
	if o.Nulls == tree.NullsFirst {
		return text + " NULLS FIRST"
	}
	return text + " NULLS LAST"
}

// isLabel reports whether an order means a column of the result by a name.
func isLabel(name string, sc *scope, columns []quern.Column) bool {
	if sc != nil {
		for _, item := range sc.items {
			if item.Alias != "" && tree.SameName(item.Alias, name) {
				return true
			}
		}
		return false
	}
	for _, c := range columns {
		if tree.SameName(c.Name, name) {
			return true
		}
	}
	return false
}

func (p *printer) selectStatement(q *tree.Query, outer *scope, rows use) (string, []quern.Column, *scope) {
	s := q.Select
	sc := &scope{items: s.Items, outer: outer}
	from := ""
	for i, one := range s.From {
		from += p.source(i, one, sc)
	}
	items, columns := p.items(q, sc, rows)
	text := "SELECT "
	if s.Distinct {
		text += "DISTINCT "
	}
	text += strings.Join(items, ", ") + " FROM " + from
	if s.Where != nil {
		text += " WHERE " + p.cond(s.Where, sc)
	}
	groups := make([]string, len(s.Group))
	for i, g := range s.Group {
		groups[i] = p.compared(g, sc).sql
	}
	if len(groups) > 0 {
		text += " GROUP BY " + strings.Join(groups, ", ")
	}
	if s.Having != nil {
		text += " HAVING " + p.cond(s.Having, sc)
	}
	return text, columns, sc
}

// items writes what a select gives.
func (p *printer) items(q *tree.Query, sc *scope, rows use) (items []string, columns []quern.Column) {
	labels := make([]string, len(q.Select.Items))
	if p.labelled {
		labels = tree.ResultNames(q)
	}
	if rows == shown && q.Select.Distinct {
		rows = united
	}
	add := func(v value, label string) {
		if v.typ == quern.JSON && (rows == compared || rows == united) {
			p.unmapped("JSON in a set of distinct or compared rows")
		}
		items = append(items, v.sql+" AS "+quoteName(label))
		columns = append(columns, quern.Column{Name: label, Type: v.typ})
	}
	for i, item := range q.Select.Items {
		switch e := item.Expr.(type) {
		case tree.Star:
			p.star(e, sc, add)
		case tree.Column:
			v, name := p.column(e, sc)
			add(v, firstOf(item.Alias, labels[i], name))
		default:
			label := firstOf(item.Alias, labels[i], fmt.Sprintf("column_%d", i+1))
			if !p.labelled && item.Alias == "" && (rows == shown || rows == united) {
				p.unmapped("a value without a name, which each engine names in its way: name it with AS")
			}
			add(p.value(e, sc), label)
		}
	}
	return items, columns
}

func firstOf(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// star writes every column of one source, or of all.
func (p *printer) star(e tree.Star, sc *scope, add func(value, string)) {
	found := false
	for _, s := range sc.sources {
		if e.Source != "" && !tree.SameName(e.Source, s.ref) {
			continue
		}
		found = true
		for _, c := range s.table.Columns {
			p.requireStored(c.Name)
			add(value{sql: quoteName(s.ref) + "." + quoteName(c.Name), typ: c.Type}, c.Name)
		}
	}
	if !found {
		p.unmapped("a source %q that the query does not name", e.Source)
	}
}

// requireStored refuses columns that tables do not have for other engines.
func (p *printer) requireStored(name string) {
	if quern.IsInternal(name) {
		p.unmapped("the column %s, which tables do not have for other engines", name)
	}
}

// source writes a dataset of a select with how it is joined.
func (p *printer) source(i int, s tree.Source, sc *scope) string {
	t := p.table(s.Dataset)
	sc.sources = append(sc.sources, source{s.Ref(), t})
	text := p.tableSQL(t) + " AS " + quoteName(s.Ref())
	switch {
	case i == 0:
		return text
	case len(s.On) == 0:
		return " CROSS JOIN " + text
	case s.Outer:
		text = " LEFT JOIN " + text
	default:
		text = " JOIN " + text
	}
	pairs := make([]string, len(s.On))
	for j, on := range s.On {
		pairs[j] = p.compared(on.Left, sc).sql + " = " + p.compared(on.Right, sc).sql
	}
	return text + " ON " + strings.Join(pairs, " AND ")
}

// table returns the table that a name means.
func (p *printer) table(name tree.Name) engine.Table {
	if t, ok := p.tables[name]; ok || p.err != nil {
		return t
	}
	t, err := p.resolve(p.ctx, engine.Ref(name))
	if err != nil {
		p.fail(err)
		return t
	}
	if len(t.Columns) == 0 {
		p.unmapped("a dataset without columns")
	}
	if len(t.Labels) > 0 || t.RowIDs {
		p.unmapped("columns that tell where rows came from")
	}
	p.tables[name] = t
	if t.Version > 0 {
		p.datasets = append(p.datasets, t.Dataset)
	}
	return t
}

// tableSQL writes a table at its version. One without rows has none to be read at.
func (p *printer) tableSQL(t engine.Table) string {
	if t.Version > 0 {
		return fmt.Sprintf("%s.%s.%s FOR VERSION AS OF BIGINT '%d'",
			quoteName(p.catalog), quoteName(tablesSchema), quoteName(string(t.Dataset)), t.Version)
	}
	nulls := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		nulls[i] = fmt.Sprintf("CAST(NULL AS %s) AS %s", typeName(c.Type), quoteName(c.Name))
	}
	return "(SELECT " + strings.Join(nulls, ", ") + " WHERE false)"
}
