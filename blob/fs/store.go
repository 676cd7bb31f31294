// Package fs keeps objects as files under one folder of this machine.
//
// It owns that folder, and no other process may use it meanwhile:
//
//	objects/   the objects, a file each, under their keys
//	staging/   the open uploads, a folder each: journal, data, replaced parts
//	done/      what was completed lately, so that completing again succeeds
//	tmp/       files not yet in place; emptied on start
//	secret     the key that signs part URLs
//
// It never shows a file under objects/ before its bytes last, and never
// acknowledges one before its name does: write, sync the file, rename, sync the
// folder. The failure it is built around is the power cut between any two of
// those. A part goes straight to its place in the upload's data file, so that
// completing an upload is a rename and writes no byte twice:
//
//	open ──intent in the journal──▶ sealed ──rename──▶ object ──record in done/──▶ closed
//
// A cut before the intent leaves the upload open; after it, completing again
// carries on where the cut was.
package fs

import (
	"context"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"quern"
	"quern/blob"
)

// Options say where a store keeps its files and how clients reach it.
type Options struct {
	// Dir is the folder; it is made when missing.
	Dir string
	// PublicURL is what clients put before PathPrefix: scheme, host and, behind a
	// proxy, a path.
	PublicURL string
	// Secret signs part URLs; when nil, one is made and kept in Dir.
	Secret []byte
	// MaxParts bounds the parts that are received at a time; 0 means 64.
	MaxParts int
	// Stall is how long a client may send nothing; 0 means a minute.
	Stall time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Disk is the file system; nil means the machine's.
	Disk Disk
}

// Store keeps objects as files. It implements blob.Store, blob.Multipart,
// blob.Files and blob.Batcher.
type Store struct {
	disk   Disk
	now    func() time.Time
	public *url.URL
	secret []byte
	stall  time.Duration
	slots  chan struct{}

	objects, staging, done, tmp string
	folders                     *folders
	buffers                     sync.Pool

	mu        sync.Mutex
	uploads   map[string]*upload
	completed int
}

const bufferSize = 256 << 10

// New opens the store in o.Dir, removing what a crash left behind.
func New(o Options) (*Store, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil || o.Dir == "" {
		return nil, fmt.Errorf("blob/fs: folder %q: %w", o.Dir, errors.Join(err, iofs.ErrInvalid))
	}
	public, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("blob/fs: public URL: %w", err)
	}
	s := &Store{
		disk: o.Disk, now: o.Now, public: public, secret: o.Secret, stall: o.Stall,
		objects: filepath.Join(dir, "objects"), staging: filepath.Join(dir, "staging"),
		done: filepath.Join(dir, "done"), tmp: filepath.Join(dir, "tmp"),
		uploads: map[string]*upload{},
	}
	if s.disk == nil {
		s.disk = osDisk{}
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.stall == 0 {
		s.stall = time.Minute
	}
	if o.MaxParts == 0 {
		o.MaxParts = 64
	}
	s.slots = make(chan struct{}, o.MaxParts)
	s.folders = &folders{disk: s.disk, top: s.objects, durable: map[string]struct{}{}}
	s.buffers.New = func() any { b := make([]byte, bufferSize); return &b }
	if err := s.open(dir); err != nil {
		return nil, fmt.Errorf("blob/fs: open %s: %w", dir, err)
	}
	return s, nil
}

func (s *Store) open(dir string) error {
	if err := makeRoot(s.disk, dir); err != nil {
		return err
	}
	for _, d := range []string{s.objects, s.staging, s.done, s.tmp} {
		if err := s.disk.Mkdir(d); err != nil && !errors.Is(err, iofs.ErrExist) {
			return err
		}
	}
	// A run that was cut may have made the folders without making them last.
	if err := s.disk.SyncDir(dir); err != nil {
		return err
	}
	if err := s.removeFiles(s.tmp); err != nil {
		return err
	}
	if err := s.sweepStaging(); err != nil {
		return err
	}
	s.sweepCompleted()
	if s.secret != nil {
		return nil
	}
	var err error
	s.secret, err = s.loadSecret(filepath.Join(dir, "secret"))
	return err
}

