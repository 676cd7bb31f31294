// Package upgrade holds the data directories that released binaries left, one for each
// schema version that was released, for tests to upgrade. It owns no behaviour.
package upgrade

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed schema-*.tar.gz
var released embed.FS

// Tokens are those of the users in a data directory.
type Tokens struct{ Ada, Bob, Revoked string }

// Versions lists the data directories there are, by names such as schema-10.
func Versions(t testing.TB) (names []string) {
	t.Helper()
	entries, err := released.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".tar.gz"))
	}
	return names
}

// Unpack makes a copy of a data directory that lasts as long as the test.
func Unpack(t testing.TB, name string) (dir string, tokens Tokens) {
	t.Helper()
	packed, err := released.ReadFile(name + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	if err := unpack(packed, top); err != nil {
		t.Fatalf("unpack %s = %v", name, err)
	}
	dir = filepath.Join(top, "data")
	text, err := os.ReadFile(filepath.Join(dir, "tokens.json"))
	if err == nil {
		err = json.Unmarshal(text, &tokens)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, tokens
}

func unpack(packed []byte, top string) error {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	entries := tar.NewReader(plain)
	for {
		entry, err := entries.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		path := filepath.Join(top, filepath.FromSlash(entry.Name))
		if entry.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o700); err != nil {
				return err
			}
			continue
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, os.FileMode(entry.Mode))
		if err != nil {
			return err
		}
		_, err = io.Copy(file, entries)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
}
