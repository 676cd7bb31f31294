package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
)

const (
	// mostTogether is how many requests share a transaction, at most.
	mostTogether = 128
	// smallPatience is how long such a transaction may take.
	smallPatience = 30 * time.Second
	// mostFull is how many datasets may wait to be folded.
	mostFull = 256
	// foldRows and foldBytes are what is in the journal of a dataset when it is folded.
	foldRows  = 4 << 10
	foldBytes = 1 << 20
	// mostFolds is how often a request that finds the journal full has it folded.
	mostFolds = 3
)

// few appends the rows of a body that is in memory: by the journal if they are few and fit
// the dataset as it is, else as all others.
func (s *Service) few(ctx context.Context, p quern.Principal, path quern.DatasetPath, r RowsRequest, body []byte) (int64, error) {
	var lines bytes.Buffer
	read, err := scan(bytes.NewReader(body), &lines, s.limits)
	if err != nil {
		return 0, err
	}
	digest := sha256.Sum256(body)
	a, err := s.addition(p, r, read, digest[:], int64(len(body)))
	if err != nil {
		return 0, err
	}
	if read.rows > 0 && read.rows <= smallRows && plainGuide(a.Guide) {
		rows := &fewRows{read, lines.Bytes()}
		answer, err := s.appendSmall(ctx, &catalog.Small{Principal: p, Path: path, Addition: a, Rows: rows.journal})
		if !errors.Is(err, errNotSmall) {
			return indexed(answer, err)
		}
	}
	file, err := os.CreateTemp(s.temp, "rows-*.ndjson")
	if err != nil {
		return 0, fmt.Errorf("ingest: %w", err)
	}
	defer os.Remove(file.Name())
	_, err = file.Write(lines.Bytes())
	if err := errors.Join(err, file.Close()); err != nil {
		return 0, fmt.Errorf("ingest: %w", err)
	}
	return s.appendScanned(ctx, p, path, scannedFile{read, file.Name()}, a)
}

// plainGuide reports whether nothing was said that is kept with the dataset, or that
// changes the rows.
func plainGuide(g quern.IngestGuide) bool {
	return len(g.Steps) == 0 && g.Definition.DataDescription == nil && g.Definition.SchemaDefinition == nil && g.Links == nil && g.Curate == nil
}

// errNotSmall says that rows are not for the journal.
var errNotSmall = errors.New("ingest: the rows are not for the journal")

// appendSmall writes rows to the journal, together with those of others who come at the
// same time, and folds it first where it is full.
func (s *Service) appendSmall(ctx context.Context, one *catalog.Small) (string, error) {
	for range mostFolds {
		if err := s.small.Add(ctx, one); err != nil {
			return "", err
		}
		switch {
		case errors.Is(one.Err, catalog.ErrJournalFull):
			d, err := s.catalog.Dataset(ctx, one.Principal, one.Path, catalog.Write)
			if err != nil {
				return "", err
			}
			if err := s.Fold(ctx, d.ID, d.NextRow); err != nil {
				return "", err
			}
			continue
		case errors.Is(one.Err, catalog.ErrReplan):
			return "", errNotSmall
		case one.Err == nil:
			s.foldSoon(one.Dataset)
		}
		return one.Answer, one.Err
	}
	return "", errNotSmall
}

// foldSoon has a dataset folded that has enough in the journal.
func (s *Service) foldSoon(d quern.Dataset) {
	if d.Journal.Rows < foldRows && d.Journal.Bytes < foldBytes {
		return
	}
	if _, waits := s.folding.LoadOrStore(d.ID, true); waits {
		return
	}
	select {
	case s.full <- d.ID:
	default: // the upkeep finds it
		s.folding.Delete(d.ID)
	}
}

// batchSmall returns what writes requests to the journal, many together.
func (s *Service) batchSmall() *store.Batcher[*catalog.Small] {
	return &store.Batcher[*catalog.Small]{
		Most: mostTogether, Patience: smallPatience, Fail: func(one *catalog.Small, err error) { one.Err = err },
		Write: func(ctx context.Context, all []*catalog.Small) error {
			err := s.catalog.AppendSmall(ctx, all)
			if !errors.Is(err, catalog.ErrNoJournal) {
				return err
			}
			for _, one := range all {
				one.Err = catalog.ErrReplan
			}
			return nil
		},
	}
}
