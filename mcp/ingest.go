package mcp

import (
	"context"
	"fmt"
	"time"

	"quern"
	"quern/door"
	"quern/ingest"
	"quern/upload"
)

const (
	// ingestWait is how long an ingestion is waited for: less than assistants wait for
	// a tool.
	ingestWait = 45 * time.Second
	// watchEvery is how often it is looked at.
	watchEvery = 250 * time.Millisecond
	mostTables = 50
)

type ingested struct {
	IngestionID  string          `json:"ingestionId" jsonschema:"give it to ingest to hear how far it has got"`
	Status       string          `json:"status" jsonschema:"pending, processing, completed, failed or aborted"`
	Message      string          `json:"message,omitempty" jsonschema:"why it failed"`
	Dataset      string          `json:"dataset"`
	Rows         int64           `json:"rows" jsonschema:"how many rows were read so far"`
	RejectedRows int64           `json:"rejectedRows" jsonschema:"rows that could not be read and were set aside"`
	Tables       []ingestedTable `json:"tables"`
	Truncated    bool            `json:"truncated"`
	Note         string          `json:"note,omitempty"`
}

type ingestedTable struct {
	Filename string   `json:"filename"`
	Dataset  string   `json:"dataset,omitempty" jsonschema:"the dataset that the table went into"`
	Rows     int64    `json:"rows"`
	Notes    []string `json:"notes,omitempty"`
}

var ingestFiles = define(tool{
	name: "ingest", title: "Ingest uploaded files", gives: "The ingestion", seeks: "dataset or ingestion", writes: true,
	about: "Turns the files of an upload session into rows of a dataset, which is made when it is missing and your own. Rows are added to those " +
		"that are there. Waits for a while; where status is not final then, call it again with the ingestionId alone.",
	input: object(
		optional("dataset", datasetText()),
		optional("sessionId", text(64, "the session of prepare_upload, when every part was sent")),
		optional("onError", oneOf("fail stores nothing when a row cannot be read; quarantine sets such rows aside",
			string(quern.Fail), string(quern.Quarantine))),
		optional("ingestionId", text(64, "an ingestion to hear of, alone")),
	),
}, func(ctx context.Context, c call, in struct{ Dataset, SessionID, OnError, IngestionID string }) (ingested, error) {
	begins, follows := in.Dataset != "" && in.SessionID != "", in.IngestionID != ""
	if begins == follows || follows && in.Dataset+in.SessionID+in.OnError != "" {
		return ingested{}, invalid(quern.Fault("required", "dataset", "give dataset and sessionId, or ingestionId alone"))
	}
	if follows {
		return c.followIngestion(ctx, quern.IngestionID(in.IngestionID))
	}
	path, err := datasetAt(in.Dataset)
	if err != nil {
		return ingested{}, err
	}
	if err := c.finishFiles(ctx, quern.SessionID(in.SessionID)); err != nil {
		return ingested{}, err
	}
	id, err := c.Ingest.Start(ctx, c.principal, path, ingest.Request{
		Session: quern.SessionID(in.SessionID), Options: quern.IngestionOptions{OnError: quern.OnError(in.OnError)},
	})
	if err != nil {
		return ingested{}, err
	}
	return c.followIngestion(ctx, id)
})

// finishFiles makes objects of the files of a session whose parts have arrived.
func (c call) finishFiles(ctx context.Context, id quern.SessionID) error {
	_, files, err := c.Upload.Session(ctx, c.principal, id)
	if quern.Is(err, quern.NotFound) {
		return invalid(quern.Fault("unknown", "sessionId", "there is no such upload session"))
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.File.Status != quern.UploadPreparing {
			continue
		}
		if _, err := c.Upload.Finish(ctx, c.principal, id, f.File.ID, upload.Claim{UploadID: f.File.UploadID, Key: f.File.Key}); err != nil {
			return err
		}
	}
	return nil
}

// followIngestion tells how far an ingestion has got until it has ended, or for as long
// as a caller waits.
func (c call) followIngestion(ctx context.Context, id quern.IngestionID) (ingested, error) {
	living, cancel := door.UntilStopping(ctx)
	defer cancel()
	enough := time.NewTimer(ingestWait)
	defer enough.Stop()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	read := int64(-1)
	for waits := true; ; {
		i, d, err := c.Ingest.Ingestion(ctx, c.principal, id)
		if err != nil || i.Status.Final() || !waits {
			return shownIngestion(i, d), err
		}
		if i.ProcessedBytes > read {
			read = i.ProcessedBytes
			c.progress(float64(read), float64(i.ExpectedBytes), fmt.Sprintf("%d rows read", i.ProcessedRows))
		}
		select {
		case <-tick.C:
		case <-enough.C:
			waits = false
		case <-living.Done():
			waits = false
		}
	}
}

func shownIngestion(i quern.Ingestion, d quern.Dataset) ingested {
	told := ingested{
		IngestionID: string(i.ID), Status: string(i.Status), Message: i.Message, Dataset: pathText(d.Path()),
		Rows: i.ProcessedRows, RejectedRows: i.Report.Rejected, Tables: []ingestedTable{}, Truncated: len(i.Report.Tables) > mostTables,
	}
	for _, t := range i.Report.Tables[:min(len(i.Report.Tables), mostTables)] {
		told.Tables = append(told.Tables, ingestedTable{t.File, t.Dataset, t.Rows, t.Notes})
	}
	switch {
	case !i.Status.Final():
		told.Note = "It is still being worked on: call ingest with this ingestionId alone to hear how far it has got."
	case told.Truncated:
		told.Note = fmt.Sprintf("%d of %d tables are shown.", mostTables, len(i.Report.Tables))
	}
	return told
}
