package pdfium_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern/ingest/pdfium"
)

// kept is where tests of several packages keep what was compiled.
var kept = filepath.Join(os.TempDir(), "quern-compiled")

// save writes a document of one page that is drawn by operators and shown turned.
func save(t *testing.T, turned int, operators string) string {
	t.Helper()
	var stream bytes.Buffer
	z := zlib.NewWriter(&stream)
	if _, err := io.WriteString(z, operators); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n")
	fmt.Fprintf(&b, "3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Rotate %d /Contents 4 0 R "+
		"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nendobj\n", turned)
	fmt.Fprintf(&b, "4 0 obj\n<< /Filter /FlateDecode /Length %d >>\nstream\n", stream.Len())
	b.Write(stream.Bytes())
	b.WriteString("\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n")
	path := filepath.Join(t.TempDir(), "it.pdf")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// words reads the words of a document of one page.
func words(t *testing.T, path, cache string) (all []pdfium.Word) {
	t.Helper()
	err := pdfium.Read(t.Context(), path, cache, func(_ int, w []pdfium.Word) error {
		all = append(all, w...)
		return nil
	})
	if err != nil {
		t.Fatalf("Read() = %v, want the words", err)
	}
	return all
}

// TestWordsStandAsThePageIsShown draws two words side by side and one below, as pages
// are shown after each of the turns that they may have.
func TestWordsStandAsThePageIsShown(t *testing.T) {
	t.Parallel()
	for turned, matrix := range map[int]string{0: "1 0 0 1 100 700", 90: "0 1 -1 0 100 100", 180: "-1 0 0 -1 500 100", 270: "0 -1 1 0 500 700"} {
		page := fmt.Sprintf("BT /F1 12 Tf %s Tm (left) Tj 100 0 Td (right) Tj -100 -40 Td (below) Tj ET", matrix)
		got := words(t, save(t, turned, page), kept)
		if len(got) != 3 || got[0].Text != "left" || got[1].Text != "right" || got[2].Text != "below" {
			t.Fatalf("words of a page turned by %d = %+v, want left, right, below", turned, got)
		}
		beside := got[1].Left > got[0].Right+50 && got[1].Top < got[0].Bottom && got[0].Top < got[1].Bottom
		below := got[2].Top > got[0].Bottom && got[2].Left < got[0].Right && got[0].Left < got[2].Right
		if !beside || !below {
			t.Errorf("words of a page turned by %d stand at %+v, want two beside one another and one below", turned, got)
		}
	}
}

func TestReadingEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	words(t, save(t, 0, "BT /F1 12 Tf 40 40 Td (a) Tj ET"), kept) // so that it is compiled
	endless := save(t, 0, "BT /F1 12 Tf 40 40 Td\n"+strings.Repeat("(text) Tj 0 0 Td\n", 6_000_000)+"ET\n")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	begun := time.Now()
	err := pdfium.Read(ctx, endless, kept, func(int, []pdfium.Word) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) > 20*time.Second {
		t.Errorf("Read() of a page without an end = %v after %v, want the end of its context", err, time.Since(begun))
	}
	if got := words(t, save(t, 0, "BT /F1 12 Tf 40 40 Td (after) Tj ET"), kept); len(got) != 1 || got[0].Text != "after" {
		t.Errorf("words of the next document = %+v, want after", got)
	}
}

func TestCompiledCodeIsKeptAndNeverNeeded(t *testing.T) {
	t.Parallel()
	if err := pdfium.Compile(kept); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(kept, "wazero-*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("after Compile() the folder holds %v, %v, want compiled code", files, err)
	}
	path := save(t, 0, "BT /F1 12 Tf 40 40 Td (words) Tj ET")
	blocked := filepath.Join(path, "no folder")
	if err := pdfium.Compile(blocked); err == nil {
		t.Error("Compile() into a folder that cannot be = nil, want an error")
	}
	if got := words(t, path, blocked); len(got) != 1 || got[0].Text != "words" {
		t.Errorf("words without a folder = %+v, want them all the same", got)
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "it.pdf")
	if err := os.WriteFile(path, []byte("%PDF-1.4\nno object at all"), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing := func(int, []pdfium.Word) error { return nil }
	if err := pdfium.Read(t.Context(), path, kept, nothing); !errors.Is(err, pdfium.ErrDamaged) {
		t.Errorf("Read(damaged) = %v, want ErrDamaged", err)
	}
	if err := pdfium.Read(t.Context(), path+"x", kept, nothing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read(missing) = %v, want that it does not exist", err)
	}
	stop := errors.New("stop")
	err := pdfium.Read(t.Context(), save(t, 0, "BT /F1 12 Tf (a) Tj ET"), kept, func(int, []pdfium.Word) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("Read() = %v, want the error of its caller", err)
	}
}
