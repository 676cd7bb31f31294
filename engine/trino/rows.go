package trino

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/engine"
)

// rows streams the result of a statement, a page at a time.
type rows struct {
	engine    *Engine
	ctx       context.Context //nolint:containedctx // lives as long as the rows do
	end       func()          // frees the place and the context
	query     engine.Query
	statement statement
	header    http.Header // of requests for pages
	page      page
	next      int // row of the page
	row       []any
	total     int64
	err       error
	done      bool // there is nothing to cancel
	again     bool // the statement was sent a second time
}

// Columns describes the result.
func (r *rows) Columns() []quern.Column { return r.statement.columns }

// Row is the current row.
func (r *rows) Row() []any { return r.row }

// Total is the number of rows of the whole result.
func (r *rows) Total() int64 { return r.total }

// Err is the error that ended the rows early.
func (r *rows) Err() error { return r.err }

// Next moves to the next row. Rows past the cap are only counted.
func (r *rows) Next() bool {
	for r.err == nil {
		if r.query.MaxRows > 0 && r.total >= int64(r.query.MaxRows) {
			r.total += int64(len(r.page.Data) - r.next)
			r.next = len(r.page.Data)
		}
		if r.next < len(r.page.Data) {
			r.next++
			r.total++
			r.err = r.decode(r.page.Data[r.next-1])
			return r.err == nil
		}
		if r.page.NextURI == "" {
			r.done = true
			return false
		}
		r.fetch()
	}
	return false
}

// start sends the statement, with a token that is signed for it, and takes its first page.
func (r *rows) start() {
	header, err := r.engine.header(r.ctx, r.query, r.statement)
	if err != nil {
		r.err = err
		return
	}
	first, err := r.engine.client.start(r.ctx, r.statement.sql, header)
	if err != nil {
		r.err = r.engine.classify(r.ctx, err)
		return
	}
	// Credentials are read with the statement alone.
	header.Del(headerCredential)
	r.header, r.done, r.err = header, false, nil
	r.take(first)
}

// fetch reads the next page.
func (r *rows) fetch() {
	next, err := r.engine.client.next(r.ctx, r.page, r.header)
	if err != nil {
		r.err = r.engine.classify(r.ctx, err)
		return
	}
	r.take(next)
}

// take goes on with a page. A statement that the cluster gave up for a fault of its own
// is sent once more, unless rows of it were read.
func (r *rows) take(p page) {
	if p.Error != nil {
		r.done, r.err = true, r.engine.failed(p.Error)
		if !r.again && r.total == 0 && p.Error.ofCluster() {
			r.engine.Log.WarnContext(r.ctx, "the cluster gave a query up for a fault of its own; it is run once more", "query", p.ID, "error", p.Error)
			r.again = true
			r.start()
		}
		return
	}
	r.page, r.next = p, 0
	if err := r.check(); err != nil {
		r.err = errStrange.Because(err)
	}
}

// begin starts the statement and reads pages until the columns are known, so that what
// fails at once fails here.
func (r *rows) begin() error {
	r.start()
	for r.err == nil && r.page.Columns == nil && r.page.NextURI != "" {
		r.fetch()
	}
	if r.err == nil && r.page.Columns == nil {
		r.err = errStrange.Because(fmt.Errorf("%w: a result without columns", errProtocol))
	}
	return r.err
}

// check holds a page against the columns that the query has.
func (r *rows) check() error {
	if r.page.Columns == nil {
		if len(r.page.Data) > 0 {
			return fmt.Errorf("%w: rows before their columns", errProtocol)
		}
		return nil
	}
	if len(r.page.Columns) != len(r.statement.columns) {
		return fmt.Errorf("%w: %d columns, not %d", errProtocol, len(r.page.Columns), len(r.statement.columns))
	}
	for i, c := range r.page.Columns {
		if !accepts(r.statement.columns[i].Type, c.Type) {
			return fmt.Errorf("%w: the column %s is of %s, not %s", errProtocol, r.statement.columns[i].Name, c.Type, r.statement.columns[i].Type)
		}
	}
	return nil
}

