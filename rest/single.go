package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/ingest"
	"quern/upload"
)

// PrepareUpload opens the upload of one file into a dataset.
func (o operations) PrepareUpload(ctx context.Context, r api.PrepareUploadRequestObject) (api.PrepareUploadResponseObject, error) {
	if err := o.Catalog.MayWrite(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName)); err != nil {
		return nil, err
	}
	ticket, err := o.Upload.PrepareOne(ctx, principal(ctx), upload.NewFile{Name: r.Body.Filename, Size: r.Body.Size})
	if err != nil {
		return nil, err
	}
	urls := make([]api.SizedURL, len(ticket.URLs))
	for i, u := range ticket.URLs {
		urls[i] = api.SizedURL{URL: u.URL, Size: u.Size}
	}
	return api.PrepareUpload200JSONResponse{
		UploadID: ticket.File.UploadID, Key: ticket.File.Key, PartSize: ticket.File.PartSize, PresignedUrls: urls,
	}, nil
}

// FinishUpload finishes the upload of one file and queues its ingestion.
func (o operations) FinishUpload(ctx context.Context, r api.FinishUploadRequestObject) (api.FinishUploadResponseObject, error) {
	path := datasetPath(r.Username, r.Namespace, r.DatasetName)
	if err := o.Catalog.MayWrite(ctx, principal(ctx), path); err != nil {
		return nil, err
	}
	guide, err := guided{
		Infer: r.Body.Infer, Link: r.Body.Link, Curate: r.Body.Curate, DataDescription: r.Body.DataDescription,
		SchemaDefinition: r.Body.SchemaDefinition, AdditionalInstructions: r.Body.AdditionalInstructions,
		Name: r.Body.Name, InferBatchSize: r.Body.InferBatchSize,
	}.guide()
	if err != nil {
		return nil, err
	}
	file, err := o.Upload.FinishOne(ctx, principal(ctx),
		upload.Claim{UploadID: r.Body.UploadID, Key: r.Body.Key, Parts: sentParts(r.Body.Parts)})
	if err != nil {
		return nil, err
	}
	// Under a key of its own the file is ingested once, however often it is
	// finished.
	id, err := o.Ingest.Start(ctx, principal(ctx), path, ingest.Request{
		Key: "finish " + string(file.ID), Session: file.Session, Files: []quern.FileID{file.ID}, Guide: guide,
	})
	return api.FinishUpload201JSONResponse{ID: string(id)}, err
}

// AbortUpload ends the upload of one file.
func (o operations) AbortUpload(ctx context.Context, r api.AbortUploadRequestObject) (api.AbortUploadResponseObject, error) {
	if err := o.Catalog.MayWrite(ctx, principal(ctx), datasetPath(r.Username, r.Namespace, r.DatasetName)); err != nil {
		return nil, err
	}
	err := o.Upload.AbortOne(ctx, principal(ctx), upload.Claim{UploadID: r.Body.UploadID, Key: r.Body.Key})
	return api.AbortUpload200JSONResponse(*r.Body), err
}
