// Package backup copies an installation while its servers work, and puts a copy back.
//
// A place (a folder, a bucket, an archive) holds any number of backups:
//
//	backups/<id>          one backup: its manifest, written last
//	objects/ab/<name>     what backups are made of, each once, named by what it holds
//	key                   of places with a passphrase: the key, sealed by it
//
// The manifest names the chunks of rows that the metadata were, in one snapshot, and
// the chunks of the list of objects. An object is named by the SHA-256 of what it holds,
// so that a backup adds only what the place does not have yet. The id of a backup ends in
// a digest of its manifest: who knows the id can tell whether anything was changed.
//
// It owns the form of backups, and their encryption (age). It never decides who may, and
// never sweeps: a backup that was cut off leaves objects that the next one uses.
//
// The failure it is built around is the backup that turns out to be none when it is
// needed. Whatever is put back was read and checked from beginning to end before anything
// is touched. While a backup runs, a hold in the metadata keeps what it has yet to copy;
// a hold that cannot be renewed ends the backup, not the other way round.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync/atomic"
	"time"

	"quern/blob"
)

// Place keeps the files of backups, as blob.Store promises to keep objects.
type Place interface {
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	Stat(ctx context.Context, key string) (blob.Info, error)
	List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error]
}

// Source reads the objects of an installation.
type Source interface {
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	Stat(ctx context.Context, key string) (blob.Info, error)
}

// form is the version of what is written here. Another one is refused.
const form = 1

// Manifest describes one backup.
type Manifest struct {
	Form     int       `json:"form"`
	MadeAt   time.Time `json:"madeAt"`
	Release  string    `json:"release"`  // of the program that made it
	Schema   int       `json:"schema"`   // of the metadata
	Database string    `json:"database"` // that the metadata were in
	Tables   []Table   `json:"tables"`
	Objects  Objects   `json:"objects"`
	// Missing are objects that the metadata name and that were not there, or not whole.
	Missing []string `json:"missing,omitempty"`
}

// Table is a table of the metadata.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Rows    int64    `json:"rows"`
	Chunks  []Piece  `json:"chunks"`
}

// Objects is the list of an installation's objects.
type Objects struct {
	Count  int64   `json:"count"`
	Bytes  int64   `json:"bytes"`
	Chunks []Piece `json:"chunks"`
}

// Piece is something that a place holds for backups.
type Piece struct {
	Name   string `json:"name"`   // of the file in the place
	Bytes  int64  `json:"bytes"`  // that it holds, as it was before
	Digest string `json:"digest"` // of those bytes, in hexadecimal SHA-256
}

// Object is an object of the installation, and the piece that holds it.
type Object struct {
	Key string `json:"key"`
	Piece
}

// Rows counts the rows of the metadata.
func (m *Manifest) Rows() (n int64) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// Progress tells how far a long piece of work is. It may be read at any time.
type Progress struct {
	stage        atomic.Pointer[string]
	done, total  atomic.Int64
	files, bytes atomic.Int64 // that were added to the place
}

// Stage returns what is being done, and how many bytes of it are done and there.
func (p *Progress) Stage() (stage string, done, total int64) {
	if s := p.stage.Load(); s != nil {
		stage = *s
	}
	return stage, p.done.Load(), p.total.Load()
}

// Added returns how many files were added to a place, and their bytes.
func (p *Progress) Added() (files, bytes int64) { return p.files.Load(), p.bytes.Load() }

func (p *Progress) begin(stage string, total int64) {
	p.done.Store(0)
	p.total.Store(total)
	p.stage.Store(&stage)
}

// ErrDamaged is what errors wrap about backups that are not what they were.
var ErrDamaged = errors.New("the backup is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// workers is how many objects are copied at a time.
const workers = 4
