package fs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
	"time"

	"quern"
	"quern/blob"
)

const (
	// doneLife is how long a completed upload is remembered.
	doneLife = 7 * 24 * time.Hour
	// sweepEvery is how many completed uploads pass between two sweeps.
	sweepEvery = 1024
)

// Complete implements blob.Multipart.
func (s *Store) Complete(ctx context.Context, key, uploadID string, parts []blob.Part) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u, release, err := s.acquire(key, uploadID)
	if quern.Is(err, quern.NotFound) {
		return s.completedBefore(ctx, key, uploadID, parts)
	}
	if err != nil {
		return err
	}
	defer release()
	u.finish.Lock()
	defer u.finish.Unlock()

	plan, err := s.sealUpload(u, parts)
	if quern.Is(err, quern.NotFound) {
		return s.completedBefore(ctx, key, uploadID, parts)
	}
	if err != nil {
		return err
	}
	if err := s.writeIntent(ctx, u, plan); err != nil {
		return err
	}
	return s.applyIntent(u)
}

// plan is how the data of an upload becomes an object.
type plan struct {
	parts []partRecord
	etag  string
	// inPlace says that the data file holds the parts, in order, and nothing else,
	// and that nobody is writing to it.
	inPlace bool
}

// sealUpload checks the parts and stops further ones from arriving.
func (s *Store) sealUpload(u *upload, named []blob.Part) (plan, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := s.load(u); err != nil {
		return plan{}, err
	}
	if u.gone {
		return plan{}, blob.ErrNoUpload
	}
	arrived := make(map[int]blob.Part, len(u.parts))
	for n, p := range u.parts {
		arrived[n] = p.Part
	}
	chosen, err := blob.Match(named, arrived, s.MinPart())
	if err != nil {
		return plan{}, err
	}
	p := plan{etag: blob.JoinedETag(chosen), inPlace: len(u.claims) == 0}
	if u.intent != nil {
		if u.intent.ETag != p.etag {
			return plan{}, quern.E(quern.Invalid, quern.CodeInvalid, "the upload is being completed with other parts")
		}
		return p, nil
	}
	end := int64(0)
	for _, c := range chosen {
		part := u.parts[c.Number]
		p.parts = append(p.parts, part)
		p.inPlace = p.inPlace && part.File == dataFile && part.Offset == end
		end += part.Size
	}
	info, err := s.disk.Stat(filepath.Join(u.dir, dataFile))
	if err != nil {
		return plan{}, err
	}
	p.inPlace = p.inPlace && info.Size() == end
	u.sealed = true
	return p, nil
}

// writeIntent puts the intent into the journal, after which the object will be
// there. Until then a failure leaves the upload open.
func (s *Store) writeIntent(ctx context.Context, u *upload, p plan) error {
	if u.intent != nil {
		return nil
	}
	in := &intent{File: dataFile, ETag: p.etag}
	var err error
	if !p.inPlace {
		in.File = wholeFile
		err = s.joinParts(ctx, u, p.parts)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil {
		err = s.appendRecord(u, record{Intent: in})
	}
	if err != nil {
		u.sealed = false
		return err
	}
	u.intent = in
	return nil
}

// joinParts copies the parts into one file that lasts. Where the file system can
// share blocks between files, nothing is copied at all.
func (s *Store) joinParts(ctx context.Context, u *upload, parts []partRecord) error {
	whole, err := s.disk.Open(filepath.Join(u.dir, wholeFile), os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if err = errors.Join(ctx.Err(), s.copyPart(whole, u, p)); err != nil {
			break
		}
	}
	if err == nil {
		err = whole.Sync()
	}
	if err = errors.Join(err, whole.Close()); err != nil {
		return err
	}
	return s.disk.SyncDir(u.dir)
}

func (s *Store) copyPart(whole File, u *upload, p partRecord) error {
	f, err := s.disk.Open(filepath.Join(u.dir, p.File), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	if p.File == dataFile {
		if _, err := f.Seek(p.Offset, io.SeekStart); err != nil {
			return err
		}
	}
	_, err = io.CopyN(whole, f, p.Size)
	return err
}

// applyIntent does what the intent says: it moves the file into place, remembers
// that, and removes the rest. Each step may have been done before a cut.
func (s *Store) applyIntent(u *upload) error {
	from := filepath.Join(u.dir, u.intent.File)
	_, err := s.disk.Stat(from)
	if err == nil {
		err = s.install(from, u.key)
	} else if errors.Is(err, iofs.ErrNotExist) {
		err = s.folders.sync(filepath.Dir(s.path(u.key))) // it was moved before; maybe not for good
	}
	if err != nil {
		return err
	}
	if err := s.recordCompleted(u); err != nil {
		return err
	}
	return s.removeUpload(u)
}

// doneRecord is what is remembered of a completed upload.
type doneRecord struct {
	Key  string `json:"key"`
	ETag string `json:"etag"`
}

func (s *Store) recordCompleted(u *upload) error {
	body, err := json.Marshal(doneRecord{Key: u.key, ETag: u.intent.ETag})
	if err != nil {
		return err
	}
	tmp, err := s.writeTemp(func(f File) error { _, err := f.Write(body); return err })
	if err != nil {
		return err
	}
	if err := s.disk.Rename(tmp, filepath.Join(s.done, u.id)); err != nil {
		return err
	}
	if err := s.disk.SyncDir(s.done); err != nil {
		return err
	}
	s.mu.Lock()
	s.completed++
	sweep := s.completed%sweepEvery == 0
	s.mu.Unlock()
	if sweep {
		s.sweepCompleted()
	}
	return nil
}

// completedBefore returns nil when the upload was completed with the same parts
// and its object is there.
func (s *Store) completedBefore(ctx context.Context, key, uploadID string, parts []blob.Part) error {
	if !quern.ValidID(uploadID) {
		return blob.ErrNoUpload
	}
	f, err := s.disk.Open(filepath.Join(s.done, uploadID), os.O_RDONLY)
	if errors.Is(err, iofs.ErrNotExist) {
		return blob.ErrNoUpload
	}
	if err != nil {
		return err
	}
	defer f.Close()
	var r doneRecord
	if err := json.NewDecoder(f).Decode(&r); err != nil {
		return err
	}
	if r.Key != key || r.ETag != blob.JoinedETag(parts) {
		return blob.ErrNoUpload
	}
	if _, err := s.Stat(ctx, key); err != nil {
		return blob.ErrNoUpload.Because(err)
	}
	return nil
}

// sweepCompleted forgets uploads that were completed long ago. What it cannot remove
// now, a later sweep will.
func (s *Store) sweepCompleted() {
	entries, err := s.disk.ReadDir(s.done)
	if err != nil {
		return
	}
	for _, e := range entries {
		path := filepath.Join(s.done, e.Name())
		if info, err := s.disk.Stat(path); err == nil && s.now().Sub(info.ModTime()) > doneLife {
			s.disk.Remove(path)
		}
	}
}
