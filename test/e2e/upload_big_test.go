//go:build big

package e2e_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestBigUpload sends a file of 5 GiB, most of it a hole, cut off and resumed.
func TestBigUpload(t *testing.T) {
	t.Parallel()
	s := newFilesSite(t, "QUERN_UPLOAD_PART_SIZE=8MiB")
	path := filepath.Join(t.TempDir(), "big.bin")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const size = 5 << 30
	for _, at := range []int64{0, 1 << 20, size/2 - 3, size - 1} {
		if _, err := f.WriteAt([]byte("x"), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c := s.start("upload", path)
	s.network.Await(size / 4)
	s.crash()
	s.network.Await(size / 4)
	if r := c.end(syscall.SIGINT); r.code != 3 {
		t.Fatalf("interrupted upload = %+v, want code 3", r)
	}
	c = s.start("upload", "--resume", "--json", path)
	c.patience = 10 * time.Minute
	r := c.end(0)
	if r.code != 0 {
		t.Fatalf("resumed upload = %+v, want code 0", r)
	}
	s.holds(r.out)
}
