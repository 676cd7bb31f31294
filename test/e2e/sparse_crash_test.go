package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/blob/s3"
)

// Queries over the datasets of a bucket, of some columns and of most that there is.
const (
	someColumns       = "SELECT count(*) AS n, sum(id) AS ids FROM orders WHERE kind = 'kind 3'"
	someColumnsAnswer = `{"n":6000,"ids":125997000,`
	mostColumns       = "SELECT count(*) AS n, sum(length(note)) AS letters, sum(id) AS ids FROM orders"
	mostColumnsAnswer = `{"n":42000,"letters":8064000,"ids":881979000,`
)

// A server is killed while parts of objects come into its sparse copies. The next one takes
// nothing of them for data: its answers are those of the objects, and what it keeps as a whole
// object is one.
func TestKillsWhileObjectsAreFetched(t *testing.T) {
	t.Parallel()
	b := newHeldBucket(t)
	b.fill()

	b.killWhileFetching() // with nothing here
	b.wants(someColumns, someColumnsAnswer)
	b.killWhileFetching() // with some columns here
	b.wants(someColumns, someColumnsAnswer)
	b.wants(mostColumns, mostColumnsAnswer)
	b.awaitWhole(len(b.objects))
	b.server.kill() // with all of it here
	b.serve()
	fetched := b.fetched.Load()
	b.wants(someColumns, someColumnsAnswer)
	b.wants(mostColumns, mostColumnsAnswer)
	if again := b.fetched.Load() - fetched; again != 0 {
		t.Errorf("%d parts of objects were fetched that were here, want none", again)
	}
	b.awaitWhole(len(b.objects))
}

// heldBucket is an installation over the bucket of a real gateway, behind a proxy that can hold
// answers back.
type heldBucket struct {
	*home
	gateway *blobtest.Gateway
	server  *server
	token   string
	objects [][]byte // of the bucket

	fetched atomic.Int64  // parts of objects that were asked for
	holding atomic.Bool   // answers stop in their middle
	free    chan struct{} // closed at the end of the test
}

