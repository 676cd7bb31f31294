package worker

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"quern"
	"quern/engine"
	"quern/sandbox"
)

// maxNames bounds how many tables one query may ask for.
const maxNames = 10_000

// errTime is the cause of a context that ran into the time limit.
var errTime = errors.New("worker: time limit")

// past is a deadline that is over: it ends reading and writing at once.
var past = time.Unix(1, 0)

// call is one query and the worker that it has.
type call struct {
	engine *Engine
	caller context.Context // the caller's, to tell who ended the query
	ctx    context.Context
	cancel func()
	leave  func()
	query  engine.Query

	worker  *sandbox.Process
	in      *frames
	unwatch func() bool // keeps the end of ctx from touching the worker
	release sync.Once

	known      map[engine.Ref]engine.Table // tables, when files cannot be linked
	asked      []engine.Ref                // those that the query named
	paths      []string                    // their files
	alone      bool                        // the worker may read paths
	unlinked   bool                        // a file could not be linked
	sent       bool                        // the worker has the query
	heard      bool                        // the worker has said something
	unresolved error                       // the resolver's error
}

func (e *Engine) newCall(ctx context.Context, q engine.Query, leave func()) *call {
	alive, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(e.life, cancel)
	return &call{
		engine: e, caller: ctx, ctx: alive, leave: leave, query: q,
		cancel: func() { unlink(); cancel() }, known: map[engine.Ref]engine.Table{},
	}
}

// startClock begins the time that the query has.
func (c *call) startClock() {
	limited, cancel := context.WithTimeoutCause(c.ctx, c.engine.options.Limits.Time, errTime)
	end := c.cancel
	c.ctx, c.cancel = limited, func() { cancel(); end() }
}

// knowing takes over what an earlier call found out: which files are needed.
func (c *call) knowing(earlier *call) *call {
	c.known, c.paths, c.alone = earlier.known, earlier.paths, true
	return c
}

// take takes a worker from the pool: for a query that was asked before, the one that its user
// had last, which may have kept its tables.
func (c *call) take() (*sandbox.Process, error) {
	return c.engine.pool.Take(c.ctx, sandbox.For{Whose: c.query.User, Again: len(c.engine.names.of(c.query)) > 0})
}

// begin hands the query to a worker and returns the columns of its result.
func (c *call) begin(take func() (*sandbox.Process, error)) ([]quern.Column, error) {
	w, err := take()
	if err != nil {
		return nil, &startError{err}
	}
	c.startClock()
	c.worker, c.in = w, newFrames(w)
	c.unwatch = context.AfterFunc(c.ctx, func() { _ = w.SetDeadline(past) })
	tables, err := c.rememberedTables()
	if err != nil {
		return nil, err
	}
	c.sent = true
	if err := c.send(queryFrame, request{SQL: c.query.SQL, MaxRows: c.query.MaxRows, User: userTag(c.query.User), Tables: tables}); err != nil {
		return nil, err
	}
	for range maxNames {
		k, body, err := c.next()
		if err != nil {
			return nil, err
		}
		switch k {
		case nameFrame:
			if err := c.answer(body); err != nil {
				return nil, err
			}
		case spanFrame:
			if err := c.fetch(body); err != nil {
				return nil, err
			}
		case columnFrame:
			if !c.alone {
				c.engine.names.remember(c.query, c.asked)
			}
			var columns []quern.Column
			return columns, json.Unmarshal(body, &columns)
		case endFrame:
			if _, err := c.finish(body); err != nil {
				return nil, err
			}
			return nil, errFrame
		default:
			return nil, errFrame
		}
	}
	return nil, fmt.Errorf("%w: it asks for more than %d tables", errFrame, maxNames)
}

// userTag tells a user from others in a worker, which is not told names.
func userTag(user string) string {
	if user == "" {
		return ""
	}
	return hashOf(user)
}

// contentOf names what the file of a segment holds: segments never change, so that a file of
// the same name, size and time is the same. What a sparse one holds only grows. It is empty
// where the file cannot be seen.
func contentOf(s engine.Segment) string {
	if s.Sparse != "" {
		return s.Sparse
	}
	info, err := os.Stat(s.Path)
	if err != nil {
		return ""
	}
	return hashOf(fmt.Sprint(s.Path, " ", info.Size(), " ", info.ModTime().UnixNano()))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawStdEncoding.EncodeToString(sum[:16])
}

func (c *call) send(k kind, body any) error {
	frame, err := appendFrame(nil, k, body)
	if err != nil {
		return err
	}
	if _, err = c.worker.Write(frame); err != nil {
		return c.broken(err)
	}
	return nil
}

func (c *call) next() (kind, []byte, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, nil, err
	}
	k, body, err := c.in.next()
	if err != nil {
		return 0, nil, c.broken(err)
	}
	c.heard = true
	return k, body, nil
}

// blameless reports whether the worker ended for no fault of the query's, so that another
// may try: before it said anything, for want of nothing, so that it may have been dead
// when it was given the query; or because the kernel took it.
func (c *call) blameless(err error) bool {
	died, ok := errors.AsType[*errDied](err)
	return ok && (!c.heard || died.Taken) && !died.Memory && c.ctx.Err() == nil
}

// broken says why a worker cannot be talked to: it has ended, or the time is over.
func (c *call) broken(err error) error {
	if c.ctx.Err() != nil || errors.Is(err, errFrame) {
		return err
	}
	return &errDied{c.worker.Bury()}
}

