package rest

import (
	"context"

	"quern"
	"quern/api"
	"quern/blob"
	"quern/upload"
)

// PrepareFileUpload opens an upload session.
func (o operations) PrepareFileUpload(
	ctx context.Context, r api.PrepareFileUploadRequestObject,
) (api.PrepareFileUploadResponseObject, error) {
	files := make([]upload.NewFile, len(r.Body.FilesToUpload))
	for i, f := range r.Body.FilesToUpload {
		files[i] = upload.NewFile{Name: f.Filename, Size: f.Size}
	}
	session, tickets, err := o.Upload.Prepare(ctx, principal(ctx), files)
	if err != nil {
		return nil, err
	}
	answer := api.PrepareFileUpload200JSONResponse{SessionID: string(session.ID), Files: make([]api.PreparedFile, len(tickets))}
	for i, t := range tickets {
		urls := make([]api.PresignedURL, len(t.URLs))
		for j, u := range t.URLs {
			urls[j] = api.PresignedURL{URL: u.URL, PartSize: u.Size}
		}
		answer.Files[i] = api.PreparedFile{
			FileID: string(t.File.ID), UploadID: t.File.UploadID, Key: t.File.Key, Filename: t.File.Name,
			PartSize: t.File.PartSize, PresignedUrls: urls,
		}
	}
	return answer, nil
}

// FileUpload tells how far a session is.
func (o operations) FileUpload(ctx context.Context, r api.FileUploadRequestObject) (api.FileUploadResponseObject, error) {
	session, progress, err := o.Upload.Session(ctx, principal(ctx), quern.SessionID(r.SessionID))
	if err != nil {
		return nil, err
	}
	files := make([]api.FileProgress, len(progress))
	for i, p := range progress {
		parts := make([]api.ArrivedPart, len(p.Parts))
		for j, part := range p.Parts {
			parts[j] = api.ArrivedPart{PartNumber: int32(part.Number), Size: part.Size, Etag: part.ETag}
		}
		files[i] = api.FileProgress{
			FileID: string(p.File.ID), FileStatus: api.UploadStatus(p.File.Status), UploadID: p.File.UploadID, Key: p.File.Key,
			Filename: p.File.Name, Size: p.File.Size, PartSize: p.File.PartSize, Parts: parts,
		}
	}
	return api.FileUpload200JSONResponse{
		SessionID: string(session.ID), SessionStatus: api.UploadStatus(session.Status),
		CreatedAt: session.CreatedAt, ExpiresAt: session.ExpiresAt, Files: files,
	}, nil
}

// ListUploadedFiles lists a session's completed files.
func (o operations) ListUploadedFiles(
	ctx context.Context, r api.ListUploadedFilesRequestObject,
) (api.ListUploadedFilesResponseObject, error) {
	session, files, err := o.Upload.Completed(ctx, principal(ctx), quern.SessionID(r.SessionID))
	list := api.ListUploadedFiles200JSONResponse{
		SessionID: string(session.ID), SessionStatus: api.UploadStatus(session.Status), Files: make([]api.UploadedFile, len(files)),
	}
	for i, f := range files {
		list.Files[i] = api.UploadedFile{FileID: string(f.ID), Filename: f.Name, S3Bucket: o.Bucket, S3Key: f.Key, FileSize: f.Size}
	}
	return list, err
}

// RenewFileUploadUrls returns fresh URLs for parts of a file.
func (o operations) RenewFileUploadUrls(
	ctx context.Context, r api.RenewFileUploadUrlsRequestObject,
) (api.RenewFileUploadUrlsResponseObject, error) {
	var numbers []int
	if r.Body != nil && r.Body.PartNumbers != nil {
		numbers = make([]int, len(r.Body.PartNumbers))
		for i, n := range r.Body.PartNumbers {
			numbers[i] = int(n)
		}
	}
	t, err := o.Upload.Renew(ctx, principal(ctx), quern.SessionID(r.SessionID), quern.FileID(r.FileID), numbers)
	if err != nil {
		return nil, err
	}
	urls := make([]api.NumberedURL, len(t.URLs))
	for i, u := range t.URLs {
		urls[i] = api.NumberedURL{PartNumber: int32(u.Number), URL: u.URL, PartSize: u.Size}
	}
	return api.RenewFileUploadUrls200JSONResponse{
		FileID: string(t.File.ID), UploadID: t.File.UploadID, Key: t.File.Key, Filename: t.File.Name,
		PartSize: t.File.PartSize, PresignedUrls: urls,
	}, nil
}

// FinishFileUpload joins the parts of a file.
func (o operations) FinishFileUpload(ctx context.Context, r api.FinishFileUploadRequestObject) (api.FinishFileUploadResponseObject, error) {
	claim := upload.Claim{UploadID: r.Body.UploadID, Key: r.Body.Key, Parts: sentParts(r.Body.Parts)}
	session, err := o.Upload.Finish(ctx, principal(ctx), quern.SessionID(r.SessionID), quern.FileID(r.FileID), claim)
	return api.FinishFileUpload200JSONResponse{
		SessionID: string(session.ID), SessionStatus: api.UploadStatus(session.Status),
		FileID: r.FileID, FileStatus: api.UploadStatusCompleted,
	}, err
}

// sentParts are the parts that a caller names; nil when it names none.
func sentParts(parts []api.SentPart) []blob.Part {
	if parts == nil {
		return nil
	}
	sent := make([]blob.Part, len(parts))
	for i, p := range parts {
		sent[i] = blob.Part{Number: int(p.PartNumber), ETag: p.Etag}
	}
	return sent
}

// AbortFileUpload ends a session.
func (o operations) AbortFileUpload(ctx context.Context, r api.AbortFileUploadRequestObject) (api.AbortFileUploadResponseObject, error) {
	session, err := o.Upload.Abort(ctx, principal(ctx), quern.SessionID(r.SessionID))
	return api.AbortFileUpload200JSONResponse{SessionID: string(session.ID), SessionStatus: api.UploadStatus(session.Status)}, err
}
