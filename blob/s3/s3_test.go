package s3_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/s3"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func options(g *blobtest.Gateway) s3.Options {
	return s3.Options{
		Endpoint: g.Endpoint, Bucket: g.Bucket, Region: g.Region,
		AccessKeyID: g.AccessKey, SecretAccessKey: g.SecretKey, PathStyle: true,
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	var buckets atomic.Int64
	blobtest.Run(t, func(t *testing.T) blobtest.Harness {
		o := options(g)
		o.Bucket = fmt.Sprintf("suite-%d", buckets.Add(1))
		s, err := s3.New(o)
		if err != nil {
			t.Fatalf("New(%+v) = %v, want nil", o, err)
		}
		if err := s.MakeBucket(t.Context()); err != nil {
			t.Fatalf("MakeBucket() = %v, want nil", err)
		}
		return blobtest.Harness{Store: s}
	})
}

func open(t *testing.T, o s3.Options) *s3.Store {
	t.Helper()
	s, err := s3.New(o)
	if err != nil {
		t.Fatalf("New() = %v, want nil", err)
	}
	return s
}

// TestGatewayKilled wants a service that is away to be told apart from one that
// has nothing, and everything to work again once it is back.
func TestGatewayKilled(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	s := open(t, options(g))
	if err := s.Ready(t.Context()); err != nil {
		t.Fatalf("Ready() = %v, want nil", err)
	}
	if err := s.Put(t.Context(), "kept", strings.NewReader("kept"), 4); err != nil {
		t.Fatalf("Put() = %v, want nil", err)
	}
	id, err := s.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	g.Kill()
	_, openErr := s.Open(t.Context(), "kept", 0, -1)
	_, statErr := s.Stat(t.Context(), "none")
	_, beginErr := s.Begin(t.Context(), "another")
	var listErr, partsErr, uploadsErr error
	for _, err := range s.List(t.Context(), "") {
		listErr = err
	}
	for _, err := range s.Parts(t.Context(), "up", id) {
		partsErr = err
	}
	for _, err := range s.Uploads(t.Context(), "") {
		uploadsErr = err
	}
	for op, err := range map[string]error{
		"Ready": s.Ready(t.Context()), "Put": s.Put(t.Context(), "new", strings.NewReader("x"), 1), "Open": openErr,
		"Stat": statErr, "Delete": s.Delete(t.Context(), "kept"), "List": listErr, "Begin": beginErr, "Parts": partsErr,
		"Complete": s.Complete(t.Context(), "up", id, []blob.Part{{Number: 1}}), "Abort": s.Abort(t.Context(), "up", id), "Uploads": uploadsErr,
	} {
		e, _ := errors.AsType[*quern.Error](err)
		if e == nil || e.Kind != quern.Unreachable || e.Code != quern.CodeUnreachable || strings.Contains(e.Detail, "127.0.0.1") {
			t.Errorf("%s without the service = %v, want kind unreachable", op, err)
		}
	}
	g.Start()
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("Ready() after the restart = %v, want nil", err)
	}
	if info, err := s.Stat(t.Context(), "kept"); err != nil || info.Size != 4 {
		t.Errorf("Stat(kept) after the restart = %+v, %v, want 4 bytes", info, err)
	}
	for p, err := range s.Parts(t.Context(), "up", id) {
		t.Errorf("Parts(up) yields %+v, %v, want an open upload without parts", p, err)
	}
}

// TestOpenRange reads parts of objects and tells versions apart.
func TestOpenRange(t *testing.T) {
	t.Parallel()
	s := open(t, options(blobtest.StartGateway(t)))
	put := func(text string) {
		t.Helper()
		if err := s.Put(t.Context(), "k", strings.NewReader(text), int64(len(text))); err != nil {
			t.Fatalf("Put() = %v, want nil", err)
		}
	}
	put("0123456789")
	r, first, err := s.OpenRange(t.Context(), "k", blob.Span{From: 2, To: 5}, "")
	if err != nil || first.Tag == "" || first.Size != 10 {
		t.Fatalf("OpenRange(2 to 5) = %+v, %v, want a version of 10 bytes", first, err)
	}
	text, err := io.ReadAll(r)
	if string(text) != "234" || err != nil || r.Close() != nil {
		t.Errorf("OpenRange(2 to 5) reads %q, %v, want 234", text, err)
	}
	r, again, err := s.OpenRange(t.Context(), "k", blob.Span{From: 9, To: 10}, first.Tag)
	if err != nil || again != first || r.Close() != nil {
		t.Errorf("OpenRange(the same version) = %+v, %v, want %+v", again, err, first)
	}
	put("abcdefghij")
	if _, _, err := s.OpenRange(t.Context(), "k", blob.Span{From: 2, To: 5}, first.Tag); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("OpenRange(another version) = %v, want %v", err, blob.ErrChanged)
	}
	if _, _, err := s.OpenRange(t.Context(), "k", blob.Span{From: 20, To: 25}, ""); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("OpenRange(beyond the end) = %v, want %v", err, blob.ErrChanged)
	}
	if _, _, err := s.OpenRange(t.Context(), "none", blob.Span{From: 0, To: 1}, ""); !quern.Is(err, quern.NotFound) {
		t.Errorf("OpenRange(no object) = %v, want kind not found", err)
	}
	for _, bad := range []blob.Span{{From: -1, To: 1}, {From: 1, To: 1}} {
		if _, _, err := s.OpenRange(t.Context(), "k", bad, ""); !quern.Is(err, quern.Invalid) {
			t.Errorf("OpenRange(%v) = %v, want kind invalid", bad, err)
		}
	}
}

