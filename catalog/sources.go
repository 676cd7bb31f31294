package catalog

import (
	"cmp"
	"context"
	"slices"

	"quern"
	"quern/store"
)

// sourcesAtOnce is how many sources are read together.
const sourcesAtOnce = 1_000

// SourcesOf tells where single rows of a dataset the principal may read came from.
// The answer has one entry per row; that of a row that was not read from a file
// is zero.
func (s *Service) SourcesOf(ctx context.Context, p quern.Principal, id quern.DatasetID, rows []int64) ([]quern.Source, error) {
	wanted := sourceSearch{rows: rows, left: make([]int, len(rows)), found: make([]quern.Source, len(rows))}
	for i := range wanted.left {
		wanted.left[i] = i
	}
	slices.SortFunc(wanted.left, func(a, b int) int { return cmp.Compare(rows[a], rows[b]) })
	err := s.store.View(ctx, func(tx *store.Tx) error {
		if _, err := datasetByID(ctx, tx, p, id, Read); err != nil {
			return err
		}
		for len(wanted.left) > 0 {
			sources, err := tx.Sources(ctx, id, wanted.missing())
			if err != nil {
				return err
			}
			wanted.take(sources)
		}
		return nil
	})
	return wanted.found, err
}

// sourceSearch looks for the sources of rows.
type sourceSearch struct {
	rows  []int64
	left  []int // the rows that are still looked for, by place, the smallest id first
	found []quern.Source
}

// missing is the range that holds all rows that are still looked for.
func (s *sourceSearch) missing() store.RowRange {
	return store.RowRange{From: s.rows[s.left[0]], To: s.rows[s.left[len(s.left)-1]] + 1, Limit: sourcesAtOnce}
}

// take notes what sources of the missing range say, of the first row at least.
func (s *sourceSearch) take(sources []quern.Source) {
	all := len(sources) < sourcesAtOnce
	for ; len(s.left) > 0; s.left = s.left[1:] {
		row := s.rows[s.left[0]]
		for len(sources) > 0 && sources[0].FirstRow+sources[0].Rows <= row {
			sources = sources[1:]
		}
		switch {
		case len(sources) == 0 && !all:
			return // those after them may tell
		case len(sources) > 0 && sources[0].FirstRow <= row:
			s.found[s.left[0]] = sources[0]
		}
	}
}
