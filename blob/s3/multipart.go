package s3

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"quern"
	"quern/blob"
)

const (
	minPart = 5 << 20
	// page is the most entries that a listing returns at a time.
	page = 1000
	// settle bounds the wait for an object that the service says is complete.
	settle = 30 * time.Second
)

// MinPart implements blob.Multipart.
func (s *Store) MinPart() int64 { return minPart }

// Begin implements blob.Multipart.
func (s *Store) Begin(ctx context.Context, key string) (string, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return "", err
	}
	id, err := s.core.NewMultipartUpload(ctx, s.bucket, key, minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return id, classify(ctx, err)
}

// PresignPart implements blob.Multipart. The length is among the signed
// headers, so the service refuses a body of another size.
func (s *Store) PresignPart(ctx context.Context, slot blob.Slot, life time.Duration) (string, error) {
	if err := errors.Join(ctx.Err(), slot.Check(life)); err != nil {
		return "", err
	}
	query := url.Values{"uploadId": {slot.UploadID}, "partNumber": {strconv.Itoa(slot.Number)}}
	header := http.Header{"Content-Length": {strconv.FormatInt(slot.Size, 10)}}
	u, err := s.public.PresignHeader(ctx, http.MethodPut, s.bucket, slot.Key, life, query, header)
	if err != nil {
		return "", classify(ctx, err)
	}
	return u.String(), nil
}

// Parts implements blob.Multipart.
func (s *Store) Parts(ctx context.Context, key, uploadID string) iter.Seq2[blob.Part, error] {
	return func(yield func(blob.Part, error) bool) {
		if err := errors.Join(ctx.Err(), check(key, uploadID)); err != nil {
			yield(blob.Part{}, err)
			return
		}
		for marker, more := 0, true; more; {
			got, err := s.core.ListObjectParts(ctx, s.bucket, key, uploadID, marker, page)
			if err != nil {
				yield(blob.Part{}, classify(ctx, err))
				return
			}
			for _, p := range got.ObjectParts {
				part := blob.Part{Number: p.PartNumber, Size: p.Size, ETag: blob.CleanETag(p.ETag)}
				if !yield(part, nil) {
					return
				}
			}
			more = got.IsTruncated && got.NextPartNumberMarker > marker
			marker = got.NextPartNumberMarker
		}
	}
}

// check tells what cannot be an upload before the service is asked: an empty id
// would make a request mean something else, and a service over a file system
// may take one for a path.
func check(key, uploadID string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	if strings.Trim(uploadID, ".") == "" || strings.ContainsAny(uploadID, "/\\\x00\r\n") {
		return blob.ErrNoUpload
	}
	return nil
}

// lock makes the calls that close one upload take turns, since a service may
// hide an upload while it works on it. It returns the way to unlock.
func (s *Store) lock(ctx context.Context, uploadID string) (func(), error) {
	for {
		s.mu.Lock()
		busy, taken := s.finishing[uploadID]
		if !taken {
			done := make(chan struct{})
			s.finishing[uploadID] = done
			s.mu.Unlock()
			return func() {
				s.mu.Lock()
				delete(s.finishing, uploadID)
				s.mu.Unlock()
				close(done)
			}, nil
		}
		s.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Complete implements blob.Multipart.
func (s *Store) Complete(ctx context.Context, key, uploadID string, parts []blob.Part) error {
	unlock, err := s.lock(ctx, uploadID)
	if err != nil {
		return err
	}
	defer unlock()
	arrived := map[int]blob.Part{}
	for p, err := range s.Parts(ctx, key, uploadID) {
		if quern.Is(err, quern.NotFound) {
			return s.completedBefore(ctx, key, parts)
		}
		if err != nil {
			return err
		}
		arrived[p.Number] = p
	}
	chosen, err := blob.Match(parts, arrived, minPart)
	if err != nil {
		return err
	}
	list := make([]minio.CompletePart, len(chosen))
	for i, p := range chosen {
		list[i] = minio.CompletePart{PartNumber: p.Number, ETag: p.ETag}
	}
	_, err = s.core.CompleteMultipartUpload(ctx, s.bucket, key, uploadID, list, minio.PutObjectOptions{})
	err = classify(ctx, err)
	if quern.Is(err, quern.NotFound) {
		return s.completedBefore(ctx, key, parts)
	}
	if err != nil {
		return err
	}
	return s.await(ctx, key, chosen)
}

// completedBefore returns nil when the object under key is made of the parts.
func (s *Store) completedBefore(ctx context.Context, key string, parts []blob.Part) error {
	info, err := s.stat(ctx, key)
	another := err == nil && !madeOf(info, parts)
	if quern.Is(err, quern.NotFound) || another {
		return blob.ErrNoUpload.Because(err)
	}
	return err
}

// await sees the object in place. Some services answer a second request to
// complete an upload while they still work on the first.
func (s *Store) await(ctx context.Context, key string, parts []blob.Part) error {
	ctx, cancel := context.WithTimeout(ctx, settle)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		info, err := s.stat(ctx, key)
		if err == nil && madeOf(info, parts) {
			return nil
		}
		if err != nil && !quern.Is(err, quern.NotFound) {
			return err
		}
		select {
		case <-ctx.Done():
			return blob.ErrUnreachable.Because(ctx.Err())
		case <-time.After(pause):
		}
	}
}

// madeOf reports whether an object was joined from the parts. Where the service
// encrypts with a key of its own, the tag is no digest and only counts parts.
func madeOf(info minio.ObjectInfo, parts []blob.Part) bool {
	etag := blob.CleanETag(info.ETag)
	if sealed := info.Metadata.Get("X-Amz-Server-Side-Encryption"); strings.HasPrefix(sealed, "aws:kms") {
		return strings.HasSuffix(etag, fmt.Sprintf("-%d", len(parts)))
	}
	return etag == blob.JoinedETag(parts)
}

// Abort implements blob.Multipart.
func (s *Store) Abort(ctx context.Context, key, uploadID string) error {
	unlock, err := s.lock(ctx, uploadID)
	if err != nil {
		return err
	}
	defer unlock()
	err = errors.Join(ctx.Err(), check(key, uploadID))
	if err == nil {
		err = classify(ctx, s.core.AbortMultipartUpload(ctx, s.bucket, key, uploadID))
	}
	if quern.Is(err, quern.NotFound) {
		return nil
	}
	return err
}

// Uploads implements blob.Multipart.
func (s *Store) Uploads(ctx context.Context, prefix string) iter.Seq2[blob.Upload, error] {
	return func(yield func(blob.Upload, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(blob.Upload{}, err)
			return
		}
		for key, id, more := "", "", true; more; {
			got, err := s.core.ListMultipartUploads(ctx, s.bucket, prefix, key, id, "", page)
			if err != nil {
				yield(blob.Upload{}, classify(ctx, err))
				return
			}
			for _, u := range got.Uploads {
				up := blob.Upload{Key: u.Key, ID: u.UploadID, Began: u.Initiated}
				if strings.HasPrefix(u.Key, prefix) && !yield(up, nil) {
					return
				}
			}
			moved := got.NextKeyMarker != key || got.NextUploadIDMarker != id
			more = got.IsTruncated && moved
			key, id = got.NextKeyMarker, got.NextUploadIDMarker
		}
	}
}

var _ interface {
	blob.Store
	blob.Multipart
	blob.Ranger
} = (*Store)(nil)
