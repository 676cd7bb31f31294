package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"quern"
)

// InsertSegment makes an object part of its dataset's table.
func (tx *Tx) InsertSegment(ctx context.Context, s quern.Segment) error {
	columns, err := encode(s.Columns)
	if err != nil {
		return err
	}
	bounds, err := encode(s.Bounds)
	if err != nil {
		return err
	}
	err = tx.later(ctx, `INSERT INTO segments (id, dataset_id, object_key, first_row, row_count, bytes, columns, stats)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		s.ID, s.Dataset, s.Key, s.FirstRow, s.Rows, s.Bytes, columns, bounds)
	if err != nil || len(s.Foot) == 0 {
		return err
	}
	return tx.PutFoot(ctx, s.Key, s.Foot)
}

// Segments lists a dataset's segments by row id, without their bounds.
func (tx *Tx) Segments(ctx context.Context, id quern.DatasetID) ([]quern.Segment, error) {
	return tx.segments(ctx, id, segmentsOf)
}

// BoundedSegments lists a dataset's segments by row id, with their bounds.
func (tx *Tx) BoundedSegments(ctx context.Context, id quern.DatasetID) ([]quern.Segment, error) {
	return tx.segments(ctx, id, boundedSegmentsOf)
}

var (
	segmentsOf = steady(`SELECT id, object_key, first_row, row_count, bytes, columns, NULL
		FROM segments WHERE dataset_id = $1 ORDER BY first_row`)
	boundedSegmentsOf = strings.Replace(segmentsOf, "NULL", "stats", 1)
)

func (tx *Tx) segments(ctx context.Context, id quern.DatasetID, statement string) ([]quern.Segment, error) {
	var all []quern.Segment
	var before sql.NullString // most segments have the columns of the one before
	err := tx.each(ctx, statement,
		[]any{id}, func(scan func(...any) error) error {
			s := quern.Segment{Dataset: id}
			var columns, bounds sql.NullString
			if err := scan(&s.ID, &s.Key, &s.FirstRow, &s.Rows, &s.Bytes, &columns, &bounds); err != nil {
				return err
			}
			if len(all) > 0 && columns == before {
				s.Columns = all[len(all)-1].Columns
			} else if err := decode(columns, &s.Columns); err != nil {
				return err
			}
			before = columns
			err := decode(bounds, &s.Bounds)
			all = append(all, s)
			return err
		})
	return all, err
}

// SegmentIDs returns the ids of a dataset's segments.
func (tx *Tx) SegmentIDs(ctx context.Context, id quern.DatasetID) (map[quern.SegmentID]bool, error) {
	all := map[quern.SegmentID]bool{}
	err := tx.each(ctx, `SELECT id FROM segments WHERE dataset_id = $1`, []any{id}, func(scan func(...any) error) error {
		var one quern.SegmentID
		err := scan(&one)
		all[one] = true
		return err
	})
	return all, err
}

// IsSegment reports whether an object is part of a dataset's table.
func (tx *Tx) IsSegment(ctx context.Context, key string) (is bool, err error) {
	err = tx.each(ctx, `SELECT 1 FROM segments WHERE object_key = $1 LIMIT 1`, []any{key}, func(scan func(...any) error) error {
		var one int
		is = true
		return scan(&one)
	})
	return is, err
}

// DeleteSegments takes segments out of their dataset's table and returns how many
// were there. Their objects become garbage at the given time.
func (tx *Tx) DeleteSegments(ctx context.Context, segments []quern.Segment, after time.Time) (int64, error) {
	const batch = 500
	var gone int64
	for len(segments) > 0 {
		some := segments[:min(batch, len(segments))]
		segments = segments[len(some):]
		ids, keys := make([]any, len(some)), make([]any, len(some)+1)
		keys[0] = micros(after)
		for i, s := range some {
			ids[i], keys[i+1] = s.ID, s.Key
		}
		n, err := tx.exec(ctx, `DELETE FROM segments WHERE id IN (`+marks(1, len(ids), "$%")+`)`, ids...)
		if err != nil {
			return gone, err
		}
		gone += n
		if err := tx.endPublished(ctx, some[0].Dataset, after); err != nil {
			return gone, err
		}
		if _, err := tx.exec(ctx, `INSERT INTO garbage (delete_after, object_key) VALUES `+marks(2, len(some), "($1, $%)")+`
			ON CONFLICT (object_key) DO NOTHING`, keys...); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// InsertGarbage marks an object for deletion at a time, unless it is claimed.
func (tx *Tx) InsertGarbage(ctx context.Context, key string, after time.Time) error {
	_, err := tx.exec(ctx, `INSERT INTO garbage (object_key, delete_after) VALUES ($1, $2)`, key, micros(after))
	return err
}

// ClaimGarbage strikes an object whose time has not come off the list of what
// will be deleted, and reports whether it was there.
func (tx *Tx) ClaimGarbage(ctx context.Context, key string, now time.Time) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM garbage WHERE object_key = $1 AND delete_after > $2`, key, micros(now))
	return n == 1, err
}

// DeleteGarbage strikes a deleted object off the list.
func (tx *Tx) DeleteGarbage(ctx context.Context, key string) error {
	if _, err := tx.exec(ctx, `DELETE FROM object_digests WHERE object_key = $1`, key); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM garbage WHERE object_key = $1`, key)
	return err
}

// Garbage lists objects whose time has come, but for those of datasets of which an
// earlier version is served to other engines. While a hold lasts there are none.
func (tx *Tx) Garbage(ctx context.Context, now time.Time, limit int) ([]string, error) {
	var keys []string
	err := tx.each(ctx, `SELECT object_key FROM garbage WHERE delete_after <= $1
		AND NOT EXISTS (SELECT 1 FROM published WHERE held = 1 AND object_key LIKE 'tables/' || dataset_id || '/%')
		AND `+noHold(1)+` ORDER BY delete_after LIMIT $2`,
		[]any{micros(now), limit}, func(scan func(...any) error) error {
			var key string
			err := scan(&key)
			keys = append(keys, key)
			return err
		})
	return keys, err
}

// rowMarks are the marks of so many rows of values, numbered from 1.
func rowMarks(rows, values int) string {
	var text strings.Builder
	for n := range rows * values {
		switch {
		case n == 0:
			text.WriteByte('(')
		case n%values == 0:
			text.WriteString("), (")
		default:
			text.WriteString(", ")
		}
		text.WriteByte('$')
		text.WriteString(itoa(n + 1))
	}
	text.WriteByte(')')
	return text.String()
}

// marks repeats form count times, comma-separated, with % replaced by running
// numbers from first.
func marks(first, count int, form string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = strings.ReplaceAll(form, "%", itoa(first+i))
	}
	return strings.Join(parts, ", ")
}
