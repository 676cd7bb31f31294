package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"regexp"
)

const (
	// maxStatements is how many statements of a connection stay prepared, and maxStatement
	// how long their text may be.
	maxStatements = 96
	maxStatement  = 4 << 10
)

var parameter = regexp.MustCompile(`\$[0-9]+`)

// steady writes a statement in such a way that SQLite does not plan it anew for the values of
// its parameters, every time that it is run, as it does with joins and orders: for statements
// that find rows by their keys.
func steady(statement string) string { return parameter.ReplaceAllString(statement, "(SELECT $0)") }

// preparing are connections to SQLite that keep their statements: reading the text of one
// takes longer than running it.
type preparing struct{ driver.Connector }

// Connect opens a connection.
func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	able, ok := conn.(sqliteConn)
	if !ok {
		return conn, nil
	}
	return &preparingConn{sqliteConn: able, statements: map[string]*statement{}}, nil
}

// sqliteConn is what the driver's connections can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// preparingConn is one connection, used by one goroutine at a time.
type preparingConn struct {
	sqliteConn
	statements map[string]*statement // by their text
}

// statement is one that stays prepared.
type statement struct {
	driver.Stmt
	busy bool // somebody reads its rows
}

// QueryContext runs a query.
func (c *preparingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	runs, ok := s.Stmt.(driver.StmtQueryContext)
	if s.busy || !ok {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := runs.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &statementRows{rows, s}, nil
}

// ExecContext runs a statement without rows. One without values may be several, and is not kept.
func (c *preparingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 0 {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	runs, ok := s.Stmt.(driver.StmtExecContext)
	if s.busy || !ok {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	return runs.ExecContext(ctx, args)
}

// statement prepares a query, if it is not prepared. One that is not kept has no Stmt.
func (c *preparingConn) statement(ctx context.Context, query string) (*statement, error) {
	if s := c.statements[query]; s != nil || len(query) > maxStatement {
		return orNone(s), nil
	}
	prepared, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if err := c.makeRoom(); err != nil {
		return nil, errors.Join(err, prepared.Close())
	}
	s := &statement{Stmt: prepared}
	c.statements[query] = s
	return s, nil
}

func orNone(s *statement) *statement {
	if s == nil {
		return &statement{}
	}
	return s
}

// makeRoom forgets any statement that nobody reads, when there are many.
func (c *preparingConn) makeRoom() error {
	if len(c.statements) < maxStatements {
		return nil
	}
	for query, s := range c.statements {
		if !s.busy {
			delete(c.statements, query)
			return s.Close()
		}
	}
	return nil
}

// Close closes the statements and the connection.
func (c *preparingConn) Close() error {
	var err error
	for _, s := range c.statements {
		err = errors.Join(err, s.Close())
	}
	c.statements = nil
	return errors.Join(err, c.sqliteConn.Close())
}

// statementRows are rows of a statement that stays prepared.
type statementRows struct {
	driver.Rows
	of *statement
}

// Close lets the statement be run again.
func (r *statementRows) Close() error {
	r.of.busy = false
	return r.Rows.Close()
}
