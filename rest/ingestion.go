package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"quern"
	"quern/api"
	"quern/door"
	"quern/ingest"
)

const (
	defaultIngestions = 25
	mostUnderWay      = 100
	// watchEvery is how often a followed ingestion is looked at.
	watchEvery = 500 * time.Millisecond
)

// IngestFiles queues uploaded files for a dataset.
func (o operations) IngestFiles(ctx context.Context, r api.IngestFilesRequestObject) (api.IngestFilesResponseObject, error) {
	request, err := ingestRequest(*r.Body)
	if err != nil {
		return nil, err
	}
	request.Key = r.Params.IdempotencyKey
	id, err := o.Ingest.Start(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), request)
	return api.IngestFiles202JSONResponse{ID: string(id)}, err
}

// ingestRequest reads which files are to be ingested, and how.
func ingestRequest(body api.IngestFilesRequest) (ingest.Request, error) {
	guide, err := guided{
		Infer: body.Infer, Link: body.Link, Curate: body.Curate, DataDescription: body.DataDescription,
		SchemaDefinition: body.SchemaDefinition, AdditionalInstructions: body.AdditionalInstructions,
		Name: body.Name, InferBatchSize: body.InferBatchSize,
	}.guide()
	if err != nil {
		return ingest.Request{}, err
	}
	request := ingest.Request{Guide: guide, Session: quern.SessionID(body.SessionID), Options: quern.IngestionOptions{
		Mode: quern.IngestMode(body.Mode), SameFile: quern.SameFile(body.SameFile), Sheet: body.Sheet, Totals: quern.Totals(body.Totals),
		Into: quern.Into(body.Into), Nested: nestedLevels(body.NestedLevels), Lists: body.Lists,
		Format: string(body.Format), OnError: quern.OnError(body.OnError), Header: body.Header, NullValues: body.NullValues,
		PDF: string(body.Pdf),
	}}
	for _, id := range body.FileIds {
		request.Files = append(request.Files, quern.FileID(id))
	}
	for name, c := range body.Columns {
		if request.Options.Columns == nil {
			request.Options.Columns = map[string]quern.ColumnOption{}
		}
		request.Options.Columns[name] = quern.ColumnOption{
			Type: quern.Type(c.Type), DateOrder: string(c.DateOrder), Decimal: string(c.Decimal),
		}
	}
	return request, nil
}

// nestedLevels reads how many levels of objects become columns, nil when that is not
// said.
func nestedLevels(n *int32) *int {
	if n == nil {
		return nil
	}
	levels := int(*n)
	return &levels
}

// ListIngestions lists a dataset's ingestions.
func (o operations) ListIngestions(ctx context.Context, r api.ListIngestionsRequestObject) (api.ListIngestionsResponseObject, error) {
	limit, before := int(r.Params.PageSize), r.Params.BeforeCreatedAt
	if limit == 0 {
		limit = defaultIngestions
	}
	if before.IsZero() {
		before = o.Now().Add(time.Hour)
	}
	// One more than asked for tells whether there is another page.
	d, list, err := o.Ingest.Attempts(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), before, limit+1)
	if err != nil {
		return nil, err
	}
	page := api.ListIngestions200JSONResponse{Data: []api.Ingestion{}, Metadata: api.IngestionPageMetadata{PageSize: int32(limit)}}
	if len(list) > limit {
		list = list[:limit]
		page.Metadata.BeforeCreatedAt = list[limit-1].CreatedAt
	}
	for _, i := range list {
		page.Data = append(page.Data, o.ingestion(i, d.Path()))
	}
	return page, nil
}

// ListIngestionsUnderWay lists what the caller has on its way.
func (o operations) ListIngestionsUnderWay(
	ctx context.Context, _ api.ListIngestionsUnderWayRequestObject,
) (api.ListIngestionsUnderWayResponseObject, error) {
	open, err := o.Ingest.UnderWay(ctx, principal(ctx), mostUnderWay)
	all := make(api.ListIngestionsUnderWay200JSONResponse, len(open))
	for n, one := range open {
		all[n] = o.ingestion(one.Ingestion, one.Into.Path())
	}
	return all, err
}

// ingestion writes an ingestion down.
func (o operations) ingestion(i quern.Ingestion, path quern.DatasetPath) api.Ingestion {
	about := api.IngestionAttributes{
		Owner: path.Owner, Namespace: path.Namespace, Dataset: path.Dataset,
		CreatedAt: i.CreatedAt, StartedAt: i.StartedAt, EndedAt: i.EndedAt, Attempt: int32(i.Attempt),
		Name: ingestionName(i), OriginalIngestionID: string(i.RetryOf), LastRetryAt: i.LastRetryAt, SeenAt: i.SeenAt,
		BytesPerSecond: i.Speed(o.Now()), RejectedRows: i.Report.Rejected,
		Files: make([]api.IngestionFile, len(i.Files)), Tables: make([]api.IngestedTable, len(i.Report.Tables)),
	}
	for n, f := range i.Files {
		about.Files[n] = ingestionFile(f)
	}
	for n, t := range i.Report.Tables {
		about.Tables[n] = ingestedTable(t)
	}
	for _, s := range i.Report.Steps {
		about.Steps = append(about.Steps, api.StepReport{
			Type: s.Type, RowsIn: s.In, RowsOut: s.Out, Unread: s.Unread, Notes: append([]string{}, s.Notes...), Model: s.Model,
		})
	}
	if def := i.Options.Definition; def != nil {
		about.Definition = (*api.InferDefinition)(def)
	}
	message, aborted := i.Message, i.Status == quern.IngestionAborted
	if aborted {
		message = "the ingestion was cancelled"
	}
	return api.Ingestion{
		ID: string(i.ID), Status: shownStatus(i.Status), Aborted: aborted, StatusMessage: message, ExpectedTotalBytes: i.ExpectedBytes,
		ProcessedBytes: i.ProcessedBytes, ProcessedRows: i.ProcessedRows, Attributes: about,
	}
}

