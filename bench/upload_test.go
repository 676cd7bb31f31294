package bench_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/s3"
	"quern/client"
)

const uploadPart = 8 << 20

// uploadSource makes a file of a gibibyte of random bytes.
func uploadSource(b *testing.B) (path string, size int64) {
	b.Helper()
	size = int64(1 << 30 / *shrink)
	path = filepath.Join(b.TempDir(), "source")
	f, err := os.Create(path)
	if err == nil {
		_, err = io.CopyN(f, rand.Reader, size)
	}
	if err != nil || f.Close() != nil {
		b.Fatal(err)
	}
	return path, size
}

// upload sends the file as any HTTP client does, four parts at a time, and returns
// its session.
func (s *server) upload(path string, size int64) string {
	s.b.Helper()
	c, err := client.New(client.Options{Server: s.url, Token: s.token})
	if err != nil {
		s.b.Fatal(err)
	}
	prepared, err := c.Prepare(s.b.Context(), []client.NewFile{{Filename: filepath.Base(path), Size: size}})
	if err != nil {
		s.b.Fatal(err)
	}
	f := prepared.Files[0]
	tags := sendParts(s.b, path, size, func(part int) (string, error) { return f.URLs[part-1].URL, nil })
	parts := make([]client.Part, len(tags))
	for i, tag := range tags {
		parts[i] = client.Part{Number: i + 1, ETag: tag}
	}
	done, err := c.Finish(s.b.Context(), prepared.SessionID, f.FileID, f.UploadID, f.Key, parts)
	if err != nil || done.SessionStatus != client.Completed {
		s.b.Fatalf("finish = %+v, %v", done, err)
	}
	return prepared.SessionID
}

// sendParts sends a file to the URLs of its parts and returns their tags.
func sendParts(b *testing.B, path string, size int64, url func(part int) (string, error)) []string {
	b.Helper()
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	tags := make([]string, (size+uploadPart-1)/uploadPart)
	turns := make(chan struct{}, 4)
	var sending sync.WaitGroup
	for i := range tags {
		turns <- struct{}{}
		sending.Go(func() {
			defer func() { <-turns }()
			offset := int64(i) * uploadPart
			section := io.NewSectionReader(f, offset, min(uploadPart, size-offset))
			address, err := url(i + 1)
			if err != nil {
				b.Error(err)
				return
			}
			req, err := http.NewRequestWithContext(b.Context(), "PUT", address, section)
			if err != nil {
				b.Error(err)
				return
			}
			req.ContentLength = section.Size()
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				b.Error(err)
				return
			}
			resp.Body.Close()
			tags[i] = resp.Header.Get("ETag")
		})
	}
	sending.Wait()
	return tags
}

// BenchmarkUpload holds an upload against writing the file to the same disk.
func BenchmarkUpload(b *testing.B) {
	h := newHome(b)
	s := h.serve()
	path, size := uploadSource(b)
	idle, _ := s.memory()
	s.forgetPeak()
	copied := filepath.Join(h.data, "copied")
	ours, theirs := alternate(3, func() { s.upload(path, size) }, func() {
		_ = os.Remove(copied)
		if out, err := exec.Command("dd", "if="+path, "of="+copied, "bs=8M", "conv=fsync").CombinedOutput(); err != nil {
			b.Fatalf("dd = %v %s", err, out)
		}
	})
	record(b, result{
		What: fmt.Sprintf("upload of %d MiB, 4 parts of 8 MiB at a time", size>>20), Quern: seconds(ours), Other: seconds(theirs) + ", dd with fsync",
		Value: ours.Seconds() / theirs.Seconds(), Unit: "×", Aim: 1.3,
	})
	_, peak := s.memory()
	record(b, result{What: "memory of the uploads", Quern: fmt.Sprintf("%.0f MiB", peak), Other: fmt.Sprintf("%.0f MiB, idle", idle), Value: peak - idle, Unit: "MiB more", Aim: 128})
}

// BenchmarkUploadS3 holds an upload to a bucket against sending the same parts
// to the bucket without Quern.
func BenchmarkUploadS3(b *testing.B) {
	g := blobtest.StartGateway(b)
	h := newHome(b, "QUERN_S3_ENDPOINT="+g.Endpoint, "QUERN_S3_BUCKET="+g.Bucket, "QUERN_S3_REGION="+g.Region,
		"QUERN_S3_ACCESS_KEY_ID="+g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY="+g.SecretKey)
	s := h.serve()
	path, size := uploadSource(b)
	direct, err := s3.New(s3.Options{Endpoint: g.Endpoint, Bucket: g.Bucket, AccessKeyID: g.AccessKey, SecretAccessKey: g.SecretKey})
	if err != nil {
		b.Fatal(err)
	}
	empty := func() { // else the disk gets full
		for info, err := range direct.List(b.Context(), "") {
			if err == nil {
				err = direct.Delete(b.Context(), info.Key)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	ours, theirs := alternate(7, func() { s.upload(path, size) }, func() { sendDirect(b, direct, path, size) }, empty)
	record(b, result{
		What: fmt.Sprintf("upload of %d MiB to S3", size>>20), Quern: seconds(ours), Other: seconds(theirs) + ", to the bucket directly",
		Value: ours.Seconds() / theirs.Seconds(), Unit: "×", Aim: 1.05,
	})
}

// sendDirect sends the parts of a file as a client does that knows the bucket.
func sendDirect(b *testing.B, to *s3.Store, path string, size int64) {
	b.Helper()
	id, err := to.Begin(b.Context(), "direct")
	if err != nil {
		b.Fatal(err)
	}
	tags := sendParts(b, path, size, func(part int) (string, error) {
		offset := int64(part-1) * uploadPart
		return to.PresignPart(b.Context(), blob.Slot{Key: "direct", UploadID: id, Number: part, Size: min(uploadPart, size-offset)}, time.Hour)
	})
	parts := make([]blob.Part, len(tags))
	for i, tag := range tags {
		parts[i] = blob.Part{Number: i + 1, ETag: tag}
	}
	if err := to.Complete(b.Context(), "direct", id, parts); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkPrepare opens a session of a thousand files.
func BenchmarkPrepare(b *testing.B) {
	s := newHome(b).serve()
	files := strings.TrimSuffix(strings.Repeat(`{"filename":"f.csv","size":1000000},`, 1000), ",")
	request := []byte(`{"filesToUpload":[` + files + `]}`)
	var took []time.Duration
	for range 5 {
		start := time.Now()
		var answer bytes.Buffer
		s.call("POST", "/file-upload/prepare", request, &answer)
		took = append(took, time.Since(start))
	}
	record(b, result{What: "prepare of a session of 1,000 files", Quern: millis(median(took)), Other: "1 s", Value: median(took).Seconds(), Unit: "s", Aim: 1})
}
