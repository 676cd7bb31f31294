package s3door_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"

	"quern/blob"
	"quern/s3door"
)

// A client of S3 finds, lists and reads what its key opens.
func TestAClientReads(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c := h.minio(keyID, secret, token)
	ctx := t.Context()
	if ok, err := c.BucketExists(ctx, s3door.Bucket); !ok || err != nil {
		t.Errorf("BucketExists = %v, %v, want it there", ok, err)
	}
	if region, err := c.GetBucketLocation(ctx, s3door.Bucket); region != s3door.Region || err != nil {
		t.Errorf("GetBucketLocation = %s, %v, want %s", region, err, s3door.Region)
	}
	for key, want := range map[string]string{segment: content, folder + "empty": "", folder + "metadata/a b+ü=&.avro": "odd"} {
		info, err := c.StatObject(ctx, s3door.Bucket, key, minio.StatObjectOptions{})
		if err != nil || info.Size != int64(len(want)) || time.Since(info.LastModified) > time.Hour || info.ETag == "" {
			t.Errorf("StatObject(%s) = %+v, %v, want %d bytes", key, info, err, len(want))
		}
		object, err := c.GetObject(ctx, s3door.Bucket, key, minio.GetObjectOptions{})
		must(t, err)
		if got, err := io.ReadAll(object); string(got) != want || err != nil {
			t.Errorf("GetObject(%s) = %q, %v, want %q", key, got, err, want)
		}
		must(t, object.Close())
	}
	var options minio.GetObjectOptions
	must(t, options.SetRange(4, 7))
	object, err := c.GetObject(ctx, s3door.Bucket, segment, options)
	must(t, err)
	defer object.Close()
	if got, err := io.ReadAll(object); string(got) != "4567" || err != nil {
		t.Errorf("GetObject(4 to 7) = %q, %v, want 4567", got, err)
	}
	url, err := c.PresignedGetObject(ctx, s3door.Bucket, segment, time.Minute, nil)
	must(t, err)
	if got := h.do(h.request("GET", strings.TrimPrefix(url.String(), h.url))); got.status != 200 || got.body != content {
		t.Errorf("GET of a presigned URL = %d %s, want the object", got.status, got.body)
	}
}

func TestAClientLists(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c := h.minio(keyID, secret, token)
	all := []string{"0.parquet", "empty", "metadata/1.json", "metadata/2.json", "metadata/a b+ü=&.avro"}
	for _, tt := range []struct {
		o    minio.ListObjectsOptions
		want []string
	}{
		{minio.ListObjectsOptions{Recursive: true}, all},
		{minio.ListObjectsOptions{Recursive: true, MaxKeys: 1}, all},
		{minio.ListObjectsOptions{Recursive: true, MaxKeys: 2, UseV1: true}, all},
		{minio.ListObjectsOptions{Recursive: true, StartAfter: folder + "metadata/1.json"}, all[3:]},
		{minio.ListObjectsOptions{}, []string{"0.parquet", "empty", "metadata/"}},
		{minio.ListObjectsOptions{MaxKeys: 1}, []string{"0.parquet", "empty", "metadata/"}},
		{minio.ListObjectsOptions{MaxKeys: 1, UseV1: true}, []string{"0.parquet", "empty", "metadata/"}},
		{minio.ListObjectsOptions{Prefix: "metadata/1", Recursive: true}, []string{"metadata/1.json"}},
		{minio.ListObjectsOptions{Prefix: "none"}, nil},
	} {
		tt.o.Prefix = folder + tt.o.Prefix
		seen := map[string]bool{}
		for o := range c.ListObjects(t.Context(), s3door.Bucket, tt.o) {
			name := strings.TrimPrefix(o.Key, folder)
			if o.Err != nil || seen[name] {
				t.Errorf("ListObjects(%+v) = %s twice, or %v", tt.o, name, o.Err)
			}
			seen[name] = true
			if name == "0.parquet" && (o.Size != int64(len(content)) || o.ETag == "" || time.Since(o.LastModified) > time.Hour) {
				t.Errorf("ListObjects(%+v) = %+v, want its size, tag and time", tt.o, o)
			}
		}
		for _, name := range tt.want {
			if !seen[name] {
				t.Errorf("ListObjects(%+v) = %v, want %s", tt.o, seen, name)
			}
		}
		if len(seen) != len(tt.want) {
			t.Errorf("ListObjects(%+v) = %v, want %v", tt.o, seen, tt.want)
		}
	}
}

// long is a store with many objects.
type long struct {
	blob.Store
	keys []string
}

func (s long) List(_ context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for _, key := range s.keys {
			if strings.HasPrefix(key, prefix) && !yield(blob.Info{Key: key}, nil) {
				return
			}
		}
	}
}

// Pages of a listing have at most a thousand names and together all of them.
func TestLongListings(t *testing.T) {
	t.Parallel()
	var want []string
	for i := range 1100 {
		want = append(want, fmt.Sprintf("%slong/%04d.parquet", folder, i))
	}
	h := newHouseOver(t, long{keys: want})
	first := h.do(h.signed("GET", s3door.Path+"?list-type=2&max-keys=5000&prefix="+folder+"long/"))
	if n := strings.Count(first.body, "<Contents>"); n != 1000 || !strings.Contains(first.body, "<MaxKeys>1000</MaxKeys>") {
		t.Errorf("a page of 5000 has %d objects, want 1000", n)
	}
	var got []string
	for o := range h.minio(keyID, secret, token).ListObjects(t.Context(), s3door.Bucket, minio.ListObjectsOptions{Prefix: folder + "long/"}) {
		must(t, o.Err)
		got = append(got, o.Key)
	}
	if !slices.Equal(got, want) {
		t.Errorf("ListObjects = %d objects, want 1100 in order", len(got))
	}
}

// Whatever a client would change, it cannot.
func TestAClientCannotWrite(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	c := h.minio(keyID, secret, token)
	_, err := c.PutObject(t.Context(), s3door.Bucket, segment, strings.NewReader("new"), 3, minio.PutObjectOptions{})
	if got := minio.ToErrorResponse(err); got.Code != "MethodNotAllowed" || got.StatusCode != 405 {
		t.Errorf("PutObject = %v, want MethodNotAllowed", err)
	}
	if got := minio.ToErrorResponse(c.RemoveObject(t.Context(), s3door.Bucket, segment, minio.RemoveObjectOptions{})); got.Code != "MethodNotAllowed" {
		t.Errorf("RemoveObject = %v, want MethodNotAllowed", got)
	}
	for _, method := range []string{"PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "NONSENSE"} {
		for _, target := range []string{s3door.Path, s3door.Path + "/" + segment, s3door.Path + "/" + segment + "?uploads"} {
			got := h.do(h.signed(method, target))
			h.wants(method+" "+target, got, 405, "MethodNotAllowed")
			if got.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s allows %q, want GET, HEAD", method, target, got.header.Get("Allow"))
			}
		}
	}
	for _, what := range []string{"?acl", "?versions", "?versioning", "?uploads", "?policy", "?tagging", "?lifecycle", "?location&acl", "/" + segment + "?acl",
		"/" + segment + "?versionId=1", "/" + segment + "?partNumber=1", "/" + segment + "?response-content-type=text/html", "/" + segment + "?torrent"} {
		h.wants(what, h.do(h.signed("GET", s3door.Path+what)), 501, "NotImplemented")
	}
	if got := h.do(h.signed("GET", s3door.Path+"/"+segment)); got.body != content {
		t.Errorf("the object is %q after all that, want %q", got.body, content)
	}
}
