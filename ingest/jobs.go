package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/structure"
)

// Request asks for uploaded files to become rows of a dataset.
type Request struct {
	Key     string // names the request, so that it is carried out once; may be empty
	Session quern.SessionID
	Files   []quern.FileID // nil: all that are completed
	Options quern.IngestionOptions
	Guide   quern.IngestGuide
}

// Start queues the ingestion of uploaded files and returns its id. The dataset is
// made when it is missing and in the principal's own name. Invalid when the
// session or one of the files is not the principal's, or not completed.
func (s *Service) Start(ctx context.Context, p quern.Principal, path quern.DatasetPath, r Request) (quern.IngestionID, error) {
	// Whether the dataset can be written to comes before what the files are like.
	if _, err := s.catalog.OrDraft(ctx, p, path, catalog.Write); err != nil && !quern.Is(err, quern.NotFound) {
		return "", err
	}
	files, faults := s.uploaded(ctx, p, r)
	job := quern.Ingestion{
		ID: quern.NewID[quern.IngestionID](), Actor: p.User.ID, Token: p.Proof(), Scopes: p.Scopes,
		Files: files, Options: r.Options, Name: r.Guide.Name, CreatedAt: s.now().UTC(),
	}
	job.Options.Instructions, job.Options.BatchSize, job.Options.Steps = r.Guide.Instructions, r.Guide.BatchSize, r.Guide.Steps
	if _, err := s.steps.Begin(structure.Job{Steps: r.Guide.Steps, Definition: r.Guide.Definition}); err != nil {
		return "", err
	}
	for _, f := range files {
		job.ExpectedBytes += f.Size
	}
	once := catalog.Once{Key: r.Key, Request: r.digest(path), Answer: string(job.ID)}
	var answer string
	err := s.catalog.ForWriting(ctx, p, path, func(tx *store.Tx, d quern.Dataset) (err error) {
		var repeated bool
		if answer, repeated, err = s.catalog.Remember(ctx, tx, p, d.ID, once); err != nil || repeated {
			return err
		}
		if faults != nil {
			return faults
		}
		job.Dataset = d.ID
		if len(r.Guide.Steps) > 0 {
			job.Options.Into = quern.IntoOne // what steps make is one table
			def := r.Guide.Definition.Or(d.Definition)
			job.Options.Definition = &def
		}
		if err := s.catalog.Guide(ctx, tx, d, r.Guide); err != nil {
			return err
		}
		return tx.InsertIngestion(ctx, job)
	})
	if err != nil {
		return "", err
	}
	s.workers.Wake()
	return quern.IngestionID(answer), nil
}

// digest tells requests apart.
func (r Request) digest(path quern.DatasetPath) string {
	options, err := json.Marshal(r.Options)
	if err != nil {
		panic(err) // options are texts and truth values
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "ingest\x00%s\x00%q\x00%s\x00", r.Session, r.Files, options)
	if len(r.Guide.Steps) > 0 {
		fmt.Fprintf(sum, "%+v\x00", r.Guide.Steps)
	}
	fmt.Fprintf(sum, "%s/%s/%s", path.Owner, quern.NameKey(path.Namespace), quern.NameKey(path.Dataset))
	return hex.EncodeToString(sum.Sum(nil))
}

// uploaded finds the completed files that a request names.
func (s *Service) uploaded(ctx context.Context, p quern.Principal, r Request) ([]quern.IngestionFile, error) {
	completed, err := s.uploads.Files(ctx, p, r.Session)
	if quern.Is(err, quern.NotFound) {
		return nil, invalid(quern.SubError{Code: "unknown", Message: "sessionId: there is no such upload session"})
	}
	if err != nil {
		return nil, err
	}
	byID := make(map[quern.FileID]quern.UploadFile, len(completed))
	var files []quern.IngestionFile
	for _, f := range completed {
		byID[f.ID] = f
		if r.Files == nil {
			files = append(files, quern.IngestionFile{ID: f.ID, Name: f.Name, Key: f.Key, Size: f.Size})
		}
	}
	var faults []quern.SubError
	for i, id := range r.Files {
		f, ok := byID[id]
		if !ok {
			faults = append(faults, quern.SubError{Code: "unknown", Message: fmt.Sprintf("fileIds[%d]: is not a completed file of the session", i)})
			continue
		}
		files = append(files, quern.IngestionFile{ID: f.ID, Name: f.Name, Key: f.Key, Size: f.Size})
	}
	switch {
	case len(faults) > 0:
		return nil, invalid(faults...)
	case len(files) == 0:
		return nil, invalid(quern.SubError{Code: "empty", Message: "sessionId: the session has no completed file"})
	}
	return files, nil
}

func invalid(faults ...quern.SubError) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "the request fails validation").With(faults...)
}

// Ingestion returns an ingestion of a dataset that the principal may read, and the
// dataset.
func (s *Service) Ingestion(ctx context.Context, p quern.Principal, id quern.IngestionID) (quern.Ingestion, quern.Dataset, error) {
	return s.visible(ctx, p, id, catalog.Read)
}

