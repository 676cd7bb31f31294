package fs_test

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/blob"
	"quern/blob/fs"
	"quern/test/duplex"
)

// begun opens an upload of one part of size bytes and returns the part's URL.
func begun(t *testing.T, s *fs.Store, size int64) (id, partURL string) {
	t.Helper()
	id, err := s.Begin(t.Context(), "the/key")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	partURL, err = s.PresignPart(t.Context(), blob.Slot{Key: "the/key", UploadID: id, Number: 1, Size: size}, time.Minute)
	if err != nil {
		t.Fatalf("PresignPart() = %v, want nil", err)
	}
	return id, partURL
}

func newRequest(t *testing.T, method, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatalf("NewRequest(%s) = %v, want nil", url, err)
	}
	r.Close = true
	return r
}

// roundTrip sends a request and wants an answer.
func roundTrip(t *testing.T, c *http.Client, r *http.Request) (*http.Response, string) {
	t.Helper()
	res, err := c.Do(r)
	if err != nil {
		t.Fatalf("%s %s = %v, want an answer", r.Method, r.URL.Path, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: read the answer: %v", r.Method, r.URL.Path, err)
	}
	return res, string(body)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	now := time.Now()
	clock := func() time.Time { return now }
	s := serve(t, fs.Options{Dir: t.TempDir(), Now: clock}, "")
	_, good := begun(t, s, 5)
	for _, c := range []struct {
		name, method, url, body string
		status                  int
		code                    quern.Code
	}{
		{"too long", "PUT", good, "123456", 422, quern.CodeInvalid},
		{"too short", "PUT", good, "1234", 422, quern.CodeInvalid},
		{"tampered", "PUT", strings.Replace(good, "size=5", "size=6", 1), "123456", 403, quern.CodeForbidden},
		{"longer life", "PUT", strings.Replace(good, "expires=", "expires=9", 1), "12345", 403, quern.CodeForbidden},
		{"no signature", "PUT", strings.Split(good, "?")[0], "12345", 403, quern.CodeForbidden},
		{"get", "GET", good, "", 405, quern.CodeMethodNotAllowed},
		{"post", "POST", good, "12345", 405, quern.CodeMethodNotAllowed},
	} {
		res, body := roundTrip(t, http.DefaultClient, newRequest(t, c.method, c.url, c.body))
		var e struct {
			Code    quern.Code `json:"error_code"`
			Message string     `json:"message"`
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil || res.StatusCode != c.status || e.Code != c.code || e.Message == "" {
			t.Errorf("%s: %s = %d %s, want %d %s", c.name, c.method, res.StatusCode, body, c.status, c.code)
		}
		if got := res.Header.Get("Content-Type"); got != "application/json" {
			t.Errorf("%s: Content-Type = %q, want application/json", c.name, got)
		}
		if allow := res.Header.Get("Allow"); c.status == 405 && allow != "PUT, OPTIONS" {
			t.Errorf("%s: Allow = %q, want PUT, OPTIONS", c.name, allow)
		}
	}
	for _, c := range []struct {
		later  time.Duration
		status int
	}{{59 * time.Second, 200}, {time.Minute, 403}, {time.Hour, 403}} {
		now = now.Add(c.later)
		res, body := roundTrip(t, http.DefaultClient, newRequest(t, "PUT", good, "12345"))
		now = now.Add(-c.later)
		if res.StatusCode != c.status {
			t.Errorf("PUT %v later = %d %s, want %d", c.later, res.StatusCode, body, c.status)
		}
	}
}

func TestContentMD5(t *testing.T) {
	t.Parallel()
	s := serve(t, fs.Options{Dir: t.TempDir()}, "")
	_, u := begun(t, s, 5)
	sum := md5.Sum([]byte("12345"))
	right := base64.StdEncoding.EncodeToString(sum[:])
	for _, c := range []struct {
		digest, body string
		status       int
	}{{right, "12345", 200}, {right, "12346", 422}, {"garbage", "12345", 422}, {"", "54321", 200}} {
		r := newRequest(t, "PUT", u, c.body)
		if c.digest != "" {
			r.Header.Set("Content-MD5", c.digest)
		}
		res, body := roundTrip(t, http.DefaultClient, r)
		want := fmt.Sprintf("%q", digest(c.body))
		if res.StatusCode != c.status || c.status == 200 && res.Header.Get("ETag") != want {
			t.Errorf("PUT %q with Content-MD5 %q = %d %s, ETag %s, want %d and %s",
				c.body, c.digest, res.StatusCode, body, res.Header.Get("ETag"), c.status, want)
		}
	}
}

// A page of any origin may send a part: the signature is the right to.
func TestPartsAreTakenFromPagesOfAnyOrigin(t *testing.T) {
	t.Parallel()
	s := serve(t, fs.Options{Dir: t.TempDir()}, "")
	_, u := begun(t, s, 5)
	for method, status := range map[string]int{"OPTIONS": 204, "PUT": 200} {
		r := newRequest(t, method, u, "12345")
		r.Header.Set("Origin", "https://page.example")
		res, body := roundTrip(t, http.DefaultClient, r)
		h := res.Header
		if res.StatusCode != status || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s = %d %s, allowed %q, want %d for any origin", method, res.StatusCode, body, h.Get("Access-Control-Allow-Origin"), status)
		}
		if !strings.Contains(h.Get("Access-Control-Expose-Headers"), "ETag") {
			t.Errorf("%s exposes %q, want ETag", method, h.Get("Access-Control-Expose-Headers"))
		}
		if method == "OPTIONS" && (h.Get("Access-Control-Allow-Methods") != "PUT" || h.Get("Access-Control-Allow-Headers") != "*") {
			t.Errorf("OPTIONS allows %q with %q, want PUT with any header", h.Get("Access-Control-Allow-Methods"),
				h.Get("Access-Control-Allow-Headers"))
		}
	}
	wrong := newRequest(t, "PUT", u+"0", "12345")
	wrong.Header.Set("Origin", "https://page.example")
	if res, body := roundTrip(t, http.DefaultClient, wrong); res.StatusCode != http.StatusForbidden {
		t.Errorf("PUT with another signature = %d %s, want 403", res.StatusCode, body)
	}
}

// TestBehindProxy sends a part through a TLS proxy that has another name and
// takes a path away, and once more through one that leaves the path.
func TestBehindProxy(t *testing.T) {
	t.Parallel()
	for _, strip := range []bool{true, false} {
		var store *fs.Store
		inner := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { store.Handler().ServeHTTP(w, r) }))
		t.Cleanup(inner.Close)
		target, _ := url.Parse(inner.URL)
		proxy := duplex.Handler(httputil.NewSingleHostReverseProxy(target))
		if strip {
			proxy = http.StripPrefix("/quern", proxy)
		}
		outer := httptest.NewTLSServer(proxy)
		t.Cleanup(outer.Close)
		var err error
		if store, err = fs.New(fs.Options{Dir: t.TempDir(), PublicURL: outer.URL + "/quern/"}); err != nil {
			t.Fatalf("New() = %v, want nil", err)
		}
		id, u := begun(t, store, 5)
		if !strings.HasPrefix(u, outer.URL+"/quern/blob/the/key?") {
			t.Errorf("PresignPart() = %s, want it below %s/quern/blob/", u, outer.URL)
		}
		res, body := roundTrip(t, outer.Client(), newRequest(t, "PUT", u, "12345"))
		if res.StatusCode != 200 {
			t.Errorf("PUT through the proxy = %d %s, want 200", res.StatusCode, body)
		}
		if err := store.Complete(t.Context(), "the/key", id, []blob.Part{{Number: 1, ETag: res.Header.Get("ETag")}}); err != nil {
			t.Errorf("Complete() = %v, want nil", err)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	}
}

