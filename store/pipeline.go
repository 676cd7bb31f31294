package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

// pipelining are connections to PostgreSQL that send what nobody waits for together with what
// somebody does: the beginning of a transaction with its first statement, and statements that were
// put off with the next one, at the latest with the commit. Where processors are busy every way
// there and back waits for them twice.
type pipelining struct{ driver.Connector }

// Connect opens a connection.
func (p pipelining) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	able, ok := conn.(*stdlib.Conn)
	if !ok {
		return conn, nil
	}
	return &pipelineConn{Conn: able}, nil
}

// mostUnsent is how many statements are put off, at most.
const mostUnsent = 16

// pipelineConn is one connection, used by one goroutine at a time.
type pipelineConn struct {
	*stdlib.Conn
	inside bool     // of a transaction
	unsent []unsent // statements of it
	failed error    // why it can only be rolled back
}

// unsent is a statement on its way.
type unsent struct {
	query string
	args  []any
}

// putOff says of a context that nobody waits for what is run with it.
type putOff struct{}

// BeginTx begins a transaction; the database hears of it with the first statement.
func (c *pipelineConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	if c.Conn.Conn().IsClosed() {
		return nil, driver.ErrBadConn
	}
	begin := "begin"
	if sql.IsolationLevel(o.Isolation) == sql.LevelRepeatableRead {
		begin += " isolation level repeatable read"
	}
	if o.ReadOnly {
		begin += " read only"
	}
	c.inside, c.failed = true, nil
	c.unsent = append(c.unsent[:0], unsent{query: begin})
	return &pipelineTx{ctx, c}, nil
}

// ExecContext runs a statement, or puts it off.
func (c *pipelineConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	one := unsent{query, plainValues(args)}
	if c.inside && ctx.Value(putOff{}) != nil && len(c.unsent) < mostUnsent {
		c.unsent = append(c.unsent, one)
		return driver.RowsAffected(0), nil
	}
	if len(c.unsent) == 0 {
		return c.Conn.ExecContext(ctx, query, args)
	}
	if len(args) == 0 { // it may be several statements, which only go by themselves
		if _, err := c.sendAll(ctx); err != nil {
			return nil, err
		}
		return c.Conn.ExecContext(ctx, query, args)
	}
	tag, err := c.sendAll(ctx, one)
	return driver.RowsAffected(tag.RowsAffected()), err
}

// QueryContext runs a query.
func (c *pipelineConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	if len(c.unsent) == 0 {
		return c.Conn.QueryContext(ctx, query, args)
	}
	results, err := c.send(ctx, unsent{query, plainValues(args)})
	if err != nil {
		return nil, err
	}
	rows, err := results.Query()
	if err == nil {
		read := &pipelineRows{rows: rows, results: results, types: c.Conn.Conn().TypeMap(), unread: rows.Next()}
		if err = rows.Err(); err == nil {
			return read, nil
		}
	}
	rows.Close()
	_ = results.Close() // err says why
	c.failed = err
	return nil, err
}

// PrepareContext prepares a statement.
func (c *pipelineConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if _, err := c.sendAll(ctx); err != nil {
		return nil, err
	}
	return c.Conn.PrepareContext(ctx, query)
}

func plainValues(args []driver.NamedValue) []any {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	return values
}

// send sends what was put off and one more, and reads what came of all but that one. After an error
// the transaction can only be rolled back, as if the database had heard of its beginning.
func (c *pipelineConn) send(ctx context.Context, last unsent) (pgx.BatchResults, error) {
	var batch pgx.Batch
	for _, s := range c.unsent {
		batch.Queue(s.query, s.args...)
	}
	before := len(c.unsent)
	clear(c.unsent) // of what they hold
	c.unsent = c.unsent[:0]
	batch.Queue(last.query, last.args...)
	results := c.Conn.Conn().SendBatch(ctx, &batch)
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // err says why
			c.failed = err
			return nil, err
		}
	}
	return results, nil
}

