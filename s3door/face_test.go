package s3door_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7/pkg/signer"

	"quern"
	"quern/blob"
	"quern/s3door"
)

const object = s3door.Path + "/" + segment

func TestRanges(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, tt := range []struct{ given, want, part string }{
		{"bytes=0-0", "0", "bytes 0-0/16"},
		{"bytes=4-7", "4567", "bytes 4-7/16"},
		{"bytes=12-99", "cdef", "bytes 12-15/16"},
		{"bytes=12-99999999999999999999999", "cdef", "bytes 12-15/16"},
		{"bytes=14-", "ef", "bytes 14-15/16"},
		{"bytes=-3", "def", "bytes 13-15/16"},
		{"bytes=-99", content, "bytes 0-15/16"},
		{"bytes=0-1,4-5", content, ""},
		{"bytes=7-4", content, ""},
		{"bytes=x-4", content, ""},
		{"bytes=+1-4", content, ""},
		{"bytes=-", content, ""},
		{"lines=1-2", content, ""},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := h.do(h.signed(method, object, "Range", tt.given))
			status := 200
			if tt.part != "" {
				status = 206
			}
			body := tt.want
			if method == "HEAD" {
				body = ""
			}
			length := got.header.Get("Content-Length") == strconv.Itoa(len(tt.want))
			if got.status != status || got.body != body || got.header.Get("Content-Range") != tt.part || !length {
				t.Errorf("%s %s = %d %q %v, want %d %q %s", method, tt.given, got.status, got.body, got.header, status, body, tt.part)
			}
		}
	}
	for _, beyond := range []string{"bytes=16-", "bytes=16-20", "bytes=99999999999999999999-", "bytes=-0"} {
		got := h.do(h.signed("GET", object, "Range", beyond))
		h.wants(beyond, got, 416, "InvalidRange")
		if got.header.Get("Content-Range") != "bytes */16" {
			t.Errorf("%s: Content-Range = %q, want bytes */16", beyond, got.header.Get("Content-Range"))
		}
	}
	for _, any := range []string{"bytes=0-", "bytes=0-0", "bytes=-1"} {
		h.wants(any+" of nothing", h.do(h.signed("GET", s3door.Path+"/"+folder+"empty", "Range", any)), 416, "InvalidRange")
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	tag := h.do(h.signed("HEAD", object)).header.Get("ETag")
	if !strings.HasSuffix(tag, `-1"`) {
		t.Errorf("ETag = %s, want one that nobody takes for an MD5", tag)
	}
	for _, tt := range []struct {
		headers []string
		status  int
	}{
		{[]string{"If-Match", tag}, 200},
		{[]string{"If-Match", `"x", ` + tag}, 200},
		{[]string{"If-Match", strings.Trim(tag, `"`)}, 200},
		{[]string{"If-Match", "*"}, 200},
		{[]string{"If-Match", `"x"`}, 412},
		{[]string{"If-None-Match", tag}, 304},
		{[]string{"If-None-Match", `"x"`}, 200},
		{[]string{"If-Modified-Since", ago(-time.Hour)}, 304},
		{[]string{"If-Modified-Since", ago(time.Hour)}, 200},
		{[]string{"If-Modified-Since", "soon"}, 200},
		{[]string{"If-Unmodified-Since", ago(time.Hour)}, 412},
		{[]string{"If-Unmodified-Since", ago(-time.Hour)}, 200},
		{[]string{"If-Match", tag, "If-Unmodified-Since", ago(time.Hour)}, 200},
		{[]string{"If-None-Match", `"x"`, "If-Modified-Since", ago(-time.Hour)}, 200},
	} {
		got := h.do(h.signed("GET", object, tt.headers...))
		if got.status != tt.status || got.status == 304 && (got.body != "" || got.header.Get("ETag") != tag) {
			t.Errorf("%v = %d %s, want %d", tt.headers, got.status, got.body, tt.status)
		}
		if got.status == 412 {
			h.wants("If-Match", got, 412, "PreconditionFailed")
		}
	}
}