// TestRestart wants URLs, uploads and their parts to outlive the process.
func TestRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := serve(t, fs.Options{Dir: dir}, "")
	id, old := begun(t, first, 5)
	second := serve(t, fs.Options{Dir: dir}, "")
	_, fresh := begun(t, second, 5)
	oldURL, _ := url.Parse(old)
	freshURL, _ := url.Parse(fresh)
	oldURL.Host = freshURL.Host
	if res, body := roundTrip(t, http.DefaultClient, newRequest(t, "PUT", oldURL.String(), "12345")); res.StatusCode != 200 {
		t.Fatalf("PUT to a URL of before the restart = %d %s, want 200", res.StatusCode, body)
	}
	parts := []blob.Part{{Number: 1, ETag: digest("12345")}}
	for range 2 {
		third := serve(t, fs.Options{Dir: dir}, "")
		if err := third.Complete(t.Context(), "the/key", id, parts); err != nil {
			t.Errorf("Complete() after another restart = %v, want nil", err)
		}
	}
	other := serve(t, fs.Options{Dir: t.TempDir(), Secret: bytes.Repeat([]byte("s"), 32)}, "")
	_, foreign := begun(t, other, 5)
	foreignURL, _ := url.Parse(foreign)
	oldURL.Host = foreignURL.Host
	if res, _ := roundTrip(t, http.DefaultClient, newRequest(t, "PUT", oldURL.String(), "12345")); res.StatusCode != 403 {
		t.Errorf("PUT to another store's URL = %d, want 403", res.StatusCode)
	}
}

