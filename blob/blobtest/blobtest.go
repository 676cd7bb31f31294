// Package blobtest holds every object store to the promises of package blob.
//
// It owns the suite, which is a list of named checks run on a fresh store each,
// and Gateway, the real S3 service that tests of several packages use. It never
// looks behind the interface: what it knows of a store, a client could know.
package blobtest

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob"
)

// Objects is what a store under test can do.
type Objects interface {
	blob.Store
	blob.Multipart
}

// Harness is one fresh, empty store.
type Harness struct {
	Store Objects
}

// New makes a harness that lasts as long as t.
type New func(t *testing.T) Harness

type check struct {
	name string
	run  func(t *testing.T, h Harness)
}

// Run holds the stores that newHarness makes to the promises.
func Run(t *testing.T, newHarness New) {
	for _, tier := range []struct {
		name   string
		checks []check
	}{
		{"Object", objectChecks}, {"Multipart", multipartChecks}, {"URL", urlChecks}, {"Concurrent", concurrentChecks},
	} {
		for _, c := range tier.checks {
			t.Run(tier.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t, newHarness(t))
			})
		}
	}
}

// random returns n bytes that are the same for the same seed.
func random(seed uint64, n int64) []byte {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	b := make([]byte, n)
	rand.NewChaCha8(key).Read(b)
	return b
}

func mustPut(t *testing.T, s blob.Store, key string, body []byte) {
	t.Helper()
	if err := s.Put(t.Context(), key, bytes.NewReader(body), int64(len(body))); err != nil {
		t.Fatalf("Put(%q, %d bytes) = %v, want nil", key, len(body), err)
	}
}

func wantObject(t *testing.T, s blob.Store, key string, want []byte) {
	t.Helper()
	got, err := readAll(t.Context(), s, key, 0, -1)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("Open(%q) = %d bytes (%s), %v, want %d bytes (%s)", key, len(got), tag(got), err, len(want), tag(want))
	}
	info, err := s.Stat(t.Context(), key)
	if err != nil || info.Size != int64(len(want)) || info.Key != key {
		t.Fatalf("Stat(%q) = %+v, %v, want size %d", key, info, err, len(want))
	}
}

func wantNoObject(t *testing.T, s blob.Store, key string) {
	t.Helper()
	if _, err := s.Stat(t.Context(), key); !quern.Is(err, quern.NotFound) {
		t.Fatalf("Stat(%q) = %v, want kind not found", key, err)
	}
	if r, err := s.Open(t.Context(), key, 0, -1); !quern.Is(err, quern.NotFound) {
		if err == nil {
			r.Close()
		}
		t.Fatalf("Open(%q) = %v, want kind not found", key, err)
	}
}

func wantKind(t *testing.T, op string, err error, want quern.Kind) {
	t.Helper()
	if err == nil || quern.KindOf(err) != want {
		t.Fatalf("%s = %v, want kind %v", op, err, want)
	}
}

func readAll(ctx context.Context, s blob.Store, key string, offset, length int64) ([]byte, error) {
	r, err := s.Open(ctx, key, offset, length)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(r)
	return b, errors.Join(err, r.Close())
}

func keys(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	var all []string
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("List(%q) = %v, want nil", prefix, err)
		}
		all = append(all, info.Key)
	}
	return all
}

func tag(b []byte) string {
	sum := md5.Sum(b)
	return hex.EncodeToString(sum[:])
}

// transfer is an upload under test.
type transfer struct {
	t     *testing.T
	h     Harness
	key   string
	id    string
	parts [][]byte
}

// begin opens an upload of count parts, each of the smallest size that may be
// followed by another but at least 1000 bytes, the last one shorter.
func begin(t *testing.T, h Harness, key string, count int) *transfer {
	t.Helper()
	id, err := h.Store.Begin(t.Context(), key)
	if err != nil {
		t.Fatalf("Begin(%q) = %v, want nil", key, err)
	}
	x := &transfer{t: t, h: h, key: key, id: id}
	size := max(h.Store.MinPart(), 1000)
	for n := range count {
		if n == count-1 {
			size = 777
		}
		x.parts = append(x.parts, random(uint64(n), size))
	}
	return x
}

func (x *transfer) whole() []byte { return bytes.Join(x.parts, nil) }

func (x *transfer) slot(number int) blob.Slot {
	slot := blob.Slot{Key: x.key, UploadID: x.id, Number: number, Size: int64(len(x.parts[number-1]))}
	for _, p := range x.parts[:number-1] {
		slot.Offset += int64(len(p))
	}
	return slot
}

func (x *transfer) url(number int) string {
	x.t.Helper()
	u, err := x.h.Store.PresignPart(x.t.Context(), x.slot(number), time.Minute)
	if err != nil {
		x.t.Fatalf("PresignPart(%d) = %v, want nil", number, err)
	}
	return u
}

// send puts a part and wants it taken, with its digest as the tag.
func (x *transfer) send(number int) {
	x.t.Helper()
	body := x.parts[number-1]
	a := do(x.t, http.MethodPut, x.url(number), bytes.NewReader(body), int64(len(body)))
	if a.err != nil || a.status != http.StatusOK || blob.CleanETag(a.etag) != tag(body) || !strings.HasPrefix(a.etag, `"`) {
		x.t.Fatalf("PUT part %d = %+v, want 200 with ETag %q", number, a, tag(body))
	}
}

func (x *transfer) named() []blob.Part {
	var list []blob.Part
	for i, p := range x.parts {
		list = append(list, blob.Part{Number: i + 1, ETag: `"` + tag(p) + `"`})
	}
	return list
}

func (x *transfer) complete() error {
	return x.h.Store.Complete(x.t.Context(), x.key, x.id, x.named())
}

func (x *transfer) mustComplete() {
	x.t.Helper()
	if err := x.complete(); err != nil {
		x.t.Fatalf("Complete(%q) = %v, want nil", x.key, err)
	}
	wantObject(x.t, x.h.Store, x.key, x.whole())
}

// arrived lists the parts.
func (x *transfer) arrived() []blob.Part {
	x.t.Helper()
	var list []blob.Part
	for p, err := range x.h.Store.Parts(x.t.Context(), x.key, x.id) {
		if err != nil {
			x.t.Fatalf("Parts(%q) = %v, want nil", x.key, err)
		}
		list = append(list, p)
	}
	return list
}

func (x *transfer) open() bool {
	x.t.Helper()
	for u, err := range x.h.Store.Uploads(x.t.Context(), x.key) {
		if err != nil {
			x.t.Fatalf("Uploads(%q) = %v, want nil", x.key, err)
		}
		if u.ID == x.id {
			return true
		}
	}
	return false
}

// answer is what a request for a part got.
type answer struct {
	status int
	etag   string
	header http.Header
	body   string
	err    error
}

func (a answer) refused() bool { return a.err != nil || a.status >= 400 }

func do(t *testing.T, method, url string, body io.Reader, size int64) answer {
	t.Helper()
	return request(t.Context(), method, url, body, size)
}

func request(ctx context.Context, method, url string, body io.Reader, size int64) answer {
	if size == 0 {
		body = http.NoBody
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return answer{err: err}
	}
	req.ContentLength = size
	res, err := client.Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	return answer{status: res.StatusCode, etag: res.Header.Get("ETag"), header: res.Header, body: string(text), err: err}
}

// client keeps no idle connections, so that none outlives a test.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
