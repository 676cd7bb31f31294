package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"quern"
	"quern/engine"
	"quern/query"
)

// What of a result an assistant is shown: more than this does not fit into most
// conversations.
const (
	defaultRows = 50
	mostRows    = 500
	mostBytes   = 64 << 10
	mostValue   = 1_000 // characters of one value
	leastValue  = 10    // characters that are left of a value of a row that is very wide
)

// row is one row, an object by the names of its columns.
type row json.RawMessage

// MarshalJSON writes the row as it is.
func (r row) MarshalJSON() ([]byte, error) { return r, nil }

// rowList is rows with what is to be known of them.
type rowList struct {
	Columns []column `json:"columns,omitempty"`
	Rows    []row    `json:"rows"`
	// Count is how many rows are shown, and TotalCount how many there are.
	Count      int64  `json:"count"`
	TotalCount int64  `json:"totalCount"`
	Truncated  bool   `json:"truncated" jsonschema:"some rows are not shown"`
	Clipped    bool   `json:"clipped" jsonschema:"values longer than 1000 characters were cut"`
	Note       string `json:"note,omitempty" jsonschema:"what is not shown, and how to get it"`
}

type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// budget is how many bytes of rows may still be shown.
type budget struct{ left int }

func newBudget() *budget { return &budget{mostBytes} }

// take shortens the long values of an encoded row and says whether there is room for it.
// The first row always has room: its values are cut until it fits.
func (b *budget) take(encoded []byte) (r row, clipped, ok bool) {
	r, clipped = clipRow(encoded, mostValue)
	for most := mostValue; len(r) > b.left && b.left == mostBytes && most > leastValue; {
		most = max(leastValue, most/4)
		r, clipped = clipRow(encoded, most)
	}
	if len(r) > b.left {
		return nil, clipped, false
	}
	b.left -= len(r)
	return r, clipped, true
}

// clipRow returns a row whose values have at most so many characters.
func clipRow(encoded []byte, most int) (r row, clipped bool) {
	if len(encoded) <= most {
		return encoded, false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(encoded, &members) != nil {
		return encoded, false
	}
	for name, value := range members {
		if len(value) <= most {
			continue
		}
		var said string
		if json.Unmarshal(value, &said) != nil {
			said = string(value) // a nested value is shown as the beginning of its text
		}
		if n := utf8.RuneCountInString(said); n > most {
			short, _ := json.Marshal(fmt.Sprintf("%s [cut: %d characters in all]", quern.Clip(said, most), n))
			members[name], clipped = short, true
		}
	}
	if !clipped {
		return encoded, false
	}
	short, err := json.Marshal(members)
	if err != nil {
		return encoded, false
	}
	return short, true
}

// show reads rows into a list, at most limit of them and as many as there is room for,
// and closes them.
func show(rows engine.Rows, limit int64, encoder *query.Encoder, left *budget) (rowList, error) {
	l := rowList{Rows: []row{}}
	for _, c := range rows.Columns() {
		if quern.IsShown(c.Name) {
			l.Columns = append(l.Columns, column{c.Name, string(c.Type)})
		}
	}
	for full := false; rows.Next(); { // to the end: how many there are is known then
		if full = full || l.Count == limit; full {
			continue
		}
		r, clipped, ok := left.take(encoder.Append(nil, rows.Row()))
		if full = !ok; full {
			continue
		}
		l.Rows, l.Clipped = append(l.Rows, r), l.Clipped || clipped
		l.Count++
	}
	return l, errors.Join(rows.Err(), rows.Close())
}

// showPlain is show for rows that tell nothing of themselves, with all the room there is.
func showPlain(rows engine.Rows, limit int64) (rowList, error) {
	return show(rows, limit, query.NewEncoder(rows.Columns()).WithoutInternal(), newBudget())
}

// of completes a list that was cut from so many rows, behind the first offset of them.
func (l rowList) of(total, offset int64, rest string) rowList {
	l.TotalCount, l.Truncated = total, total > offset+l.Count
	if l.Truncated {
		l.Note = fmt.Sprintf("%d of %d rows are shown. %s", l.Count, total, rest)
	}
	return l
}

func limitText() *schema {
	return integer(1, mostRows, fmt.Sprintf("the most rows to show; %d where it is left out", defaultRows))
}

func orDefault(limit int64) int64 {
	if limit == 0 {
		return defaultRows
	}
	return limit
}

// sizeOf is how many bytes a value takes as JSON.
func sizeOf(value any) int {
	encoded, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	return len(encoded)
}
