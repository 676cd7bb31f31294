package fs

import (
	"cmp"
	"context"
	"errors"
	iofs "io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/blob"
)

const (
	journalFile = "journal"
	dataFile    = "data"
	wholeFile   = "whole"
	partPrefix  = "part-"

	// maxIdle bounds the uploads that are kept in memory though nobody uses them.
	maxIdle = 64
)

// upload is what is known of one open upload. Its journal is the truth; parts
// and intent mirror it.
type upload struct {
	id, dir string
	users   int // guarded by Store.mu

	// finish is held by whoever completes or aborts the upload, mu for as long as
	// the fields below are looked at or the journal is added to.
	finish sync.Mutex
	mu     sync.Mutex
	loaded bool
	gone   bool
	sealed bool
	key    string
	began  time.Time
	parts  map[int]partRecord
	intent *intent
	claims map[int]span // parts being written to their place in the data file
}

type span struct{ from, to int64 }

func (a span) overlaps(b span) bool { return a.from < b.to && b.from < a.to }

// MinPart implements blob.Multipart.
func (s *Store) MinPart() int64 { return 0 }

// Begin implements blob.Multipart.
func (s *Store) Begin(ctx context.Context, key string) (string, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return "", err
	}
	id, began := quern.NewID[string](), s.now().UTC()
	dir := filepath.Join(s.staging, id)
	if err := s.disk.Mkdir(dir); err != nil {
		return "", err
	}
	data, err := s.disk.Open(filepath.Join(dir, dataFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err == nil {
		err = data.Close()
	}
	if err == nil {
		err = s.writeJournal(filepath.Join(dir, journalFile), os.O_CREATE|os.O_EXCL, record{Key: key, Began: &began})
	}
	if err == nil {
		err = errors.Join(s.disk.SyncDir(dir), s.disk.SyncDir(s.staging))
	}
	if err != nil {
		_ = s.removeFolder(dir) // the next start sweeps what stays
		return "", err
	}
	return id, nil
}

// acquire returns the open upload with the id, and how to let go of it.
func (s *Store) acquire(key, id string) (*upload, func(), error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, nil, err
	}
	if !quern.ValidID(id) || id != filepath.Base(id) {
		return nil, nil, blob.ErrNoUpload
	}
	s.mu.Lock()
	u := s.uploads[id]
	if u == nil {
		u = &upload{id: id, dir: filepath.Join(s.staging, id)}
		s.uploads[id] = u
	}
	u.users++
	s.mu.Unlock()
	release := func() { s.release(u) }

	u.mu.Lock()
	defer u.mu.Unlock()
	err := s.load(u)
	if another := u.gone || u.key != key; err == nil && another {
		err = blob.ErrNoUpload
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return u, release, nil
}

// release lets go of an upload. Whoever is the last one to do so sees all that
// the others did, so its fields need no lock here.
func (s *Store) release(u *upload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u.users--
	worthless := u.gone || !u.loaded || len(s.uploads) > maxIdle
	if u.users == 0 && worthless {
		delete(s.uploads, u.id)
	}
}

// load reads the journal, unless that has been done. The caller holds u.mu.
func (s *Store) load(u *upload) error {
	if u.loaded || u.gone {
		return nil
	}
	records, err := s.readJournal(filepath.Join(u.dir, journalFile), 0)
	if neverBegan(records, err) {
		u.gone = true
		return nil
	}
	if err != nil {
		return err
	}
	u.key, u.began = records[0].Key, *records[0].Began
	u.parts, u.intent = map[int]partRecord{}, nil
	if u.claims == nil {
		u.claims = map[int]span{}
	}
	for _, r := range records[1:] {
		if r.Part != nil {
			u.parts[r.Part.Number] = *r.Part
		}
		if r.Intent != nil {
			u.intent = r.Intent
		}
	}
	u.loaded, u.sealed = true, u.intent != nil
	return nil
}

// appendRecord adds a record to the journal. The caller holds u.mu. After a failure
// nobody knows what the journal holds, so it is read again before further use.
func (s *Store) appendRecord(u *upload, r record) error {
	err := s.writeJournal(filepath.Join(u.dir, journalFile), 0, r)
	if err != nil {
		u.loaded = false
	}
	return err
}

// Parts implements blob.Multipart.
func (s *Store) Parts(ctx context.Context, key, uploadID string) iter.Seq2[blob.Part, error] {
	return func(yield func(blob.Part, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(blob.Part{}, err)
			return
		}
		u, release, err := s.acquire(key, uploadID)
		if err != nil {
			yield(blob.Part{}, err)
			return
		}
		u.mu.Lock()
		all := slices.SortedFunc(maps.Values(u.parts), func(a, b partRecord) int { return cmp.Compare(a.Number, b.Number) })
		u.mu.Unlock()
		release()
		for _, p := range all {
			if !yield(p.Part, nil) {
				return
			}
		}
	}
}

// Abort implements blob.Multipart.
func (s *Store) Abort(ctx context.Context, key, uploadID string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u, release, err := s.acquire(key, uploadID)
	if quern.Is(err, quern.NotFound) {
		return s.lastingEnd(uploadID)
	}
	if err != nil {
		return err
	}
	defer release()
	u.finish.Lock()
	defer u.finish.Unlock()
	return s.removeUpload(u)
}

// lastingEnd makes it last that an upload is not there: it may have been removed before, and
// not for good.
func (s *Store) lastingEnd(id string) error {
	if !quern.ValidID(id) {
		return nil
	}
	err := s.disk.SyncDir(filepath.Join(s.staging, id))
	if errors.Is(err, iofs.ErrNotExist) {
		return nil
	}
	return err
}

// removeUpload removes all that an upload has. The caller holds u.finish.
func (s *Store) removeUpload(u *upload) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.gone {
		return nil
	}
	u.gone = true
	return s.removeFolder(u.dir)
}

