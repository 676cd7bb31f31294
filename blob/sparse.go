package blob

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"quern"
)

// Version tells an object from what had its key before or has it later.
type Version struct {
	Tag  string // never empty
	Size int64
}

// Ranger is an ability that a Store may have: it reads parts of an object that are known to
// be of one version of it.
type Ranger interface {
	// OpenRange reads the bytes of a span, which is within the object, and tells which version
	// they are of. With a tag, it fails with ErrChanged when the object is of another version.
	// Fails with quern.NotFound for a missing object, and with ErrNoRange when the store does
	// not read parts of objects, or does not tell their version. The caller closes the reader.
	OpenRange(ctx context.Context, key string, span Span, tag string) (io.ReadCloser, Version, error)
}

var (
	// ErrChanged says that an object is not the one that was read before.
	ErrChanged = quern.E(quern.Conflict, quern.CodeConflict, "the object has changed")
	// ErrNoRange says that a store does not read parts of objects.
	ErrNoRange = quern.E(quern.Invalid, quern.CodeInvalid, "the object store does not read parts of objects")
)

// SparseFiles is an ability that Files may have: local files that hold parts of objects.
type SparseFiles interface {
	Files
	// Sparse returns a file of an object's size that holds its tail and what was fetched of it
	// so far, and nothing but zeros elsewhere; or a file of all of it where there is one. The
	// file stays until Release is called.
	Sparse(ctx context.Context, o Tailed) (*SparseFile, error)
	// HasSparse reports whether Sparse needs no tail of an object: something of it is here.
	HasSparse(key string) bool
}

// Tailed is an object whose size is known, and perhaps its last bytes.
type Tailed struct {
	Key  string
	Size int64
	Tail []byte
}

const (
	sparseSuffix = ".sparse"
	// maxRanges is how many parts of objects are fetched at a time: they are short, and what
	// they take is mostly the way to the store and back.
	maxRanges = 32
	// sparseRoom is what a file takes at least, however little it holds.
	sparseRoom = 4 << 10
	// maxDistrusted bounds of how many objects it is remembered that parts of them are not
	// to be used.
	maxDistrusted = 1024
)

// sparseCopy is a local file that holds parts of an object. Its fields are guarded by the
// cache's mutex.
type sparseCopy struct {
	name  string // of the object
	id    string // of this file: no other ever has it
	key   string
	size  int64
	room  int64 // the bytes that it is counted with
	users int
	at    *list.Element // in idle

	tag     string // of the version that it holds parts of
	have    []Span
	flights []*flight
	spoiled bool    // nobody gets it any more
	gone    bool    // its file is removed
	whole   *cached // what it has become, which it holds on to while it is used
}

// flight is bytes on their way into a copy.
type flight struct {
	span    Span
	waiters int
	cancel  context.CancelFunc
	done    chan struct{} // closed at its end
	err     error
}

// SparseFile is somebody's use of a file that holds parts of an object.
type SparseFile struct {
	cache   *Cache
	path    string
	copy    *sparseCopy // nil where the file holds all of it
	release func()
}

// Path is where the file is.
func (p *SparseFile) Path() string { return p.path }

// ID tells the file from all others that hold parts of objects; empty where it holds all of
// its object.
func (p *SparseFile) ID() string {
	if p.copy == nil {
		return ""
	}
	return p.copy.id
}

// Release lets the file go. Calling it again is harmless.
func (p *SparseFile) Release() { p.release() }