func newHeldBucket(t *testing.T) *heldBucket {
	t.Helper()
	g := blobtest.StartGateway(t)
	b := &heldBucket{gateway: g, free: make(chan struct{})}
	proxy := g.Proxy()
	proxy.FlushInterval = -1
	proxy.ModifyResponse = b.hold
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	t.Cleanup(func() { close(b.free) })
	b.home = newHome(t, "QUERN_S3_ENDPOINT="+front.URL, "QUERN_S3_BUCKET="+g.Bucket, "QUERN_S3_REGION="+g.Region,
		"QUERN_S3_ACCESS_KEY_ID="+g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY="+g.SecretKey, "QUERN_UPKEEP_INTERVAL=1h")
	b.must("", "user", "add", "ada", "--generate")
	b.token = b.must("", "token", "create", "--user", "ada")
	b.serve()
	return b
}

// hold counts answers with parts of objects, and lets half of each through while it holds them.
func (b *heldBucket) hold(r *http.Response) error {
	if r.Request.Header.Get("Range") == "" || !strings.Contains(r.Request.URL.Path, "/tables/") {
		return nil
	}
	b.fetched.Add(1)
	if b.holding.Load() {
		r.Body = &heldBody{b, io.LimitReader(r.Body, r.ContentLength/2), r.Body}
	}
	return nil
}

// heldBody is a body that stops in its middle, until the test ends.
type heldBody struct {
	bucket *heldBucket
	half   io.Reader
	io.Closer
}

func (h *heldBody) Read(p []byte) (int, error) {
	n, err := h.half.Read(p)
	if n == 0 && err == io.EOF {
		<-h.bucket.free
	}
	return n, err
}

func (b *heldBucket) serve() { b.server = b.home.serve() }

// fill makes a dataset of three segments that is indexed for questions, by a server whose
// copies of them are gone afterwards.
func (b *heldBucket) fill() {
	b.t.Helper()
	const rows = 14_000
	for part := range 3 {
		lines := make([]string, rows)
		for i := range lines {
			id := part*rows + i
			lines[i] = fmt.Sprintf(`{"id":%d,"kind":"kind %d","note":"%s"}`, id, id%7, longNote(id))
		}
		if r := b.server.call("POST", "/api/v1/ingest/far/orders", b.token, `{"data":[`+strings.Join(lines, ",")+`]}`); r.status != 200 {
			b.t.Fatalf("ingest = %d %s, want 200", r.status, r.body)
		}
	}
	b.wants(someColumns, someColumnsAnswer)
	b.wants(mostColumns, mostColumnsAnswer)
	b.awaitIndexed()
	b.server.stop()
	bucket, err := s3.New(s3.Options{Endpoint: b.gateway.Endpoint, Bucket: b.gateway.Bucket, Region: b.gateway.Region,
		AccessKeyID: b.gateway.AccessKey, SecretAccessKey: b.gateway.SecretKey, PathStyle: true})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, key := range objectKeys(b.t, bucket) {
		b.objects = append(b.objects, readObject(b.t, bucket, key))
	}
	if err := os.RemoveAll(filepath.Join(b.data, "cache")); err != nil || len(b.objects) != 3 {
		b.t.Fatalf("the bucket has %d objects, %v, want three segments", len(b.objects), err)
	}
	b.serve()
}

// longNote returns 192 letters that hardly repeat.
func longNote(id int) string {
	var note strings.Builder
	for x := uint64(id + 1); note.Len() < 192; {
		x = x*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(&note, "%016x", x)
	}
	return note.String()
}

// readObject returns what an object holds.
func readObject(t *testing.T, bucket *s3.Store, key string) []byte {
	t.Helper()
	r, err := bucket.Open(t.Context(), key, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	all, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// awaitIndexed has the dataset indexed, which reads whole objects, so that no later server does.
func (b *heldBucket) awaitIndexed() {
	b.t.Helper()
	b.server.call("POST", "/api/v1/query/autorag", b.token, `{"username":"self","namespace":"far","query":"how many orders are there?"}`)
	for deadline := time.Now().Add(patience); ; <-time.After(10 * time.Millisecond) {
		metrics := b.server.call("GET", "/metrics", "", "").body
		_, indexes, found := strings.Cut(metrics, "\nquern_cache_bytes{cache=\"value_indexes\"} ")
		if found && !strings.HasPrefix(indexes, "0\n") {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatal("the dataset is not indexed")
		}
	}
}

// wants wants an answer.
func (b *heldBucket) wants(sql, want string) {
	b.t.Helper()
	r := b.server.call("POST", "/api/v1/query", b.token, queryBody(b.t, "ada/far", sql))
	if !strings.Contains(r.body, want) {
		b.t.Errorf("%s = %d %s, want %s", sql, r.status, r.body, want)
	}
}

// killWhileFetching kills the server when half of what a query needs is in its sparse copies,
// and starts the next one.
func (b *heldBucket) killWhileFetching() {
	b.t.Helper()
	b.holding.Store(true)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		req, err := http.NewRequest(http.MethodPost, b.server.url+"/api/v1/query", strings.NewReader(queryBody(b.t, "ada/far", mostColumns)))
		if err != nil {
			b.t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+b.token)
		req.Header.Set("Content-Type", "application/json")
		if res, err := (&http.Client{}).Do(req); err == nil {
			b.t.Errorf("%s = %s of half the objects, want no answer", mostColumns, res.Status)
			res.Body.Close()
		}
	}()
	const much = 256 << 10
	for deadline := time.After(patience); b.halfFilled(much) < len(b.objects); {
		select {
		case <-time.After(time.Millisecond):
			continue
		case <-asked:
		case <-deadline:
		}
		b.t.Fatalf("%d copies are filled by half, want %d", b.halfFilled(much), len(b.objects))
	}
	b.server.kill()
	<-asked
	b.holding.Store(false)
	b.serve()
	if n := b.halfFilled(0); n != 0 {
		b.t.Errorf("the next server has %d sparse copies of the one before, want none", n)
	}
	b.awaitWhole(0)
}

// halfFilled returns how many sparse copies hold so many bytes and not all.
func (b *heldBucket) halfFilled(bytes int64) (n int) {
	for _, path := range b.cached(".sparse") {
		var stat syscall.Stat_t
		if err := syscall.Stat(path, &stat); err == nil && stat.Blocks*512 >= bytes && stat.Blocks*512 < stat.Size {
			n++
		}
	}
	return n
}

// cached returns the files of the cache with a suffix.
func (b *heldBucket) cached(suffix string) []string {
	paths, err := filepath.Glob(filepath.Join(b.data, "cache", "*"+suffix))
	if err != nil {
		b.t.Fatal(err)
	}
	return paths
}

// awaitWhole waits until the cache has so many files of whole objects, and wants each to be one.
func (b *heldBucket) awaitWhole(n int) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); len(b.cached(".object")) < n; <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%d whole objects are here, want %d", len(b.cached(".object")), n)
		}
	}
	for _, path := range b.cached(".object") {
		file, err := os.ReadFile(path)
		if err != nil || !slices.ContainsFunc(b.objects, func(object []byte) bool { return bytes.Equal(object, file) }) {
			b.t.Errorf("%s, %d bytes, %v, is no object of the bucket", filepath.Base(path), len(file), err)
		}
	}
}
