package pdfium_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/ingest/pdfium"
)

// BenchmarkRead reads the words of a hundred pages of tables, in a process that has read
// a document before.
func BenchmarkRead(b *testing.B) {
	const pages, rows, columns = 100, 38, 6
	path := filepath.Join(b.TempDir(), "pages.pdf")
	if err := os.WriteFile(path, tablePages(pages, rows, columns), 0o600); err != nil {
		b.Fatal(err)
	}
	read := func() {
		n := 0
		err := pdfium.Read(b.Context(), path, kept, func(_ int, words []pdfium.Word) error {
			n += len(words)
			return nil
		})
		if err != nil || n != pages*rows*columns {
			b.Fatalf("Read() = %d words, %v, want %d", n, err, pages*rows*columns)
		}
	}
	read()
	for b.Loop() {
		read()
	}
}

// tablePages makes a document of pages with words in rows and columns.
func tablePages(pages, rows, columns int) []byte {
	var b bytes.Buffer
	kids := make([]string, pages)
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", 4+2*i)
	}
	fmt.Fprintf(&b, "%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n"+
		"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n", strings.Join(kids, " "), pages)
	for i := range pages {
		var page strings.Builder
		for n := range rows * columns {
			fmt.Fprintf(&page, "BT /F1 10 Tf %d %d Td (%d.%05d) Tj ET\n", 40+90*(n%columns), 790-20*(n/columns), i, n)
		}
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>\n"+
			"endobj\n%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", 4+2*i, 5+2*i, 5+2*i, page.Len(), page.String())
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\n%%%%EOF\n", 4+2*pages)
	return b.Bytes()
}