// TestStall wants a client that stops sending to be let go, and its part to be
// open to others meanwhile; and the parts under way to be bounded.
func TestStall(t *testing.T) {
	t.Parallel()
	s := serve(t, fs.Options{Dir: t.TempDir(), Stall: 300 * time.Millisecond, MaxParts: 2}, "")
	_, u := begun(t, s, 5)
	target, _ := url.Parse(u)
	var stalled []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp", target.Host)
		if err != nil {
			t.Fatalf("Dial() = %v, want nil", err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12", target.RequestURI())
		stalled = append(stalled, conn)
		if len(stalled) == 1 {
			if res, body := roundTrip(t, http.DefaultClient, newRequest(t, "PUT", u, "12345")); res.StatusCode != 200 {
				t.Errorf("PUT beside a stalled one = %d %s, want 200", res.StatusCode, body)
			}
		}
	}
	for _, conn := range stalled {
		conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
			t.Errorf("a stalled PUT got %q, %v, want 400", answer, err)
		}
	}
}

func TestBusy(t *testing.T) {
	t.Parallel()
	s := serve(t, fs.Options{Dir: t.TempDir(), MaxParts: 1}, "")
	_, u := begun(t, s, 5)
	body, feed := io.Pipe()
	r := newRequest(t, "PUT", u, "")
	r.Body, r.ContentLength = body, 5
	var group sync.WaitGroup
	group.Go(func() {
		if res, text := roundTrip(t, http.DefaultClient, r); res.StatusCode != 200 {
			t.Errorf("PUT = %d %s, want 200", res.StatusCode, text)
		}
	})
	fmt.Fprint(feed, "123")
	deadline := time.Now().Add(10 * time.Second)
	for {
		res, _ := roundTrip(t, http.DefaultClient, newRequest(t, "PUT", u, "12345"))
		if res.StatusCode == 503 && res.Header.Get("Retry-After") == "1" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("PUT beside another = %d, want 503 with Retry-After in the end", res.StatusCode)
		}
	}
	fmt.Fprint(feed, "45")
	feed.Close()
	group.Wait()
}

// FuzzPartURL wants no URL but the signed one to be taken.
func FuzzPartURL(f *testing.F) {
	s, err := fs.New(fs.Options{Dir: f.TempDir(), PublicURL: "http://host/quern"})
	if err != nil {
		f.Fatalf("New() = %v, want nil", err)
	}
	id, err := s.Begin(f.Context(), "the/key")
	if err != nil {
		f.Fatalf("Begin() = %v, want nil", err)
	}
	good, err := s.PresignPart(f.Context(), blob.Slot{Key: "the/key", UploadID: id, Number: 1, Size: 1}, time.Hour)
	if err != nil {
		f.Fatalf("PresignPart() = %v, want nil", err)
	}
	signed, _ := url.Parse(good)
	f.Add(signed.Path, signed.RawQuery)
	f.Add("/blob/the/key", signed.RawQuery+"&size=2")
	f.Add("/blob/../secret", "signature=00&expires=99999999999")
	f.Add("/blob/the/key\n", strings.ReplaceAll(signed.RawQuery, "=1", "=01"))
	f.Fuzz(func(t *testing.T, path, query string) {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "PUT", "/", strings.NewReader("x"))
		r.URL = &url.URL{Path: path, RawQuery: query}
		s.Handler().ServeHTTP(w, r)
		values, _ := url.ParseQuery(query)
		same := true
		for name := range signed.Query() {
			same = same && values.Get(name) == signed.Query().Get(name)
		}
		if w.Code != http.StatusForbidden && !same && !numbersSame(values, signed.Query()) {
			t.Errorf("PUT %q?%s = %d %s, want 403", path, query, w.Code, w.Body)
		}
	})
}

// numbersSame allows for other spellings of the same numbers.
func numbersSame(a, b url.Values) bool {
	for name := range b {
		x, y := strings.TrimLeft(a.Get(name), "+0"), strings.TrimLeft(b.Get(name), "+0")
		if name == "signature" || name == "uploadId" {
			x, y = strings.ToLower(a.Get(name)), b.Get(name)
		}
		if x != y {
			return false
		}
	}
	return true
}
