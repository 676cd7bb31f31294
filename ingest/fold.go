package ingest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"quern"
	"quern/engine"
)

const (
	// foldAfter is how long rows stay in the journal at least, unless they become many.
	foldAfter = 10 * time.Second
	// foldLife is how long one server keeps others from folding a dataset.
	foldLife = time.Minute
)

// Fold makes segments of those rows of a dataset that are in the journal and come before
// a row. Rows that somebody else folded meanwhile are none of its business.
func (s *Service) Fold(ctx context.Context, id quern.DatasetID, before int64) error {
	runs, err := s.catalog.InJournal(ctx, id, before)
	if quern.Is(err, quern.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, rows := range runs {
		if err := s.fold(ctx, rows); err != nil && !errors.Is(err, errOvertaken) {
			return fmt.Errorf("dataset %s: %w", id, err)
		}
	}
	return nil
}

func (s *Service) fold(ctx context.Context, rows quern.Segment) error {
	lines := filepath.Join(s.temp, "rows-"+quern.NewID[string]()+".ndjson")
	defer os.Remove(lines)
	if err := os.WriteFile(lines, rows.Lines, 0o600); err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	piece, err := s.put(ctx, rows.Dataset, rows.Columns, func(path string) (engine.Written, error) {
		return s.engine.Write(ctx, engine.Source{Path: lines, Columns: rows.Columns}, path)
	})
	if err != nil {
		return err
	}
	err = s.catalog.Fold(ctx, rows, piece)
	if kind := quern.KindOf(err); kind == quern.Conflict || kind == quern.NotFound {
		return errOvertaken
	}
	return err
}

// FoldAll folds datasets that have had rows in the journal since before a time. One that
// cannot be folded does not keep the others from it.
func (s *Service) FoldAll(ctx context.Context, before time.Time) error {
	const datasets = 64
	var errs []error
	seen := map[quern.DatasetID]bool{}
	for {
		ids, err := s.catalog.Journaled(ctx, before, datasets+len(seen))
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		more := false
		for _, id := range ids {
			if seen[id] {
				continue
			}
			seen[id], more = true, true
			if err := s.foldClaimed(ctx, id); err != nil {
				errs = append(errs, err)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if !more {
			return errors.Join(errs...)
		}
	}
}

// foldClaimed folds a dataset unless another server does.
func (s *Service) foldClaimed(ctx context.Context, id quern.DatasetID) error {
	release, ok, err := s.catalog.ClaimFolding(ctx, id, foldLife)
	if err != nil || !ok {
		return err
	}
	defer release()
	return s.Fold(ctx, id, math.MaxInt64)
}

// FoldFull folds datasets as soon as they have enough in the journal, until ctx ends.
func (s *Service) FoldFull(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-s.full:
			s.folding.Delete(id)
			if err := s.foldFull(ctx, id); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "folding the journal failed", "error", err)
			}
		}
	}
}

// foldFull folds a dataset if it still has enough in the journal: many ask for it.
func (s *Service) foldFull(ctx context.Context, id quern.DatasetID) error {
	full, err := s.catalog.JournalExceeds(ctx, id, quern.Stored{Rows: foldRows, Bytes: foldBytes})
	if err != nil || !full {
		return err
	}
	return s.foldClaimed(ctx, id)
}
