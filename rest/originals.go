package rest

import (
	"context"
	"io"
	"mime"
	"net/http"

	"quern"
	"quern/api"
	"quern/ingest"
)

// ListOriginals lists the files that a dataset was made of.
func (o operations) ListOriginals(ctx context.Context, r api.ListOriginalsRequestObject) (api.ListOriginalsResponseObject, error) {
	all, err := o.Ingest.Originals(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName))
	list := api.ListOriginals200JSONResponse{Data: make([]api.Original, len(all))}
	for i, f := range all {
		list.Data[i] = api.Original{
			FileID: string(f.ID), Filename: f.Name, Size: f.Size, IngestionID: string(f.Ingestion.ID),
			CreatedAt: f.Ingestion.CreatedAt, Status: shownStatus(f.Ingestion.Status), Stored: f.Stored,
		}
	}
	return list, err
}

// DownloadOriginal sends a file that a dataset was made of.
func (o operations) DownloadOriginal(ctx context.Context, r api.DownloadOriginalRequestObject) (api.DownloadOriginalResponseObject, error) {
	path := datasetPath(r.Username, r.Namespace, r.DatasetName)
	file, in, err := o.Ingest.OpenOriginal(ctx, principal(ctx), path, quern.FileID(r.FileID))
	return original{file, in}, err
}

// original is a file on its way out.
type original struct {
	ingest.Original
	in io.ReadCloser
}

// VisitDownloadOriginalResponse writes the file. Whatever it holds, a browser keeps it
// and shows none of it.
func (f original) VisitDownloadOriginalResponse(w http.ResponseWriter) error {
	defer f.in.Close()
	to := &patientWriter{w: w, header: map[string]string{
		"Content-Type":            "application/octet-stream",
		"Content-Disposition":     mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}),
		"Content-Security-Policy": "sandbox",
		"X-Content-Type-Options":  "nosniff",
	}}
	if _, err := to.Write(nil); err != nil {
		return err
	}
	_, err := io.Copy(to, f.in)
	return err
}

// DeleteOriginal deletes a file that a dataset was made of.
func (o operations) DeleteOriginal(ctx context.Context, r api.DeleteOriginalRequestObject) (api.DeleteOriginalResponseObject, error) {
	path := datasetPath(r.Username, r.Namespace, r.DatasetName)
	return api.DeleteOriginal204Response{}, o.Ingest.DeleteOriginal(ctx, principal(ctx), path, quern.FileID(r.FileID))
}
