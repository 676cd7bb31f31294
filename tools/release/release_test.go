package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

func TestPackageVersions(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"v1.2.0": "1.2.0", "1.2.0": "1.2.0", "v1.2.0-rc1": "1.2.0~rc1", "v1.2.0-5-gabcdef0": "1.2.0+5.gabcdef0",
		"v1.2.0-rc1-5-gabcdef0-dirty": "1.2.0~rc1+5.gabcdef0.dirty", "abcdef0-dirty": "0.0.0~git20261116120000.abcdef0.dirty",
	} {
		if got, err := packageVersion(label, noon); got != want || err != nil {
			t.Errorf("packageVersion(%q) = %q, %v, want %q", label, got, err, want)
		}
	}
	for _, label := range []string{"", "../x", "v1.2 3", "1.2.0;rm"} {
		if got, err := packageVersion(label, noon); err == nil {
			t.Errorf("packageVersion(%q) = %q, want an error", label, got)
		}
	}
}

func TestPagesOfTheManual(t *testing.T) {
	t.Parallel()
	r := &release{at: noon, label: "v1"}
	page, below := r.page("quern", "Grind files. Ask them.\n\n.not a request\n\nUsage:\n  quern [flags]\n\n"+
		"Available Commands:\n  ask         Ask\n  user-add    Add\n\n"+
		"Flags:\n  -h, --help   help\n\nUse \"quern [command] --help\" for more.\n")
	if !slices.Equal(below, []string{"ask", "user-add"}) {
		t.Errorf("page() finds the commands %v, want two", below)
	}
	text := string(page)
	for _, want := range []string{
		".TH QUERN 1 2026-11-16 \"Quern v1\" Quern\n.SH NAME\nquern \\- Grind files\n",
		".SH SYNOPSIS\n.nf\n  quern [flags]\n.fi\n.SH DESCRIPTION",
		"\n\\&.not a request\n", ".SH OPTIONS\n.nf\n  \\-h, \\-\\-help   help\n.fi\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("page() = %s, want %q in it", text, want)
		}
	}
	if strings.Contains(text, "Use \"quern") {
		t.Errorf("page() = %s, want the last line left out", text)
	}
}

// What the machine says of files, their times and owners, is not in an archive.
func TestArchivesAreTheSame(t *testing.T) {
	t.Parallel()
	write := func(at time.Time) []byte {
		source := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(source, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(source, at, at); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		files := []file{{source: source, target: "b/c/two", mode: 0o755}, {source: source, target: "b/one", mode: 0o644}}
		if err := pack(&out, files, noon); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	if a, b := write(noon), write(noon.Add(time.Hour)); !bytes.Equal(a, b) {
		t.Error("pack() gives other bytes for files of another time")
	}
}
