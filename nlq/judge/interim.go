package judge

import (
	"context"
	"fmt"
	"strings"

	"quern"
	"quern/catalog"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/query"
)

// Interim builds a schema by plain queries.
func (h *House) Interim(ctx context.Context, in quern.NamespacePath, known func(string) bool) (*schema.Schema, error) {
	listed, _, err := h.Catalog.Datasets(ctx, h.Principal, catalog.Filter{Owner: in.Owner, Namespace: in.Namespace, Limit: 1000})
	if err != nil {
		return nil, err
	}
	s := &schema.Schema{}
	at := map[string]int{}
	for _, l := range listed {
		d, err := h.Catalog.Dataset(ctx, h.Principal, l.Path, catalog.Read)
		if err != nil {
			return nil, err
		}
		t := schema.Table{Path: d.Path(), Words: lex.Words(d.Name, known), Rows: d.Rows, First: len(s.Columns)}
		for _, c := range catalog.DisplayColumns(d) {
			col := schema.Column{Table: len(s.Tables), Name: c.Name, Words: lex.Words(c.Name, known), Type: c.Type, Min: c.Stats.Min, Max: c.Stats.Max, Rows: d.Rows - c.Stats.Nulls}
			rows, err := h.Query.SQL(ctx, h.Principal, query.Request{In: in, SQL: fmt.Sprintf("SELECT %s, count(*) FROM %s WHERE %s IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1", quote(c.Name, '"'), quote(d.Name, '"'), quote(c.Name, '"'))})
			if err != nil {
				return nil, err
			}
			col.Values = schema.NewValues(0)
			for rows.Next() {
				col.Distinct++
				col.Values.Add(fmt.Sprint(rows.Row()[0]))
			}
			col.Values.Done()
			rows.Close()
			at[strings.ToLower(d.Name+"\x00"+c.Name)] = len(s.Columns)
			s.Columns = append(s.Columns, col)
		}
		t.Len = len(s.Columns) - t.First
		s.Tables = append(s.Tables, t)
	}
	links, err := h.Links.Graph(ctx, h.Principal, in.Owner)
	if err != nil {
		return nil, err
	}
	for _, l := range links {
		if !strings.EqualFold(l.Origin.Dataset.Namespace, in.Namespace) || !strings.EqualFold(l.Destination.Dataset.Namespace, in.Namespace) {
			continue
		}
		a, okA := at[strings.ToLower(l.Origin.Dataset.Dataset+"\x00"+l.Origin.Column)]
		b, okB := at[strings.ToLower(l.Destination.Dataset.Dataset+"\x00"+l.Destination.Column)]
		if okA && okB {
			s.Links = append(s.Links, schema.Link{From: a, To: b, Score: l.Score})
		}
	}
	return s, nil
}

type InterimSchemas struct{ H *House }

func (i InterimSchemas) Schema(ctx context.Context, _ quern.Principal, in quern.NamespacePath, _ string) (*schema.Schema, error) {
	return i.H.Interim(ctx, in, func(w string) bool { return i.H.Vectors.ID(w) > 2 })
}