func ingestionFile(f quern.IngestionFile) api.IngestionFile {
	return api.IngestionFile{FileID: string(f.ID), Filename: f.Name, Size: f.Size, SameAs: string(f.SameAs)}
}

// shownStatus is the status of an ingestion as clients know it: they wait for one of
// two ends, so that one that was aborted is one that failed.
func shownStatus(s quern.IngestionStatus) api.IngestionStatus {
	if s == quern.IngestionAborted {
		s = quern.IngestionFailed
	}
	return api.IngestionStatus(s)
}

// ingestionName returns what an ingestion was called, or the name of its file
// when it has only one.
func ingestionName(i quern.Ingestion) string {
	if i.Name == "" && len(i.Files) == 1 {
		return i.Files[0].Name
	}
	return i.Name
}

func ingestedTable(t quern.IngestedTable) api.IngestedTable {
	table := api.IngestedTable{
		Filename: t.File, Member: t.Member, Dataset: t.Dataset, Format: t.Format, Detail: t.Detail, Rows: t.Rows, RejectedRows: t.Rejected,
		Columns: make([]api.IngestedColumn, len(t.Columns)), Notes: append([]string{}, t.Notes...),
	}
	for i, c := range t.Columns {
		table.Columns[i] = api.IngestedColumn{Original: c.Original, Name: c.Name, Type: string(c.Type), Unit: c.Unit, Added: c.Added}
	}
	return table
}

// Ingestion tells where an ingestion has got to, once or as it goes on.
func (o operations) Ingestion(ctx context.Context, r api.IngestionRequestObject) (api.IngestionResponseObject, error) {
	one, err := o.follow(ctx, quern.IngestionID(r.IngestionID))
	if err != nil {
		return nil, err
	}
	if strings.Contains(accepted(ctx), door.EventStream) {
		return progress{ctx, o, one}, nil
	}
	return api.Ingestion200JSONResponse(one), nil
}

// follow returns an ingestion that the caller may know of.
func (o operations) follow(ctx context.Context, id quern.IngestionID) (api.Ingestion, error) {
	i, d, err := o.Ingest.Ingestion(ctx, principal(ctx), id)
	return o.ingestion(i, d.Path()), err
}

// progress is an ingestion that is being followed.
type progress struct {
	ctx   context.Context // a response object outlives its handler's call, not its request
	o     operations
	first api.Ingestion
}

// VisitIngestionResponse writes an event for every change, until the ingestion
// or the caller's interest ends. Every look asks for the caller's rights again.
func (p progress) VisitIngestionResponse(w http.ResponseWriter) error {
	living, cancel := door.UntilStopping(p.ctx)
	defer cancel()
	out := door.OpenStream(w)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var last []byte
	silent, now := time.Duration(0), p.first
	for {
		data, err := json.Marshal(now)
		if err != nil {
			return err
		}
		name := "progress"
		final := quern.IngestionStatus(now.Status).Final()
		if final {
			name = string(now.Status)
		}
		silent += watchEvery
		switch {
		case !bytes.Equal(data, last):
			last, silent, err = data, 0, out.Event("", name, data)
		case silent >= p.o.KeepAlive:
			silent, err = 0, out.KeepAlive()
		}
		if err != nil || final {
			return err
		}
		select {
		case <-living.Done():
			return nil
		case <-tick.C:
		}
		if now, err = p.o.follow(p.ctx, quern.IngestionID(now.ID)); err != nil {
			return nil // what it was about is gone, or no longer the caller's to see
		}
	}
}

// RetryIngestion queues the same files again.
func (o operations) RetryIngestion(ctx context.Context, r api.RetryIngestionRequestObject) (api.RetryIngestionResponseObject, error) {
	i, err := o.Ingest.Retry(ctx, principal(ctx), quern.IngestionID(r.IngestionID))
	return api.RetryIngestion201JSONResponse{ID: string(i.ID)}, err
}

// CancelIngestion stops an ingestion.
func (o operations) CancelIngestion(ctx context.Context, r api.CancelIngestionRequestObject) (api.CancelIngestionResponseObject, error) {
	if err := o.Ingest.Cancel(ctx, principal(ctx), quern.IngestionID(r.IngestionID)); err != nil {
		return nil, err
	}
	one, err := o.follow(ctx, quern.IngestionID(r.IngestionID))
	return api.CancelIngestion200JSONResponse(one), err
}

// SeeIngestion notes that an ingestion was taken notice of.
func (o operations) SeeIngestion(ctx context.Context, r api.SeeIngestionRequestObject) (api.SeeIngestionResponseObject, error) {
	return api.SeeIngestion204Response{}, o.Ingest.See(ctx, principal(ctx), quern.IngestionID(r.IngestionID))
}