// TestOpenRangeOfOthers wants services that do not read the part that was asked for, or do
// not tell of which version it is, to be told from those that do.
func TestOpenRangeOfOthers(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(w http.ResponseWriter){
		"all of it": func(w http.ResponseWriter) { w.Header().Set("ETag", `"x"`) },
		"another part": func(w http.ResponseWriter) {
			w.Header().Set("Content-Range", "bytes 0-2/10")
			w.Header().Set("ETag", `"x"`)
		},
		"no version": func(w http.ResponseWriter) { w.Header().Set("Content-Range", "bytes 2-4/10") },
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
			answer(w)
			if w.Header().Get("Content-Range") != "" {
				w.WriteHeader(http.StatusPartialContent)
			}
			_, _ = io.WriteString(w, "234")
		}))
		s := open(t, s3.Options{Endpoint: server.URL, Bucket: "bucket", AccessKeyID: "a", SecretAccessKey: "secret-key", PathStyle: true})
		_, _, err := s.OpenRange(t.Context(), "k", blob.Span{From: 2, To: 5}, "")
		if !errors.Is(err, blob.ErrNoRange) {
			t.Errorf("OpenRange(a service that gives %s) = %v, want %v", name, err, blob.ErrNoRange)
		}
		server.Close()
	}
}

// TestCutAnswer wants an object that is cut on its way to be an error, not a
// short object.
func TestCutAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
		w.Write(make([]byte, 500))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	s := open(t, s3.Options{Endpoint: server.URL, Bucket: "bucket", AccessKeyID: "a", SecretAccessKey: "secret-key", PathStyle: true})
	r, err := s.Open(t.Context(), "k", 0, -1)
	if err != nil {
		t.Fatalf("Open() = %v, want nil", err)
	}
	defer r.Close()
	if n, err := io.Copy(io.Discard, r); !quern.Is(err, quern.Unreachable) {
		t.Errorf("Read(cut after 500 of 1000) = %d, %v, want kind unreachable", n, err)
	}
}

func TestRefusedByTheService(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	o := options(g)
	o.Bucket = "no-such-bucket"
	if err := open(t, o).Ready(t.Context()); !quern.Is(err, quern.Unreachable) {
		t.Errorf("Ready(no bucket) = %v, want kind unreachable", err)
	}
	o = options(g)
	o.SecretAccessKey = "wrong-secret"
	_, err := open(t, o).Stat(t.Context(), "k")
	if e, _ := errors.AsType[*quern.Error](err); e == nil || e.Kind != quern.Internal || strings.Contains(e.Detail, "ignature") {
		t.Errorf("Stat(wrong secret) = %v, want kind internal", err)
	}
	s := open(t, options(g))
	for range 2 {
		if err := s.MakeBucket(t.Context()); err != nil {
			t.Errorf("MakeBucket() = %v, want nil", err)
		}
	}
}

// TestPublicEndpoint reaches the service under another name than the server's.
func TestPublicEndpoint(t *testing.T) {
	t.Parallel()
	g := blobtest.StartGateway(t)
	o := options(g)
	o.PublicEndpoint = strings.Replace(g.Endpoint, "127.0.0.1", "localhost", 1)
	s := open(t, o)
	id, err := s.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	u, err := s.PresignPart(t.Context(), blob.Slot{Key: "up", UploadID: id, Number: 1, Size: 5}, time.Minute)
	if err != nil || !strings.HasPrefix(u, o.PublicEndpoint+"/") {
		t.Fatalf("PresignPart() = %s, %v, want it at %s", u, err, o.PublicEndpoint)
	}
	target, _ := url.Parse(u)
	request := &http.Request{Method: "PUT", URL: target, Body: io.NopCloser(strings.NewReader("12345")), ContentLength: 5, Close: true}
	request.Host = target.Host
	target.Host = strings.TrimPrefix(g.Endpoint, "http://")
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("PUT = %v, want an answer", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("PUT under the public name = %d, want 200", res.StatusCode)
	}
}

func TestBadOptions(t *testing.T) {
	t.Parallel()
	good := s3.Options{Endpoint: "http://host", Bucket: "bucket", AccessKeyID: "a", SecretAccessKey: "b"}
	for name, change := range map[string]func(*s3.Options){
		"no bucket":        func(o *s3.Options) { o.Bucket = "" },
		"no endpoint":      func(o *s3.Options) { o.Endpoint = "" },
		"no scheme":        func(o *s3.Options) { o.Endpoint = "host:9000" },
		"other scheme":     func(o *s3.Options) { o.Endpoint = "ftp://host" },
		"path":             func(o *s3.Options) { o.Endpoint = "http://host/path" },
		"public with path": func(o *s3.Options) { o.PublicEndpoint = "http://host/path" },
	} {
		o := good
		change(&o)
		if _, err := s3.New(o); err == nil {
			t.Errorf("New(%s) = nil, want an error", name)
		}
	}
}
