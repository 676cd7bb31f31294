package fs

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"quern"
	"quern/blob"
)

var errDigest = quern.E(quern.Invalid, quern.CodeInvalid, "the body does not match its Content-MD5")

// receivePart stores the body as one part of an upload, for good, and returns its
// ETag. A part that has arrived before is untouched until the new one has. sum
// is the digest that the body should have; empty is any.
func (s *Store) receivePart(ctx context.Context, slot blob.Slot, body io.Reader, sum string) (string, error) {
	u, release, err := s.acquire(slot.Key, slot.UploadID)
	if err != nil {
		return "", err
	}
	defer release()
	p := partRecord{Part: blob.Part{Number: slot.Number, Size: slot.Size}, Offset: slot.Offset}
	f, err := s.openPart(u, &p)
	if err != nil {
		return "", err
	}
	p.ETag, err = s.writePart(ctx, f, p, body)
	if err == nil && sum != "" && sum != p.ETag {
		err = errDigest
	}
	if err == nil && p.File != dataFile {
		err = s.disk.SyncDir(u.dir)
	}
	if err := s.recordPart(u, p, err); err != nil {
		return "", err
	}
	return p.ETag, nil
}

// openPart finds the file that p is written to, and opens it: the data file, at
// the part's own place, unless bytes that count or may come to count lie there.
func (s *Store) openPart(u *upload, p *partRecord) (File, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := s.load(u); err != nil {
		return nil, err
	}
	if u.gone || u.sealed {
		return nil, blob.ErrNoUpload
	}
	place := span{p.Offset, p.Offset + p.Size}
	if !u.isFree(p.Number, place) {
		p.File = partPrefix + quern.NewID[string]()
		return s.disk.Open(filepath.Join(u.dir, p.File), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	}
	f, err := s.disk.Open(filepath.Join(u.dir, dataFile), os.O_WRONLY)
	if err == nil {
		p.File = dataFile
		u.claims[p.Number] = place
	}
	return f, err
}

// isFree reports whether a part may be written to its place in the data file.
func (u *upload) isFree(number int, place span) bool {
	if _, taken := u.parts[number]; taken {
		return false
	}
	if _, taken := u.claims[number]; taken {
		return false
	}
	for _, other := range u.claims {
		if other.overlaps(place) {
			return false
		}
	}
	for _, other := range u.parts {
		if other.File == dataFile && place.overlaps(span{other.Offset, other.Offset + other.Size}) {
			return false
		}
	}
	return true
}

// writePart writes the body to f so that it lasts, closes f, and returns the digest.
func (s *Store) writePart(ctx context.Context, f File, p partRecord, body io.Reader) (string, error) {
	at := int64(0)
	if p.File == dataFile {
		at = p.Offset
	}
	sum := md5.New()
	w := io.MultiWriter(sum, io.NewOffsetWriter(f, at))
	err := s.copyBytes(ctx, w, blob.Exactly(body, p.Size))
	if err == nil {
		err = f.Sync()
	}
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// recordPart records a part that has been written, or forgets it when that failed.
func (s *Store) recordPart(u *upload, p partRecord, failed error) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if p.File == dataFile {
		defer delete(u.claims, p.Number)
	}
	err := failed
	if err == nil {
		err = s.load(u)
	}
	if ended := u.gone || u.sealed; err == nil && ended {
		err = blob.ErrNoUpload
	}
	old, replaced := u.parts[p.Number]
	noted := false
	if err == nil {
		noted = true
		err = s.appendRecord(u, record{Part: &p})
	}
	switch {
	case err == nil:
		u.parts[p.Number] = p
		if replaced && old.File != dataFile {
			s.disk.Remove(filepath.Join(u.dir, old.File))
		}
	case !noted && p.File != dataFile:
		// A record that failed to be written may yet be there, so its file stays.
		s.disk.Remove(filepath.Join(u.dir, p.File))
	}
	return err
}
