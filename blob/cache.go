package blob

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"quern"
)

// Cache makes the objects of any store readable as local files, for objects
// that are never overwritten. It implements Files, and SparseFiles where the store is a Ranger.
//
// Each file is fetched once however many ask for it, and stays until room is
// needed and nobody uses it; the one that was used longest ago goes first. What
// a former process left in the folder is used again.
type Cache struct {
	store Store
	dir   string
	limit int64
	turns chan struct{} // bounds the fetches at a time
	// ranges bounds the fetches of parts at a time.
	ranges chan struct{}

	mu     sync.Mutex
	files  map[string]*cached     // by name
	sparse map[string]*sparseCopy // likewise: those that hold parts of their object
	idle   *list.List             // of *cached and *sparseCopy that nobody uses, latest first
	used   int64                  // bytes of all files, fetched and being fetched

	distrusted map[string]bool // objects of which no parts are used, by name
	noRanges   bool            // the store does not read parts of objects
}

// cached is a file of the cache, from the moment somebody asks for it.
type cached struct {
	name  string
	size  int64
	users int
	at    *list.Element // in idle

	done   chan struct{} // closed when the fetch has ended
	err    error
	cancel context.CancelFunc
}

const (
	cacheSuffix = ".object"
	fetchSuffix = ".fetch"
	maxFetches  = 8
)

var (
	errCacheFull = quern.E(quern.Unavailable, quern.CodeUnavailable, "the files in use leave no room for another")
	errCacheSize = quern.E(quern.Unavailable, quern.CodeUnavailable, "an object is larger than all the room for local files")
)

// NewCache makes a cache of at most limit bytes in dir, which it owns.
func NewCache(store Store, dir string, limit int64) (*Cache, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return nil, err
	}
	c := &Cache{
		store: store, dir: abs, limit: limit, turns: make(chan struct{}, maxFetches), ranges: make(chan struct{}, maxRanges),
		files: map[string]*cached{}, sparse: map[string]*sparseCopy{}, idle: list.New(), distrusted: map[string]bool{},
	}
	return c, c.index()
}

// Fetches is how many objects are fetched, and how many may be at once.
func (c *Cache) Fetches() quern.Room { return quern.Places(c.turns) }

// index takes over what a former process fetched whole, and removes the rest: nothing tells
// which parts a file holds.
func (c *Cache) index() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	type found struct {
		*cached
		modified int64
	}
	var all []found
	for _, e := range entries {
		path := filepath.Join(c.dir, e.Name())
		digest, size, ok := parseName(e.Name())
		info, err := os.Stat(path)
		if err != nil || !ok || info.Size() != size {
			if ok || strings.HasSuffix(e.Name(), fetchSuffix) || strings.HasSuffix(e.Name(), sparseSuffix) {
				os.Remove(path)
			}
			continue
		}
		f := &cached{name: digest, size: size, done: make(chan struct{})}
		close(f.done)
		all = append(all, found{f, info.ModTime().UnixNano()})
	}
	slices.SortFunc(all, func(a, b found) int { return int(min(1, max(-1, a.modified-b.modified))) })
	for _, f := range all {
		c.files[f.name] = f.cached
		f.at = c.idle.PushFront(f.cached)
		c.used += f.size
	}
	c.evict(0)
	return nil
}

// parseName splits a file's name into the digest of its key and its size.
func parseName(name string) (digest string, size int64, ok bool) {
	digest, rest, ok := strings.Cut(strings.TrimSuffix(name, cacheSuffix), "-")
	size, err := strconv.ParseInt(rest, 10, 64)
	return digest, size, ok && err == nil && strings.HasSuffix(name, cacheSuffix)
}

func (c *Cache) path(f *cached) string {
	return filepath.Join(c.dir, fmt.Sprintf("%s-%d%s", f.name, f.size, cacheSuffix))
}

// Dir is the folder that holds the files.
func (c *Cache) Dir() string { return c.dir }

// Size returns the bytes of all files, and how many there may be.
func (c *Cache) Size() (used, limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used, c.limit
}

