package ingest

import (
	"context"
	"math/bits"
	"time"

	"quern"
	"quern/catalog"
	"quern/engine"
)

const (
	// fullSegment is the size from which a segment is left alone.
	fullSegment = 1 << 20 // rows
	// fanIn is how many adjacent segments of like size are merged into one, so
	// that a row is rewritten once per power of fanIn.
	fanIn = 8
	// mostMerged bounds the segments of one merge.
	mostMerged = 256
)

// Upkeep merges small segments and sweeps garbage until ctx ends. Every replica
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
// runs of fanIn alike, so that steady small ingests cost little.
func (s *Service) MergeSmall(ctx context.Context, idleSince time.Time) error {
	const datasets = 64
	ids, err := s.catalog.Fragmented(ctx, fullSegment, datasets)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.mergeDataset(ctx, id, idleSince); err != nil && quern.KindOf(err) != quern.Conflict && quern.KindOf(err) != quern.NotFound {
			return err
		}
	}
	return nil
}

func (s *Service) mergeDataset(ctx context.Context, id quern.DatasetID, idleSince time.Time) error {
	for {
		snap, err := s.catalog.Table(ctx, id)
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
	return s.catalog.Replace(ctx, d.ID, run, piece)
}

// worthMerging gives adjacent segments to merge: of the lowest level that has
// fanIn in a row or, when the dataset is idle, the longest run of small ones.
func worthMerging(segments []quern.Segment, idle bool) []quern.Segment {
	if idle {
		return longestRun(segments, func(s quern.Segment) bool { return s.Rows < fullSegment })
	}
	for top := range level(fullSegment) {
		run := longestRun(segments, func(s quern.Segment) bool { return level(s.Rows) <= top })
		if len(run) >= fanIn {
			return run
		}
	}
	return nil
}

// level is a segment's size on a logarithmic scale of base fanIn.
func level(rows int64) int { return (bits.Len64(uint64(rows)) - 1) / 3 }

// longestRun gives the longest run of adjacent segments that fit and together
// stay within what one segment should hold.
func longestRun(segments []quern.Segment, fits func(quern.Segment) bool) []quern.Segment {
	var best []quern.Segment
	start, rows := 0, int64(0)
	for i, seg := range segments {
		if !fits(seg) {
			start, rows = i+1, 0
			continue
		}
		rows += seg.Rows
		for rows > 2*fullSegment || i+1-start > mostMerged {
			rows -= segments[start].Rows
			start++
		}
		if i+1-start > len(best) {
			best = segments[start : i+1]
		}
	}
	return best
}