// What was changed since it was signed, signed too long ago, or signed by somebody else
// opens nothing.
func TestRefusals(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := func(id, secret, token string) *http.Request {
		return signer.SignV4(*h.request("GET", object, "X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"), id, secret, token, "eu-west-1")
	}
	presigned := func(seconds int64) *http.Request {
		return signer.PreSignV4(*h.request("GET", object), keyID, secret, token, "eu-west-1", seconds)
	}
	change := func(r *http.Request, change func(*http.Request)) *http.Request { change(r); return r }
	header := func(name, value string) *http.Request {
		return change(h.signed("GET", object), func(r *http.Request) { r.Header.Set(name, value) })
	}
	authorization := func(old, with string) *http.Request {
		return change(h.signed("GET", object), func(r *http.Request) {
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), old, with, 1))
		})
	}
	dated := func(d time.Duration) *http.Request { // in the header and in the scope, which names the day
		return change(h.signed("GET", object), func(r *http.Request) {
			signed, stamp := r.Header.Get("X-Amz-Date"), time.Now().Add(d).UTC().Format("20060102T150405Z")
			r.Header.Set("X-Amz-Date", stamp)
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), signed[:8], stamp[:8], 1))
		})
	}
	for _, tt := range []struct {
		name   string
		r      *http.Request
		status int
		code   string
	}{
		{"good", h.signed("GET", object), 200, ""},
		{"good, presigned", presigned(60), 200, ""},
		{"no signature", h.request("GET", object), 403, "AccessDenied"},
		{"a bearer token", h.request("GET", object, "Authorization", "Bearer x"), 400, "InvalidRequest"},
		{"version 2", h.request("GET", object, "Authorization", "AWS a:b"), 400, "InvalidRequest"},
		{"nothing in it", h.request("GET", object, "Authorization", "AWS4-HMAC-SHA256", "X-Amz-Content-Sha256", "x"), 400, "AuthorizationHeaderMalformed"},
		{"another key", other("QUERN", secret, token), 400, "InvalidToken"},
		{"another token", other(keyID, secret, "x"), 400, "InvalidToken"},
		{"another secret", other(keyID, "guess", token), 403, "SignatureDoesNotMatch"},
		{"no token", other(keyID, secret, ""), 403, "InvalidAccessKeyId"},
		{"no hash", change(h.signed("GET", object), func(r *http.Request) { r.Header.Del("X-Amz-Content-Sha256") }), 400, "InvalidRequest"},
		{"another path", change(h.signed("GET", object), func(r *http.Request) { r.URL.Path += "x" }), 403, "SignatureDoesNotMatch"},
		{"another method", change(h.signed("GET", object), func(r *http.Request) { r.Method = "HEAD" }), 403, ""},
		{"another query", change(h.signed("GET", object), func(r *http.Request) { r.URL.RawQuery = "x-id=1" }), 403, "SignatureDoesNotMatch"},
		{"another hash", header("X-Amz-Content-Sha256", strings.Repeat("0", 64)), 403, "SignatureDoesNotMatch"},
		{"another host", change(h.signed("GET", object), func(r *http.Request) { r.Host = "evil.example" }), 403, "SignatureDoesNotMatch"},
		{"another second", dated(-time.Second), 403, "SignatureDoesNotMatch"},
		{"twenty minutes ago", dated(-20 * time.Minute), 403, "RequestTimeTooSkewed"},
		{"in twenty minutes", dated(20 * time.Minute), 403, "RequestTimeTooSkewed"},
		{"tomorrow", dated(24 * time.Hour), 403, "RequestTimeTooSkewed"},
		{"of another day than its scope", header("X-Amz-Date", "20200101T000000Z"), 400, "AuthorizationHeaderMalformed"},
		{"no time", header("X-Amz-Date", "now"), 400, "AuthorizationHeaderMalformed"},
		{"another region", authorization("anywhere", "nowhere"), 403, "SignatureDoesNotMatch"},
		{"another service", authorization("/s3/", "/sts/"), 400, "AuthorizationHeaderMalformed"},
		{"fewer headers", authorization("host;", ""), 403, "AccessDenied"},
		{"token not signed", authorization(";x-amz-security-token", ""), 403, "AccessDenied"},
		{"shorter signature", authorization("Signature=", "Signature=0"), 403, "SignatureDoesNotMatch"},
		{"twice", authorization("AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Signature=x,"), 400, "AuthorizationHeaderMalformed"},
		{"both ways", change(presigned(60), func(r *http.Request) { r.Header.Set("Authorization", "AWS4-HMAC-SHA256 x") }), 400, "InvalidArgument"},
		{"presigned for ever", presigned(8 * 24 * 3600), 400, "AuthorizationQueryParametersError"},
		{"presigned for no time", presigned(0), 400, "AuthorizationQueryParametersError"},
		{"presigned for longer", change(presigned(60), func(r *http.Request) {
			r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "Expires=60", "Expires=90", 1)
		}), 403, "SignatureDoesNotMatch"},
		{"presigned twice", change(presigned(60), func(r *http.Request) { r.URL.RawQuery += "&X-Amz-Date=1" }), 400, "AuthorizationQueryParametersError"},
		{"a query that is none", change(h.signed("GET", object), func(r *http.Request) { r.URL.RawQuery = "%zz" }), 400, "InvalidArgument"},
	} {
		h.wants(tt.name, h.do(tt.r), tt.status, tt.code)
	}
}

