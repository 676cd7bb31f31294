package blobtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob"
)

var multipartChecks = []check{
	{"InOrder", inOrder},
	{"OutOfOrder", outOfOrder},
	{"OnePart", onePart},
	{"Empty", emptyUpload},
	{"Replaced", replaced},
	{"Subset", subset},
	{"WrongParts", wrongParts},
	{"TooSmall", tooSmall},
	{"CompleteAgain", completeAgain},
	{"OverwritesObject", overwritesObject},
	{"Abort", aborts},
	{"Unknown", unknown},
	{"Uploads", uploads},
	{"ManyParts", manyParts},
}

func inOrder(t *testing.T, h Harness) {
	x := begin(t, h, "in/order", 3)
	for n := range x.parts {
		if got := len(x.arrived()); got != n {
			t.Fatalf("Parts() = %d parts, want %d", got, n)
		}
		x.send(n + 1)
		wantNoObject(t, h.Store, x.key)
	}
	for i, p := range x.arrived() {
		want := blob.Part{Number: i + 1, Size: int64(len(x.parts[i])), ETag: tag(x.parts[i])}
		if p != want {
			t.Errorf("Parts()[%d] = %+v, want %+v", i, p, want)
		}
	}
	if got := keys(t, h.Store, ""); len(got) > 0 {
		t.Errorf("List() = %q before Complete, want nothing", got)
	}
	x.mustComplete()
	if x.open() {
		t.Errorf("Uploads() has %q after Complete, want it gone", x.key)
	}
}

func outOfOrder(t *testing.T, h Harness) {
	x := begin(t, h, "out/of/order", 4)
	for _, n := range []int{4, 2, 1, 3} {
		x.send(n)
	}
	var numbers []int
	for _, p := range x.arrived() {
		numbers = append(numbers, p.Number)
	}
	if !slices.Equal(numbers, []int{1, 2, 3, 4}) {
		t.Errorf("Parts() = %v, want 1 to 4 in order", numbers)
	}
	x.mustComplete()
}

func onePart(t *testing.T, h Harness) {
	x := begin(t, h, "one", 1)
	x.send(1)
	x.mustComplete()
}

func emptyUpload(t *testing.T, h Harness) {
	x := begin(t, h, "empty", 1)
	x.parts[0] = nil
	x.send(1)
	if got := x.arrived(); len(got) != 1 || got[0].Size != 0 {
		t.Fatalf("Parts() = %+v, want one of 0 bytes", got)
	}
	x.mustComplete()
}

// replaced sends parts again, before and after others, and wants the last ones
// to count.
func replaced(t *testing.T, h Harness) {
	x := begin(t, h, "replaced", 3)
	for round := range 3 {
		for _, n := range []int{2, 3, 1} {
			x.parts[n-1] = random(uint64(100+10*round+n), int64(len(x.parts[n-1])))
			x.send(n)
		}
	}
	x.parts[2] = random(200, 555)
	x.send(3)
	if got := x.arrived(); len(got) != 3 || got[2].Size != 555 {
		t.Fatalf("Parts() = %+v, want three, the last of 555 bytes", got)
	}
	x.mustComplete()
}

func subset(t *testing.T, h Harness) {
	x := begin(t, h, "subset", 3)
	for n := range x.parts {
		x.send(n + 1)
	}
	named := []blob.Part{x.named()[0], x.named()[2]}
	if err := h.Store.Complete(t.Context(), x.key, x.id, named); err != nil {
		t.Fatalf("Complete(parts 1 and 3) = %v, want nil", err)
	}
	wantObject(t, h.Store, x.key, slices.Concat(x.parts[0], x.parts[2]))
}