// accepts reports whether values of a type of Trino's are values of ours.
func accepts(t quern.Type, name string) bool {
	base, _, _ := strings.Cut(name, "(")
	if _, scale, ok := t.DecimalSize(); ok {
		s, known := decimalScale(name)
		return known && s <= scale || base == "bigint" || base == "integer"
	}
	switch t {
	case quern.Boolean:
		return base == "boolean"
	case quern.Integer:
		s, known := decimalScale(name)
		return known && s == 0 || base == "bigint" || base == "integer" || base == "smallint" || base == "tinyint"
	case quern.Double:
		return base == "double"
	case quern.Date:
		return base == "date"
	case quern.Timestamp:
		return base == "timestamp"
	}
	return base == "varchar" || base == "char"
}

// decimalScale reads the scale of a decimal type.
func decimalScale(name string) (int, bool) {
	var precision, scale int
	n, err := fmt.Sscanf(name, "decimal(%d,%d)", &precision, &scale)
	return scale, err == nil && n == 2
}

func (r *rows) decode(cells []json.RawMessage) error {
	if len(cells) != len(r.statement.columns) {
		return errStrange.Because(fmt.Errorf("%w: a row of %d values, not %d", errProtocol, len(cells), len(r.statement.columns)))
	}
	r.row = r.row[:0]
	for i, cell := range cells {
		v, err := decodeValue(cell, r.statement.columns[i].Type)
		if err != nil {
			return errStrange.Because(fmt.Errorf("%w: %.100s as %s: %w", errProtocol, cell, r.statement.columns[i].Type, err))
		}
		r.row = append(r.row, v)
	}
	return nil
}

// decodeValue reads a value of a type as engine.Rows has it.
func decodeValue(cell json.RawMessage, t quern.Type) (any, error) {
	text := string(cell)
	if text == "null" || text == "" {
		return nil, nil //nolint:nilnil // null is a value
	}
	if t == quern.Boolean {
		return strconv.ParseBool(text)
	}
	if text[0] == '"' {
		if err := json.Unmarshal(cell, &text); err != nil {
			return nil, err
		}
	} else if !t.Numeric() {
		return nil, errProtocol
	}
	if _, scale, ok := t.DecimalSize(); ok {
		return decimal(text, scale)
	}
	switch t {
	case quern.Integer:
		return integer(text)
	case quern.Double:
		return strconv.ParseFloat(text, 64)
	case quern.Date:
		_, err := time.Parse(time.DateOnly, text)
		return text, err
	case quern.Timestamp:
		return instant(text)
	case quern.JSON:
		if !json.Valid([]byte(text)) {
			return nil, errProtocol
		}
		return json.RawMessage(text), nil
	}
	return text, nil
}

func integer(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	return decimal(text, 0)
}

// decimal reads a number with up to so many digits behind the point, and writes all of
// them.
func decimal(text string, scale int) (any, error) {
	whole, fraction, point := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-")
	isDigits := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if digits == "" || !isDigits(digits) || !isDigits(fraction) || len(fraction) > scale || point && fraction == "" {
		return nil, errProtocol
	}
	if scale == 0 {
		return json.Number(whole), nil
	}
	return json.Number(whole + "." + fraction + strings.Repeat("0", scale-len(fraction))), nil
}

// instant reads a time of Trino's.
func instant(text string) (any, error) {
	text = strings.TrimSuffix(text, " UTC")
	t, err := time.Parse("2006-01-02 15:04:05.999999999", text)
	if err != nil {
		return nil, err
	}
	return t.Format(time.RFC3339Nano), nil
}

// Close ends the statement where it is not done, and frees the place of it.
func (r *rows) Close() error {
	if r.end == nil {
		return nil
	}
	if !r.done {
		if err := r.engine.client.cancel(r.ctx, r.page, r.header); err != nil {
			r.engine.Log.WarnContext(r.ctx, "a query could not be cancelled on the cluster", "query", r.page.ID, "error", err)
		}
	}
	r.end()
	r.end = nil
	return nil
}
