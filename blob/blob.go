// Package blob says what an object store must do for Quern: keep named bytes so
// that an acknowledged object survives a killed process and a power cut, and
// take large objects in parts that clients send straight to it.
//
// It owns the promise, the rules of keys, and Cache, which makes any store
// readable as local files. It never keeps objects itself: blob/fs and blob/s3
// do, and blobtest holds both to every sentence written here. It never decides
// who may see an object.
//
// The failure it is built around is the cut in the middle: of a write, of a
// connection, of a sequence of steps. Whatever is cut leaves the old object, or
// none, and never half of one.
package blob

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"quern"
)

// Store keeps objects under keys. It is safe for concurrent use. Every method
// fails with quern.Invalid for a key that CheckKey refuses, quern.Unreachable when
// the store does not answer, and the context's own error once that has ended.
//
// No key may continue another one with a slash ("a" and "a/b"): a store that
// keeps keys as folders refuses the second with quern.Conflict.
type Store interface {
	// Put stores exactly size bytes of r under key, replacing what was there. The
	// object is durable when Put returns nil. Readers see the old object or the
	// new one, never a mix, and one that is open keeps reading what it opened. A
	// reader that ends early or holds more than size fails with quern.Invalid; then,
	// and after any other error of r, nothing has changed.
	Put(ctx context.Context, key string, r io.Reader, size int64) error
	// Open reads length bytes from offset on; a negative length reads to the end.
	// A range reaching past the end stops there. Fails with quern.NotFound for a
	// missing object and quern.Invalid for a negative offset. The caller closes
	// the reader.
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Stat describes an object, or fails with quern.NotFound.
	Stat(ctx context.Context, key string) (Info, error)
	// Delete removes an object for good. Deleting a missing one is no error.
	Delete(ctx context.Context, key string) error
	// List yields the objects whose keys start with prefix, ordered by key, byte
	// by byte. The prefix is any text, cut anywhere. An error ends the sequence.
	// Objects that come or go meanwhile may be seen or not.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
}

// Adopter is an ability that a Store may have: it makes a file an object without copying it.
type Adopter interface {
	// Adopt is Put of the file at path, of exactly size bytes, which nobody writes to any more. It is
	// gone from there when Adopt returns nil. ErrElsewhere says that it lies where the store cannot move it from: Put has to copy it.
	Adopt(ctx context.Context, key, path string, size int64) error
}

// ErrElsewhere says that a file lies on another file system than the objects do.
var ErrElsewhere = errors.New("blob: the file is on another file system")

// Info describes an object.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time
}

// Files makes objects readable as local files. Stores that keep files do it
// themselves; Cache does it for the others.
type Files interface {
	// File returns the path of a local file that holds the object. The file stays
	// until release is called; calling release again is harmless. The file must
	// not be written to. Fails with quern.NotFound for a missing object.
	File(ctx context.Context, key string) (path string, release func(), err error)
	// Dir is the absolute path of the folder that holds every file that File
	// returns.
	Dir() string
}

// Key signs requests to a store that somebody else makes.
type Key struct {
	AccessKeyID, SecretAccessKey, SessionToken string
	ExpiresAt                                  time.Time
}

// Lender is an ability that a Store may have: it lends out keys of its own.
type Lender interface {
	// Lend returns a key that reads the objects of a folder, given without a slash at
	// its end, and no others, for about as long as life. It cannot be taken back.
	Lend(ctx context.Context, folder string, life time.Duration) (Key, error)
}

// The errors that every store returns.
var (
	// ErrNoObject says that no object has the key.
	ErrNoObject = quern.E(quern.NotFound, quern.CodeNotFound, "the object does not exist")
	// ErrNoUpload says that no open upload has the key and id.
	ErrNoUpload = quern.E(quern.NotFound, quern.CodeNotFound, "the upload does not exist")
	// ErrRange says that a range starts before the object.
	ErrRange = quern.E(quern.Invalid, quern.CodeInvalid, "the offset is negative")
	// ErrUnreachable says that the store did not answer.
	ErrUnreachable = quern.E(quern.Unreachable, quern.CodeUnreachable, "the object store cannot be reached")
)
