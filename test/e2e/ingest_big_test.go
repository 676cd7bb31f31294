//go:build big

package e2e_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// bigFile is how large the files are that are ingested within bigMemory.
	bigFile   = 1 << 30
	bigMemory = 512 << 20
)

// peak is the most memory that the server has had resident so far.
func (s *site) peak() int64 {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.server.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			kib, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return kib << 10
		}
	}
	s.t.Fatalf("the status of the server has no VmHWM:\n%s", text)
	return 0
}

// bigCSV writes lines until the file is large enough.
func (s *site) bigCSV(header string, line func(*bufio.Writer, int)) (path string, rows int) {
	s.t.Helper()
	path = filepath.Join(s.t.TempDir(), "big.csv")
	f, err := os.Create(path)
	if err != nil {
		s.t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, header)
	for size := int64(0); size < bigFile; rows++ {
		line(w, rows)
		if rows%10_000 == 0 {
			if err := w.Flush(); err != nil {
				s.t.Fatal(err)
			}
			info, err := f.Stat()
			if err != nil {
				s.t.Fatal(err)
			}
			size = info.Size()
		}
	}
	if err := w.Flush(); err != nil {
		s.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		s.t.Fatal(err)
	}
	return path, rows
}

// TestBigFileInLittleMemory ingests a gibibyte of CSV in every way in which CSV is
// read: by the engine as it is, written anew for it, and row by row.
func TestBigFileInLittleMemory(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		line         func(*bufio.Writer, int)
		options      []string
	}{
		{"as it is", "id,name,price,day,note", func(w *bufio.Writer, i int) {
			fmt.Fprintf(w, "%d,name %d,%d.%02d,2024-01-%02d,\"a note, of some length, about %d\"\n", i, i%5000, i%1000, i%100, 1+i%28, i)
		}, nil},
		{"written anew", "id;name;price;day;note", func(w *bufio.Writer, i int) {
			fmt.Fprintf(w, "%d;name %d;%d,%02d;%02d.01.2024;a note of some length about %d\n", i, i%5000, i%1000, i%100, 1+i%28, i)
		}, nil},
		{"row by row", "id,name,price,day,note", func(w *bufio.Writer, i int) {
			fmt.Fprintf(w, "%d,name %d,%d.%02d,2024-01-%02d,a note of some length about %d\n", i, i%5000, i%1000, i%100, 1+i%28, i)
		}, []string{"--on-error", "quarantine"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFilesSite(t, "QUERN_UPLOAD_PART_SIZE=8MiB")
			path, rows := s.bigCSV(tt.header, tt.line)
			started := time.Now()
			c := s.start(append([]string{"upload", "--to", "shop/sales", "--json", path}, tt.options...)...)
			c.patience = 20 * time.Minute
			r := c.end(0)
			if r.code != 0 || !strings.Contains(r.out, fmt.Sprintf(`"processedRows": %d`, rows)) {
				t.Fatalf("quern upload --to = %+v, want %d rows", r, rows)
			}
			peak := s.peak()
			t.Logf("%d rows in %v, at most %d MiB", rows, time.Since(started).Round(time.Second), peak>>20)
			if peak > bigMemory {
				t.Errorf("the server took %d MiB, want at most %d", peak>>20, bigMemory>>20)
			}
			got := s.must("", "query", "-n", "shop", "SELECT max(id) AS high, sum(id) AS total FROM sales")
			if want := fmt.Sprintf("%d  %d", rows-1, rows*(rows-1)/2); !strings.Contains(got, want) {
				t.Errorf("the ids are %q, want %q", got, want)
			}
		})
	}
}

// TestLineOfTwoGigabytes ingests a file whose second line does not end.
func TestLineOfTwoGigabytes(t *testing.T) {
	s := newFilesSite(t, "QUERN_UPLOAD_PART_SIZE=8MiB")
	path := filepath.Join(t.TempDir(), "line.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("a,b\n"); err != nil {
		t.Fatal(err)
	}
	piece := []byte(strings.Repeat("x", 1<<20))
	for range 2000 {
		if _, err := f.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c := s.start("upload", "--to", "shop/sales", path)
	c.patience = 20 * time.Minute
	if r := c.end(0); r.code != 1 || !strings.Contains(r.err, "line.csv: line 2 is longer than 16 MiB") {
		t.Errorf("quern upload --to of one line = %+v, want code 1 and the line", r)
	}
	peak := s.peak()
	t.Logf("a line of 2 GB failed within %d MiB", peak>>20)
	if peak > bigMemory {
		t.Errorf("the server took %d MiB, want at most %d", peak>>20, bigMemory>>20)
	}
}
