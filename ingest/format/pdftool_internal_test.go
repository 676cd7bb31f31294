package format

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slowPDF writes a PDF file of one small page that takes long to read.
func slowPDF(t *testing.T, operators int) string {
	t.Helper()
	var stream bytes.Buffer
	z := zlib.NewWriter(&stream)
	_, _ = io.WriteString(z, "BT /F1 12 Tf 40 40 Td\n")
	for range operators {
		_, _ = io.WriteString(z, "(text) Tj 0 0 Td\n")
	}
	_, _ = io.WriteString(z, "ET\n")
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 " +
		">>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents 4 0 R " +
		"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nendobj\n")
	fmt.Fprintf(&b, "4 0 obj\n<< /Filter /FlateDecode /Length %d >>\nstream\n", stream.Len())
	b.Write(stream.Bytes())
	b.WriteString("\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n")
	path := filepath.Join(t.TempDir(), "slow.pdf")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPDFThatComputesTooLongIsRefused(t *testing.T) {
	t.Parallel()
	path := slowPDF(t, 6_000_000) // 100 MB of operators in 300 KB
	tool := pdfToText
	tool.cpu = time.Second
	err := tool.read(t.Context(), path, func(r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	}, "-bbox")
	if text, ok := Refused(err); !ok || !strings.Contains(text, "takes more than 1s of computing") {
		t.Errorf("reading the file = %v, want a refusal that names the budget", err)
	}
}

// TestMain lets the test below start this program as the server that is killed.
func TestMain(m *testing.M) {
	if path := os.Getenv("QUERN_TEST_PDF"); path != "" {
		err := pdfTool{name: os.Getenv("QUERN_TEST_TOOL"), cpu: time.Minute, wall: time.Minute, memory: 1 << 30}.
			read(context.Background(), path, func(r io.Reader) error {
				_, err := io.Copy(os.Stdout, r)
				return err
			})
		fmt.Println("ended:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestPDFToolEndsWithItsServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool, held := filepath.Join(dir, "tool"), filepath.Join(dir, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nexec 3>" + held + "\necho begun\nexec /bin/sleep 600\n"
	if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	// The tool holds the other end of this for as long as it lives.
	holding, err := os.OpenFile(held, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer holding.Close()
	server := exec.CommandContext(t.Context(), os.Args[0])
	server.Env = append(os.Environ(), "QUERN_TEST_PDF=some.pdf", "QUERN_TEST_TOOL="+tool)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 20)
	if n, err := out.Read(line); err != nil || string(line[:n]) != "begun\n" {
		t.Fatalf("the tool wrote %q, %v, want that it began", line[:n], err)
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	if err := holding.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := holding.Read(line); !errors.Is(err, io.EOF) {
		t.Errorf("the tool outlives the server that started it: %v", err)
	}
}