// sendAll sends what was put off and more, and returns what came of the last one.
func (c *pipelineConn) sendAll(ctx context.Context, more ...unsent) (pgconn.CommandTag, error) {
	c.unsent = append(c.unsent, more...)
	if c.failed != nil || len(c.unsent) == 0 {
		return pgconn.CommandTag{}, c.failed
	}
	last := c.unsent[len(c.unsent)-1]
	c.unsent = c.unsent[:len(c.unsent)-1]
	results, err := c.send(ctx, last)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	if closing := results.Close(); err == nil {
		err = closing
	}
	c.failed = err
	return tag, err
}

// pipelineTx is a transaction.
type pipelineTx struct {
	ctx  context.Context //nolint:containedctx // the driver's Commit and Rollback have none
	conn *pipelineConn
}

// Commit sends what was put off and commits, if the database has heard of the transaction or has to.
func (t *pipelineTx) Commit() error {
	c := t.conn
	var tag pgconn.CommandTag
	err := c.failed
	switch {
	case err != nil:
	case len(c.unsent) == 0:
		tag, err = c.Conn.Conn().Exec(t.ctx, "commit")
	case len(c.unsent) > 1 || c.Conn.Conn().PgConn().TxStatus() != 'I':
		tag, err = c.sendAll(t.ctx, unsent{query: "commit"})
	}
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	if err != nil {
		_ = t.Rollback() // err says why
		return err
	}
	c.inside, c.unsent = false, c.unsent[:0]
	return nil
}

// Rollback ends the transaction, if the database has heard of it.
func (t *pipelineTx) Rollback() error {
	c := t.conn
	clear(c.unsent)
	c.inside, c.unsent, c.failed = false, c.unsent[:0], nil
	if c.Conn.Conn().IsClosed() || c.Conn.Conn().PgConn().TxStatus() == 'I' {
		return nil
	}
	_, err := c.Conn.Conn().Exec(t.ctx, "rollback")
	if err != nil {
		_ = c.Conn.Conn().Close(t.ctx) // nobody knows how it stands
	}
	return err
}

// pipelineRows are rows of a query that was sent behind others.
type pipelineRows struct {
	rows    pgx.Rows
	results pgx.BatchResults
	types   *pgtype.Map
	unread  bool // the row that rows are at was not read yet
	begun   bool
}

// Columns names the columns.
func (r *pipelineRows) Columns() []string {
	fields := r.rows.FieldDescriptions()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Close ends the query.
func (r *pipelineRows) Close() error {
	r.rows.Close()
	return r.results.Close()
}

// Next reads a row.
func (r *pipelineRows) Next(dest []driver.Value) error {
	if r.begun {
		r.unread = r.rows.Next()
	}
	if r.begun = true; !r.unread {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return io.EOF
	}
	fields := r.rows.FieldDescriptions()
	for i, raw := range r.rows.RawValues() {
		var err error
		if dest[i], err = r.value(fields[i], raw); err != nil {
			return err
		}
	}
	return nil
}

// value reads a value as database/sql knows it: numbers, truths and bytes as what they are, all others as text.
func (r *pipelineRows) value(field pgconn.FieldDescription, raw []byte) (driver.Value, error) {
	if raw == nil {
		return nil, nil
	}
	switch field.DataTypeOID {
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.NameOID:
		return string(raw), nil
	case pgtype.Int8OID, pgtype.Int4OID, pgtype.Int2OID:
		return scanned[int64](r.types, field, raw)
	case pgtype.BoolOID:
		return scanned[bool](r.types, field, raw)
	case pgtype.Float8OID, pgtype.Float4OID:
		return scanned[float64](r.types, field, raw)
	case pgtype.ByteaOID:
		return scanned[[]byte](r.types, field, raw)
	}
	return scanned[string](r.types, field, raw)
}

func scanned[T any](types *pgtype.Map, field pgconn.FieldDescription, raw []byte) (driver.Value, error) {
	var v T
	err := types.Scan(field.DataTypeOID, field.Format, raw, &v)
	return v, err
}
