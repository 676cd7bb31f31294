package backup

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/blob"
	"quern/store"
)

// Creation says what a backup is made of, and where it goes.
type Creation struct {
	Store   *store.Store
	Objects Source
	Place   Place
	Lock    Lock
	Release string
	Now     func() time.Time
	// Progress is told how far it is; may be nil.
	Progress *Progress
	// Renew is the time between two renewals of the hold; 0 means 30 s.
	Renew time.Duration
}

const (
	// chunkSize is about how many bytes of rows are stored together.
	chunkSize = 4 << 20
	// holdLife is how long a hold lasts that is not renewed.
	holdLife = 5 * time.Minute
	// holdPause is the time between two renewals.
	holdPause = 30 * time.Second
)

// Create makes a backup beside running servers and returns its id. Objects that the
// metadata name and that are not there do not keep it from being made: the manifest
// names them.
func Create(ctx context.Context, c Creation) (id string, m *Manifest, err error) {
	if c.Progress == nil {
		c.Progress = &Progress{}
	}
	if c.Renew == 0 {
		c.Renew = holdPause
	}
	var secret string
	err = c.Store.Update(ctx, func(tx *store.Tx) error {
		secret, err = tx.Secret(ctx, "backup names", rand.Text())
		return err
	})
	if err != nil {
		return "", nil, err
	}
	w := &writer{Creation: c}
	if w.sealer, err = newSealer(ctx, c.Place, c.Lock, secret); err != nil {
		return "", nil, err
	}
	err = hold(ctx, c, func(ctx context.Context) error {
		id, m, err = w.create(ctx)
		return err
	})
	return id, m, err
}

// writer is a backup in the making.
type writer struct {
	Creation
	sealer sealer

	mu      sync.Mutex
	learned []store.Object // whose digests are yet to be stored
	missing []string
}

func (w *writer) create(ctx context.Context) (string, *Manifest, error) {
	m := &Manifest{Form: form, MadeAt: w.Now().UTC().Truncate(time.Millisecond), Release: w.Release, Database: w.Store.Dialect()}
	var err error
	if m.Schema, err = w.Store.Schema(ctx); err != nil {
		return "", nil, err
	}
	var needed []store.Object
	w.Progress.begin("reading the metadata", 0)
	err = w.Store.View(ctx, func(tx *store.Tx) error {
		m.Tables, needed = nil, nil
		if err := w.dump(ctx, tx, m); err != nil {
			return err
		}
		return tx.NeededObjects(ctx, func(o store.Object) error {
			needed = append(needed, o)
			return nil
		})
	})
	if err != nil {
		return "", nil, err
	}
	objects, err := w.copyAll(ctx, needed)
	if err != nil {
		return "", nil, err
	}
	if err := w.list(ctx, objects, m); err != nil {
		return "", nil, err
	}
	m.Missing = w.missing
	id, err := w.finish(ctx, m)
	return id, m, err
}

// dump stores the rows of all tables.
func (w *writer) dump(ctx context.Context, tx *store.Tx, m *Manifest) error {
	tables, err := tx.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		entry := Table{Name: t.Name, Columns: t.Columns}
		chunks := chunker{ctx: ctx, w: w}
		err := tx.Dump(ctx, t, func(row []any) error {
			entry.Rows++
			if err := encodeRow(&chunks.buffer, row); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
			return chunks.next()
		})
		if err == nil {
			entry.Chunks, err = chunks.end()
		}
		if err != nil {
			return err
		}
		m.Tables = append(m.Tables, entry)
	}
	return nil
}

// chunker stores lines, many of them together.
type chunker struct {
	ctx    context.Context
	w      *writer
	buffer bytes.Buffer
	chunks []Piece
}

// next is called behind every line.
func (c *chunker) next() error {
	if c.buffer.Len() < chunkSize {
		return nil
	}
	return c.flush()
}

