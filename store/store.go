// Package store keeps the metadata: users, keys, tokens, namespaces, datasets,
// segments, grants. It owns every SQL statement over them and turns driver
// codes into kinds of quern.Error.
//
// One implementation serves SQLite and PostgreSQL: the same SQL, a handful of
// differences in dialect.go. Every read and write happens inside View or
// Update, so a caller composes several nouns into one transaction. It never
// decides who may do what; that is catalog's.
//
// The failure it is built around is the lost or doubled write: an Update is
// all or nothing, is durable when it returns, and is run again from the start
// when the database asks for that, so its function must not have effects
// outside the transaction.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"quern"
)

// Options says where the metadata live and how long to wait for them.
type Options struct {
	// URL is a PostgreSQL address; when empty, File is used.
	URL string
	// File is the path of the SQLite file.
	File string
	// MaxConns bounds the connections to the database; 0 means 16.
	MaxConns int
	// Rehearse runs every transaction, rolls it back and runs it again, as the
	// database may ask for at any time. For tests: what cannot stand that shows.
	Rehearse bool
	// Break is Rehearse with transactions that break at a statement, counted from 1, as
	// their connection may; 0: they do not.
	Break int
	// AsIs leaves the schema as it is: for programs that look at metadata which a
	// server of another release may be using. Schema tells whether it is the one that
	// statements expect.
	AsIs bool
}

// Store is the metadata of one installation.
type Store struct {
	write, read *sql.DB
	dialect     dialect
	rehearse    bool
	breakAt     int // the statement at which rehearsals break
	columns     columnCache
	holders     *Batcher[*tokenHolder]      // tokens that somebody came with
	damage      atomic.Pointer[quern.Error] // nil while no damage is known
	suspected   chan struct{}               // something when it was met
}

// Tx is one transaction. Its methods, one file per noun, are the statements.
type Tx struct {
	sql     statements
	dialect dialect
	columns *columnCache
	left    *int            // statements until a rehearsal breaks; nil: it is none
	life    context.Context //nolint:containedctx // of a transaction that readPlainly runs: whose end ends it; nil: the driver sees to that
}

// statements runs the statements of a transaction.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Open connects, brings the schema up to date and returns the store. A schema
// newer than this binary is refused.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.MaxConns == 0 {
		o.MaxConns = 16
	}
	s, err := connect(o)
	if err != nil {
		return nil, err
	}
	if !o.AsIs {
		if err := s.migrate(ctx); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.holders = s.lookUpHolders()
	s.rehearse, s.breakAt = o.Rehearse || o.Break > 0, cmp.Or(o.Break, math.MaxInt)
	return s, nil
}

func connect(o Options) (*Store, error) {
	if o.URL != "" {
		db, err := openPostgres(o.URL)
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(o.MaxConns)
		db.SetMaxIdleConns(o.MaxConns)
		db.SetConnMaxIdleTime(5 * time.Minute)
		return &Store{write: db, read: db, dialect: postgres, suspected: make(chan struct{}, 1)}, nil
	}
	write, err := openSQLite(o.File, false)
	if err != nil {
		return nil, err
	}
	// SQLite has one writer at a time; queueing for it here, in order, beats
	// polling for its lock.
	write.SetMaxOpenConns(1)
	read, err := openSQLite(o.File, true)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(o.MaxConns)
	read.SetMaxIdleConns(o.MaxConns)
	return &Store{write: write, read: read, dialect: sqlite, suspected: make(chan struct{}, 1)}, nil
}

// Close frees the connections.
func (s *Store) Close() error {
	err := s.write.Close()
	if s.read != s.write {
		err = errors.Join(err, s.read.Close())
	}
	return err
}

// Ping fails when the database does not answer or is known to be damaged.
func (s *Store) Ping(ctx context.Context) error {
	if known := s.damage.Load(); known != nil {
		return known
	}
	var one int
	if err := s.read.QueryRowContext(ctx, "SELECT 1").Scan(&one); err != nil {
		return s.classify(err)
	}
	return nil
}

// Dialect names the database in use: "sqlite" or "postgres".
func (s *Store) Dialect() string { return s.dialect.name }

// View runs fn on one consistent snapshot.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	return s.run(ctx, s.read, &sql.TxOptions{ReadOnly: true, Isolation: s.dialect.snapshot}, fn)
}

// Update runs fn in a transaction and commits it when fn returns nil. fn runs
// again when the database gives way to another writer, or when the connection
// breaks before the commit.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.run(ctx, s.write, nil, fn)
}

// lookup is how fn is run that reads by one statement, which sees one snapshot without a transaction
// around it: where the database is another process that saves three ways there and back of four.
var lookup = &sql.TxOptions{ReadOnly: true}

const (
	maxTries   = 12
	firstPause = 2 * time.Millisecond
)

func (s *Store) run(ctx context.Context, db *sql.DB, o *sql.TxOptions, fn func(*Tx) error) error {
	if s.rehearse {
		s.rehearsal(ctx, db, o, fn)
	}
	pause := firstPause
	for try := 1; ; try++ {
		committing, err := s.once(ctx, db, o, fn)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ended(ctx, err)
		}
		// A commit that was cut off may have happened or not, which only matters to writers.
		reads := o != nil && o.ReadOnly
		harmless := reads || !committing
		again := s.dialect.retryable(err) || harmless && s.dialect.lost(err)
		if try == maxTries || !again {
			return s.believe(s.classify(err))
		}
		select {
		case <-ctx.Done():
			return ended(ctx, err)
		case <-time.After(pause + rand.N(pause)):
		}
		pause = min(2*pause, 250*time.Millisecond)
	}
}

