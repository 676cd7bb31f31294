package store

import (
	"database/sql"
	"slices"
	"sync"

	"quern"
)

const (
	// mostKept is of how many datasets the columns are kept, and mostKeptText how long
	// their text may be.
	mostKept     = 256
	mostKeptText = 64 << 10
)

// columnCache keeps the columns of datasets as they were last written or read, so that
// whoever changes a dataset again and again need not decode them every time. It goes by
// their text, so it never gives columns that the database does not have.
type columnCache struct {
	mu   sync.Mutex
	kept map[quern.DatasetID]keptColumns
}

type keptColumns struct {
	text    string
	columns []quern.DatasetColumn
}

// decode reads the columns of a dataset.
func (c *columnCache) decode(id quern.DatasetID, text sql.NullString) (columns []quern.DatasetColumn, err error) {
	c.mu.Lock()
	last, ok := c.kept[id]
	c.mu.Unlock()
	if ok && last.text == text.String {
		return slices.Clone(last.columns), nil
	}
	if err := decode(text, &columns); err != nil {
		return nil, err
	}
	c.note(id, text.String, columns)
	return columns, nil
}

// note keeps the columns of a dataset, which are nobody's to change any more.
func (c *columnCache) note(id quern.DatasetID, text string, columns []quern.DatasetColumn) {
	if len(text) > mostKeptText {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.kept[id]; !ok && len(c.kept) >= mostKept {
		for some := range c.kept {
			delete(c.kept, some)
			break
		}
	}
	if c.kept == nil {
		c.kept = map[quern.DatasetID]keptColumns{}
	}
	c.kept[id] = keptColumns{text, slices.Clone(columns)}
}
