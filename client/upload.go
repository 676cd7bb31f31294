package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Status is where an upload session, or a file of one, has got to.
type Status string

// The statuses.
const (
	Preparing Status = "preparing"
	Completed Status = "completed"
	Aborted   Status = "aborted"
)

// NewFile is a file to prepare an upload for.
type NewFile struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

// Prepared is a session that has just been opened.
type Prepared struct {
	SessionID string         `json:"sessionId"`
	Files     []PreparedFile `json:"files"`
}

// PreparedFile says where to send the parts of a file.
type PreparedFile struct {
	FileID   string    `json:"fileId"`
	UploadID string    `json:"uploadId"`
	Key      string    `json:"key"`
	Filename string    `json:"filename"`
	PartSize int64     `json:"partSize"`
	URLs     []PartURL `json:"presignedUrls"`
}

// PartURL takes one part of exactly Size bytes by PUT. Number is 0 in what
// Prepare returns: there the parts are in order, from 1.
type PartURL struct {
	Number int    `json:"partNumber"`
	URL    string `json:"url"`
	Size   int64  `json:"partSize"`
}

// Session is an upload session.
type Session struct {
	ID        string        `json:"sessionId"`
	Status    Status        `json:"sessionStatus"`
	CreatedAt time.Time     `json:"createdAt"`
	ExpiresAt time.Time     `json:"expiresAt"`
	Files     []SessionFile `json:"files"`
}

// SessionFile is a file of a session with the parts that have arrived.
type SessionFile struct {
	FileID   string `json:"fileId"`
	Status   Status `json:"fileStatus"`
	UploadID string `json:"uploadId"`
	Key      string `json:"key"`
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
	PartSize int64  `json:"partSize"`
	Parts    []Part `json:"parts"`
}

// Part is a part that has arrived.
type Part struct {
	Number int    `json:"partNumber"`
	Size   int64  `json:"size,omitempty"`
	ETag   string `json:"etag"`
}

// Finished is a file that is an object now.
type Finished struct {
	SessionID     string `json:"sessionId"`
	SessionStatus Status `json:"sessionStatus"`
	FileID        string `json:"fileId"`
	FileStatus    Status `json:"fileStatus"`
}

// UploadedFile is a completed file and where it is kept.
type UploadedFile struct {
	FileID   string `json:"fileId"`
	Filename string `json:"filename"`
	Bucket   string `json:"s3Bucket"`
	Key      string `json:"s3Key"`
	Size     int64  `json:"fileSize"`
}

// Prepare opens a session. When an answer gets lost it may open a second one,
// which the server ends by itself in time.
func (c *Client) Prepare(ctx context.Context, files []NewFile) (p Prepared, err error) {
	in := struct {
		Files []NewFile `json:"filesToUpload"`
	}{files}
	return p, c.call(ctx, http.MethodPost, "/file-upload/prepare", in, &p)
}

// Session tells how far a session is.
func (c *Client) Session(ctx context.Context, id string) (s Session, err error) {
	return s, c.call(ctx, http.MethodGet, "/file-upload/"+url.PathEscape(id), nil, &s)
}

// Files lists the completed files of a session.
func (c *Client) Files(ctx context.Context, id string) ([]UploadedFile, error) {
	var session struct {
		Files []UploadedFile `json:"files"`
	}
	err := c.call(ctx, http.MethodGet, "/file-upload/"+url.PathEscape(id)+"/files", nil, &session)
	return session.Files, err
}

// Renew returns fresh URLs for the parts with the numbers, for those that have not
// arrived when numbers is empty.
func (c *Client) Renew(ctx context.Context, id, fileID string, numbers []int) (f PreparedFile, err error) {
	in := struct {
		Numbers []int `json:"partNumbers,omitempty"`
	}{numbers}
	return f, c.call(ctx, http.MethodPost, filePath(id, fileID)+"/urls", in, &f)
}

// Finish joins the parts of a file; nil parts means those that have arrived.
func (c *Client) Finish(ctx context.Context, id, fileID, uploadID, key string, parts []Part) (f Finished, err error) {
	in := struct {
		UploadID string `json:"uploadId"`
		Key      string `json:"key"`
		Parts    []Part `json:"parts,omitempty"`
	}{uploadID, key, parts}
	return f, c.call(ctx, http.MethodPost, filePath(id, fileID)+"/finish", in, &f)
}

// Abort ends a session and frees what it has stored.
func (c *Client) Abort(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodPost, "/file-upload/"+url.PathEscape(id)+"/abort", nil, nil)
}

func filePath(id, fileID string) string {
	return "/file-upload/" + url.PathEscape(id) + "/files/" + url.PathEscape(fileID)
}
