package rest

import (
	"context"

	"quern/api"
	"quern/ingest"
)

// PreviewIngestFiles tells what an ingestion would make of files.
func (o operations) PreviewIngestFiles(
	ctx context.Context, r api.PreviewIngestFilesRequestObject,
) (api.PreviewIngestFilesResponseObject, error) {
	request, err := ingestRequest(*r.Body)
	if err != nil {
		return nil, err
	}
	seen, err := o.Ingest.Preview(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName), request)
	if err != nil {
		return nil, err
	}
	answer := api.PreviewIngestFiles200JSONResponse{
		Complete: seen.Complete, Files: make([]api.IngestionFile, len(seen.Files)), Tables: make([]api.PreviewTable, len(seen.Tables)),
	}
	for i, f := range seen.Files {
		answer.Files[i] = ingestionFile(f)
	}
	for i, t := range seen.Tables {
		answer.Tables[i] = previewTable(t)
	}
	return answer, nil
}

func previewTable(t ingest.PreviewTable) api.PreviewTable {
	table := api.PreviewTable{
		Filename: t.File, Member: t.Member, Dataset: t.Dataset, Format: t.Format, Detail: t.Detail, Header: t.Header, Complete: t.Complete,
		Rows: t.Rows, RejectedRows: t.Rejected, Rejected: make([]api.RejectedRow, len(t.Faults)),
		Columns: make([]api.PreviewColumn, len(t.Columns)), Sample: make([][]any, len(t.Sample)), Notes: append([]string{}, t.Notes...),
	}
	for i, r := range t.Faults {
		table.Rejected[i] = api.RejectedRow{Filename: t.File, Member: t.Member, Row: r.Row, Line: r.Line, Reason: r.Reason, Text: r.Text}
	}
	for i, c := range t.Columns {
		table.Columns[i] = api.PreviewColumn{
			Original: c.Original, Name: c.Name, Type: string(c.Type), Unit: c.Unit, Added: c.Added,
			FormerType: string(c.Former), Misfits: misfits(c.Misfits),
		}
	}
	for i, row := range t.Sample {
		table.Sample[i] = make([]any, len(row))
		for j, value := range row {
			table.Sample[i][j] = value
		}
	}
	return table
}

func misfits(m *ingest.Misfits) *api.Misfits {
	if m == nil {
		return nil
	}
	cells := make([]api.MisfitCell, len(m.Examples))
	for i, c := range m.Examples {
		cells[i] = api.MisfitCell{Row: c.Row, Line: c.Line, Text: c.Text}
	}
	return &api.Misfits{Type: string(m.Type), Cells: m.Cells, Examples: cells}
}
