package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"quern"
	"quern/api"
	"quern/door"
	"quern/engine"
	"quern/query"
	"quern/tree"
)

// Query runs a query, reads a question and runs that, or reads a whole dataset,
// and answers with the rows.
func (o operations) Query(ctx context.Context, r api.QueryRequestObject) (api.QueryResponseObject, error) {
	if r.Body.NaturalLanguageQuery != "" {
		return o.answer(ctx, r.Body)
	}
	if names, whole := tree.WholeDataset(r.Body.Query); whole {
		read, err := o.wholeDataset(ctx, r.Body, names)
		if len(names) == 0 || !quern.Is(err, quern.NotFound) {
			return read, err
		}
		// A query that names a dataset that is not there is told so with the place.
	}
	request := query.Request{In: quern.NamespacePath{Owner: r.Body.Username, Namespace: r.Body.Namespace}, SQL: r.Body.Query,
		Valid: wantsMetadata(r.Body)}
	plan, err := o.Deps.Query.Plan(ctx, principal(ctx), request)
	if err != nil {
		return nil, err
	}
	request.SQL, request.Tree = plan.SQL, plan.Tree
	result := o.newResult(ctx, r.Body)
	rows, err := o.Deps.Query.SQL(ctx, principal(ctx), request)
	if err != nil {
		return nil, err
	}
	result.Rows, result.encoder = o.sourced(ctx, r.Body, rows), rowEncoder(r.Body, rows.Columns(), 1)
	result.metadata.OriginalQuery, result.metadata.ExecutedQuery = r.Body.Query, plan.SQL
	if result.metadata.Engine = api.QueryMetadataEngine(query.Ran(rows)); query.Ran(rows) == query.OnCluster {
		result.metadata.Notes = append(result.metadata.Notes, query.ClusterNote)
	}
	if plan.Final.Dataset != "" {
		result.metadata.StartingDataset, result.metadata.FinalDataset = pathText(plan.Start), pathText(plan.Final)
	}
	if r.Body.ExplainRequested {
		if q, err := tree.Parse(plan.SQL); err == nil {
			result.explained.Reading = tree.English(q)
		}
	}
	return result, nil
}

// newResult begins the answer to a request.
func (o operations) newResult(ctx context.Context, body *api.QueryRequest) queryResult {
	result := queryResult{dir: o.Temp, kind: api.QueryResponseResultTypeRows, explain: body.ExplainRequested, now: o.Now}
	result.explained = api.QueryExplanation{ID: quern.NewID[string](), Start: o.Now().UTC(), Children: []api.QueryExplanation{}}
	if body.Dataset != "" {
		result.metadata.StartingDataset = pathText(askedDataset(ctx, body, nil))
	}
	return result
}

// sourced makes rows tell where they came from, where the caller wants that.
func (o operations) sourced(ctx context.Context, body *api.QueryRequest, rows engine.Rows) *query.SourcedRows {
	if !wantsMetadata(body) {
		return &query.SourcedRows{Rows: rows}
	}
	return o.Deps.Query.Sourced(ctx, principal(ctx), rows)
}

func wantsMetadata(body *api.QueryRequest) bool {
	return body.IncludeMetadata == nil || *body.IncludeMetadata
}

// rowEncoder writes rows with what they tell of themselves, or without where the
// caller wants none of that.
func rowEncoder(body *api.QueryRequest, columns []quern.Column, score float64) *query.Encoder {
	if !wantsMetadata(body) {
		return query.NewEncoder(columns).WithoutInternal()
	}
	return query.NewEncoder(columns).Scored(score)
}

// askedDataset is the dataset that a request means: the one that names, from the
// dataset's own outwards, complete, or the one in its member.
func askedDataset(ctx context.Context, body *api.QueryRequest, names []string) quern.DatasetPath {
	path := quern.DatasetPath{Owner: body.Username, Namespace: body.Namespace, Dataset: body.Dataset}
	for i, part := range []*string{&path.Dataset, &path.Namespace, &path.Owner} {
		if i < len(names) {
			*part = names[i]
		}
	}
	if path.Owner == quern.Self {
		path.Owner = principal(ctx).User.Username
	}
	return path
}

func pathText(p quern.DatasetPath) string { return p.Owner + "/" + p.Namespace + "/" + p.Dataset }

// queryResult is the result of a query.
type queryResult struct {
	Rows      *query.SourcedRows // nil when a question was asked back
	encoder   *query.Encoder
	metadata  api.QueryMetadata
	kind      api.QueryResponseResultType
	explain   bool
	explained api.QueryExplanation
	dir       string
	now       func() time.Time
}

// VisitQueryResponse writes the result once it is whole.
func (q queryResult) VisitQueryResponse(w http.ResponseWriter) error {
	out := newRowWriter(q.dir, q.encoder)
	defer out.close()
	var err error
	if q.Rows != nil {
		err = errors.Join(q.write(out), q.Rows.Close())
	}
	if err != nil {
		return err
	}
	tail, err := q.tail()
	if err != nil {
		return err
	}
	return out.send(w, tail)
}

// write writes the rows, and counts them into the metadata.
func (q *queryResult) write(out *rowWriter) error {
	for q.Rows.Next() {
		if err := out.row(q.Rows.Row(), q.Rows.RowSource()); err != nil {
			return err
		}
	}
	if err := q.Rows.Err(); err != nil {
		return err
	}
	q.metadata.Count, q.metadata.TotalCount, q.metadata.Truncated = out.count, q.Rows.Total(), q.Rows.Total() > out.count
	q.explainDatasets(query.Datasets(q.Rows.Rows))
	return nil
}

// explainDatasets tells of the datasets that were read, the one whose rows the
// result holds first.
func (q *queryResult) explainDatasets(read []quern.DatasetPath) {
	for i, path := range read {
		stat := api.DatasetQueriesStat{Username: path.Owner, Namespace: path.Namespace, Dataset: path.Dataset}
		if i == 0 {
			stat.ResultCount = q.metadata.Count
			q.explained.DatasetQueriesStat = stat
			continue
		}
		q.explained.Children = append(q.explained.Children, api.QueryExplanation{
			ID: quern.NewID[string](), DatasetQueriesStat: stat, Start: q.explained.Start, Children: []api.QueryExplanation{},
			Duration: isoDuration(q.now().Sub(q.explained.Start)),
		})
	}
}

// tail is what follows the rows.
func (q *queryResult) tail() (string, error) {
	metadata, err := door.Marshal(q.metadata)
	tail := `,"metadata":` + string(metadata) + `,"resultType":"` + string(q.kind) + `"`
	if !q.explain || err != nil {
		return tail, err
	}
	q.explained.Duration = isoDuration(q.now().Sub(q.explained.Start))
	explained, err := door.Marshal(q.explained)
	return tail + `,"explainResults":` + string(explained), err
}

// isoDuration writes a duration as ISO 8601 does.
func isoDuration(d time.Duration) string {
	text := strings.TrimRight(fmt.Sprintf("%.6f", max(d, 0).Seconds()), "0")
	return "PT" + strings.TrimRight(text, ".") + "S"
}
