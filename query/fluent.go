package query

import (
	"context"
	"errors"

	"quern"
	"quern/catalog"
	"quern/tree"
)

// Plan is a query as it will run.
type Plan struct {
	SQL  string
	Tree *tree.Query // that SQL was printed from; nil for SQL that stayed as it is
	// Start and Final are the datasets that a query in the fluent form starts
	// from and ends at; zero for SQL.
	Start, Final quern.DatasetPath
}

// Plan turns a query in the fluent form into SQL, along the links that the
// principal sees; SQL stays as it is. NotFound when the namespace is not one the
// principal sees; Invalid, with the place, when the fluent text is wrong.
func (s *Service) Plan(ctx context.Context, p quern.Principal, r Request) (Plan, error) {
	if !tree.IsFluent(r.SQL) {
		return Plan{SQL: r.SQL}, nil
	}
	n, err := s.catalog.Namespace(ctx, p, r.In)
	if err != nil {
		return Plan{}, err
	}
	q, err := tree.ParseFluent(r.SQL)
	if wrong, ok := errors.AsType[*tree.Error](err); ok {
		return Plan{}, wrong.Invalid()
	}
	v := &view{ctx: ctx, service: s, principal: p, named: NamedSourceColumns(r.SQL), tables: map[quern.DatasetPath]tree.Table{}}
	plan, err := v.plan(q, quern.NamespacePath{Owner: n.Owner, Namespace: n.Name})
	if v.err != nil {
		return Plan{}, v.err
	}
	if bad, ok := errors.AsType[*tree.Problem](err); ok {
		return Plan{}, bad.Invalid(r.SQL)
	}
	return plan, err
}

// view is what one principal sees while one query is planned.
type view struct {
	ctx       context.Context // a view lives no longer than the call that made it
	service   *Service
	principal quern.Principal
	named     []quern.Column // columns that the query names beside those of its datasets
	tables    map[quern.DatasetPath]tree.Table
	ids       []quern.DatasetID // of tables
	err       error             // why a table could not be read, other than that it is not there
}

func (v *view) plan(q *tree.Query, in quern.NamespacePath) (Plan, error) {
	schema := tree.Schema{In: in, Find: v.table}
	start := schema.Complete(startOf(q))
	links, err := v.service.links.Graph(v.ctx, v.principal, start.Owner, func() []quern.DatasetID { return v.datasets(q, schema) })
	if err != nil {
		return Plan{}, err
	}
	const suggested = 1_000
	there, _, err := v.service.catalog.Datasets(v.ctx, v.principal, catalog.Filter{Owner: in.Owner, Namespace: in.Namespace, Limit: suggested})
	if err != nil {
		return Plan{}, err
	}
	for _, l := range there {
		schema.Others = append(schema.Others, l.Path.Dataset)
	}
	if err := tree.Resolve(q, schema, links); err != nil {
		return Plan{}, err
	}
	tree.FitValues(q, schema)
	if err := tree.Validate(q, schema); err != nil {
		return Plan{}, err
	}
	sql, err := tree.SQL(q)
	first, _ := schema.Table(start)
	return Plan{SQL: sql, Tree: q, Start: first.Path, Final: q.Select.From[0].Dataset}, err
}

// datasets returns the datasets that a query names, as far as the principal sees them.
func (v *view) datasets(q *tree.Query, schema tree.Schema) []quern.DatasetID {
	tree.EachQuery(q, func(inner *tree.Query) {
		if inner.Select == nil {
			return
		}
		for _, source := range inner.Select.From {
			schema.Table(source.Dataset)
		}
	})
	return v.ids
}

// table returns a dataset if the principal sees it.
func (v *view) table(path quern.DatasetPath) (tree.Table, bool) {
	if t, ok := v.tables[path]; ok {
		return t, true
	}
	d, err := v.service.catalog.Dataset(v.ctx, v.principal, path, catalog.Read)
	if err != nil {
		if !quern.Is(err, quern.NotFound) && v.err == nil {
			v.err = err
		}
		return tree.Table{}, false
	}
	t := tree.Table{Path: d.Path(), Columns: append(catalog.Columns(d), v.named...)}
	v.tables[path], v.ids = t, append(v.ids, d.ID)
	return t, true
}

// startOf returns the dataset that a query in the fluent form begins with.
func startOf(q *tree.Query) tree.Name {
	for {
		where := q.Select.Where
		if and, ok := where.(tree.And); ok {
			where = and.Conds[0]
		}
		link, ok := where.(tree.Linked)
		if !ok {
			return q.Select.From[0].Dataset
		}
		q = link.Query
	}
}
