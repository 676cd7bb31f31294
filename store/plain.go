package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// readPlainly runs fn on one snapshot, between a BEGIN and a COMMIT of its own. A transaction
// of database/sql starts a goroutine, and so do each of its statements and, once more, the
// driver for each that the end of a context may cut off, which takes longer than a lookup by a
// key. Here queries of one row start none: they run to their end, and what follows the end of
// the context does not begin.
func (s *Store) readPlainly(ctx context.Context, db *sql.DB, fn func(*Tx) error) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // which fails for one that was discarded
	if err := command(conn, "BEGIN"); err != nil {
		return errors.Join(err, discard(conn))
	}
	defer func() {
		// Also after a panic in fn: the next who gets the connection finds no transaction.
		if command(conn, "COMMIT") != nil {
			_ = discard(conn)
		}
	}()
	return fn(&Tx{sql: conn, dialect: s.dialect, columns: &s.columns, life: ctx})
}

// command runs a statement without rows as a query, since those stay prepared.
func command(conn *sql.Conn, statement string) error {
	rows, err := conn.QueryContext(context.Background(), statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	return rows.Err()
}

// discard has a connection closed that may not be as it should.
func discard(conn *sql.Conn) error {
	if err := conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return nil
}
