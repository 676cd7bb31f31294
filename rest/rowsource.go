package rest

import (
	"context"

	"quern"
	"quern/catalog"
	"quern/query"
)

// sourcesAtOnce is how many rows' sources are looked up together.
const sourcesAtOnce = 10_000

// rowSources tells of the rows of a dataset, in order, which they are and where
// they came from.
type rowSources struct {
	ctx     context.Context //nolint:containedctx // lives as long as the answer it is for
	catalog *catalog.Service
	dataset quern.DatasetID
	row     int64 // the next row
	until   int64 // sources are known for rows before this one
	sources []quern.Source
}

// read looks up where the next rows came from.
func (s *rowSources) read() (err error) {
	s.until = s.row + sourcesAtOnce
	s.sources, err = s.catalog.Sources(s.ctx, principal(s.ctx), s.dataset, s.row, s.until)
	return err
}

// next tells of the next row; nothing when rows do not tell of themselves.
func (s *rowSources) next() (*query.RowSource, error) {
	if s == nil {
		return nil, nil //nolint:nilnil // as the comment says
	}
	if s.row >= s.until {
		if err := s.read(); err != nil {
			return nil, err
		}
	}
	id := s.row
	s.row++
	for len(s.sources) > 0 && s.sources[0].FirstRow+s.sources[0].Rows <= id {
		s.sources = s.sources[1:]
	}
	if len(s.sources) == 0 || s.sources[0].FirstRow > id {
		return &query.RowSource{Row: id}, nil
	}
	return &query.RowSource{Row: id, Source: &s.sources[0]}, nil
}
