package query_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"quern"
	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/s3"
	"quern/catalog"
	"quern/engine"
	"quern/housetest"
	"quern/ingest"
	"quern/query"
	"quern/store"
)

// bucketHouse is a house whose objects are in the bucket of a real gateway, behind a proxy
// that counts and harms what goes through it.
type bucketHouse struct {
	*housetest.House
	t       *testing.T
	gateway *blobtest.Gateway
	bucket  *s3.Store
	ada     quern.Principal
	keys    []string
	bytes   int64 // of the objects

	got     atomic.Int64 // bytes of objects that were fetched
	asked   atomic.Int64 // requests for objects
	noRange atomic.Bool  // the gateway knows no ranges
	cut     atomic.Bool  // answers end early
}

func newBucketHouse(t *testing.T) *bucketHouse {
	t.Helper()
	b := &bucketHouse{House: housetest.New(t, housetest.Options{}), t: t, gateway: blobtest.StartGateway(t)}
	b.ada = b.User("ada")
	proxy := b.gateway.Proxy()
	proxy.ModifyResponse = b.count
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.noRange.Load() && r.Header.Get("Range") != "" {
			b.serveWhole(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	var err error
	b.bucket, err = s3.New(s3.Options{Endpoint: server.URL, Bucket: b.gateway.Bucket, Region: b.gateway.Region,
		AccessKeyID: b.gateway.AccessKey, SecretAccessKey: b.gateway.SecretKey, PathStyle: true})
	housetest.Must(t, err)
	return b
}

func (b *bucketHouse) count(r *http.Response) error {
	if r.Request.Method != http.MethodGet || !strings.Contains(r.Request.URL.Path, "/tables/") {
		return nil
	}
	b.asked.Add(1)
	b.got.Add(r.ContentLength)
	if b.cut.Load() {
		r.Body = io.NopCloser(io.LimitReader(r.Body, r.ContentLength/2))
	}
	return nil
}

// serveWhole answers a request for a part with all of the object.
func (b *bucketHouse) serveWhole(w http.ResponseWriter, r *http.Request) {
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, err := b.bucket.Open(r.Context(), key, 0, -1)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer body.Close()
	w.Header().Set("ETag", `"one"`)
	w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
	_, _ = io.Copy(w, body)
}

// service makes services with nothing in their cache, as after a start with an empty one.
func (b *bucketHouse) service(e engine.Engine) (*query.Service, *ingest.Service) {
	b.t.Helper()
	cache, err := blob.NewCache(b.bucket, b.t.TempDir(), 1<<30)
	housetest.Must(b.t, err)
	files := catalog.NewSegmentFiles(cache, b.Store, b.Options.Log)
	files.MakeRows(b.Engine, b.Temp)
	into := b.NewIngest(func(o *ingest.Options) { o.Objects, o.Files = b.bucket, files })
	b.got.Store(0)
	b.asked.Store(0)
	return query.New(query.Options{Catalog: b.Catalog, Files: files, Engine: e, Temp: b.Temp, MaxRows: 10_000}), into
}

// newFilledBucketHouse is one whose bucket has a dataset, of which nothing is here.
func newFilledBucketHouse(t *testing.T) *bucketHouse {
	t.Helper()
	b := newBucketHouse(t)
	_, into := b.service(b.Engine)
	b.fill(into)
	return b
}

// fill makes a dataset of three segments of 40,000 rows.
func (b *bucketHouse) fill(into *ingest.Service) {
	b.t.Helper()
	b.Ingest = into
	at := housetest.Path("ada", "far/orders")
	for range 3 {
		b.Fill(b.ada, at, 40_000, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"kind":"kind %d","amount":%d.25,"note":"%x a note that nobody asks for %x %x %x"}`,
				i, i%7, i, (i+1)*2654435761*40503, (i+7)*(i+3)*40503*2654435761, (i*i+5)*(i+3)*2246822519, (i*i+9)*(i+11)*3266489917)
		})
	}
	for info, err := range b.bucket.List(b.t.Context(), "tables/") {
		housetest.Must(b.t, err)
		b.keys, b.bytes = append(b.keys, info.Key), b.bytes+info.Size
	}
	if len(b.keys) != 3 || b.bytes < 3<<20 {
		b.t.Fatalf("the dataset has %d objects of %d bytes, want 3 of more than a megabyte each", len(b.keys), b.bytes)
	}
}

// ask returns the first row of a query.
func (b *bucketHouse) ask(s *query.Service, sql string) (string, error) {
	b.t.Helper()
	rows, err := s.SQL(b.t.Context(), b.ada, query.Request{In: quern.NamespacePath{Owner: "ada", Namespace: "far"}, SQL: sql})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		out = append(out, strings.Trim(fmt.Sprint(rows.Row()), "[]"))
	}
	return strings.Join(out, " "), rows.Err()
}

const (
	twoColumns       = "SELECT count(*), sum(id) FROM orders WHERE kind = 'kind 3'"
	twoColumnsAnswer = "17142 342814287"
	allColumns       = "SELECT count(*), max(length(note)) > 5, min(amount) FROM orders"
	allColumnsAnswer = "120000 true 0.25"
	oneGroup         = "SELECT min(id), max(kind), count(DISTINCT note) FROM orders WHERE id = 39999"
	oneGroupAnswer   = "39999 kind 1 1"
)

// wants wants an answer.
func (b *bucketHouse) wants(s *query.Service, sql, want string) {
	b.t.Helper()
	if got, err := b.ask(s, sql); err != nil || got != want {
		b.t.Errorf("SQL(%s) = %s, %v, want %s", sql, got, err, want)
	}
}

func (b *bucketHouse) sees(what string, ok bool) {
	b.t.Helper()
	if !ok {
		b.t.Errorf("%s: %d requests for %d bytes of %d", what, b.asked.Load(), b.got.Load(), b.bytes)
	}
}

// Of objects in a bucket what a query needs is fetched, and no more; what is there is not
// fetched again.
func TestQueryFetchesWhatItNeeds(t *testing.T) {
	t.Parallel()
	b := newFilledBucketHouse(t)
	s, _ := b.service(b.Engine)
	b.wants(s, twoColumns, twoColumnsAnswer)
	b.sees("two columns are fetched", b.got.Load() > 0 && b.got.Load() < b.bytes/3 && b.asked.Load() <= 9)
	before := b.asked.Load()
	b.wants(s, twoColumns, twoColumnsAnswer)
	b.wants(s, "SELECT count(DISTINCT kind) FROM orders", "7")
	b.sees("nothing is fetched twice", b.asked.Load() == before)
	b.wants(s, allColumns, allColumnsAnswer)
	b.sees("the rest is fetched", b.got.Load() >= b.bytes*9/10 && b.got.Load() <= b.bytes)
	b.wants(s, allColumns, allColumnsAnswer)

	s, _ = b.service(b.Engine)
	b.wants(s, oneGroup, oneGroupAnswer)
	b.sees("of row groups one each", b.got.Load() < b.bytes/2)
	if _, err := b.ask(s, "SELECT nothing FROM orders"); !quern.Is(err, quern.Invalid) {
		t.Errorf("SQL(no such column) = %v, want it refused", err)
	}

}

// Feet that nobody kept, are fetched once.
func TestQueryFetchesFeet(t *testing.T) {
	t.Parallel()
	b := newBucketHouse(t)
	b.fill(b.NewIngest(func(o *ingest.Options) { o.Objects = b.bucket })) // beside files on a disk, where feet are not kept
	kept := func() (feet map[string][]byte) {
		t.Helper()
		housetest.Must(t, b.Store.View(t.Context(), func(tx *store.Tx) (err error) {
			feet, err = tx.Feet(t.Context(), b.keys)
			return err
		}))
		return feet
	}
	if n := len(kept()); n != 0 {
		t.Fatalf("%d feet are kept by who has files, want none", n)
	}
	for range 2 {
		s, _ := b.service(b.Engine)
		b.wants(s, twoColumns, twoColumnsAnswer)
		b.sees("feet are fetched with what is needed", b.got.Load() < b.bytes/2 && b.asked.Load() <= 9)
		if n := len(kept()); n != len(b.keys) {
			t.Errorf("%d feet are kept, want %d", n, len(b.keys))
		}
	}
}

// A gateway that ignores ranges, cuts answers or is away never makes rows of what is not
// there.
func TestQueryOfAFaultyBucket(t *testing.T) {
	t.Parallel()
	b := newFilledBucketHouse(t)
	b.noRange.Store(true)
	s, _ := b.service(b.Engine)
	b.wants(s, twoColumns, twoColumnsAnswer)
	b.wants(s, allColumns, allColumnsAnswer)
	b.noRange.Store(false)

	s, _ = b.service(b.Engine)
	b.cut.Store(true)
	if got, err := b.ask(s, twoColumns); !quern.Is(err, quern.Unreachable) {
		t.Errorf("SQL(answers that are cut) = %s, %v, want kind unreachable", got, err)
	}
	b.cut.Store(false)
	b.wants(s, twoColumns, twoColumnsAnswer)

	b.gateway.Kill()
	b.wants(s, twoColumns, twoColumnsAnswer)
	if got, err := b.ask(s, allColumns); !quern.Is(err, quern.Unreachable) {
		t.Errorf("SQL(the bucket is away) = %s, %v, want kind unreachable", got, err)
	}
	b.gateway.Start()
	b.wants(s, allColumns, allColumnsAnswer)
}

// An object that was replaced, or is gone, is told from the one that parts were fetched of.
func TestQueryOfAnObjectThatChanged(t *testing.T) {
	t.Parallel()
	b := newFilledBucketHouse(t)
	s, _ := b.service(b.Engine)
	b.wants(s, twoColumns, twoColumnsAnswer)
	info, err := b.bucket.Stat(t.Context(), b.keys[0])
	housetest.Must(t, err)
	junk := strings.Repeat("junk", int(info.Size/4+1))[:info.Size]
	housetest.Must(t, b.bucket.Put(t.Context(), b.keys[0], strings.NewReader(junk), info.Size))
	lost := func(what string, s *query.Service) {
		t.Helper()
		got, err := b.ask(s, allColumns)
		if e, ok := errors.AsType[*quern.Error](err); !ok || e.Code != quern.CodeDataLost {
			t.Errorf("SQL(an object is %s) = %s, %v, want %s", what, got, err, quern.CodeDataLost)
		}
	}
	lost("replaced", s)
	s, _ = b.service(b.Engine)
	lost("replaced before", s)
	housetest.Must(t, b.bucket.Delete(t.Context(), b.keys[0]))
	s, _ = b.service(b.Engine)
	lost("gone", s)
}

// forgetful is an engine that has less fetched than it asks for.
type forgetful struct{ engine.Engine }

func (f forgetful) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	q.Fetch = func(context.Context, []engine.Span) error { return nil }
	return f.Engine.Query(ctx, q)
}

// A query that meets what was not fetched is run again over whole objects, once.
func TestQueryThatMeetsAHole(t *testing.T) {
	t.Parallel()
	b := newFilledBucketHouse(t)
	s, _ := b.service(forgetful{b.Engine})
	for range 2 {
		b.wants(s, twoColumns, twoColumnsAnswer)
		b.wants(s, allColumns, allColumnsAnswer)
		b.sees("whole objects are fetched", b.got.Load() == b.bytes && b.asked.Load() == 3)
	}
}
