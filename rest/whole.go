package rest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"

	"quern"
	"quern/api"
	"quern/door"
	"quern/query"
)

// wholeDataset prepares to answer with all rows of a dataset. Names are the parts
// of its path that the query names, from the dataset's own outwards.
func (o operations) wholeDataset(ctx context.Context, body *api.QueryRequest, names []string) (api.QueryResponseObject, error) {
	path := askedDataset(ctx, body, names)
	switch {
	case path.Dataset != "":
	case strings.TrimSpace(body.Query) == "*":
		return nil, errInvalid.With(quern.Fault("required", "dataset", "is required with the query *, which reads a whole dataset"))
	default:
		return nil, errInvalid.With(quern.SubError{Code: "required",
			Message: "query: a value is required, or dataset to read it whole, or naturalLanguageQuery"})
	}
	e, err := o.Deps.Query.Export(ctx, principal(ctx), path, query.JSON)
	if err != nil {
		return nil, err
	}
	e.StillKnown = stillKnown(ctx)
	result := o.newResult(ctx, body)
	at := e.Dataset.Path()
	result.metadata.OriginalQuery, result.metadata.ExecutedQuery = body.Query, fmt.Sprintf("SELECT * FROM %q", pathText(at))
	result.metadata.StartingDataset, result.metadata.FinalDataset = pathText(at), pathText(at)
	result.encoder = query.NewEncoder(e.Columns())
	read := wholeRead{queryResult: result, ctx: ctx, export: e}
	if wantsMetadata(body) {
		read.about = &rowSources{ctx: ctx, catalog: o.Catalog, dataset: e.Dataset.ID, row: e.FirstRow()}
		result.encoder.Scored(1)
	} else {
		result.encoder.WithoutInternal()
	}
	return read, nil
}

// wholeRead is a dataset on its way out as the answer to a query. Unlike other
// results it is not kept until it is whole, for it may be of any size; what
// fails on the way breaks the answer off.
type wholeRead struct {
	queryResult
	ctx    context.Context //nolint:containedctx // a response object outlives its handler's call, not its request
	export *query.Export
	about  *rowSources // nil when rows do not tell of themselves
}

// VisitQueryResponse writes the rows as they are read, and the metadata last.
func (r wholeRead) VisitQueryResponse(w http.ResponseWriter) error {
	const buffered = 64 << 10
	out := bufio.NewWriterSize(&patientWriter{w: w, header: map[string]string{"Content-Type": door.JSONType}}, buffered)
	if err := r.writeRows(out); err != nil {
		return err
	}
	r.metadata.TotalCount = r.metadata.Count
	r.explainDatasets([]quern.DatasetPath{r.export.Dataset.Path()})
	tail, err := r.tail()
	if err != nil {
		return err
	}
	if _, err := out.WriteString("]" + tail + "}\n"); err != nil {
		return err
	}
	return out.Flush()
}

func (r *wholeRead) writeRows(out *bufio.Writer) error {
	line := []byte(`{"data":[`)
	err := r.export.Each(r.ctx, func(row []any) error {
		if r.metadata.Count > 0 {
			line = append(line, ',')
		}
		from, err := r.about.next()
		if err != nil {
			return err
		}
		line = r.encoder.AppendFrom(line, row, from)
		r.metadata.Count++
		_, err = out.Write(line)
		line = line[:0]
		return err
	})
	if err == nil {
		_, err = out.Write(line) // of a dataset without rows
	}
	return err
}