// HasSparse implements SparseFiles.
func (c *Cache) HasSparse(key string) bool {
	name := nameOf(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[name] != nil || c.sparse[name] != nil
}

// Sparse implements SparseFiles.
func (c *Cache) Sparse(ctx context.Context, o Tailed) (*SparseFile, error) {
	if err := errors.Join(ctx.Err(), CheckKey(o.Key)); err != nil {
		return nil, err
	}
	name := nameOf(o.Key)
	_, able := c.store.(Ranger)
	c.mu.Lock()
	whole := c.files[name] != nil || c.distrusted[name] || c.noRanges || !able
	if p := c.sparse[name]; p != nil && p.size == o.Size && !whole {
		defer c.mu.Unlock()
		return c.use(p), nil
	}
	c.mu.Unlock()
	if whole {
		path, release, err := c.File(ctx, o.Key)
		if err != nil {
			return nil, err
		}
		return &SparseFile{cache: c, path: path, release: release}, nil
	}
	return c.newSparse(o, name)
}

// newSparse makes a file that holds the tail of an object.
func (c *Cache) newSparse(o Tailed, name string) (*SparseFile, error) {
	p := &sparseCopy{name: name, id: quern.NewID[string](), key: o.Key, size: o.Size}
	if int64(len(o.Tail)) > o.Size {
		return nil, ErrChanged
	}
	if err := c.makeRoom(p, sparseRoom+int64(len(o.Tail))); err != nil {
		return nil, err
	}
	err := writeSparse(c.sparsePath(p), o)
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.sparse[name]; err != nil || other != nil && other.size == o.Size {
		c.used -= p.room
		os.Remove(c.sparsePath(p))
		if err != nil {
			return nil, err
		}
		return c.use(other), nil // somebody was faster
	}
	p.have = union([]Span{{o.Size - int64(len(o.Tail)), o.Size}}, o.Size, 0)
	if other := c.sparse[name]; other != nil {
		c.spoil(other)
	}
	c.sparse[name] = p
	return c.use(p), nil
}

func writeSparse(path string, o Tailed) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = file.Truncate(o.Size)
	if err == nil {
		_, err = file.WriteAt(o.Tail, o.Size-int64(len(o.Tail)))
	}
	return errors.Join(err, file.Close())
}

func (c *Cache) sparsePath(p *sparseCopy) string {
	return filepath.Join(c.dir, p.name+"-"+p.id+sparseSuffix)
}

// use gives a copy to somebody. The caller holds c.mu.
func (c *Cache) use(p *sparseCopy) *SparseFile {
	if p.at != nil {
		c.idle.Remove(p.at)
		p.at = nil
	}
	p.users++
	return &SparseFile{cache: c, path: c.sparsePath(p), copy: p, release: sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.leaveSparse(p)
	})}
}

// leaveSparse takes a copy back. The caller holds c.mu.
func (c *Cache) leaveSparse(p *sparseCopy) {
	if p.users--; p.users > 0 {
		return
	}
	switch {
	case p.whole != nil:
		os.Remove(c.sparsePath(p))
		c.leave(p.whole)
	case p.spoiled:
		c.forgetSparse(p)
	default:
		p.at = c.idle.PushFront(p)
	}
}

// spoil keeps a copy from being given to anybody else. The caller holds c.mu.
func (c *Cache) spoil(p *sparseCopy) {
	if p.spoiled || p.whole != nil {
		return
	}
	p.spoiled = true
	if c.sparse[p.name] == p {
		delete(c.sparse, p.name)
	}
	if p.at != nil {
		c.idle.Remove(p.at)
		p.at = nil
		c.forgetSparse(p)
	}
}

// forgetSparse removes the file of a copy that nobody uses. The caller holds c.mu.
func (c *Cache) forgetSparse(p *sparseCopy) {
	if p.gone {
		return
	}
	p.gone, p.spoiled = true, true
	if c.sparse[p.name] == p {
		delete(c.sparse, p.name)
	}
	c.used -= p.room
	os.Remove(c.sparsePath(p))
}

// makeRoom counts bytes that a copy is about to take, at the cost of files that nobody uses.
func (c *Cache) makeRoom(p *sparseCopy, bytes int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.makeRoomLocked(p, bytes)
}

func (c *Cache) makeRoomLocked(p *sparseCopy, bytes int64) error {
	if p.room+bytes > c.limit {
		return errCacheSize
	}
	c.evict(bytes)
	if c.used+bytes > c.limit {
		return errCacheFull
	}
	p.room += bytes
	c.used += bytes
	return nil
}

// Has reports whether the file has all of a span.
func (p *SparseFile) Has(span Span) bool {
	if p.copy == nil {
		return true
	}
	p.cache.mu.Lock()
	defer p.cache.mu.Unlock()
	return len(without([]Span{span}, p.copy.have)) == 0
}

// Distrust says that the file did not serve its reader: from now on all of the object is
// fetched for whoever wants parts of it.
func (p *SparseFile) Distrust() {
	if p.copy == nil {
		return
	}
	c := p.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.distrusted) >= maxDistrusted {
		clear(c.distrusted)
	}
	c.distrusted[p.copy.name] = true
	c.spoil(p.copy)
}

