package catalog

import (
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/engine"
)

// opensAtOnce is how many segments of a table are fetched at a time, where they are far away.
const opensAtOnce = 8

// OpenTable makes segments of a dataset readable by the engine: their objects as
// local files, which stay until release is called.
func OpenTable(
	ctx context.Context, files blob.Files, d quern.Dataset, segments []quern.Segment,
) (t engine.Table, release func(), err error) {
	opening, ctx := errgroup.WithContext(ctx)
	return openTable(opening, d, segments, func(s quern.Segment) (engine.Segment, func(), error) {
		path, release, err := openSegment(ctx, files, s)
		return engine.Segment{Path: path}, release, err
	})
}

// openTable opens the segments of a table, some at a time.
func openTable(
	opening *errgroup.Group, d quern.Dataset, segments []quern.Segment, open func(quern.Segment) (engine.Segment, func(), error),
) (t engine.Table, release func(), err error) {
	t = engine.Table{Columns: Columns(d), Segments: make([]engine.Segment, len(segments)), WasText: wasText(d)}
	releases := make([]func(), len(segments))
	release = func() {
		for _, r := range releases {
			if r != nil {
				r()
			}
		}
	}
	opening.SetLimit(opensAtOnce)
	for i, s := range segments {
		opening.Go(func() (err error) {
			opened, done, err := open(s)
			opened.Columns, opened.FirstRow, opened.Rows = s.Columns, s.FirstRow, s.Rows
			t.Segments[i], releases[i] = opened, done
			return err
		})
	}
	if err := opening.Wait(); err != nil {
		release()
		return engine.Table{}, nil, err
	}
	return t, release, nil
}

// rowFiles is what files can do that have a place for rows which are in the journal.
type rowFiles interface {
	Rows(ctx context.Context, s quern.Segment) (path string, release func(), err error)
}

var errNoRowFiles = errors.New("catalog: nobody makes files of rows in the journal")

func openSegment(ctx context.Context, files blob.Files, s quern.Segment) (path string, release func(), err error) {
	if !s.InJournal() {
		return files.File(ctx, s.Key)
	}
	made, ok := files.(rowFiles)
	if !ok {
		return "", nil, errNoRowFiles
	}
	return made.Rows(ctx, s)
}

func wasText(d quern.Dataset) map[string]bool {
	var was map[string]bool
	for _, c := range d.Columns {
		for _, w := range c.Widened {
			if c.Type == quern.JSON && w.Type == quern.Text {
				if was == nil {
					was = map[string]bool{}
				}
				was[c.Name] = true
			}
		}
	}
	return was
}

// Columns returns a dataset's columns in the order to show them, without what is
// known of their values, and behind them the internal ones.
func Columns(d quern.Dataset) []quern.Column {
	columns := make([]quern.Column, 0, len(d.Columns))
	for _, c := range DisplayColumns(d) {
		columns = append(columns, c.Column)
	}
	for _, c := range d.Columns {
		if quern.IsInternal(c.Name) {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

// Width returns how many columns a dataset would have with a batch appended.
func Width(d quern.Dataset, batch []Batch) int {
	names := make(map[string]bool, len(d.Columns)+len(batch))
	for _, c := range d.Columns {
		names[strings.ToLower(c.Name)] = true
	}
	for _, b := range batch {
		names[strings.ToLower(b.Name)] = true
	}
	return len(names)
}
