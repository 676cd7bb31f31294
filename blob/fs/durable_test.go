package fs_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"quern"
	"quern/blob"
	"quern/blob/fs"
)

// absent stands for an object that is not there.
const absent = "(absent)"

// history is what was done to a store, and what may therefore be found after a
// cut: the old or the new state of the step that was cut, the new state of those
// before it.
type history struct {
	store   *fs.Store
	disk    fs.Disk
	objects map[string][]string
	uploads map[string]*opened
	patient bool // what fails is done once more
}

// opened is an upload as far as it has been acknowledged.
type opened struct {
	key             string
	parts           map[int]string
	sending         int // the part that was being sent, if one was
	sent            string
	finish          []blob.Part // what it was being completed with
	aborting, ended bool
}

func (h *history) put(ctx context.Context, key, body string) error {
	old := h.objects[key]
	if old == nil {
		old = []string{absent}
	}
	h.objects[key] = append(slices.Clone(old), body)
	if err := h.store.Put(ctx, key, bytes.NewReader([]byte(body)), int64(len(body))); err != nil {
		return err
	}
	h.objects[key] = []string{body}
	return nil
}

// adopt has a file that was just written become an object.
func (h *history) adopt(ctx context.Context, key, body string) error {
	const path = "/data/made"
	f, err := h.disk.Open(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(body))
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	old := h.objects[key]
	if old == nil {
		old = []string{absent}
	}
	h.objects[key] = append(slices.Clone(old), body)
	if err := h.store.Adopt(ctx, key, path, int64(len(body))); err != nil {
		return err
	}
	h.objects[key] = []string{body}
	return nil
}