func (c *chunker) end() ([]Piece, error) {
	err := c.flush()
	return c.chunks, err
}

func (c *chunker) flush() error {
	if c.buffer.Len() == 0 {
		return nil
	}
	plain := c.buffer.Bytes()
	piece := Piece{Bytes: int64(len(plain)), Digest: digestOf(plain)}
	piece.Name = c.w.sealer.name(piece.Digest, true)
	var small bytes.Buffer
	squeeze := gzip.NewWriter(&small)
	_, err := squeeze.Write(plain)
	if err = errors.Join(err, squeeze.Close()); err != nil {
		return err
	}
	c.buffer.Reset()
	c.chunks = append(c.chunks, piece)
	c.w.Progress.done.Add(piece.Bytes)
	return c.w.put(c.ctx, piece.Name, &small, int64(small.Len()))
}

// put stores n bytes in a file, unless the place has it.
func (w *writer) put(ctx context.Context, name string, r io.Reader, n int64) error {
	size := w.sealer.size(n)
	info, err := w.Place.Stat(ctx, name)
	if err == nil && info.Size == size {
		return nil
	}
	if err != nil && !quern.Is(err, quern.NotFound) {
		return err
	}
	sealed, err := w.sealer.seal(r)
	if err != nil {
		return err
	}
	if err := w.Place.Put(ctx, name, sealed, size); err != nil {
		return err
	}
	w.Progress.files.Add(1)
	w.Progress.bytes.Add(size)
	return nil
}

