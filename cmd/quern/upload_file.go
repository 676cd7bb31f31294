package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quern/client"
)

// errChanged says that a file was written to while it was being sent.
var errChanged = errors.New("changed while it was being sent")

// openedFiles are the files of one upload, open for reading.
type openedFiles []openedFile

type openedFile struct {
	path string
	file *os.File
	info os.FileInfo
}

func openFiles(paths []string) (opened openedFiles, err error) {
	defer func() {
		if err != nil {
			opened.close()
		}
	}()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return opened, err
		}
		info, err := f.Stat()
		opened = append(opened, openedFile{path, f, info})
		if err != nil {
			return opened, err
		}
		if !info.Mode().IsRegular() {
			return opened, usageError{fmt.Sprintf("%s is not a file", path)}
		}
	}
	return opened, nil
}

func (o openedFiles) close() {
	for _, f := range o {
		f.file.Close()
	}
}

// files returns the files as the client takes them.
func (o openedFiles) files() []client.File {
	all := make([]client.File, len(o))
	for i, f := range o {
		all[i] = client.File{Name: filepath.Base(f.path), Size: f.info.Size(), Content: io.ReaderAt(f.file), Check: f.unchanged}
	}
	return all
}

func (f openedFile) unchanged() error {
	now, err := f.file.Stat()
	if err != nil {
		return err
	}
	if now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
		return fmt.Errorf("%s %w", f.path, errChanged)
	}
	return nil
}

// note is what to write down about an upload of the files.
func (o openedFiles) note(server string) uploadNote {
	n := uploadNote{Server: server, Files: make([]notedFile, len(o))}
	for i, f := range o {
		n.Files[i] = notedFile{Path: f.path, Size: f.info.Size(), Modified: f.info.ModTime().UTC().Truncate(time.Microsecond)}
	}
	return n
}