// Fetch brings what spans have of the object into the file, as far as it is not there, and
// returns once it is: what somebody else has begun to fetch is waited for. It fails as
// Ranger.OpenRange does, and with quern.Unavailable when there is no room.
func (p *SparseFile) Fetch(ctx context.Context, spans []Span) error {
	if p.copy == nil {
		return ctx.Err()
	}
	flights, err := p.cache.launch(ctx, p.copy, wanted(spans, p.copy.size))
	if err != nil {
		return err
	}
	for _, f := range flights {
		defer p.cache.leaveFlight(p.copy, f)
	}
	for _, f := range flights {
		select {
		case <-f.done:
			if f.err != nil {
				return f.err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// launch returns the flights after which a copy has spans: those of others, and new ones.
func (c *Cache) launch(ctx context.Context, p *sparseCopy, spans []Span) (flights []*flight, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.whole != nil {
		return nil, nil
	}
	missing := without(spans, p.have)
	for _, f := range p.flights {
		if rest := without(missing, []Span{f.span}); length(rest) < length(missing) {
			missing, flights = rest, append(flights, f)
		}
	}
	missing = pieces(missing)
	if err := c.makeRoomLocked(p, length(missing)); err != nil {
		return nil, err
	}
	for _, span := range missing {
		fetching, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f := &flight{span: span, cancel: cancel, done: make(chan struct{})}
		p.flights = append(p.flights, f)
		flights = append(flights, f)
		go c.fly(fetching, p, f)
	}
	for _, f := range flights {
		f.waiters++
	}
	return flights, nil
}

// leaveFlight has somebody not wait for a flight any more, which ends once nobody does.
func (c *Cache) leaveFlight(p *sparseCopy, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiters--; f.waiters > 0 {
		return
	}
	select {
	case <-f.done:
	default:
		f.cancel()
		p.flights = withoutFlight(p.flights, f) // who comes next does not join it
		c.spoil(p)
	}
}

func withoutFlight(flights []*flight, f *flight) (rest []*flight) {
	for _, other := range flights {
		if other != f {
			rest = append(rest, other)
		}
	}
	return rest
}

// fly fetches the bytes of a flight and tells those who wait. A copy that one of them failed
// for is nobody else's: some of its bytes may be in the file.
func (c *Cache) fly(ctx context.Context, p *sparseCopy, f *flight) {
	defer f.cancel()
	err := c.fetchSpan(ctx, p, f.span)
	c.mu.Lock()
	p.flights = withoutFlight(p.flights, f)
	f.err = err
	if err == nil {
		p.have = union(append(p.have, f.span), p.size, 0)
	} else {
		c.noRanges = c.noRanges || errors.Is(err, ErrNoRange)
		c.spoil(p)
	}
	full := length(p.have) == p.size
	if full {
		p.users++ // until it is known to be whole
	}
	close(f.done)
	c.mu.Unlock()
	if full {
		c.becomeWhole(p)
	}
}

func (c *Cache) fetchSpan(ctx context.Context, p *sparseCopy, span Span) (err error) {
	select {
	case c.ranges <- struct{}{}:
		defer func() { <-c.ranges }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Lock()
	tag := p.tag
	c.mu.Unlock()
	r, version, err := c.store.(Ranger).OpenRange(ctx, p.key, span, tag)
	if err != nil {
		return err
	}
	defer r.Close()
	if !c.agree(p, version) {
		return ErrChanged
	}
	file, err := os.OpenFile(c.sparsePath(p), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.NewOffsetWriter(file, span.From), Exactly(r, span.To-span.From))
	return errors.Join(err, file.Close())
}

// agree reports whether bytes are of the version that a copy holds parts of.
func (c *Cache) agree(p *sparseCopy, v Version) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.tag == "" {
		p.tag = v.Tag
	}
	return p.tag == v.Tag && p.size == v.Size
}

// becomeWhole makes a copy that holds all of its object a file like others, which a later
// process trusts.
func (c *Cache) becomeWhole(p *sparseCopy) {
	err := syncFile(c.sparsePath(p))
	f := &cached{name: p.name, size: p.size, users: 1, done: make(chan struct{}), cancel: func() {}}
	close(f.done)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.files[p.name] == nil && !p.spoiled && p.whole == nil {
		err = os.Link(c.sparsePath(p), c.path(f))
		if err == nil {
			c.used += f.size - p.room
			p.whole, c.files[p.name] = f, f
			delete(c.sparse, p.name)
		}
	}
	c.leaveSparse(p)
}

func syncFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("blob: %w", err)
	}
	return errors.Join(file.Sync(), file.Close())
}