// File implements Files. It fails with quern.Unavailable when the object does not
// fit beside the files in use.
func (c *Cache) File(ctx context.Context, key string) (string, func(), error) {
	if err := errors.Join(ctx.Err(), CheckKey(key)); err != nil {
		return "", nil, err
	}
	f := c.ask(ctx, key)
	select {
	case <-f.done:
	case <-ctx.Done():
		c.release(f)
		return "", nil, ctx.Err()
	}
	if f.err != nil {
		c.release(f)
		return "", nil, f.err
	}
	return c.path(f), sync.OnceFunc(func() { c.release(f) }), nil
}

// ask joins whoever uses or fetches the file, or starts to fetch it. The fetch
// goes on for as long as somebody waits for it, whoever came first.
func (c *Cache) ask(ctx context.Context, key string) *cached {
	name := nameOf(key)
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.files[name]
	if f == nil {
		fetching, cancel := context.WithCancel(context.WithoutCancel(ctx))
		f = &cached{name: name, done: make(chan struct{}), cancel: cancel}
		c.files[name] = f
		if p := c.sparse[name]; p != nil {
			c.spoil(p) // all of it comes
		}
		go c.fetch(fetching, key, f)
	}
	if f.at != nil {
		c.idle.Remove(f.at)
		f.at = nil
	}
	f.users++
	return f
}

// nameOf is the name that the file of an object begins with.
func nameOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

func (c *Cache) release(f *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(f)
}

// leave takes a file back. The caller holds c.mu.
func (c *Cache) leave(f *cached) {
	f.users--
	if f.users > 0 {
		return
	}
	select {
	case <-f.done:
		if f.err == nil {
			f.at = c.idle.PushFront(f)
		}
	default:
		// Nobody waits any more; who asks next starts anew.
		f.cancel()
		delete(c.files, f.name)
	}
}

// fetch brings the object here and tells those who wait. The file gets its name
// only while the lock shows that it is still wanted, so no name is ever without
// its place in the count.
func (c *Cache) fetch(ctx context.Context, key string, f *cached) {
	defer f.cancel()
	tmp, err := c.download(ctx, key, f)
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(f.done)
	wanted := c.files[f.name] == f
	if err == nil && !wanted {
		err = context.Canceled
	}
	if err == nil {
		err = os.Rename(tmp, c.path(f))
	}
	if err == nil {
		return
	}
	f.err = err
	c.used -= f.size
	if tmp != "" {
		os.Remove(tmp)
	}
	if wanted {
		delete(c.files, f.name)
	}
}

// sized is a reader of a whole object that knows how long it is, so that nobody asks the store
// once more; negative: it does not.
type sized interface{ Size() int64 }

// open opens the object and returns its size.
func (c *Cache) open(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	r, err := c.store.Open(ctx, key, 0, -1)
	if err != nil {
		return nil, 0, err
	}
	if s, ok := r.(sized); ok && s.Size() >= 0 {
		return r, s.Size(), nil
	}
	info, err := c.store.Stat(ctx, key)
	if err != nil {
		return nil, 0, errors.Join(err, r.Close())
	}
	return r, info.Size, nil
}

// download fetches the object into a temporary file, whose path it returns.
func (c *Cache) download(ctx context.Context, key string, f *cached) (string, error) {
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	r, size, err := c.open(ctx, key)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if err := c.reserve(f, size); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(c.dir, "*"+fetchSuffix)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(tmp, Exactly(r, size))
	if err == nil {
		// A later process trusts a file that has its full size.
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	return tmp.Name(), err
}

// reserve makes room for a file, at the cost of those that nobody uses.
func (c *Cache) reserve(f *cached, size int64) error {
	if size > c.limit {
		return errCacheSize
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evict(size)
	if c.used+size > c.limit {
		return errCacheFull
	}
	f.size = size
	c.used += size
	return nil
}

// evict removes idle files until size more bytes fit. The caller holds c.mu.
func (c *Cache) evict(size int64) {
	for c.used+size > c.limit && c.idle.Len() > 0 {
		switch f := c.idle.Remove(c.idle.Back()).(type) {
		case *sparseCopy:
			f.at = nil
			c.forgetSparse(f)
		case *cached:
			delete(c.files, f.name)
			c.used -= f.size
			os.Remove(c.path(f))
		}
	}
}