// A presigned URL holds for as long as it says, by the server's clock.
func TestPresignedURLsExpire(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for late, want := range map[time.Duration]int{-16 * time.Minute: 403, -14 * time.Minute: 200, 50 * time.Second: 200, 61 * time.Second: 403} {
		face, err := s3door.New(s3door.Options{
			Keys: h.keys, Objects: h.objects, PublicURL: h.url, Now: func() time.Time { return time.Now().Add(late) },
		})
		must(t, err)
		w := httptest.NewRecorder()
		face.ServeHTTP(w, signer.PreSignV4(*h.request("GET", object), keyID, secret, token, "eu-west-1", 60))
		if w.Code != want {
			t.Errorf("a URL of 60 s used after %v = %d %s, want %d", late, w.Code, w.Body, want)
		}
	}
}

// A proxy may put in its own host; clients signed the public one.
func TestThePublicHostCounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	r := h.request("GET", object, "X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")
	at := r.URL.Host
	r.Host, r.URL.Host = "quern.example", "quern.example"
	r = signer.SignV4(*r, keyID, secret, token, "anywhere")
	r.Host, r.URL.Host = at, at
	h.wants("a request signed for the public host", h.do(r), 200, "")
}

// What lies outside the key's folder is denied, however it is spelled, and the store is
// not asked for it.
func TestOneFolderOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for path, want := range map[string]string{
		"/tables/8/0.parquet":                 "AccessDenied",
		"/tables/7x/0.parquet":                "AccessDenied",
		"/tables/7":                           "AccessDenied",
		"/secret":                             "AccessDenied",
		"/tables%2F8%2F0.parquet":             "AccessDenied",
		"/tables/7/":                          "NoSuchKey",
		"/tables/7/none":                      "NoSuchKey",
		"/tables/7/metadata":                  "NoSuchKey",
		"/tables/7/metadata/":                 "NoSuchKey",
		"/tables/7/.hidden":                   "NoSuchKey",
		"/tables/7/%2e%2e/8/0":                "NoSuchKey",
		"/tables/7/..%2f8/0":                  "NoSuchKey",
		"/tables/7%2F..%2F8/0":                "NoSuchKey",
		"/tables/7/%2F8/0":                    "NoSuchKey",
		"/tables/7/..%5c8%5c0":                "NoSuchKey",
		"/tables/7/0.parquet%00":              "NoSuchKey",
		"/%2e%2e/tables/7/0":                  "AccessDenied",
		"/tables/8/%2e%2e/7/0":                "AccessDenied",
		"?list-type=2":                        "AccessDenied",
		"?prefix=":                            "AccessDenied",
		"?prefix=tables/":                     "AccessDenied",
		"?prefix=tables/7":                    "AccessDenied",
		"?prefix=tables/8/":                   "AccessDenied",
		"?prefix=tables/7x/":                  "AccessDenied",
		"?prefix=/tables/7/":                  "AccessDenied",
		"?prefix=tables/7/&max-keys=x":        "InvalidArgument",
		"?prefix=tables/7/&max-keys=-1":       "InvalidArgument",
		"?prefix=tables/7/&list-type=3":       "InvalidArgument",
		"?prefix=tables/7/&encoding-type=xml": "InvalidArgument",
		"?prefix=tables/7/&list-type=2&continuation-token=%2F": "InvalidArgument",
	} {
		status := map[string]int{"AccessDenied": 403, "NoSuchKey": 404, "InvalidArgument": 400}[want]
		h.wants(path, h.do(h.signed("GET", s3door.Path+path)), status, want)
		if got := h.do(h.signed("HEAD", s3door.Path+path)); path[0] == '/' && (got.status != status || got.body != "") {
			t.Errorf("HEAD %s = %d %q, want %d and no body", path, got.status, got.body, status)
		}
	}
	for _, path := range []string{"?prefix=tables/7/../8/", "?prefix=tables/7/%2F", "?list-type=2&prefix=tables/7/&max-keys=0"} {
		if got := h.do(h.signed("GET", s3door.Path+path)); got.status != 200 || strings.Contains(got.body, "<Contents>") {
			t.Errorf("%s = %d %s, want no objects", path, got.status, got.body)
		}
	}
	// What a mux would clean never gets here; the server refuses it.
	for _, path := range []string{"//tables/7/0.parquet", "/tables/7/../8/0.parquet", "/./tables/7/0.parquet"} {
		res, err := h.client.Do(h.signed("GET", s3door.Path+path))
		must(t, err)
		res.Body.Close()
		if res.StatusCode != 404 {
			t.Errorf("GET %s = %d, want 404", path, res.StatusCode)
		}
	}
}