// removeFiles removes the files in dir.
func (s *Store) removeFiles(dir string) error {
	entries, err := s.disk.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.disk.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Dir is the folder that holds the objects.
func (s *Store) Dir() string { return s.objects }

// File returns the path of the object's own file; there is nothing to release.
func (s *Store) File(ctx context.Context, key string) (string, func(), error) {
	if _, err := s.Stat(ctx, key); err != nil {
		return "", nil, err
	}
	return s.path(key), func() {}, nil
}

// Receiving is how many parts are received, and how many may be at once.
func (s *Store) Receiving() quern.Room { return quern.Places(s.slots) }

// Ready reports whether the folder can be used.
func (s *Store) Ready(context.Context) error {
	if _, err := s.disk.Stat(s.objects); err != nil {
		return blob.ErrUnreachable.Because(err)
	}
	return nil
}

func (s *Store) path(key string) string { return filepath.Join(s.objects, filepath.FromSlash(key)) }

// Put implements blob.Store.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	if size < 0 {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the object size is negative")
	}
	tmp, err := s.writeTemp(func(f File) error { return s.copyBytes(ctx, f, blob.Exactly(r, size)) })
	if err != nil {
		return err
	}
	if err := s.install(tmp, key); err != nil {
		s.disk.Remove(tmp)
		return err
	}
	return nil
}

// writeTemp makes a temporary file whose content lasts, and returns its path.
func (s *Store) writeTemp(fill func(File) error) (string, error) {
	tmp := filepath.Join(s.tmp, quern.NewID[string]())
	f, err := s.disk.Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return "", err
	}
	err = fill(f)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		s.disk.Remove(tmp)
		return "", err
	}
	return tmp, nil
}

// copyBytes moves bytes through a buffer of fixed size, for as long as ctx lasts.
func (s *Store) copyBytes(ctx context.Context, w io.Writer, r io.Reader) error {
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	for {
		n, err := r.Read(*buf)
		if _, werr := w.Write((*buf)[:n]); n > 0 && werr != nil {
			return werr
		}
		if err == io.EOF {
			return ctx.Err()
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
}

// install moves a file whose content lasts to its place under key, for good.
func (s *Store) install(from, key string) error {
	if err := s.move(from, key); err != nil {
		return err
	}
	return s.folders.sync(filepath.Dir(s.path(key)))
}

// move moves a file to its place under key; the name does not last yet. The folder
// may be pruned by a Delete between being made and being used, and a cut may have
// left an empty folder in the object's place: then it tries again.
func (s *Store) move(from, key string) error {
	to := s.path(key)
	dir := filepath.Dir(to)
	var err error
	for range 32 {
		if err = s.folders.ensure(dir); err != nil {
			return err
		}
		if err = s.disk.Rename(from, to); err == nil {
			return nil
		}
		if info, statErr := s.disk.Stat(to); statErr == nil && info.IsDir() {
			err = errConflict.Because(err)
			s.folders.prune(to)
			continue
		}
		if !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
		s.folders.forget(dir)
	}
	return err
}

// Open implements blob.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return nil, err
	}
	if offset < 0 {
		return nil, blob.ErrRange
	}
	f, err := s.disk.Open(s.path(key), os.O_RDONLY)
	if err != nil {
		return nil, notFound(err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = blob.ErrNoObject
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	end := info.Size()
	if length >= 0 && length < end-offset {
		end = offset + length
	}
	return &section{Reader: io.NewSectionReader(f, offset, max(0, end-offset)), ctx: ctx, file: f}, nil
}

// section is an open range of an object.
type section struct {
	io.Reader
	ctx  context.Context
	file File
}

func (r *section) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

func (r *section) Close() error { return r.file.Close() }

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return blob.Info{}, err
	}
	info, err := s.disk.Stat(s.path(key))
	if err != nil {
		return blob.Info{}, notFound(err)
	}
	if info.IsDir() {
		return blob.Info{}, blob.ErrNoObject
	}
	return blob.Info{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil
}

// Delete implements blob.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	path := s.path(key)
	dir := filepath.Dir(path)
	switch _, err := s.Stat(ctx, key); {
	case quern.Is(err, quern.NotFound):
		return s.folders.sync(dir) // it may have been removed before, and not for good
	case err != nil:
		return err
	}
	if err := s.disk.Remove(path); err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	if err := s.folders.sync(dir); err != nil {
		return err
	}
	s.folders.prune(dir)
	return nil
}

// notFound turns the ways in which a file system says that a path is not there
// into the one error for it.
func notFound(err error) error {
	if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return blob.ErrNoObject.Because(err)
	}
	return err
}
