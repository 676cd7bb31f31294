package fs_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"quern/blob"
	"quern/blob/fs"
)

const (
	benchPart  = 8 << 20
	benchParts = 128
)

// BenchmarkUpload sends 1 GiB in parts of 8 MiB, four at a time, over HTTP, and
// completes it. Its yardstick is BenchmarkFile.
func BenchmarkUpload(b *testing.B) {
	body := make([]byte, benchPart)
	rand.Read(body)
	var s *fs.Store
	server := startBench(b, func(w http.ResponseWriter, r *http.Request) { s.Handler().ServeHTTP(w, r) })
	s, err := fs.New(fs.Options{Dir: b.TempDir(), PublicURL: server})
	if err != nil {
		b.Fatalf("New() = %v, want nil", err)
	}
	b.SetBytes(benchPart * benchParts)
	for n := range b.N {
		key := fmt.Sprintf("upload/%d", n)
		id, err := s.Begin(b.Context(), key)
		if err != nil {
			b.Fatalf("Begin() = %v, want nil", err)
		}
		parts := make([]blob.Part, benchParts)
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for i := worker; i < benchParts; i += 4 {
					slot := blob.Slot{Key: key, UploadID: id, Number: i + 1, Offset: int64(i) * benchPart, Size: benchPart}
					parts[i] = benchSend(b, s, slot, body)
				}
			})
		}
		group.Wait()
		started := time.Now()
		if err := s.Complete(b.Context(), key, id, parts); err != nil {
			b.Fatalf("Complete() = %v, want nil", err)
		}
		b.ReportMetric(float64(time.Since(started).Milliseconds()), "complete-ms")
		b.StopTimer()
		s.Delete(b.Context(), key)
		b.StartTimer()
	}
}

func benchSend(b *testing.B, s *fs.Store, slot blob.Slot, body []byte) blob.Part {
	u, err := s.PresignPart(b.Context(), slot, time.Hour)
	if err != nil {
		b.Errorf("PresignPart() = %v, want nil", err)
	}
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPut, u, bytes.NewReader(body))
	if err != nil {
		b.Errorf("NewRequest() = %v, want nil", err)
		return blob.Part{}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Errorf("PUT = %v, want an answer", err)
		return blob.Part{}
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b.Errorf("PUT = %d, want 200", res.StatusCode)
	}
	return blob.Part{Number: slot.Number, ETag: res.Header.Get("ETag")}
}

// BenchmarkFile writes 1 GiB to one file and syncs it.
func BenchmarkFile(b *testing.B) {
	body := make([]byte, benchPart)
	rand.Read(body)
	dir := b.TempDir()
	b.SetBytes(benchPart * benchParts)
	for range b.N {
		f, err := os.Create(filepath.Join(dir, "file"))
		if err != nil {
			b.Fatalf("Create() = %v, want nil", err)
		}
		for range benchParts {
			if _, err := f.Write(body); err != nil {
				b.Fatalf("Write() = %v, want nil", err)
			}
		}
		if err := f.Sync(); err != nil {
			b.Fatalf("Sync() = %v, want nil", err)
		}
		f.Close()
		b.StopTimer()
		os.Remove(f.Name())
		b.StartTimer()
	}
}

func startBench(b *testing.B, handler http.HandlerFunc) string {
	server := httptest.NewServer(handler)
	b.Cleanup(func() {
		server.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return server.URL
}