// putAll stores several objects, which may be found from the moment on that it was allowed.
func (h *history) putAll(ctx context.Context, objects ...blob.Object) error {
	err := h.store.PutAll(ctx, objects, func() error {
		for _, o := range objects {
			h.objects[o.Key] = []string{absent, string(o.Body)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range objects {
		h.objects[o.Key] = []string{string(o.Body)}
	}
	return nil
}

func (h *history) remove(ctx context.Context, key string) error {
	h.objects[key] = append(h.objects[key], absent)
	if err := h.store.Delete(ctx, key); err != nil {
		return err
	}
	h.objects[key] = []string{absent}
	return nil
}

func (h *history) begin(ctx context.Context, key string) (string, error) {
	id, err := h.store.Begin(ctx, key)
	if err == nil {
		h.uploads[id] = &opened{key: key, parts: map[int]string{}}
	}
	return id, err
}

func (h *history) send(ctx context.Context, id string, number int, offset int64, body string) error {
	u := h.uploads[id]
	u.sending, u.sent = number, body
	slot := blob.Slot{Key: u.key, UploadID: id, Number: number, Offset: offset, Size: int64(len(body))}
	if err := sendPart(ctx, h.store, slot, body); err != nil {
		return err
	}
	u.sending = 0
	u.parts[number] = body
	return nil
}

// sendPart puts a part without a network in between.
func sendPart(ctx context.Context, s *fs.Store, slot blob.Slot, body string) error {
	url, err := s.PresignPart(ctx, slot, time.Minute)
	if err != nil {
		return err
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader([]byte(body)))
	s.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return fmt.Errorf("PUT part %d = %d %s", slot.Number, w.Code, w.Body)
	}
	return nil
}

func (h *history) complete(ctx context.Context, id string, numbers ...int) error {
	u := h.uploads[id]
	whole := ""
	u.finish = nil
	for _, n := range numbers {
		whole += u.parts[n]
		u.finish = append(u.finish, blob.Part{Number: n, ETag: digest(u.parts[n])})
	}
	h.objects[u.key] = []string{absent, whole}
	if err := h.store.Complete(ctx, u.key, id, u.finish); err != nil {
		return err
	}
	h.objects[u.key] = []string{whole}
	u.ended = true
	return nil
}

func (h *history) abort(ctx context.Context, id string) error {
	u := h.uploads[id]
	u.aborting = true
	if err := h.store.Abort(ctx, u.key, id); err != nil {
		return err
	}
	u.ended = true
	return nil
}

func digest(s string) string { return fmt.Sprintf("%x", md5.Sum([]byte(s))) }

// live does a bit of everything, until a step fails.
func (h *history) live(ctx context.Context) error {
	var inPlace, copied, aborted string
	var err error
	steps := []func() error{
		func() error { return h.put(ctx, "a/b/c", "first") },
		func() error { return h.put(ctx, "a/b/c", "second, and longer") },
		func() error { return h.put(ctx, "a/d", "") },
		func() error { return h.put(ctx, "top", "top") },
		func() error { return h.remove(ctx, "a/b/c") },
		func() error { return h.put(ctx, "a/b/c", "third") },
		func() error { return h.remove(ctx, "top") },
		func() error { inPlace, err = h.begin(ctx, "up/in/place"); return err },
		func() error { return h.send(ctx, inPlace, 2, 4, "two") },
		func() error { return h.send(ctx, inPlace, 1, 0, "one;") },
		func() error { copied, err = h.begin(ctx, "up/copied"); return err },
		func() error { return h.send(ctx, copied, 1, 0, "uno;") },
		func() error { return h.send(ctx, copied, 2, 4, "dos") },
		func() error { return h.complete(ctx, inPlace, 1, 2) },
		func() error { return h.send(ctx, copied, 1, 0, "ein;") },
		func() error { return h.send(ctx, copied, 1, 0, "eins") },
		func() error { return h.complete(ctx, copied, 1, 2) },
		func() error { aborted, err = h.begin(ctx, "up/aborted"); return err },
		func() error { return h.send(ctx, aborted, 1, 0, "gone") },
		func() error { return h.abort(ctx, aborted) },
		func() error { return h.remove(ctx, "up/in/place") },
		func() error {
			return h.putAll(ctx, blob.Object{Key: "all/a/1", Body: []byte("one")}, blob.Object{Key: "all/a/2", Body: []byte("two")}, blob.Object{Key: "all/b"})
		},
		func() error { return h.adopt(ctx, "adopted/one", "a file") },
		func() error { return h.adopt(ctx, "adopted/one", "another file") },
		func() error { return h.put(ctx, "last", "last") },
	}
	for _, step := range steps {
		err := step()
		if err != nil && h.patient {
			err = step()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TestPowerCut cuts the power before every single operation in turn, loses all,
// some or none of what was not synced, and looks at what is left.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	whole := newFlakyDisk()
	h := history{disk: whole, objects: map[string][]string{}, uploads: map[string]*opened{}}
	var err error
	if h.store, err = fs.New(fs.Options{Dir: "/data/store", Disk: whole}); err != nil {
		t.Fatalf("New() = %v, want nil", err)
	}
	if err := h.live(t.Context()); err != nil {
		t.Fatalf("live() without a cut = %v, want nil", err)
	}
	total := whole.operations()
	if total < 100 {
		t.Fatalf("operations = %d, want at least 100", total)
	}
	for cut := range total + 1 {
		for seed, luck := range []float64{0, 0, 1, 1, 0.5, 0.5, 0.3, 0.7, 0.9, 0.9} {
			// Every other time the signing key is given, so that making one syncs nothing.
			var secret []byte
			if seed%2 == 1 {
				secret = make([]byte, 32)
			}
			cutAndLook(t, cut, luck, secret, rand.New(rand.NewPCG(uint64(cut), uint64(seed))))
			if t.Failed() {
				t.Fatalf("with the power cut before operation %d of %d, luck %v", cut, total, luck)
			}
		}
	}
}

func cutAndLook(t *testing.T, cut int, luck float64, secret []byte, chance *rand.Rand) {
	t.Helper()
	disk := newFlakyDisk()
	disk.cutAfter(cut)
	h := history{disk: disk, objects: map[string][]string{}, uploads: map[string]*opened{}}
	o := fs.Options{Dir: "/data/store", Disk: disk, Secret: secret}
	var err error
	if h.store, err = fs.New(o); err == nil {
		h.live(t.Context())
	}
	disk.restart(luck, chance)
	h.look(t, o)
}

// look compares what is left after a cut with the history.
func (h *history) look(t *testing.T, o fs.Options) {
	t.Helper()
	s, err := fs.New(o)
	if err != nil {
		t.Errorf("New() after the cut = %v, want nil", err)
		return
	}
	for key, allowed := range h.objects {
		if got := object(t, s, key); !slices.Contains(allowed, got) {
			t.Errorf("object %q = %q, want one of %q", key, got, allowed)
		}
	}
	for info, err := range s.List(t.Context(), "") {
		if err != nil || h.objects[info.Key] == nil {
			t.Errorf("List() yields %+v, %v, want only what was put", info, err)
		}
	}
	for id, u := range h.uploads {
		lookAtUpload(t, s, id, u)
	}
	if err := s.Put(t.Context(), "a/b/new", bytes.NewReader([]byte("new")), 3); err != nil || object(t, s, "a/b/new") != "new" {
		t.Errorf("Put() after the cut = %v, want nil", err)
	}
}

// TestFailuresThatPass has every single operation in turn fail once. What was asked for is
// asked for once more, and what is acknowledged then outlasts a power cut.
func TestFailuresThatPass(t *testing.T) {
	t.Parallel()
	for failing := 1; ; failing++ {
		disk := newFlakyDisk()
		o := fs.Options{Dir: "/data/store", Disk: disk, Secret: make([]byte, 32)}
		h := history{disk: disk, objects: map[string][]string{}, uploads: map[string]*opened{}, patient: true}
		var err error
		if h.store, err = fs.New(o); err != nil {
			t.Fatalf("New() = %v, want nil", err)
		}
		disk.failAt(disk.operations() + failing)
		if err := h.live(t.Context()); err != nil {
			t.Fatalf("with operation %d failing once, live() = %v, want nil", failing, err)
		}
		if disk.operations() < disk.failing {
			break
		}
		disk.restart(0, rand.New(rand.NewPCG(1, 1)))
		if h.look(t, o); t.Failed() {
			t.Fatalf("with operation %d failing once, and a cut in the end", failing)
		}
	}
}

func object(t *testing.T, s *fs.Store, key string) string {
	t.Helper()
	r, err := s.Open(t.Context(), key, 0, -1)
	if quern.Is(err, quern.NotFound) {
		return absent
	}
	if err != nil {
		t.Errorf("Open(%q) = %v, want nil or not found", key, err)
		return ""
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("Read(%q) = %v, want nil", key, err)
	}
	return string(b)
}

// lookAtUpload wants an open upload's parts to be there, and finishes what the
// cut interrupted.
func lookAtUpload(t *testing.T, s *fs.Store, id string, u *opened) {
	t.Helper()
	if u.ended {
		for _, err := range s.Parts(t.Context(), u.key, id) {
			if !quern.Is(err, quern.NotFound) && u.aborting {
				t.Errorf("Parts(%q) after Abort = %v, want not found", u.key, err)
			}
		}
	}
	if u.ended || u.aborting {
		if err := s.Abort(t.Context(), u.key, id); err != nil {
			t.Errorf("Abort(%q) again = %v, want nil", u.key, err)
		}
		return
	}
	found := map[int]string{}
	for p, err := range s.Parts(t.Context(), u.key, id) {
		if err != nil && (u.finish == nil || !quern.Is(err, quern.NotFound)) {
			t.Errorf("Parts(%q) = %v, want nil", u.key, err)
		}
		found[p.Number] = p.ETag
	}
	if u.finish != nil {
		if err := s.Complete(t.Context(), u.key, id, u.finish); err != nil {
			t.Errorf("Complete(%q) again = %v, want nil", u.key, err)
		}
		if object(t, s, u.key) == absent {
			t.Errorf("object %q is absent after Complete, want it there", u.key)
		}
		return
	}
	for n, body := range u.parts {
		if found[n] != digest(body) && (n != u.sending || found[n] != digest(u.sent)) {
			t.Errorf("part %d of %q = %q, want that of %q", n, u.key, found[n], body)
		}
	}
	finishCutUpload(t, s, id, u, found)
}

// finishCutUpload sends what is missing and completes the upload.
func finishCutUpload(t *testing.T, s *fs.Store, id string, u *opened, found map[int]string) {
	t.Helper()
	if u.sending != 0 {
		u.parts[u.sending] = u.sent
	}
	if len(u.parts) != 2 {
		return
	}
	var named []blob.Part
	want := ""
	for n := 1; n <= 2; n++ {
		body := u.parts[n]
		slot := blob.Slot{Key: u.key, UploadID: id, Number: n, Offset: int64(4 * (n - 1)), Size: int64(len(body))}
		if found[n] != digest(body) {
			if err := sendPart(t.Context(), s, slot, body); err != nil {
				t.Errorf("send part %d of %q after the cut = %v, want nil", n, u.key, err)
			}
		}
		named = append(named, blob.Part{Number: n, ETag: digest(body)})
		want += body
	}
	err := s.Complete(t.Context(), u.key, id, named)
	if got := object(t, s, u.key); err != nil || got != want {
		t.Errorf("Complete(%q) after the cut = %v, object %q, want %q", u.key, err, got, want)
	}
}

// TestKilledThenCut kills the process before every operation, losing nothing,
// and cuts the power after the next process has acknowledged an object: what
// the first one left may not last, and must not be relied on.
func TestKilledThenCut(t *testing.T) {
	t.Parallel()
	for cut := range 60 {
		disk := newFlakyDisk()
		disk.cutAfter(cut)
		o := fs.Options{Dir: "/data/store", Disk: disk, Secret: make([]byte, 32)}
		if s, err := fs.New(o); err == nil {
			s.Put(t.Context(), "deep/down/in/it", bytes.NewReader([]byte("old")), 3)
		}
		disk.resume()
		s, err := fs.New(o)
		if err != nil {
			t.Fatalf("New() after the kill = %v, want nil", err)
		}
		if err := s.Put(t.Context(), "deep/down/in/here", bytes.NewReader([]byte("new")), 3); err != nil {
			t.Fatalf("Put() after the kill = %v, want nil", err)
		}
		disk.restart(0, rand.New(rand.NewPCG(1, 1)))
		if s, err = fs.New(o); err != nil {
			t.Fatalf("New() after the cut = %v, want nil", err)
		}
		if got := object(t, s, "deep/down/in/here"); got != "new" {
			t.Fatalf("killed before operation %d: object = %q, want new", cut, got)
		}
	}
}

// TestSecretLasts wants URLs to be good after a power cut.
func TestSecretLasts(t *testing.T) {
	t.Parallel()
	disk := newFlakyDisk()
	o := fs.Options{Dir: "/data/store", Disk: disk, Now: func() time.Time { return time.Unix(1e9, 0) }}
	var urls [2]string
	for i := range urls {
		s, err := fs.New(o)
		if err != nil {
			t.Fatalf("New() = %v, want nil", err)
		}
		urls[i], err = s.PresignPart(t.Context(), blob.Slot{Key: "k", UploadID: "u", Number: 1}, time.Minute)
		if err != nil {
			t.Fatalf("PresignPart() = %v, want nil", err)
		}
		disk.restart(0, rand.New(rand.NewPCG(1, 1)))
	}
	if urls[0] != urls[1] {
		t.Errorf("PresignPart() after the cut = %s, want %s", urls[1], urls[0])
	}
}

// TestDiskFull wants a failing disk to be an error of ours that names no path.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	disk := newFlakyDisk()
	s, err := fs.New(fs.Options{Dir: "/data/store", Disk: disk})
	if err != nil {
		t.Fatalf("New() = %v, want nil", err)
	}
	id, err := s.Begin(t.Context(), "k")
	if err != nil {
		t.Fatalf("Begin(k) = %v, want nil", err)
	}
	url, _ := s.PresignPart(t.Context(), blob.Slot{Key: "k", UploadID: id, Number: 1, Size: 1}, time.Minute)
	disk.cutAfter(0)
	if err := s.Put(t.Context(), "k", bytes.NewReader(nil), 0); !errors.Is(err, errCut) || quern.KindOf(err) != quern.Internal {
		t.Errorf("Put(full disk) = %v, want the disk's error, internal", err)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPut, url, bytes.NewReader([]byte("x"))))
	want := `{"error_code":"INTERNAL","message":"the part could not be stored"}` + "\n"
	if w.Code != http.StatusInternalServerError || w.Body.String() != want {
		t.Errorf("PUT part (full disk) = %d %s, want 500 %s", w.Code, w.Body, want)
	}
}
