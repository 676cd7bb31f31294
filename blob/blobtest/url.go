package blobtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"
	"testing/iotest"
	"time"

	"quern"
	"quern/blob"
)

var urlChecks = []check{
	{"Tampered", tampered},
	{"OtherMethod", otherMethod},
	{"Expired", expired},
	{"WrongLength", wrongLength},
	{"Truncated", truncated},
	{"OutOfBounds", outOfBounds},
	{"OddKeys", oddKeys},
}

// changed returns s with its last letter or digit replaced by another.
func changed(s string) string {
	if s == "" {
		return "1"
	}
	last := byte('1')
	if s[len(s)-1] == '1' {
		last = '2'
	}
	return s[:len(s)-1] + string(last)
}

func tampered(t *testing.T, h Harness) {
	x := begin(t, h, "tampered", 1)
	other := begin(t, h, "another", 1)
	x.send(1)
	good, err := url.Parse(x.url(1))
	if err != nil {
		t.Fatalf("url.Parse(part URL) = %v, want nil", err)
	}
	body := random(50, int64(len(x.parts[0])))
	try := func(name string, u url.URL) {
		t.Helper()
		a := do(t, http.MethodPut, u.String(), bytes.NewReader(body), int64(len(body)))
		if !a.refused() {
			t.Errorf("PUT with %s = %+v, want it refused", name, a)
		}
	}
	for name := range good.Query() {
		for change, values := range map[string]func(url.Values){
			"changed": func(q url.Values) { q.Set(name, changed(q.Get(name))) },
			"removed": func(q url.Values) { q.Del(name) },
			"emptied": func(q url.Values) { q.Set(name, "") },
		} {
			u, q := *good, good.Query()
			values(q)
			u.RawQuery = q.Encode()
			try(name+" "+change, u)
		}
	}
	u, q := *good, good.Query()
	q.Set("uploadId", other.id)
	u.RawQuery = q.Encode()
	try("another upload", u)
	u.Path = good.Path[:len(good.Path)-len("tampered")] + "another"
	try("another upload and key", u)
	u.RawQuery = good.RawQuery
	try("another key", u)
	u.RawQuery = ""
	try("no query", u)

	if got := x.arrived(); len(got) != 1 || got[0].ETag != tag(x.parts[0]) || len(other.arrived()) > 0 {
		t.Errorf("Parts() = %+v and %+v, want the one that was sent", got, other.arrived())
	}
	x.mustComplete()
}

func otherMethod(t *testing.T, h Harness) {
	x := begin(t, h, "method", 1)
	x.send(1)
	for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "PATCH"} {
		size := int64(0)
		if method == "POST" || method == "PATCH" {
			size = int64(len(x.parts[0]))
		}
		if a := do(t, method, x.url(1), bytes.NewReader(random(51, size)), size); !a.refused() {
			t.Errorf("%s part URL = %+v, want it refused", method, a)
		}
	}
	x.mustComplete()
}

// expired sends a part until its URL's life is over.
func expired(t *testing.T, h Harness) {
	x := begin(t, h, "expired", 1)
	x.send(1)
	u, err := h.Store.PresignPart(t.Context(), x.slot(1), time.Second)
	if err != nil {
		t.Fatalf("PresignPart(1 s) = %v, want nil", err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		a := do(t, http.MethodPut, u, bytes.NewReader(x.parts[0]), int64(len(x.parts[0])))
		if a.err == nil && a.status == http.StatusForbidden {
			break
		}
		if a.refused() || time.Now().After(deadline) {
			t.Fatalf("PUT to a URL of 1 s = %+v, want 200 and then 403", a)
		}
	}
	x.mustComplete()
}

func wrongLength(t *testing.T, h Harness) {
	x := begin(t, h, "length", 1)
	x.send(1)
	size := int64(len(x.parts[0]))
	for _, got := range []int64{0, 1, size - 1, size + 1, 2 * size, 3 << 20} {
		if a := do(t, http.MethodPut, x.url(1), bytes.NewReader(random(52, got)), got); !a.refused() {
			t.Errorf("PUT %d bytes for %d = %+v, want it refused", got, size, a)
		}
		// Without a declared length, in chunks.
		body := io.MultiReader(bytes.NewReader(random(52, got)))
		if a := do(t, http.MethodPut, x.url(1), body, -1); got > 0 && !a.refused() {
			t.Errorf("PUT %d bytes in chunks for %d = %+v, want it refused", got, size, a)
		}
	}
	if got := x.arrived(); len(got) != 1 || got[0].ETag != tag(x.parts[0]) {
		t.Errorf("Parts() = %+v, want the one that was sent", got)
	}
	x.mustComplete()
}

// truncated cuts a part off, first when there was none and then when there was.
func truncated(t *testing.T, h Harness) {
	x := begin(t, h, "truncated", 2)
	cut := errors.New("cut")
	for range 2 {
		for n, part := range x.parts {
			for _, sent := range []int64{0, 1, int64(len(part)) - 1} {
				body := io.MultiReader(bytes.NewReader(random(53, sent)), iotest.ErrReader(cut))
				if a := do(t, http.MethodPut, x.url(n+1), body, int64(len(part))); !a.refused() {
					t.Errorf("PUT cut after %d bytes = %+v, want an error", sent, a)
				}
			}
		}
		x.send(1)
		x.send(2)
	}
	x.mustComplete()
}

func outOfBounds(t *testing.T, h Harness) {
	x := begin(t, h, "bounds", 1)
	good := x.slot(1)
	for _, c := range []struct {
		name   string
		change func(*blob.Slot)
		life   time.Duration
	}{
		{"number 0", func(s *blob.Slot) { s.Number = 0 }, time.Minute},
		{"number 10001", func(s *blob.Slot) { s.Number = 10001 }, time.Minute},
		{"negative size", func(s *blob.Slot) { s.Size = -1 }, time.Minute},
		{"huge size", func(s *blob.Slot) { s.Size = blob.MaxPartSize + 1 }, time.Minute},
		{"negative offset", func(s *blob.Slot) { s.Offset = -1 }, time.Minute},
		{"no life", func(*blob.Slot) {}, 0},
		{"negative life", func(*blob.Slot) {}, -time.Hour},
		{"long life", func(*blob.Slot) {}, blob.MaxPartLife + time.Second},
	} {
		slot := good
		c.change(&slot)
		_, err := h.Store.PresignPart(t.Context(), slot, c.life)
		wantKind(t, fmt.Sprintf("PresignPart(%s)", c.name), err, quern.Invalid)
	}
}

// oddKeys sends parts for keys that URLs have to escape.
func oddKeys(t *testing.T, h Harness) {
	for _, key := range []string{"with space", "per%2Fcent", "plus+and&more=1", "q?uestion#", "日本/ü", "a;b:c@d"} {
		x := begin(t, h, key, 1)
		x.send(1)
		x.mustComplete()
	}
}