// rememberedTables resolves the names that the query had when it was asked before. What is
// not found is left to the worker, which asks for it. Files are not shown: a worker that has
// to read them asks.
func (c *call) rememberedTables() (tables []namedTable, err error) {
	for _, ref := range c.engine.names.of(c.query) {
		table, err := c.resolve(ref)
		switch {
		case quern.Is(err, quern.NotFound):
			continue
		case err != nil:
			c.unresolved = err
			return nil, err
		}
		c.asked = append(c.asked, ref)
		if !c.alone {
			table = withoutFiles(table)
		}
		tables = append(tables, namedTable{ref, table})
	}
	return tables, nil
}

// withoutFiles returns a table as it travels to a worker that may know its content.
func withoutFiles(table engine.Table) engine.Table {
	table.Segments = slices.Clone(table.Segments)
	for i := range table.Segments {
		s := &table.Segments[i]
		s.Content, s.Path = contentOf(*s), ""
	}
	return table
}

// answer tells the worker which table a name stands for.
func (c *call) answer(body []byte) error {
	var ref engine.Ref
	if err := json.Unmarshal(body, &ref); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	table, err := c.resolve(ref)
	switch {
	case quern.Is(err, quern.NotFound):
		return c.send(tableFrame, resolved{Missing: true})
	case err != nil:
		c.unresolved = err
		return err
	}
	shown, err := c.linkSegments(table)
	if err != nil {
		return err
	}
	if !slices.Contains(c.asked, ref) {
		c.asked = append(c.asked, ref)
	}
	return c.send(tableFrame, resolved{Table: &shown})
}

// fetch brings what the worker asks for into sparse files.
func (c *call) fetch(body []byte) error {
	var spans []engine.Span
	if err := json.Unmarshal(body, &spans); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	if c.query.Fetch == nil {
		return fmt.Errorf("%w: no segment is sparse", errFrame)
	}
	if err := c.query.Fetch(c.ctx, spans); err != nil {
		c.unresolved = err
		return err
	}
	return c.send(thereFrame, nil)
}

func (c *call) resolve(ref engine.Ref) (engine.Table, error) {
	if table, ok := c.known[ref]; ok {
		return table, nil
	}
	if c.query.Resolve == nil {
		return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "there is no dataset")
	}
	table, err := c.query.Resolve(c.ctx, ref)
	if err == nil {
		c.known[ref] = table
	}
	return table, err
}

// linkSegments lets the worker read the segments of a table and returns it with the names
// that they have there.
func (c *call) linkSegments(table engine.Table) (engine.Table, error) {
	if c.alone {
		return table, nil
	}
	segments := make([]engine.Segment, len(table.Segments))
	for i, s := range table.Segments {
		segments[i] = s
		segments[i].Content = contentOf(s)
		name, err := c.worker.Show(s.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return table, c.notShown(s.Path, err)
		}
		c.paths = append(c.paths, s.Path)
		if segments[i].Path = name; err != nil {
			c.unlinked, c.leave = true, func() {} // the next call keeps the place
		}
	}
	table.Segments = segments
	return table, nil
}

// notShown says why a file cannot be shown for want of a name: the file is gone, or the
// worker, and its folder with it.
func (c *call) notShown(path string, err error) error {
	if _, gone := os.Lstat(path); gone != nil {
		return engine.LostSegment(err)
	}
	return c.broken(err)
}

// finish reads how the query ended, and gives the worker back.
func (c *call) finish(body []byte) (total int64, err error) {
	var e ending
	if err := json.Unmarshal(body, &e); err != nil {
		return 0, fmt.Errorf("%w: %w", errFrame, err)
	}
	if c.unwatch() {
		c.done(!e.Problem.faulty())
	}
	if e.Problem != nil {
		return 0, e.Problem.err()
	}
	return e.Total, nil
}

// done frees the worker and the place. The caller does not wait until the worker
// has been looked over.
func (c *call) done(sound bool) {
	c.release.Do(func() {
		c.cancel()
		go func() {
			c.engine.pool.Give(c.worker, sound)
			c.leave()
		}()
	})
}

// end frees everything, also when the query is not at its end. The caller does
// not wait for the worker.
func (c *call) end() {
	if c.worker == nil {
		c.cancel()
		c.leave()
		return
	}
	c.release.Do(func() {
		c.cancel()
		go func() {
			c.engine.pool.Give(c.worker, c.quiet())
			c.leave()
		}()
	})
}

// abandon frees the worker and keeps the place.
func (c *call) abandon() {
	c.release.Do(func() {
		c.cancel()
		c.engine.pool.Give(c.worker, false)
	})
}

// quiet has the worker end its query and reports whether it did so in time. The
// frames of a broken conversation are not read on.
func (c *call) quiet() bool {
	early := c.unwatch()
	select {
	case <-c.worker.Ended():
		return false
	default:
	}
	if !c.sent {
		return early // nothing is to be ended
	}
	frame, err := appendFrame(nil, cancelFrame, nil)
	if err != nil || c.worker.SetDeadline(time.Now().Add(grace)) != nil {
		return false
	}
	if _, err := c.worker.Write(frame); err != nil {
		return false
	}
	for {
		k, _, err := c.in.next()
		if err != nil {
			return false
		}
		if k == endFrame {
			return c.worker.SetDeadline(time.Time{}) == nil
		}
	}
}
