package bench_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/s3"
)

// distance is how long a bucket that is far away takes to begin to answer.
const distance = 30 * time.Millisecond

// distantColumns is how many columns the wide table has beyond those of the others.
const distantColumns = 20

// BenchmarkDistant asks tables whose segments are in a bucket far away: with nothing of
// them here, beside fetching all of their objects and asking these.
func BenchmarkDistant(b *testing.B) {
	b.Run("narrow", func(b *testing.B) { benchDistant(b, "", func(line []byte, _ *rand.Rand) []byte { return line }) })
	b.Run("wide", func(b *testing.B) {
		benchDistant(b, fmt.Sprintf(" of %d columns", len(columns)+distantColumns), widen)
	})
}

// widen adds columns to a row: half of them numbers, half texts of which there are some.
func widen(line []byte, random *rand.Rand) []byte {
	wide := bytes.TrimSuffix(line, []byte("}"))
	for i := range distantColumns / 2 {
		wide = fmt.Appendf(wide, `,"measure %d":%.3f,"label %d":"label %d"`, i, random.Float64()*1000, i, random.IntN(5000))
	}
	return append(wide, '}')
}

func benchDistant(b *testing.B, of string, change func(line []byte, random *rand.Rand) []byte) {
	b.Helper()
	const requests = 10
	per := 100_000 / *shrink
	g := blobtest.StartGateway(b)
	far := farAway(b, g)
	h := newHome(b, "QUERN_S3_ENDPOINT="+far, "QUERN_S3_BUCKET="+g.Bucket, "QUERN_S3_REGION="+g.Region,
		"QUERN_S3_ACCESS_KEY_ID="+g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY="+g.SecretKey,
		"QUERN_BODY_LIMIT=128MiB")
	s := h.serve()
	random := rand.New(rand.NewPCG(7, 8))
	for i := range requests {
		_, lines := body(random, i*per, per)
		rows := [][]byte{}
		for line := range bytes.Lines(lines) {
			rows = append(rows, change(bytes.TrimSpace(line), random))
		}
		s.ingest("distant", fmt.Appendf(nil, `{"data":[%s]}`, bytes.Join(rows, []byte(","))))
	}
	s.stop()
	bucket, err := s3.New(s3.Options{Endpoint: far, Bucket: g.Bucket, AccessKeyID: g.AccessKey, SecretAccessKey: g.SecretKey})
	if err != nil {
		b.Fatal(err)
	}
	r, dir := openRaw(b), b.TempDir()
	for _, q := range questions {
		sql := fmt.Sprintf(q.sql, "distant")
		var first, again, fetched []time.Duration
		for range 5 {
			one, other := h.askDistant(sql)
			first, again = append(first, one), append(again, other)
			begun := time.Now()
			r.run(fmt.Sprintf(q.sql, parquetFiles(fetchAll(b, bucket, dir))))
			fetched = append(fetched, time.Since(begun))
		}
		what := fmt.Sprintf("%s over %d rows%s in a bucket %s away, nothing of it here", q.name, requests*per, of, distance)
		record(b, result{What: what, Quern: millis(median(first)) + "; again " + millis(median(again)),
			Other: millis(median(fetched)) + ", all its objects fetched, then DuckDB", Value: median(first).Seconds() / median(fetched).Seconds(), Unit: "×", Aim: q.distant})
	}
}

// farAway serves a gateway as if it were far away, and returns its address.
func farAway(b *testing.B, g *blobtest.Gateway) string {
	b.Helper()
	proxy := g.Proxy()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-time.After(distance)
		proxy.ServeHTTP(w, r)
	}))
	b.Cleanup(far.Close)
	return far.URL
}

// askDistant starts a server that has no object here, and returns how long a query takes, and
// how long it takes again.
func (h *home) askDistant(sql string) (first, again time.Duration) {
	h.b.Helper()
	if err := os.RemoveAll(filepath.Join(h.data, "cache")); err != nil {
		h.b.Fatal(err)
	}
	s := h.serve()
	defer s.stop()
	s.query("SELECT 1 AS one") // what every first request waits for
	s.rest()                   // until all workers are there
	begun := time.Now()
	s.query(sql)
	first = time.Since(begun)
	begun = time.Now()
	s.query(sql)
	return first, time.Since(begun)
}

// fetchAll fetches all objects of a bucket into a folder, eight at a time, and returns their
// files.
func fetchAll(b *testing.B, bucket *s3.Store, dir string) (files []string) {
	b.Helper()
	turns := make(chan struct{}, 8)
	var fetching sync.WaitGroup
	for info, err := range bucket.List(b.Context(), "") {
		if err != nil {
			b.Fatal(err)
		}
		file := filepath.Join(dir, strconv.Itoa(len(files))+".parquet")
		files = append(files, file)
		turns <- struct{}{}
		fetching.Go(func() {
			defer func() { <-turns }()
			if err := fetch(b, bucket, info, file); err != nil {
				b.Error(err)
			}
		})
	}
	fetching.Wait()
	return files
}

// fetch fetches an object into a file.
func fetch(b *testing.B, bucket *s3.Store, info blob.Info, file string) error {
	b.Helper()
	object, err := bucket.Open(b.Context(), info.Key, 0, info.Size)
	if err != nil {
		return err
	}
	here, err := os.Create(file)
	if err != nil {
		return errors.Join(err, object.Close())
	}
	_, err = io.Copy(here, object)
	return errors.Join(err, here.Close(), object.Close())
}