// ended is the error of a transaction whose context is done. The driver says that
// in its own words or not at all, so the context does.
func ended(ctx context.Context, err error) error {
	if _, ours := errors.AsType[*quern.Error](err); ours {
		return err
	}
	return fmt.Errorf("store: %w: %w", ctx.Err(), driverError{err})
}

// once runs fn in one transaction. committing says that a failure came with the
// commit.
func (s *Store) once(ctx context.Context, db *sql.DB, o *sql.TxOptions, fn func(*Tx) error) (committing bool, err error) {
	// Ending the context rolls back what a panic in fn left open.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o != nil && o.ReadOnly && s.dialect.plainReads {
		return false, s.readPlainly(ctx, db, fn)
	}
	if o == lookup {
		return false, fn(&Tx{sql: db, dialect: s.dialect, columns: &s.columns})
	}
	tx, err := db.BeginTx(ctx, o)
	if err != nil {
		return false, err
	}
	if err := fn(&Tx{sql: tx, dialect: s.dialect, columns: &s.columns}); err != nil {
		_ = tx.Rollback()
		return false, err
	}
	return true, tx.Commit()
}

// errRehearsal is why a rehearsal, or a statement of one, comes to nothing.
var errRehearsal = errors.New("store: a rehearsal")

// rehearsal runs fn in a transaction that comes to nothing.
func (s *Store) rehearsal(ctx context.Context, db *sql.DB, o *sql.TxOptions, fn func(*Tx) error) {
	left := s.breakAt
	_, _ = s.once(ctx, db, o, func(tx *Tx) error {
		tx.left = &left
		return errors.Join(fn(tx), errRehearsal)
	})
}

// broken fails the statement at which a rehearsal breaks, and those behind it, and those of
// a transaction whose context has ended.
func (tx *Tx) broken() error {
	if tx.life != nil && tx.life.Err() != nil {
		return sql.ErrTxDone
	}
	if tx.left == nil {
		return nil
	}
	if *tx.left--; *tx.left <= 0 {
		return errRehearsal
	}
	return nil
}

// classify turns a driver's error into a kind; errors of ours pass unchanged.
func (s *Store) classify(err error) error {
	if _, ours := errors.AsType[*quern.Error](err); ours {
		return err
	}
	err = driverError{err}
	switch {
	case s.dialect.damaged(err):
		return s.suspect(damaged(err))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return notFound(err)
	case s.dialect.taken(err):
		return quern.E(quern.Conflict, quern.CodeNameTaken, "already exists").Because(err)
	case s.dialect.referenced(err):
		return quern.E(quern.Conflict, quern.CodeConflict, "something else changed it at the same time").Because(err)
	case s.dialect.full(err):
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store has no room left on its disk").Because(awayError{err})
	case s.dialect.retryable(err), s.dialect.lost(err), s.dialect.unreachable(err):
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store does not answer").Because(awayError{err})
	}
	return fmt.Errorf("store: %w", err)
}

// awayError is why the database did not answer.
type awayError struct{ error }

// Unwrap returns the driver's error.
func (a awayError) Unwrap() error { return a.error }

// Away reports whether something failed because the database does not answer: the same
// may succeed once it does.
func Away(err error) bool {
	_, away := errors.AsType[awayError](err)
	return away
}

// exec runs a statement and returns how many rows it changed.
func (tx *Tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := tx.broken(); err != nil {
		return 0, err
	}
	res, err := tx.sql.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// later runs a statement whose result nobody waits for: the database may get it with the next one, at
// the latest with the commit, which fails then as it would.
func (tx *Tx) later(ctx context.Context, query string, args ...any) error {
	if tx.left == nil {
		ctx = context.WithValue(ctx, putOff{}, true)
	}
	_, err := tx.exec(ctx, query, args...)
	return err
}

// row runs a query of one row and returns that row's Scan; NotFound
// when there is none.
func (tx *Tx) row(ctx context.Context, query string, args ...any) func(...any) error {
	if err := tx.broken(); err != nil {
		return func(...any) error { return err }
	}
	if tx.life != nil {
		if err := ctx.Err(); err != nil {
			return func(...any) error { return err }
		}
		ctx = context.WithoutCancel(ctx)
	}
	row := tx.sql.QueryRowContext(ctx, query, args...)
	return func(dest ...any) error {
		err := row.Scan(dest...)
		if errors.Is(err, sql.ErrNoRows) {
			return notFound(err)
		}
		return err
	}
}

func notFound(cause error) error {
	return quern.E(quern.NotFound, quern.CodeNotFound, "not found").Because(cause)
}

// each runs a query and calls fn once per row with that row's Scan.
func (tx *Tx) each(ctx context.Context, query string, args []any, fn func(scan func(...any) error) error) error {
	if err := tx.broken(); err != nil {
		return err
	}
	rows, err := tx.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// lock makes a SELECT take its rows for the rest of the transaction, so that
// what is read stays true until the commit.
func (tx *Tx) lock(query string) string { return strings.TrimSpace(query) + tx.dialect.forUpdate }

// Pool says how connections to the database stand, for metrics.
type Pool struct {
	Open, InUse, Most int
	Waits             int64         // since the start
	Waited            time.Duration // by all that waited, together
}

// Pools tells of the connections that read and of those that write; where the same ones
// do both, of those alone.
func (s *Store) Pools() map[string]Pool {
	all := map[string]Pool{"write": poolOf(s.write)}
	if s.read != s.write {
		all["read"] = poolOf(s.read)
	}
	return all
}

func poolOf(db *sql.DB) Pool {
	now := db.Stats()
	return Pool{Open: now.OpenConnections, InUse: now.InUse, Most: now.MaxOpenConnections, Waits: now.WaitCount, Waited: now.WaitDuration}
}
