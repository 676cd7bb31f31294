package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"quern"
	"quern/blob"
)

var objectChecks = []check{
	{"RoundTrip", roundTrip},
	{"Overwrite", overwrite},
	{"Ranges", ranges},
	{"OpenKeepsItsObject", openKeeps},
	{"Missing", missing},
	{"Delete", deletes},
	{"WrongSize", wrongSize},
	{"ReaderFails", readerFails},
	{"Batch", batch},
	{"BadKeys", badKeys},
	{"GoodKeys", goodKeys},
	{"ListOrder", listOrder},
	{"ListPages", listPages},
	{"ListStops", listStops},
	{"Cancelled", cancelled},
	{"CancelledMidway", cancelledMidway},
}

func roundTrip(t *testing.T, h Harness) {
	for _, size := range []int64{0, 1, 4096, 300_000, 7 << 20} {
		key := fmt.Sprintf("round/trip/%d", size)
		body := random(1, size)
		mustPut(t, h.Store, key, body)
		wantObject(t, h.Store, key, body)
		info, _ := h.Store.Stat(t.Context(), key)
		if age := time.Since(info.Modified).Abs(); age > 10*time.Minute {
			t.Errorf("Stat(%q).Modified = %v ago, want about now", key, age)
		}
	}
	// A reader that can neither seek nor fill its buffer, and one that can seek but
	// does not stand at its start.
	body := random(2, 100_000)
	if err := h.Store.Put(t.Context(), "one/byte", iotest.OneByteReader(bytes.NewReader(body)), 100_000); err != nil {
		t.Fatalf("Put(one byte at a time) = %v, want nil", err)
	}
	wantObject(t, h.Store, "one/byte", body)
	later := bytes.NewReader(body)
	later.Seek(40_000, io.SeekStart)
	if err := h.Store.Put(t.Context(), "later", later, 60_000); err != nil {
		t.Fatalf("Put(from the middle) = %v, want nil", err)
	}
	wantObject(t, h.Store, "later", body[40_000:])
}

func overwrite(t *testing.T, h Harness) {
	for n, size := range []int64{100_000, 10, 0, 50_000} {
		body := random(uint64(n), size)
		mustPut(t, h.Store, "over/write", body)
		wantObject(t, h.Store, "over/write", body)
	}
}

func ranges(t *testing.T, h Harness) {
	body := random(3, 1000)
	mustPut(t, h.Store, "ranges", body)
	mustPut(t, h.Store, "empty", nil)
	for _, c := range []struct {
		key            string
		offset, length int64
		want           []byte
	}{
		{"ranges", 0, -1, body},
		{"ranges", 0, 1000, body},
		{"ranges", 0, math.MaxInt64, body},
		{"ranges", 0, 1, body[:1]},
		{"ranges", 999, 1, body[999:]},
		{"ranges", 10, 20, body[10:30]},
		{"ranges", 900, -1, body[900:]},
		{"ranges", 900, 5000, body[900:]},
		{"ranges", 500, 0, nil},
		{"ranges", 1000, -1, nil},
		{"ranges", 1000, 10, nil},
		{"ranges", 5000, 10, nil},
		{"empty", 0, -1, nil},
		{"empty", 0, 10, nil},
		{"empty", 7, -1, nil},
	} {
		got, err := readAll(t.Context(), h.Store, c.key, c.offset, c.length)
		if err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("Open(%q, %d, %d) = %d bytes, %v, want %d bytes", c.key, c.offset, c.length, len(got), err, len(c.want))
		}
	}
	_, err := h.Store.Open(t.Context(), "ranges", -1, 10)
	wantKind(t, "Open(offset -1)", err, quern.Invalid)
}

func openKeeps(t *testing.T, h Harness) {
	old := random(4, 3<<20)
	mustPut(t, h.Store, "kept", old)
	r, err := h.Store.Open(t.Context(), "kept", 0, -1)
	if err != nil {
		t.Fatalf("Open(kept) = %v, want nil", err)
	}
	defer r.Close()
	head := make([]byte, 1000)
	if _, err := io.ReadFull(r, head); err != nil {
		t.Fatalf("Read(kept) = %v, want nil", err)
	}
	mustPut(t, h.Store, "kept", random(5, 1<<20))
	rest, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(append(head, rest...), old) {
		t.Errorf("Read(kept) after Put = %d bytes, %v, want the old %d", len(head)+len(rest), err, len(old))
	}
}

