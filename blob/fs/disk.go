package fs

import (
	"io"
	iofs "io/fs"
	"os"
	"path/filepath"
)

// Disk is what the store asks of a file system. Names are absolute paths. What
// has been written to a file lasts once File.Sync has returned; that a name is
// there, or gone, lasts once SyncDir of its folder has.
type Disk interface {
	// Open opens a file with the flags of package os.
	Open(name string, flag int) (File, error)
	// Mkdir makes one folder.
	Mkdir(name string) error
	// Rename moves a file in one step, replacing a file that has the new name.
	Rename(from, to string) error
	// Remove removes a file or an empty folder.
	Remove(name string) error
	// ReadDir lists a folder, ordered by name.
	ReadDir(name string) ([]iofs.DirEntry, error)
	// Stat describes a file or folder.
	Stat(name string) (iofs.FileInfo, error)
	// SyncDir makes the present names of a folder last.
	SyncDir(name string) error
}

// File is an open file of a Disk.
type File interface {
	io.Reader
	io.Writer
	io.ReaderAt
	io.WriterAt
	io.Seeker
	io.Closer
	Stat() (iofs.FileInfo, error)
	Sync() error
}

// osDisk is the file system of the machine. Everything is its owner's alone.
type osDisk struct{}

func (osDisk) Open(name string, flag int) (File, error) {
	f, err := os.OpenFile(name, flag, 0o600)
	if err != nil {
		return nil, err
	}
	return f, nil
}

func (osDisk) Mkdir(name string) error                      { return os.Mkdir(name, 0o700) }
func (osDisk) Rename(from, to string) error                 { return os.Rename(from, to) }
func (osDisk) Remove(name string) error                     { return os.Remove(name) }
func (osDisk) ReadDir(name string) ([]iofs.DirEntry, error) { return os.ReadDir(name) }
func (osDisk) Stat(name string) (iofs.FileInfo, error)      { return os.Stat(name) }

func (osDisk) SyncDir(name string) error {
	d, err := os.Open(filepath.Clean(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
