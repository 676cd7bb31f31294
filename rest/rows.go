package rest

import (
	"context"
	"net/http"

	"quern"
	"quern/api"
	"quern/door"
	"quern/ingest"
	"quern/query"
)

const defaultRows = 100

// IngestRows appends rows to a dataset of the caller's.
func (o operations) IngestRows(ctx context.Context, r api.IngestRowsRequestObject) (api.IngestRowsResponseObject, error) {
	n, err := o.ingest(ctx, datasetPath(quern.Self, r.Namespace, r.DatasetName), ingest.RowsRequest{Key: r.Params.IdempotencyKey, Make: true})
	return api.IngestRows200JSONResponse{Indexed: n}, err
}

// IngestRowsInto appends rows to a dataset.
func (o operations) IngestRowsInto(ctx context.Context, r api.IngestRowsIntoRequestObject) (api.IngestRowsIntoResponseObject, error) {
	n, err := o.ingest(ctx, datasetPath(r.Username, r.Namespace, r.DatasetName), ingest.RowsRequest{Key: r.Params.IdempotencyKey})
	return api.IngestRowsInto200JSONResponse{Indexed: n}, err
}

func (o operations) ingest(ctx context.Context, path quern.DatasetPath, r ingest.RowsRequest) (int64, error) {
	r.Body, r.Guide = streamedBody(ctx), streamedGuide(operationOf(ctx))
	return o.Ingest.Rows(ctx, principal(ctx), path, r)
}

// rowWriter writes {"data":[rows…] and what follows, and sends it when it is
// whole.
type rowWriter struct {
	spool
	enc   *query.Encoder
	line  []byte // not yet in the spool
	count int64
}

func newRowWriter(dir string, enc *query.Encoder) *rowWriter {
	return &rowWriter{spool: spool{dir: dir}, enc: enc, line: []byte(`{"data":[`)}
}

// lineSize is how much of an answer is collected before it is written to the spool:
// past what memory holds, every write is one to a file.
const lineSize = 32 << 10

// row writes a row, with where it came from, if from is not nil.
func (o *rowWriter) row(row []any, from *query.RowSource) error {
	if o.count > 0 {
		o.line = append(o.line, ',')
	}
	o.count++
	o.line = o.enc.AppendFrom(o.line, row, from)
	if len(o.line) < lineSize {
		return nil
	}
	_, err := o.Write(o.line)
	o.line = o.line[:0]
	return err
}

// send answers with the rows and the tail.
func (o *rowWriter) send(w http.ResponseWriter, tail string) error {
	o.line = append(append(append(o.line, ']'), tail...), "}\n"...)
	if _, err := o.Write(o.line); err != nil {
		return err
	}
	return o.sendTo(&patientWriter{w: w, header: map[string]string{"Content-Type": door.JSONType}})
}

// exportTypes are the media types of the export formats.
var exportTypes = map[query.Format]string{
	query.CSV:     "text/csv",
	query.JSON:    door.JSONType,
	query.NDJSON:  "application/x-ndjson",
	query.Parquet: "application/vnd.apache.parquet",
	query.Arrow:   "application/vnd.apache.arrow.stream",
}

// extension is how the name of a file in a format ends: a stream of Arrow is not what
// readers of .arrow files take.
func extension(f query.Format) string {
	if f == query.Arrow {
		return ".arrows"
	}
	return "." + string(f)
}

// ExportDataset streams all rows of a dataset.
func (o operations) ExportDataset(ctx context.Context, r api.ExportDatasetRequestObject) (api.ExportDatasetResponseObject, error) {
	format := query.Format(r.Params.Format)
	if format == "" {
		format = query.CSV
	}
	e, err := o.Deps.Query.Export(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), format)
	if err != nil {
		return nil, err
	}
	e.EscapeFormulas = r.Params.EscapeFormulas == nil || *r.Params.EscapeFormulas
	e.StillKnown = stillKnown(ctx)
	return export{ctx, e, format}, nil
}

// stillKnown returns a check whether what the caller came with is still good.
func stillKnown(ctx context.Context) func(context.Context) error {
	again, _ := ctx.Value(againKey{}).(func(context.Context) error)
	return again
}

// export is a dataset on its way out.
type export struct {
	ctx    context.Context // a response object outlives its handler's call, not its request
	export *query.Export
	format query.Format
}

// VisitExportDatasetResponse writes the export.
func (e export) VisitExportDatasetResponse(w http.ResponseWriter) error {
	to := &patientWriter{w: w, header: map[string]string{
		"Content-Type":        exportTypes[e.format],
		"Content-Disposition": `attachment; filename="` + e.export.Dataset.Name + extension(e.format) + `"`,
	}}
	if err := e.export.Write(e.ctx, to); err != nil {
		return err
	}
	_, err := to.Write(nil) // the header, where there was nothing to write
	return err
}

// patientWriter allows the client time for every piece of a long answer. Its
// headers are set with the first piece, so that a failure before that is
// answered as one.
type patientWriter struct {
	w      http.ResponseWriter
	header map[string]string
}

// Write writes one piece.
func (p *patientWriter) Write(b []byte) (int, error) {
	for name, value := range p.header {
		p.w.Header().Set(name, value)
	}
	p.header = nil
	return door.Patient{W: p.w}.Write(b)
}