// copyAll copies objects, some at a time, and returns those that were there.
func (w *writer) copyAll(ctx context.Context, needed []store.Object) ([]Object, error) {
	var total int64
	for _, o := range needed {
		total += max(0, o.Bytes)
	}
	w.Progress.begin("copying objects", total)
	copied := make([]Object, len(needed))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i, o := range needed {
		group.Go(func() (err error) {
			copied[i], err = w.copy(inner, o)
			if err != nil {
				return fmt.Errorf("the object %s: %w", o.Key, err)
			}
			return w.learn(inner, learnBatch)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	there := copied[:0]
	for _, o := range copied {
		if o.Key != "" {
			there = append(there, o)
		}
	}
	return there, w.learn(ctx, 1)
}

// copy copies one object. It is the zero value when the object is missing or not whole.
func (w *writer) copy(ctx context.Context, o store.Object) (Object, error) {
	defer w.Progress.done.Add(max(0, o.Bytes))
	info, err := w.Objects.Stat(ctx, o.Key)
	if quern.Is(err, quern.NotFound) || err == nil && o.Bytes >= 0 && info.Size != o.Bytes {
		w.miss(o.Key)
		return Object{}, nil
	}
	if err != nil {
		return Object{}, err
	}
	known := o.Digest != ""
	if o.Bytes = info.Size; !known {
		if o.Digest, err = w.digest(ctx, o); err != nil {
			return Object{}, err
		}
		w.mu.Lock()
		w.learned = append(w.learned, o)
		w.mu.Unlock()
	}
	copied := Object{Key: o.Key, Piece: Piece{Name: w.sealer.name(o.Digest, false), Bytes: o.Bytes, Digest: o.Digest}}
	in := &lazy{open: func() (io.ReadCloser, error) { return w.Objects.Open(ctx, o.Key, 0, -1) }, piece: copied.Piece}
	err = w.put(ctx, copied.Name, in, o.Bytes)
	_, once := w.Place.(*Stream)
	if err != nil && in.changed && known && !once {
		w.miss(o.Key)
		return Object{}, nil
	}
	return copied, err
}

func (w *writer) miss(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.missing = append(w.missing, key)
}

func (w *writer) digest(ctx context.Context, o store.Object) (string, error) {
	in, err := w.Objects.Open(ctx, o.Key, 0, -1)
	if err != nil {
		return "", err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, blob.Exactly(in, o.Bytes)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// learnBatch is how many digests are stored together.
const learnBatch = 200

// learn stores the digests that were found, once there are so many.
func (w *writer) learn(ctx context.Context, least int) error {
	w.mu.Lock()
	some := w.learned
	if len(some) < least {
		w.mu.Unlock()
		return nil
	}
	w.learned = nil
	w.mu.Unlock()
	return w.Store.Update(ctx, func(tx *store.Tx) error { return tx.RecordDigests(ctx, some) })
}

// lazy opens an object when its first byte is wanted, and fails at its end when it does
// not hold what it should.
type lazy struct {
	open  func() (io.ReadCloser, error)
	piece Piece
	in    io.ReadCloser
	check *checked
	// changed says that it failed so, which not every consumer hands on.
	changed bool
}

func (l *lazy) Read(p []byte) (n int, err error) {
	if l.check == nil {
		if l.in, err = l.open(); err != nil {
			return 0, err
		}
		l.check = check(l.in, l.piece.Bytes, l.piece.Digest)
	}
	n, err = l.check.Read(p)
	if err != nil {
		l.changed = l.changed || errors.Is(err, errChanged)
		l.in.Close()
	}
	return n, err
}

// list stores the list of objects.
func (w *writer) list(ctx context.Context, objects []Object, m *Manifest) (err error) {
	chunks := chunker{ctx: ctx, w: w}
	for _, o := range objects {
		if err := encodeJSON(&chunks.buffer, o); err != nil {
			return err
		}
		chunks.buffer.WriteByte('\n')
		m.Objects.Count++
		m.Objects.Bytes += o.Bytes
		if err := chunks.next(); err != nil {
			return err
		}
	}
	m.Objects.Chunks, err = chunks.end()
	return err
}

// idTime is how an id begins: with the time, so that ids sort by it.
const idTime = "20060102T150405.000Z"

// finish stores the manifest, which makes the backup one, and returns its id.
func (w *writer) finish(ctx context.Context, m *Manifest) (string, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", err
	}
	sealed, err := w.sealer.seal(bytes.NewReader(append(text, '\n')))
	if err != nil {
		return "", err
	}
	stored, err := io.ReadAll(sealed)
	if err != nil {
		return "", err
	}
	id := m.MadeAt.Format(idTime) + "-" + digestOf(stored)[:idDigest]
	return id, w.Place.Put(ctx, folder+id, bytes.NewReader(stored), int64(len(stored)))
}

// hold keeps objects from being swept while fn runs. A hold that is lost ends fn.
func hold(ctx context.Context, c Creation, fn func(context.Context) error) error {
	id := quern.NewID[string]()
	err := c.Store.Update(ctx, func(tx *store.Tx) error {
		return tx.InsertHold(ctx, id, "a backup", c.Now(), c.Now().Add(holdLife))
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { renew(ctx, c, id, cancel) })
	err = fn(ctx)
	if lost := context.Cause(ctx); lost != nil && err != nil {
		err = lost
	}
	cancel(nil)
	renewing.Wait()
	// A signal that ended the work must not leave the hold.
	after, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer stop()
	return errors.Join(err, c.Store.Update(after, func(tx *store.Tx) error { return tx.DeleteHold(after, id) }))
}

func renew(ctx context.Context, c Creation, id string, lose context.CancelCauseFunc) {
	tick := time.NewTicker(c.Renew)
	defer tick.Stop()
	until := c.Now().Add(holdLife)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		next := c.Now().Add(holdLife)
		ours := true
		err := c.Store.Update(ctx, func(tx *store.Tx) (err error) {
			ours, err = tx.RenewHold(ctx, id, c.Now(), next)
			return err
		})
		switch {
		case err == nil && ours:
			until = next
		case err == nil || c.Now().After(until.Add(-holdPause)):
			lose(errors.New("the hold on the objects was lost: what has not been copied may have been swept; make the backup again"))
			return
		}
	}
}