func wrongParts(t *testing.T, h Harness) {
	x := begin(t, h, "wrong", 3)
	x.send(1)
	x.send(3)
	good := x.named()
	for _, c := range []struct {
		name  string
		parts []blob.Part
		codes []string
	}{
		{"none", nil, nil},
		{"missing", good, []string{blob.PartMissing}},
		{"wrong etag", []blob.Part{good[0], {Number: 3, ETag: tag(nil)}}, []string{blob.PartChanged}},
		{"garbage etag", []blob.Part{good[0], {Number: 3, ETag: "no \x00 digest"}}, []string{blob.PartChanged}},
		{"another size", []blob.Part{good[0], {Number: 3, Size: 776, ETag: good[2].ETag}}, []string{blob.PartSize}},
		{"no etag", []blob.Part{{Number: 1}}, []string{blob.PartChanged}},
		{"backwards", []blob.Part{good[2], good[0]}, []string{blob.PartTooSmall, blob.PartOrder}},
		{"twice", []blob.Part{good[0], good[0]}, []string{blob.PartOrder}},
		{"number 0", []blob.Part{{Number: 0, ETag: tag(nil)}}, []string{blob.PartOrder}},
		{"number -1", []blob.Part{{Number: -1, ETag: tag(nil)}}, []string{blob.PartOrder}},
		{"number 10001", []blob.Part{good[0], {Number: 10001, ETag: tag(nil)}}, []string{blob.PartMissing}},
		{"too many", make([]blob.Part, blob.MaxParts+1), nil},
	} {
		err := h.Store.Complete(t.Context(), x.key, x.id, c.parts)
		wantKind(t, fmt.Sprintf("Complete(%s)", c.name), err, quern.Invalid)
		e, _ := errors.AsType[*quern.Error](err)
		var codes []string
		for _, sub := range e.Sub {
			codes = append(codes, sub.Code)
		}
		if h.Store.MinPart() == 0 {
			c.codes = slices.DeleteFunc(c.codes, func(code string) bool { return code == blob.PartTooSmall })
		}
		if !slices.Equal(codes, c.codes) {
			t.Errorf("Complete(%s) = sub errors %q, want %q", c.name, codes, c.codes)
		}
		wantNoObject(t, h.Store, x.key)
		if got := len(x.arrived()); got != 2 || !x.open() {
			t.Fatalf("after Complete(%s): %d parts, open %v, want 2 and open", c.name, got, x.open())
		}
	}
	x.send(2)
	x.mustComplete()
}

func tooSmall(t *testing.T, h Harness) {
	x := begin(t, h, "small", 2)
	x.parts[0] = x.parts[0][:max(h.Store.MinPart()-1, 10)]
	x.send(1)
	x.send(2)
	if h.Store.MinPart() == 0 {
		x.mustComplete()
		return
	}
	err := x.complete()
	wantKind(t, "Complete(first part too small)", err, quern.Invalid)
	if e, _ := errors.AsType[*quern.Error](err); len(e.Sub) != 1 || e.Sub[0].Code != blob.PartTooSmall {
		t.Errorf("Complete(first part too small) = %+v, want one %s", e.Sub, blob.PartTooSmall)
	}
	x.parts[0] = random(9, h.Store.MinPart())
	x.send(1)
	x.mustComplete()
}

func completeAgain(t *testing.T, h Harness) {
	x := begin(t, h, "again", 2)
	url := x.url(1)
	x.send(1)
	x.send(2)
	for range 3 {
		x.mustComplete()
	}
	err := h.Store.Complete(t.Context(), x.key, x.id, x.named()[:1])
	wantKind(t, "Complete(other parts, again)", err, quern.NotFound)
	if a := do(t, http.MethodPut, url, strings.NewReader(string(x.parts[0])), int64(len(x.parts[0]))); !a.refused() {
		t.Errorf("PUT part after Complete = %+v, want it refused", a)
	}
	if err := h.Store.Abort(t.Context(), x.key, x.id); err != nil {
		t.Errorf("Abort(completed) = %v, want nil", err)
	}
	wantObject(t, h.Store, x.key, x.whole())
	for _, err := range h.Store.Parts(t.Context(), x.key, x.id) {
		wantKind(t, "Parts(completed)", err, quern.NotFound)
	}
	if err := h.Store.Delete(t.Context(), x.key); err != nil {
		t.Fatalf("Delete(%q) = %v, want nil", x.key, err)
	}
	wantKind(t, "Complete(object deleted)", x.complete(), quern.NotFound)
}

func overwritesObject(t *testing.T, h Harness) {
	mustPut(t, h.Store, "over", []byte("old"))
	x := begin(t, h, "over", 2)
	x.send(1)
	x.send(2)
	wantObject(t, h.Store, "over", []byte("old"))
	x.mustComplete()
}