func (s *Service) visible(
	ctx context.Context, p quern.Principal, id quern.IngestionID, a catalog.Action,
) (i quern.Ingestion, d quern.Dataset, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		i, err = tx.Ingestion(ctx, id)
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return i, d, quern.E(quern.NotFound, quern.CodeNotFound, "not found")
	}
	if err == nil {
		d, err = s.catalog.ByID(ctx, p, i.Dataset, a)
	}
	if err == nil && d.Draft && i.Actor != p.User.ID {
		err = quern.E(quern.NotFound, quern.CodeNotFound, "not found") // nobody else knows of the dataset
	}
	return i, d, err
}

// Attempts returns a dataset and its ingestions made before a time, newest first. Of
// a dataset that was never made they are its own user's to see.
func (s *Service) Attempts(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, before time.Time, limit int,
) (d quern.Dataset, all []quern.Ingestion, err error) {
	if d, err = s.catalog.OrDraft(ctx, p, path, catalog.Read); err != nil {
		return d, nil, err
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.Ingestions(ctx, d.ID, before, limit)
		return err
	})
	return d, all, err
}

// UnderWay is an ingestion that has not ended, and its dataset.
type UnderWay struct {
	quern.Ingestion
	Into quern.Dataset
}

// UnderWay lists at most limit of the ingestions that the principal asked for and that
// have not ended, newest first. Those of datasets that it may no longer read are left out.
func (s *Service) UnderWay(ctx context.Context, p quern.Principal, limit int) ([]UnderWay, error) {
	var open []quern.Ingestion
	if err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		open, err = tx.IngestionsUnderWay(ctx, p.User.ID, limit)
		return err
	}); err != nil {
		return nil, err
	}
	all := make([]UnderWay, 0, len(open))
	for _, i := range open {
		d, err := s.catalog.ByID(ctx, p, i.Dataset, catalog.Read)
		if quern.Is(err, quern.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, UnderWay{i, d})
	}
	return all, nil
}

// Retry queues another ingestion of the same files under the principal's rights.
// Conflict unless the first has failed or was aborted.
func (s *Service) Retry(ctx context.Context, p quern.Principal, id quern.IngestionID) (quern.Ingestion, error) {
	first, _, err := s.visible(ctx, p, id, catalog.Write)
	if err != nil {
		return first, err
	}
	if first.Status != quern.IngestionFailed && first.Status != quern.IngestionAborted {
		return first, quern.E(quern.Conflict, quern.CodeConflict,
			"the ingestion is %s; only one that failed or was aborted can be tried again", first.Status)
	}
	again := quern.Ingestion{
		ID: quern.NewID[quern.IngestionID](), Dataset: first.Dataset, Actor: p.User.ID, Token: p.Proof(), Scopes: p.Scopes,
		Status: quern.IngestionPending, Files: first.Files, Options: first.Options, RetryOf: first.ID, Name: first.Name,
		ExpectedBytes: first.ExpectedBytes, CreatedAt: s.now().UTC(),
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.InsertIngestion(ctx, again) })
	if err == nil {
		s.workers.Wake()
	}
	return again, err
}

// See notes that somebody has taken notice of an ingestion.
func (s *Service) See(ctx context.Context, p quern.Principal, id quern.IngestionID) error {
	if _, _, err := s.visible(ctx, p, id, catalog.Write); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.SeeIngestion(ctx, id, s.now()) })
}

// Cancel stops an ingestion: the dataset stays as it was. Cancelling again is
// harmless; Conflict when the ingestion has completed or failed.
func (s *Service) Cancel(ctx context.Context, p quern.Principal, id quern.IngestionID) error {
	if _, _, err := s.visible(ctx, p, id, catalog.Write); err != nil {
		return err
	}
	return s.CancelAny(ctx, id)
}

// CancelAny is Cancel for whoever administers: it asks for nobody's rights. NotFound
// when there is no such ingestion.
func (s *Service) CancelAny(ctx context.Context, id quern.IngestionID) error {
	var i quern.Ingestion
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		if _, err := tx.AbortIngestion(ctx, id, s.now()); err != nil {
			return err
		}
		i, err = tx.Ingestion(ctx, id)
		return err
	})
	if err == nil && i.Status != quern.IngestionAborted {
		err = quern.E(quern.Conflict, quern.CodeConflict, "the ingestion has %s", i.Status)
	}
	return err
}

// Rejected lists at most limit of the rows of an ingestion's files that could not
// be read, in order, from a position on. The rights are asked for each time.
func (s *Service) Rejected(
	ctx context.Context, p quern.Principal, id quern.IngestionID, from, limit int,
) (rows []quern.RejectedRow, err error) {
	if _, _, err := s.visible(ctx, p, id, catalog.Read); err != nil {
		return nil, err
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		rows, err = tx.RejectedRows(ctx, id, from, limit)
		return err
	})
	return rows, err
}
