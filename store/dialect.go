package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	msqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"quern"
)

// dialect is all that differs between the two databases.
type dialect struct {
	name        string
	snapshot    sql.IsolationLevel // the level at which a View reads one snapshot
	forUpdate   string             // what makes a SELECT lock its rows
	forKey      string             // what makes a SELECT keep its rows from being deleted
	forData     string             // what makes a SELECT lock those of its rows that are d's, for who changes no key of them
	skipLocked  string             // what makes a SELECT lock its rows and pass by those that are locked
	migrateLock string             // the statement that keeps a second migrator waiting
	taken       func(error) bool   // a unique constraint refused the write
	referenced  func(error) bool   // a foreign key refused the write
	retryable   func(error) bool   // the same transaction may pass if run again
	lost        func(error) bool   // the connection broke, and with it what was not committed
	unreachable func(error) bool   // the database cannot be talked to
	full        func(error) bool   // its disk has no room left
	damaged     func(error) bool   // the database's files cannot be read
	tables      string             // what lists tables: their names, their columns in order, and each one's place in the primary key
	now         string             // what tells the database's clock in microseconds
	plainReads  bool               // a View begins and commits by statements of its own
	arrays      bool               // a placeholder may stand for an array
	verify      string             // what reads the whole database and says ok; empty where the server does that
}

var sqlite = dialect{
	name:     "sqlite",
	snapshot: sql.LevelDefault,
	// Its reads are short, and what can cut them off takes longer.
	plainReads: true,
	taken: func(err error) bool {
		return sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE || sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	},
	referenced: func(err error) bool { return sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY },
	retryable: func(err error) bool {
		primary := sqliteCode(err) & 0xff
		return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
	},
	lost: func(error) bool { return false },
	unreachable: func(err error) bool {
		primary := sqliteCode(err) & 0xff
		return primary == sqlite3.SQLITE_CANTOPEN || primary == sqlite3.SQLITE_IOERR
	},
	full: func(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_FULL },
	damaged: func(err error) bool {
		primary := sqliteCode(err) & 0xff
		return primary == sqlite3.SQLITE_CORRUPT || primary == sqlite3.SQLITE_NOTADB
	},
	tables: `SELECT m.name, p.name, p.pk FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' ORDER BY m.name, p.cid`,
	now:    `SELECT CAST(1000 * ROUND(1000 * (julianday('now') - 2440587.5) * 86400) AS BIGINT)`,
	verify: "PRAGMA integrity_check(1)",
}

var postgres = dialect{
	name:        "postgres",
	arrays:      true,
	snapshot:    sql.LevelRepeatableRead,
	forUpdate:   " FOR UPDATE",
	forKey:      " FOR KEY SHARE",
	forData:     " FOR NO KEY UPDATE OF d",
	skipLocked:  " FOR UPDATE SKIP LOCKED",
	migrateLock: "SELECT pg_advisory_xact_lock(hashtext('quern migrations ' || current_schema()))",
	taken:       func(err error) bool { return pgCode(err) == "23505" },
	referenced:  func(err error) bool { return pgCode(err) == "23503" },
	retryable:   func(err error) bool { return pgCode(err) == "40001" || pgCode(err) == "40P01" },
	lost:        pgLost,
	unreachable: func(err error) bool {
		code := pgCode(err)
		_, connecting := errors.AsType[*pgconn.ConnectError](err)
		return connecting || strings.HasPrefix(code, "57") || strings.HasPrefix(code, "53")
	},
	full: func(err error) bool { return pgCode(err) == "53100" },
	tables: `SELECT c.relname, a.attname, COALESCE((SELECT k.place FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k(number, place)
			WHERE i.indrelid = c.oid AND i.indisprimary AND k.number = a.attnum), 0)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
		ORDER BY c.relname, a.attnum`,
	now:     `SELECT CAST(1000000 * EXTRACT(EPOCH FROM clock_timestamp()) AS BIGINT)`,
	damaged: func(err error) bool { return strings.HasPrefix(pgCode(err), "XX00") && pgCode(err) != "XX000" },
}

// pgLost reports whether a connection broke that had been there: cut, or ended by
// a server that stops.
func pgLost(err error) bool {
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting {
		return false
	}
	switch code := pgCode(err); {
	case code == "57P01", code == "57P02", strings.HasPrefix(code, "08"):
		return true
	case code != "":
		return false
	}
	_, network := errors.AsType[net.Error](err)
	return network && !errors.Is(err, context.DeadlineExceeded) || // which is a net.Error too
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

func sqliteCode(err error) int {
	if e, ok := errors.AsType[*msqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

func pgCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// driverError is an error as a driver tells it. What databases say repeats values of
// rows, addresses and paths, so the log is told its code.
type driverError struct{ error }

// Unwrap returns the driver's error.
func (d driverError) Unwrap() error { return d.error }

// LogText returns which database failed and its code for that.
func (d driverError) LogText() string {
	if e, ok := errors.AsType[*pgconn.PgError](d.error); ok {
		text := "postgres: " + e.Code
		if e.ConstraintName != "" {
			text += " " + e.ConstraintName
		}
		return text
	}
	if e, ok := errors.AsType[*pgconn.ConnectError](d.error); ok {
		return "postgres: no connection: " + rootText(e)
	}
	if e, ok := errors.AsType[*msqlite.Error](d.error); ok {
		return "sqlite: " + msqlite.ErrorCodeString[e.Code()]
	}
	return quern.LogText(d.error)
}

// rootText is the text of the first cause of an error: "connection refused".
func rootText(err error) string {
	for {
		inner := errors.Unwrap(err)
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			if all := joined.Unwrap(); len(all) > 0 {
				inner = all[0]
			}
		}
		if inner == nil {
			return quern.LogText(err)
		}
		err = inner
	}
}

// mostLog is how many bytes of SQLite's write-ahead log are kept once it was emptied: it
// grows while readers keep it from being emptied, and would stay so.
const mostLog = 32 << 20

func openSQLite(file string, readOnly bool) (*sql.DB, error) {
	q := url.Values{}
	q.Add("_pragma", "busy_timeout(10000)")
	q.Add("_pragma", "journal_mode(WAL)")
	q.Add("_pragma", fmt.Sprintf("journal_size_limit(%d)", mostLog))
	q.Add("_pragma", "synchronous(FULL)")
	q.Add("_pragma", "foreign_keys(ON)")
	if readOnly {
		q.Add("_pragma", "query_only(ON)")
	} else {
		q.Set("_txlock", "immediate")
	}
	address := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: q.Encode()}).String()
	connector, err := msqlite.NewConnector(address)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(preparing{connector}), nil
}

func openPostgres(address string) (*sql.DB, error) {
	cfg, err := pgx.ParseConfig(address)
	if err != nil {
		// The driver's message repeats the address, which holds a password.
		return nil, fmt.Errorf("store: the PostgreSQL address cannot be parsed")
	}
	return sql.OpenDB(pipelining{stdlib.GetConnector(*cfg, stdlib.OptionAfterConnect(compressFast))}), nil
}

// compressFast has long values, such as the columns of datasets with their statistics, compressed
// by LZ4 where the server knows it and nobody chose otherwise: its own way took most of the time
// that small ingests into many datasets waited for.
func compressFast(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config(name, 'lz4', false) FROM pg_settings
		WHERE name = 'default_toast_compression' AND source = 'default' AND 'lz4' = ANY (enumvals)`)
	return err
}
