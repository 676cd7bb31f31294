package ingest

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"quern"
	"quern/catalog"
	"quern/engine"
)

const (
	// fullSegment is the size from which a segment is left alone.
	fullSegment = 1 << 20 // rows
	// fanIn is how many adjacent segments are merged into one at least, while
	// more keep coming.
	fanIn = 8
	// mostShare bounds the largest segment of such a merge: it holds at most one
	// part in mostShare of the rows.
	mostShare = 4
	// mostMerged bounds the segments of one merge.
	mostMerged = 256
)

// Upkeep folds the journal, merges small segments and sweeps garbage until ctx ends. Every replica
// may run it: a merge that lost a race is thrown away.
func (s *Service) Upkeep(ctx context.Context, every, idle time.Duration, now func() time.Time) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.FoldAll(ctx, now().Add(-min(idle, foldAfter))); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "folding the journal failed", "error", err)
		}
		if err := s.MergeSmall(ctx, now().Add(-idle)); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "merging segments failed", "error", err)
		}
		if _, err := s.catalog.Sweep(ctx, s.objects); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "sweeping garbage failed", "error", err)
		}
	}
}

// MergeSmall merges what is worth merging. Datasets whose data has not changed
// since idleSince have all their small segments merged into one; others only
// runs of fanIn and more alike, so that steady small ingests cost little. A
// dataset that cannot be merged does not keep the others from it.
func (s *Service) MergeSmall(ctx context.Context, idleSince time.Time) error {
	const datasets = 64
	ids, err := s.catalog.Fragmented(ctx, fullSegment, datasets)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		err := s.mergeDataset(ctx, id, idleSince)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, errOvertaken) {
			errs = append(errs, fmt.Errorf("dataset %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// errOvertaken says that the dataset changed or went away while its segments
// were being merged: its next turn will see to it.
var errOvertaken = errors.New("ingest: a merge was overtaken")

func (s *Service) mergeDataset(ctx context.Context, id quern.DatasetID, idleSince time.Time) error {
	for {
		snap, err := s.catalog.Table(ctx, id)
		if quern.Is(err, quern.NotFound) {
			return errOvertaken
		}
		if err != nil {
			return err
		}
		run := worthMerging(snap.Segments, snap.Dataset.DataChangedAt.Before(idleSince))
		if len(run) < 2 {
			return nil
		}
		if err := s.merge(ctx, snap.Dataset, run); err != nil {
			return err
		}
	}
}

func (s *Service) merge(ctx context.Context, d quern.Dataset, run []quern.Segment) error {
	// Segments keep the columns' own order, whatever the order to show them in.
	d.SortOrder = nil
	table, release, err := catalog.OpenTable(ctx, s.files, d, run)
	if err != nil {
		return err
	}
	defer release()
	piece, err := s.put(ctx, d.ID, table.Columns, func(path string) (engine.Written, error) {
		return s.engine.Copy(ctx, table, path)
	})
	if err != nil {
		return err
	}
	err = s.catalog.Replace(ctx, d.ID, run, piece)
	if kind := quern.KindOf(err); kind == quern.Conflict || kind == quern.NotFound {
		return errOvertaken
	}
	return err
}

// worthMerging returns adjacent segments to merge: when the dataset is idle, the
// longest run of small ones; else a run of at least fanIn, of the lowest level
// that has one, in which no segment holds more than its share of the rows. So a
// row that is rewritten ends up in a segment several times as large as before,
// and is rewritten as often as the table has levels, not with every ingest.
func worthMerging(segments []quern.Segment, idle bool) []quern.Segment {
	if idle {
		best, _ := longest(runs(segments, func(s quern.Segment) bool { return s.Rows < fullSegment }))
		return best
	}
	for top := range level(fullSegment) {
		all := runs(segments, func(s quern.Segment) bool { return level(s.Rows) <= top })
		if best, ok := longest(slices.DeleteFunc(all, lopsided)); ok {
			return best
		}
	}
	return nil
}

// level is a segment's size on a logarithmic scale of base fanIn.
func level(rows int64) int { return (bits.Len64(uint64(rows)) - 1) / 3 }

// lopsided tells whether merging a run would mostly rewrite what is already
// large.
func lopsided(run []quern.Segment) bool {
	var rows, largest int64
	for _, s := range run {
		rows += s.Rows
		largest = max(largest, s.Rows)
	}
	return len(run) < fanIn || largest > rows/mostShare
}

// runs cuts segments into runs of adjacent ones that fit and together stay
// within what one segment should hold. Rows in the journal fit nowhere.
func runs(segments []quern.Segment, fits func(quern.Segment) bool) (all [][]quern.Segment) {
	start, rows := 0, int64(0)
	for i, s := range segments {
		fits := !s.InJournal() && fits(s)
		if rows+s.Rows > 2*fullSegment || i-start == mostMerged || !fits {
			all = append(all, segments[start:i])
			start, rows = i, 0
		}
		if rows += s.Rows; !fits {
			start, rows = i+1, 0
		}
	}
	return append(all, segments[start:])
}

func longest(all [][]quern.Segment) (best []quern.Segment, ok bool) {
	for _, run := range all {
		if len(run) > len(best) {
			best = run
		}
	}
	return best, len(best) > 0
}

// Widen rewrites the segments of a dataset that choose picks, in the dataset's types of
// now, adjacent ones together as far as one segment should hold. It ends without an
// error when the dataset changed meanwhile or is gone.
func (s *Service) Widen(ctx context.Context, id quern.DatasetID, choose func(quern.Snapshot) []quern.Segment) error {
	for {
		snap, err := s.catalog.Table(ctx, id)
		if quern.Is(err, quern.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		chosen := map[quern.SegmentID]bool{}
		for _, segment := range choose(snap) {
			if !segment.InJournal() {
				chosen[segment.ID] = true
			}
		}
		run, ok := longest(runs(snap.Segments, func(s quern.Segment) bool { return chosen[s.ID] }))
		if !ok || len(chosen) == 0 {
			return nil
		}
		if err := s.merge(ctx, snap.Dataset, run); err != nil {
			if errors.Is(err, errOvertaken) {
				return nil
			}
			return err
		}
	}
}
