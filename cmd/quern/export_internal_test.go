package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesAreToldByTheirNames writes files that cannot be written: what is said names what was
// asked for, and not the file in the making.
func TestFilesAreToldByTheirNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing", "x.csv")
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	closed := func(f *os.File) error {
		_ = f.Close()
		_, err := f.WriteString("a")
		return err
	}
	errOther := errors.New("other")
	for _, tt := range []struct {
		path  string
		write func(*os.File) error
		want  string
	}{
		{missing, func(*os.File) error { return nil }, "open " + missing + ": no such file or directory"},
		{folder, func(*os.File) error { return nil }, folder},
		{filepath.Join(dir, "x.csv"), closed, "write " + filepath.Join(dir, "x.csv") + ": file already closed"},
		{filepath.Join(dir, "x.csv"), func(*os.File) error { return errOther }, "other"},
	} {
		err := writeWhole(tt.path, tt.write)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), string(filepath.Separator)+".") {
			t.Errorf("writeWhole(%s) = %v, want %q", tt.path, err, tt.want)
		}
		if tt.want == "other" && !errors.Is(err, errOther) {
			t.Errorf("writeWhole() = %v, want what write failed with", err)
		}
	}
}
