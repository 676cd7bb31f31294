package duckdb

import (
	"context"
	"fmt"
	"regexp"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"quern"
	"quern/engine"
)

// unions is what a statement says whose rows are those of several others.
var unions = regexp.MustCompile(`(?i)\bunion\s+(?:all|by)\b`)

// stream reads the result of one statement chunk by chunk, as the engine makes
// it. It holds nothing but the current chunk.
//
// The exception are the rows of a union, which the engine makes whole before the first is
// read: it never begins to hand them over once two of its parts wait for a reader, and
// cannot be interrupted then (https://github.com/duckdb/duckdb/issues/22215).
type stream struct {
	session  *session
	whole    bool
	kept     bool // it is started again: close leaves it prepared
	patient  bool // who starts it takes no processor while other threads have all there is to do
	prepared bindings.PreparedStatement
	result   bindings.Result
	chunk    bindings.DataChunk
	names    []string
	kinds    []*kind
	vectors  []vector
	size     int
}

// lookAway is how long the caller of a statement that takes its time waits before it asks for
// something to do again.
const lookAway = 200 * time.Microsecond

// stream prepares and starts one statement.
func (c *session) stream(ctx context.Context, sql string) (*stream, error) {
	return c.run(ctx, sql, false)
}

// run is stream, for patient callers too.
func (c *session) run(ctx context.Context, sql string, patient bool) (*stream, error) {
	s, err := c.prepare(ctx, sql)
	if err != nil {
		return nil, err
	}
	s.patient = patient
	if err := s.start(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// prepare readies one statement.
func (c *session) prepare(ctx context.Context, sql string) (*stream, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &stream{session: c, whole: unions.MatchString(sql)}
	var state bindings.State
	c.during(ctx, func() { state = bindings.Prepare(c.conn, sql, &s.prepared) })
	if state == bindings.StateError {
		err := parseFault(bindings.PrepareError(s.prepared))
		s.close()
		return nil, err
	}
	if err := s.describe(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// reads reports whether the engine itself takes the statement for a SELECT.
func (s *stream) reads() bool {
	return bindings.PreparedStatementType(s.prepared) == bindings.StatementTypeSelect
}

func (s *stream) describe() error {
	n := bindings.PreparedStatementColumnCount(s.prepared)
	for i := range n {
		name := bindings.PreparedStatementColumnName(s.prepared, i)
		logical := bindings.PreparedStatementColumnLogicalType(s.prepared, i)
		k, err := newKind(logical)
		bindings.DestroyLogicalType(&logical)
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		s.names = append(s.names, name)
		s.kinds = append(s.kinds, k)
	}
	s.vectors = make([]vector, len(s.kinds))
	return nil
}

func (s *stream) start(ctx context.Context) error {
	var pending bindings.PendingResult
	defer bindings.DestroyPending(&pending)
	var state bindings.State
	begin := bindings.PendingPreparedStreaming
	if s.whole {
		begin = bindings.PendingPrepared
	}
	s.session.during(ctx, func() { state = begin(s.prepared, &pending) })
	if state == bindings.StateError {
		return parseFault(bindings.PendingError(pending))
	}
	if s.patient && s.await(ctx, pending) == bindings.PendingStateError {
		return parseFault(bindings.PendingError(pending))
	}
	s.session.during(ctx, func() { state = bindings.ExecutePending(pending, &s.result) })
	if state == bindings.StateError {
		return parseFault(bindings.ResultError(&s.result))
	}
	return nil
}

// await does its part of a statement until there is a result. The engine itself would ask for
// work again and again while there is none, and keep a processor from those who have some.
func (s *stream) await(ctx context.Context, pending bindings.PendingResult) (state bindings.PendingState) {
	s.session.during(ctx, func() {
		for {
			switch state = bindings.PendingExecuteTask(pending); state {
			case bindings.PendingStateResultNotReady:
			case bindings.PendingStateNoTasksAvailable:
				time.Sleep(lookAway)
			default:
				return
			}
		}
	})
	return state
}

// next moves to the next chunk that has rows.
func (s *stream) next(ctx context.Context) (bool, error) {
	for {
		bindings.DestroyDataChunk(&s.chunk)
		s.size = 0
		if err := ctx.Err(); err != nil {
			return false, err
		}
		s.session.during(ctx, func() { s.chunk = bindings.FetchChunk(s.result) })
		if s.chunk.Ptr == nil {
			if text := bindings.ResultError(&s.result); text != "" {
				return false, parseFault(text)
			}
			return false, ctx.Err()
		}
		if s.size = int(bindings.DataChunkGetSize(s.chunk)); s.size > 0 {
			return true, nil
		}
	}
}

// load makes the current chunk's values readable.
func (s *stream) load() {
	for i, k := range s.kinds {
		s.vectors[i] = newVector(k, bindings.DataChunkGetVector(s.chunk, bindings.IdxT(i)))
	}
}

// bindText sets the only parameter of the statement.
func (s *stream) bindText(text string) error {
	if bindings.BindVarchar(s.prepared, 1, text) == bindings.StateError {
		return parseFault(bindings.PrepareError(s.prepared))
	}
	return nil
}

func (s *stream) close() {
	s.endResult()
	if !s.kept {
		s.free()
	}
}

// endResult frees what the statement has been started for.
func (s *stream) endResult() {
	bindings.DestroyDataChunk(&s.chunk)
	bindings.DestroyResult(&s.result)
	s.size = 0
}

// free ends a statement that nobody starts again.
func (s *stream) free() { bindings.DestroyPrepare(&s.prepared) }

// columns returns the result's columns, their names made unique.
func (s *stream) columns() []quern.Column {
	columns := make([]quern.Column, len(s.names))
	for i, name := range engine.UniqueNames(s.names) {
		columns[i] = quern.Column{Name: name, Type: s.kinds[i].column}
	}
	return columns
}