func missing(t *testing.T, h Harness) {
	mustPut(t, h.Store, "there/is/one", []byte("x"))
	for _, key := range []string{"none", "there", "there/is", "there/is/two", "there/is/one/more"} {
		wantNoObject(t, h.Store, key)
		_, err := h.Store.Open(t.Context(), key, 3, 0)
		wantKind(t, fmt.Sprintf("Open(%q, 3, 0)", key), err, quern.NotFound)
		if err := h.Store.Delete(t.Context(), key); err != nil {
			t.Errorf("Delete(%q) = %v, want nil", key, err)
		}
	}
	wantObject(t, h.Store, "there/is/one", []byte("x"))
}

func deletes(t *testing.T, h Harness) {
	mustPut(t, h.Store, "d/a", []byte("a"))
	mustPut(t, h.Store, "d/b", []byte("b"))
	for range 2 {
		if err := h.Store.Delete(t.Context(), "d/a"); err != nil {
			t.Fatalf("Delete(d/a) = %v, want nil", err)
		}
		wantNoObject(t, h.Store, "d/a")
	}
	wantObject(t, h.Store, "d/b", []byte("b"))
	if err := h.Store.Delete(t.Context(), "d/b"); err != nil {
		t.Fatalf("Delete(d/b) = %v, want nil", err)
	}
	// With its last object gone, a folder is in nobody's way.
	mustPut(t, h.Store, "d", []byte("d"))
	wantObject(t, h.Store, "d", []byte("d"))
	if got := keys(t, h.Store, ""); !slices.Equal(got, []string{"d"}) {
		t.Errorf("List() = %q, want d", got)
	}
}

func wrongSize(t *testing.T, h Harness) {
	old := []byte("old")
	for _, c := range []struct {
		name            string
		size, available int64
	}{
		{"one short", 1000, 999}, {"one long", 1000, 1001}, {"empty", 1000, 0}, {"not empty", 0, 1},
		{"large short", 8 << 20, 8<<20 - 1}, {"large long", 8 << 20, 9 << 20}, {"negative", -1, 10},
	} {
		mustPut(t, h.Store, "size/old", old)
		for _, key := range []string{"size/old", "size/new"} {
			err := h.Store.Put(t.Context(), key, iotest.OneByteReader(bytes.NewReader(nil)), -1)
			wantKind(t, "Put(size -1)", err, quern.Invalid)
			// Hidden from type switches, so that the reader cannot be asked its length.
			err = h.Store.Put(t.Context(), key, io.MultiReader(bytes.NewReader(random(6, c.available))), c.size)
			wantKind(t, fmt.Sprintf("Put(%s)", c.name), err, quern.Invalid)
			err = h.Store.Put(t.Context(), key, bytes.NewReader(random(6, c.available)), c.size)
			wantKind(t, fmt.Sprintf("Put(%s, seekable)", c.name), err, quern.Invalid)
		}
		wantObject(t, h.Store, "size/old", old)
		wantNoObject(t, h.Store, "size/new")
	}
}

func readerFails(t *testing.T, h Harness) {
	boom := errors.New("boom")
	mustPut(t, h.Store, "fail/old", []byte("old"))
	for _, after := range []int64{0, 10, 100_000} {
		for _, key := range []string{"fail/old", "fail/new"} {
			r := io.MultiReader(bytes.NewReader(random(7, after)), iotest.ErrReader(boom))
			if err := h.Store.Put(t.Context(), key, r, 200_000); !errors.Is(err, boom) {
				t.Fatalf("Put(reader failing after %d) = %v, want boom", after, err)
			}
		}
	}
	wantObject(t, h.Store, "fail/old", []byte("old"))
	wantNoObject(t, h.Store, "fail/new")
}

// BadKeys are keys that no store takes.
var BadKeys = []string{
	"", "/", "/a", "a/", "a//b", ".", "..", "a/..", "../a", "a/../b", "./a", "a/./b", ".hidden", "a/.b",
	"a\x00b", "a\nb", "a\x7f", "a\u0085b", "a\\b", "\xff", "a/\xc3", strings.Repeat("k", 256),
	strings.Repeat("0123456789/", 94),
}

