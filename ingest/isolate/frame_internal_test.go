package isolate

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"quern/ingest/format"
)

// FuzzFrames holds the server to its promise for whatever a worker sends: it is
// refused, or it becomes tables whose records are none wider than their header.
func FuzzFrames(f *testing.F) {
	var good bytes.Buffer
	out := bufio.NewWriter(&good)
	must := func(err error) {
		if err != nil {
			f.Fatal(err)
		}
	}
	must(writeJSON(out, frameTable, tableFrame{Member: "m", Header: []string{"a", "b"}}))
	must(writeFrame(out, frameRecord, appendRecord(nil, format.Record{Row: 1, Cells: []format.Cell{{Text: []byte("x")}, {}}})))
	must(writeJSON(out, frameFault, faultFrame{Row: 2, Reason: "is odd"}))
	must(writeJSON(out, frameNotes, []string{"a note"}))
	must(writeFrame(out, frameDone, nil))
	must(out.Flush())
	f.Add(good.Bytes())
	f.Add([]byte("T\x02{}R\x01\x01N\x04nullD\x00"))
	f.Add([]byte("E\x03\"x\""))
	f.Add([]byte("R\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		file, err := os.Create(filepath.Join(t.TempDir(), "spool"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		s := &spool{file: file, left: 1 << 20}
		if s.fill(bytes.NewReader(sent)) != nil {
			return
		}
		for _, table := range s.tables {
			in, err := table.Open()
			if err != nil {
				t.Fatal(err)
			}
			for {
				rec, err := in.Next()
				if _, fault := errors.AsType[*format.Fault](err); fault {
					continue
				}
				if errors.Is(err, io.EOF) || err != nil {
					break
				}
				if len(rec.Cells) > len(in.Header()) {
					t.Fatalf("a record has %d cells under %d columns", len(rec.Cells), len(in.Header()))
				}
			}
		}
	})
}
