package format_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/ingest/format"
)

// TestOneForeignByte has a letter beyond ASCII at every place of a text, once in UTF-8 and
// once as a single byte, and wants the same text.
func TestOneForeignByte(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "text")
	for at := range 40 {
		before, after := strings.Repeat("x", at), strings.Repeat("y", 40-at)
		want := before + "é" + after
		for _, written := range []string{want, before + "\xe9" + after} {
			if err := os.WriteFile(path, []byte(written), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := readText(t, path); got != want {
				t.Errorf("text of %q = %q, want %q", written, got, want)
			}
		}
	}
}

// TestCharactersBetweenPieces has characters, and bytes that are none, where a file is cut into
// the pieces that are looked at.
func TestCharactersBetweenPieces(t *testing.T) {
	t.Parallel()
	const piece = 1 << 20
	path := filepath.Join(t.TempDir(), "text")
	for back := range 6 {
		before, after := strings.Repeat("x", piece-back), strings.Repeat("y", 100)
		for written, want := range map[string]string{
			"é": "é", "東": "東", "😀": "😀", "é東😀": "é東😀",
			"\xa9": "©", "x\xe9": "xé", "\xe9y": "éy", "\xa9\xa9": "©©", "é\xa9": "Ã©©", "é\xe9": "Ã©é",
		} {
			if err := os.WriteFile(path, []byte(before+written+after), 0o600); err != nil {
				t.Fatal(err)
			}
			got := strings.TrimRight(strings.TrimLeft(readText(t, path), "x"), "y")
			if want := strings.TrimRight(strings.TrimLeft(want, "x"), "y"); got != want {
				t.Errorf("%q, %d bytes before a piece ends, is read as %q, want %q", written, back, got, want)
			}
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := format.FindText(path)
	if err != nil {
		t.Fatalf("FindText() = %v, want nil", err)
	}
	in, closer, err := text.Open(nil)
	if err != nil {
		t.Fatalf("Open() = %v, want nil", err)
	}
	defer closer.Close()
	b, err := io.ReadAll(in)
	if err != nil {
		t.Fatalf("ReadAll() = %v, want nil", err)
	}
	return string(b)
}