func badKeys(t *testing.T, h Harness) {
	ctx, s := t.Context(), h.Store
	for _, key := range BadKeys {
		_, openErr := s.Open(ctx, key, 0, -1)
		_, statErr := s.Stat(ctx, key)
		_, beginErr := s.Begin(ctx, key)
		_, signErr := s.PresignPart(ctx, blob.Slot{Key: key, UploadID: "x", Number: 1}, time.Minute)
		var partsErr error
		for _, err := range s.Parts(ctx, key, "x") {
			partsErr = err
		}
		for op, err := range map[string]error{
			"Put": s.Put(ctx, key, strings.NewReader("x"), 1), "Open": openErr, "Stat": statErr,
			"Delete": s.Delete(ctx, key), "Begin": beginErr, "PresignPart": signErr, "Parts": partsErr,
			"Complete": s.Complete(ctx, key, "x", nil), "Abort": s.Abort(ctx, key, "x"),
		} {
			if !quern.Is(err, quern.Invalid) {
				t.Errorf("%s(%q) = %v, want kind invalid", op, key, err)
			}
		}
	}
	if got := keys(t, s, ""); len(got) > 0 {
		t.Errorf("List() = %q, want nothing", got)
	}
}

func goodKeys(t *testing.T, h Harness) {
	want := []string{
		"a", "b/c/d/e/f/g", "with space", "plus+sign", "per%cent", "per%2Fcent", "question?mark", "hash#", "semi;colon",
		"quote\"'", "ünï/çödé", "日本", "a.b..c", "tilde~", "star*[x]", "and&equals=", "at@colon:", strings.Repeat("l", 255),
		strings.Repeat("0123456789/", 93) + "x",
	}
	for _, key := range want {
		mustPut(t, h.Store, key, []byte(key))
	}
	for _, key := range want {
		wantObject(t, h.Store, key, []byte(key))
	}
	slices.Sort(want)
	if got := keys(t, h.Store, ""); !slices.Equal(got, want) {
		t.Errorf("List() = %q, want %q", got, want)
	}
}

func listOrder(t *testing.T, h Harness) {
	all := []string{"a!/z", "a-b", "a.txt", "a/b", "a/b.c", "a/c/d", "a/c!", "a0", "b/a", "ä/ö"}
	slices.Sort(all)
	for i, key := range all {
		mustPut(t, h.Store, key, make([]byte, i))
	}
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/c", "a/c/", "a/c/d", "a/c/d/", "b", "ä", "ä/", "z", "a/z", "/", ".."} {
		var want []string
		for _, key := range all {
			if strings.HasPrefix(key, prefix) {
				want = append(want, key)
			}
		}
		if got := keys(t, h.Store, prefix); !slices.Equal(got, want) {
			t.Errorf("List(%q) = %q, want %q", prefix, got, want)
		}
	}
	for info, err := range h.Store.List(t.Context(), "a") {
		if err != nil || info.Size != int64(slices.Index(all, info.Key)) || time.Since(info.Modified).Abs() > 10*time.Minute {
			t.Errorf("List(a) yields %+v, %v, want size %d and a recent time", info, err, slices.Index(all, info.Key))
		}
	}
}

func listPages(t *testing.T, h Harness) {
	const count = 1100
	var want []string
	var group sync.WaitGroup
	work := make(chan string)
	for range 8 {
		group.Go(func() {
			for key := range work {
				if err := h.Store.Put(t.Context(), key, strings.NewReader("x"), 1); err != nil {
					t.Errorf("Put(%q) = %v, want nil", key, err)
				}
			}
		})
	}
	for i := range count {
		key := fmt.Sprintf("pages/%d/%04d", i%3, i)
		want = append(want, key)
		work <- key
	}
	close(work)
	group.Wait()
	slices.Sort(want)
	if got := keys(t, h.Store, "pages/"); !slices.Equal(got, want) {
		t.Errorf("List(pages/) = %d keys, want %d in order", len(got), len(want))
	}
}

