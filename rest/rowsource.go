package rest

import (
	"context"
	"fmt"

	"quern"
	"quern/catalog"
	"quern/door"
)

// sourcesAtOnce is how many rows' sources are looked up together.
const sourcesAtOnce = 10_000

// rowSources tells of the rows of a dataset, in order, which they are and where
// they came from.
type rowSources struct {
	ctx     context.Context //nolint:containedctx // lives as long as the answer it is for
	catalog *catalog.Service
	dataset quern.DatasetID
	row     int64  // the next row
	score   string // what is told before the row, with a comma; may be empty
	until   int64  // sources are known for rows before this one
	sources []quern.Source
}

// read looks up where the next rows came from.
func (s *rowSources) read() (err error) {
	s.until = s.row + sourcesAtOnce
	s.sources, err = s.catalog.Sources(s.ctx, principal(s.ctx), s.dataset, s.row, s.until)
	return err
}

// next writes the metadata of the next row; nothing when there is nothing to tell.
func (s *rowSources) next() (string, error) {
	if s == nil {
		return "", nil
	}
	if s.row >= s.until {
		if err := s.read(); err != nil {
			return "", err
		}
	}
	id := s.row
	s.row++
	for len(s.sources) > 0 && s.sources[0].FirstRow+s.sources[0].Rows <= id {
		s.sources = s.sources[1:]
	}
	if len(s.sources) == 0 || s.sources[0].FirstRow > id {
		return fmt.Sprintf(`"__metadata":{%s"row":%d}`, s.score, id), nil
	}
	from := s.sources[0]
	source, err := door.Marshal(struct {
		File   string `json:"file"`
		Member string `json:"member,omitempty"`
		Row    int64  `json:"row"`
	}{from.File, from.Member, from.FileRow + id - from.FirstRow})
	return fmt.Sprintf(`"__metadata":{%s"row":%d,"source":%s}`, s.score, id, source), err
}

// appendMember puts a member into the object that line ends with.
func appendMember(line []byte, member string) []byte {
	line = line[:len(line)-1]
	if line[len(line)-1] != '{' {
		line = append(line, ',')
	}
	return append(append(line, member...), '}')
}
