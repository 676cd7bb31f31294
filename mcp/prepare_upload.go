package mcp

import (
	"context"
	"fmt"

	"quern"
	"quern/upload"
)

const (
	mostFiles = 20
	mostURLs  = 100
)

type prepared struct {
	SessionID string         `json:"sessionId" jsonschema:"give it to ingest when every part was sent"`
	Files     []preparedFile `json:"files"`
	Note      string         `json:"note"`
}

type preparedFile struct {
	FileID   string         `json:"fileId"`
	Filename string         `json:"filename"`
	Parts    []preparedPart `json:"parts"`
}

type preparedPart struct {
	Number int    `json:"number"`
	Size   int64  `json:"size" jsonschema:"exactly how many bytes of the file to send, in order"`
	URL    string `json:"url"`
}

var prepareUpload = define(tool{
	name: "prepare_upload", title: "Prepare an upload", gives: "The upload session", seeks: "upload session", writes: true,
	about: "Opens an upload session and hands out URLs to which the bytes of files are sent by HTTP PUT, without a token. " +
		"Call ingest with the session afterwards. The bytes never pass through this protocol.",
	input: object(required("files", list(mostFiles, object(
		required("filename", text(1024, "the file's name, with its extension")),
		required("size", integer(0, 1<<53, "the file's size in bytes, exactly")),
	), "the files to send"))),
}, func(ctx context.Context, c call, in struct {
	Files []struct {
		Filename string
		Size     int64
	}
}) (prepared, error) {
	files := make([]upload.NewFile, len(in.Files))
	for i, f := range in.Files {
		files[i] = upload.NewFile{Name: f.Filename, Size: f.Size}
	}
	session, tickets, err := c.Upload.Prepare(ctx, c.principal, files)
	if err != nil {
		return prepared{}, err
	}
	told := prepared{SessionID: string(session.ID), Note: "Send each part with: curl -T PART URL. Then call ingest with the sessionId."}
	urls := 0
	for _, t := range tickets {
		file := preparedFile{FileID: string(t.File.ID), Filename: t.File.Name, Parts: []preparedPart{}}
		for _, u := range t.URLs {
			file.Parts = append(file.Parts, preparedPart{u.Number, u.Size, u.URL})
		}
		urls += len(t.URLs)
		told.Files = append(told.Files, file)
	}
	if urls <= mostURLs {
		return told, nil
	}
	if _, err := c.Upload.Abort(ctx, c.principal, session.ID); err != nil {
		return prepared{}, err
	}
	return prepared{}, invalid(quern.Fault("tooLarge", "files", fmt.Sprintf(
		"would need %d URLs, and at most %d fit into an answer: send files of this size with quern upload", urls, mostURLs)))
})