func listStops(t *testing.T, h Harness) {
	for _, key := range []string{"a", "b/c", "d"} {
		mustPut(t, h.Store, key, nil)
	}
	for want := 1; want <= 3; want++ {
		got := 0
		for range h.Store.List(t.Context(), "") {
			if got++; got == want {
				break
			}
		}
		if got != want {
			t.Errorf("List() stopped after %d = %d, want %d", want, got, want)
		}
	}
}

func batch(t *testing.T, h Harness) {
	objects := []blob.Object{{Key: "batch/a/one", Body: random(11, 70_000)}, {Key: "batch/a/two"}, {Key: "batch/b", Body: []byte("b")}}
	refused := errors.New("refused")
	if err := blob.PutAll(t.Context(), h.Store, objects, func() error { return refused }); !errors.Is(err, refused) {
		t.Errorf("PutAll(before fails) = %v, want its error", err)
	}
	if got := keys(t, h.Store, "batch/"); len(got) != 0 {
		t.Errorf("keys after PutAll(before fails) = %q, want none", got)
	}
	for range 2 { // the second time they are replaced
		objects[2].Body = append(objects[2].Body, "b"...)
		var seen []byte
		err := blob.PutAll(t.Context(), h.Store, objects, func() error {
			seen, _ = readAll(t.Context(), h.Store, "batch/b", 0, -1)
			return nil
		})
		if err != nil {
			t.Fatalf("PutAll() = %v, want nil", err)
		}
		if bytes.Equal(seen, objects[2].Body) {
			t.Errorf("Open(batch/b) before PutAll may store = %q, want the old object or none", seen)
		}
		for _, o := range objects {
			wantObject(t, h.Store, o.Key, o.Body)
		}
	}
	bad := append(objects, blob.Object{Key: "batch/../c"})
	wantKind(t, "PutAll(bad key)", blob.PutAll(t.Context(), h.Store, bad, func() error { return nil }), quern.Invalid)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := blob.PutAll(ctx, h.Store, objects, func() error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("PutAll(cancelled) = %v, want context canceled", err)
	}
}

func cancelled(t *testing.T, h Harness) {
	mustPut(t, h.Store, "there", []byte("x"))
	id, err := h.Store.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin(up) = %v, want nil", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := h.Store
	_, openErr := s.Open(ctx, "there", 0, -1)
	_, statErr := s.Stat(ctx, "there")
	_, beginErr := s.Begin(ctx, "new")
	_, signErr := s.PresignPart(ctx, blob.Slot{Key: "up", UploadID: id, Number: 1}, time.Minute)
	var listErr, partsErr, uploadsErr error
	for _, err := range s.List(ctx, "") {
		listErr = err
	}
	for _, err := range s.Parts(ctx, "up", id) {
		partsErr = err
	}
	for _, err := range s.Uploads(ctx, "") {
		uploadsErr = err
	}
	for op, err := range map[string]error{
		"Put": s.Put(ctx, "there", strings.NewReader("y"), 1), "Open": openErr, "Stat": statErr,
		"Delete": s.Delete(ctx, "there"), "List": listErr, "Begin": beginErr, "PresignPart": signErr,
		"Parts": partsErr, "Complete": s.Complete(ctx, "up", id, nil), "Abort": s.Abort(ctx, "up", id), "Uploads": uploadsErr,
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s(cancelled) = %v, want context canceled", op, err)
		}
	}
	wantObject(t, h.Store, "there", []byte("x"))
}

func cancelledMidway(t *testing.T, h Harness) {
	mustPut(t, h.Store, "mid/old", []byte("old"))
	for _, key := range []string{"mid/old", "mid/new"} {
		ctx, cancel := context.WithCancel(t.Context())
		body := io.MultiReader(bytes.NewReader(random(8, 400_000)), readerFunc(func(p []byte) (int, error) {
			cancel()
			return len(p), nil
		}))
		if err := h.Store.Put(ctx, key, body, 100<<20); !errors.Is(err, context.Canceled) {
			t.Fatalf("Put(%q, cancelled midway) = %v, want context canceled", key, err)
		}
	}
	wantObject(t, h.Store, "mid/old", []byte("old"))
	wantNoObject(t, h.Store, "mid/new")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
