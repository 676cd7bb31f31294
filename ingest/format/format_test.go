package format_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/ingest/format"
)

// FuzzDetect holds the sniffers to their promise for any file: it is refused
// with a sentence, or its records are read to the end, none wider than the
// header, and the second reading gives what the first one gave.
func FuzzDetect(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a;b\r\n\"x;\ny\";2", "a\tb\r1\t2\r", "\xff\xfea\x00,\x00b\x00\n\x00", "\xef\xbb\xbfa|b\n", "name\nJos\xe9\n",
		`[{"a":1}]`, "{\"a\":1}\n{\"b\":2}\n", "<table><tr><td rowspan=3>1</table>", "PAR1", "%PDF-1.4", "PK\x03\x04", "\x1f\x8b\x08",
		"'a','b'\n'1','2'\n", "\"a", "\\\"", strings.Repeat("x,", 300), "plain text, with commas\nand lines\n", "\x00\x01\x02",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		items, err := format.Expand(path, "file", dir)
		refused(t, err)
		for _, it := range items {
			kind, err := format.Detect(it.Path, it.Name)
			if refused(t, err); err != nil || kind == format.JSON || kind == format.NDJSON || kind == format.Parquet || kind == format.PDF {
				continue
			}
			tables, err := format.Tables(it.Path, kind, format.Options{})
			refused(t, err)
			for _, table := range tables {
				first, second := readAll(t, table), readAll(t, table)
				if first != second {
					t.Errorf("reading twice gives %q and %q", first, second)
				}
			}
		}
	})
}

// refused fails the test for an error that is not a refusal.
func refused(t *testing.T, err error) {
	t.Helper()
	if err != nil && quern.KindOf(err) != quern.Invalid {
		t.Fatalf("error = %v, want a refusal", err)
	}
}

func readAll(t *testing.T, table format.Table) string {
	t.Helper()
	in, err := table.Open()
	if refused(t, err); err != nil {
		return ""
	}
	defer in.Close()
	var b bytes.Buffer
	for row := int64(1); ; row++ {
		rec, err := in.Next()
		fault, isFault := errors.AsType[*format.Fault](err)
		switch {
		case errors.Is(err, io.EOF):
			return b.String()
		case isFault:
			b.WriteString(fault.Error())
			continue
		case err != nil:
			refused(t, err)
			return b.String()
		}
		if len(rec.Cells) > len(in.Header()) || rec.Row != row {
			t.Fatalf("record %d has the number %d and %d cells under %d columns", row, rec.Row, len(rec.Cells), len(in.Header()))
		}
		for _, c := range rec.Cells {
			b.Write(c.Text)
			b.WriteByte('|')
		}
	}
}