func aborts(t *testing.T, h Harness) {
	mustPut(t, h.Store, "aborted", []byte("old"))
	x := begin(t, h, "aborted", 2)
	x.send(1)
	url := x.url(2)
	if err := h.Store.Abort(t.Context(), "another/key", x.id); err != nil || !x.open() {
		t.Fatalf("Abort(another key) = %v, open %v, want nil and open", err, x.open())
	}
	for range 2 {
		if err := h.Store.Abort(t.Context(), x.key, x.id); err != nil {
			t.Fatalf("Abort(%q) = %v, want nil", x.key, err)
		}
	}
	if x.open() {
		t.Errorf("Uploads() has %q after Abort, want it gone", x.key)
	}
	a := do(t, http.MethodPut, url, strings.NewReader(string(x.parts[1])), int64(len(x.parts[1])))
	if a.err != nil || a.status != http.StatusNotFound {
		t.Errorf("PUT part after Abort = %+v, want 404", a)
	}
	wantKind(t, "Complete(aborted)", x.complete(), quern.NotFound)
	for _, err := range h.Store.Parts(t.Context(), x.key, x.id) {
		wantKind(t, "Parts(aborted)", err, quern.NotFound)
	}
	wantObject(t, h.Store, "aborted", []byte("old"))
}

func unknown(t *testing.T, h Harness) {
	x := begin(t, h, "known", 1)
	x.send(1)
	for _, c := range []struct{ key, id string }{
		{"known", quern.NewID[string]()}, {"known", ""}, {"known", "../known"}, {"known", "."}, {"known", "x"},
		{"other", x.id}, {"known/more", x.id},
	} {
		err := h.Store.Complete(t.Context(), c.key, c.id, x.named())
		wantKind(t, fmt.Sprintf("Complete(%q, %q)", c.key, c.id), err, quern.NotFound)
		if err := h.Store.Abort(t.Context(), c.key, c.id); err != nil {
			t.Errorf("Abort(%q, %q) = %v, want nil", c.key, c.id, err)
		}
		for _, err := range h.Store.Parts(t.Context(), c.key, c.id) {
			wantKind(t, fmt.Sprintf("Parts(%q, %q)", c.key, c.id), err, quern.NotFound)
		}
	}
	x.mustComplete()
}

func uploads(t *testing.T, h Harness) {
	before := time.Now().Add(-10 * time.Minute)
	opened := map[string]string{}
	for _, key := range []string{"u/a", "u/b/c", "u/b/d", "v"} {
		opened[begin(t, h, key, 1).id] = key
	}
	second := begin(t, h, "v", 1)
	opened[second.id] = "v"
	for prefix, want := range map[string]int{"": 5, "u": 3, "u/": 3, "u/b": 2, "u/b/c": 1, "v": 2, "w": 0} {
		got := 0
		for u, err := range h.Store.Uploads(t.Context(), prefix) {
			if err != nil || opened[u.ID] != u.Key || u.Began.Before(before) || u.Began.After(time.Now().Add(10*time.Minute)) {
				t.Errorf("Uploads(%q) yields %+v, %v, want one that was begun", prefix, u, err)
			}
			got++
		}
		if got != want {
			t.Errorf("Uploads(%q) = %d uploads, want %d", prefix, got, want)
		}
	}
	for range h.Store.Uploads(t.Context(), "") {
		break
	}
	if err := h.Store.Abort(t.Context(), "v", second.id); err != nil {
		t.Fatalf("Abort(v) = %v, want nil", err)
	}
	for u := range h.Store.Uploads(t.Context(), "v") {
		if u.ID == second.id {
			t.Errorf("Uploads(v) yields the aborted %q, want it gone", u.ID)
		}
	}
}

// manyParts has more parts than one page of a listing holds, sent in any order.
func manyParts(t *testing.T, h Harness) {
	const count = 1100
	x := begin(t, h, "many", 1)
	x.parts = nil
	for n := range count {
		x.parts = append(x.parts, fmt.Appendf(nil, "part %d of many", n))
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(count)
	x.sendAll(order, 8)
	got := x.arrived()
	if len(got) != count {
		t.Fatalf("Parts() = %d parts, want %d", len(got), count)
	}
	for i, p := range got {
		if p.Number != i+1 || p.ETag != tag(x.parts[i]) {
			t.Fatalf("Parts()[%d] = %+v, want part %d", i, p, i+1)
		}
	}
	if h.Store.MinPart() == 0 {
		x.mustComplete()
		return
	}
	err := x.complete()
	wantKind(t, "Complete(parts too small)", err, quern.Invalid)
	if e, _ := errors.AsType[*quern.Error](err); len(e.Sub) != 100 {
		t.Errorf("Complete(parts too small) = %d sub errors, want 100", len(e.Sub))
	}
}
