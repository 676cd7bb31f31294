package catalog

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"quern"
	"quern/engine"
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

// maxLabelRuns is the most runs of rows from different places that a query can tell apart.
const maxLabelRuns = 20_000

// SourceColumns are the columns that a query which names them sees of every dataset
// beside its own and quern.RowColumn: where rows were read from.
func SourceColumns() []quern.Column {
	return []quern.Column{
		{Name: quern.FileColumn, Type: quern.Text}, {Name: quern.SheetColumn, Type: quern.Text}, {Name: quern.PageColumn, Type: quern.Integer},
	}
}

// Labels makes some of SourceColumns readable by the engine: what they say of the rows of a
// dataset that the principal may read. It fails when the rows come from more places
// than a query can tell apart.
func (s *Service) Labels(ctx context.Context, p quern.Principal, d quern.Dataset, columns []quern.Column) ([]engine.Label, error) {
	if len(columns) == 0 {
		return nil, nil
	}
	labels := make([]engine.Label, len(columns))
	err := s.store.View(ctx, func(tx *store.Tx) error {
		if _, err := datasetByID(ctx, tx, p, d.ID, Read); err != nil {
			return err
		}
		for i, c := range columns {
			labels[i] = engine.Label{Column: c}
		}
		for at := (store.RowRange{To: d.NextRow, Limit: sourcesAtOnce}); ; {
			sources, err := tx.Sources(ctx, d.ID, at)
			if err != nil {
				return err
			}
			for _, source := range sources {
				for i := range labels {
					if err := extend(&labels[i], source); err != nil {
						return err
					}
				}
				at.From = source.FirstRow + source.Rows
			}
			if len(sources) < sourcesAtOnce {
				return nil
			}
		}
	})
	return labels, err
}

// extend adds what a label says of the rows of a source, which are behind those so far.
func extend(l *engine.Label, source quern.Source) error {
	value := map[string]string{quern.FileColumn: source.File, quern.SheetColumn: source.Sheet}[l.Column.Name]
	if l.Column.Name == quern.PageColumn && source.Page > 0 {
		value = strconv.FormatInt(source.Page, 10)
	}
	if value == "" {
		return nil
	}
	end := source.FirstRow + source.Rows
	if n := len(l.Runs); n > 0 && l.Runs[n-1].To == source.FirstRow && l.Runs[n-1].Value == value {
		l.Runs[n-1].To = end
		return nil
	}
	if len(l.Runs) == maxLabelRuns {
		return quern.E(quern.Invalid, quern.CodeInvalidQuery, "%s cannot be used: the rows come from more than %d places; "+
			"the rows of the dataset tell their sources with metadata=true", l.Column.Name, maxLabelRuns)
	}
	l.Runs = append(l.Runs, engine.LabelRun{From: source.FirstRow, To: end, Value: value})
	return nil
}