// A failure of ours is one of S3's, and tells nothing of its cause.
func TestFailures(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	codes := map[quern.Kind]string{
		quern.Unauthentic: "InvalidToken", quern.Gone: "ExpiredToken", quern.NotFound: "AccessDenied", quern.Internal: "InternalError",
		quern.Unavailable: "ServiceUnavailable", quern.Throttled: "SlowDown",
	}
	for _, kind := range quern.Kinds() {
		h.keys.err = quern.E(kind, quern.CodeConflict, "hidden").Because(errors.New("hidden"))
		got := h.do(h.signed("GET", object))
		want, named := codes[kind]
		if got.status < 400 || got.fault.Code == "" || named && got.fault.Code != want || strings.Contains(got.body, "hidden") {
			t.Errorf("%v = %d %s, want %s and no detail", kind, got.status, got.body, want)
		}
		if (got.status == 500) != (kind == quern.Internal) || (got.status == 503) != (got.header.Get("Retry-After") != "") {
			t.Errorf("%v = %d with Retry-After %q", kind, got.status, got.header.Get("Retry-After"))
		}
		if head := h.do(h.signed("HEAD", object)); head.status != got.status || head.body != "" {
			t.Errorf("HEAD with %v = %d %q, want %d and no body", kind, head.status, head.body, got.status)
		}
	}
	h.keys.err = errors.New("hidden")
	h.wants("an unknown error", h.do(h.signed("GET", object)), 500, "InternalError")
	h.keys.err = context.DeadlineExceeded
	h.wants("an error that came too late", h.do(h.signed("GET", object)), 503, "ServiceUnavailable")
}

// cut is a store whose objects end before they should.
type cut struct{ blob.Store }

func (cut) Stat(_ context.Context, key string) (blob.Info, error) {
	return blob.Info{Key: key, Size: 1 << 20, Modified: time.Now()}, nil
}

func (cut) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(strings.Repeat("x", 600<<10))), nil
}

// Half an object does not look like a whole one.
func TestHalfAnObjectIsNone(t *testing.T) {
	t.Parallel()
	h := newHouseOver(t, cut{})
	res, err := h.client.Do(h.signed("GET", object))
	must(t, err)
	defer res.Body.Close()
	if n, err := io.Copy(io.Discard, res.Body); err == nil {
		t.Errorf("GET of an object that was cut = %d bytes and no error, want an error", n)
	}
}

// held is a store that answers when it is let go.
type held struct {
	blob.Store
	asked, release chan struct{}
}

func (s held) Stat(context.Context, string) (blob.Info, error) {
	s.asked <- struct{}{}
	<-s.release
	return blob.Info{}, blob.ErrNoObject
}

// Readers beyond the limit are told to come back later.
func TestTooManyReaders(t *testing.T) {
	t.Parallel()
	const limit = 256
	store := held{asked: make(chan struct{}, limit), release: make(chan struct{})}
	h := newHouseOver(t, store)
	var all sync.WaitGroup
	for range limit {
		all.Go(func() { h.wants("GET", h.do(h.signed("GET", object)), 404, "NoSuchKey") })
	}
	for range limit {
		<-store.asked
	}
	h.wants("one reader more", h.do(h.signed("GET", object)), 503, "SlowDown")
	close(store.release)
	all.Wait()
}

// FuzzAuthorization sends anything as a signature: without the secret it opens nothing,
// and it is never our fault.
func FuzzAuthorization(f *testing.F) {
	h := newHouse(f)
	good := h.signed("GET", object)
	for _, seed := range []string{"", "AWS4-HMAC-SHA256", "Bearer x", "AWS4-HMAC-SHA256 Credential=////,SignedHeaders=,Signature=",
		good.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=a/20261116/r/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=00"} {
		f.Add(seed, good.Header.Get("X-Amz-Date"), "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=1")
		f.Add(seed, "20260101T000000Z", "")
	}
	face, err := s3door.New(s3door.Options{Keys: h.keys, Objects: h.objects, PublicURL: "https://quern.example"})
	must(f, err)
	f.Fuzz(func(t *testing.T, authorization, date, query string) {
		if authorization == good.Header.Get("Authorization") && date == good.Header.Get("X-Amz-Date") {
			return
		}
		r := good.Clone(t.Context())
		r.RequestURI, r.URL.RawQuery = r.URL.Path, query
		r.Header.Set("X-Amz-Date", date)
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		face.ServeHTTP(w, r)
		if w.Code < 400 || w.Code >= 500 && w.Code != 501 || !strings.Contains(w.Body.String(), "<Code>") {
			t.Errorf("Authorization %q, %q, %q = %d %s, want a refusal", authorization, date, query, w.Code, w.Body)
		}
	})
}