// removeFolder removes an upload's folder. The journal goes first and for good:
// without it the rest is garbage, which the next start removes.
func (s *Store) removeFolder(dir string) error {
	err := s.disk.Remove(filepath.Join(dir, journalFile))
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	if err := s.disk.SyncDir(dir); err != nil {
		return err
	}
	if err := s.removeFiles(dir); err != nil {
		return err
	}
	return s.disk.Remove(dir)
}

// Uploads implements blob.Multipart.
func (s *Store) Uploads(ctx context.Context, prefix string) iter.Seq2[blob.Upload, error] {
	return func(yield func(blob.Upload, error) bool) {
		entries, err := s.disk.ReadDir(s.staging)
		if err := errors.Join(ctx.Err(), err); err != nil {
			yield(blob.Upload{}, err)
			return
		}
		for _, e := range entries {
			head, err := s.readJournal(filepath.Join(s.staging, e.Name(), journalFile), 1)
			if neverBegan(head, err) {
				continue
			}
			if err := errors.Join(ctx.Err(), err); err != nil {
				yield(blob.Upload{}, err)
				return
			}
			up := blob.Upload{Key: head[0].Key, ID: e.Name(), Began: *head[0].Began}
			if strings.HasPrefix(up.Key, prefix) && !yield(up, nil) {
				return
			}
		}
	}
}

// sweepStaging removes what is no upload: one whose beginning or end was cut.
func (s *Store) sweepStaging() error {
	entries, err := s.disk.ReadDir(s.staging)
	if err != nil {
		return err
	}
	for _, e := range entries {
		dir := filepath.Join(s.staging, e.Name())
		head, err := s.readJournal(filepath.Join(dir, journalFile), 1)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
		_, doneErr := s.disk.Stat(filepath.Join(s.done, e.Name()))
		if len(head) == 0 || head[0].Began == nil || doneErr == nil {
			if err := s.removeFolder(dir); err != nil {
				return err
			}
		}
	}
	return nil
}
