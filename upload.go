package quern

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

type (
	// SessionID identifies an upload session.
	SessionID string
	// FileID identifies one file of an upload session.
	FileID string
)

// UploadStatus is where an upload session, or a file of one, has got to.
type UploadStatus string

// The statuses. Removed is never shown: it says that what was completed has
// outlived its retention, or was deleted, and is no more.
const (
	UploadPreparing UploadStatus = "preparing"
	UploadCompleted UploadStatus = "completed"
	UploadAborted   UploadStatus = "aborted"
	UploadRemoved   UploadStatus = "removed"
)

// UploadSession is files of one owner on their way in.
type UploadSession struct {
	ID    SessionID
	Owner UserID
	// Token is the restricted API token that prepared it, empty for any other
	// caller: what such a token cannot see must not be found through it either.
	Token     TokenID
	Status    UploadStatus
	CreatedAt time.Time
	ExpiresAt time.Time // when it is aborted unless completed
	EndedAt   time.Time // zero while preparing
	Files     []UploadFile
}

// File finds a file of the session.
func (s UploadSession) File(id FileID) (UploadFile, bool) {
	for _, f := range s.Files {
		if f.ID == id {
			return f, true
		}
	}
	return UploadFile{}, false
}

// UploadFile is one file of a session: an object in the making, then an object.
type UploadFile struct {
	ID       FileID
	Session  SessionID
	Name     string
	Size     int64
	PartSize int64
	Key      string // of the object
	UploadID string // of the object store's own upload
	Status   UploadStatus
}

// Parts is how many parts the file comes in. An empty file has one, of 0 bytes.
func (f UploadFile) Parts() int {
	if f.Size == 0 {
		return 1
	}
	return int((f.Size-1)/f.PartSize) + 1
}

// Part returns where the part with a number, from 1, begins and how long it is.
func (f UploadFile) Part(number int) (offset, size int64) {
	offset = int64(number-1) * f.PartSize
	return offset, min(f.PartSize, f.Size-offset)
}

// PartSize is the part size of a file: least, or the smallest multiple of it
// with which the file comes in at most most parts.
func PartSize(size, least int64, most int) int64 {
	need := size / int64(most)
	if size%int64(most) != 0 {
		need++
	}
	multiple := need / least
	if need%least != 0 {
		multiple++
	}
	return max(multiple, 1) * least
}

// MaxFilename is the most bytes a filename may have.
const MaxFilename = 1024

// FilenameFault says what is wrong with a filename, "" when nothing is. A
// filename names a file, never a place.
func FilenameFault(name string) string {
	switch {
	case name == "":
		return "must not be empty"
	case len(name) > MaxFilename:
		return "must have at most 1024 bytes"
	case !utf8.ValidString(name):
		return "must be UTF-8"
	case strings.ContainsFunc(name, unprintable):
		return "must not hold control characters"
	case strings.ContainsAny(name, `/\`):
		return "must not hold a slash or backslash"
	case name == "." || name == "..":
		return "must not be a folder's name"
	}
	return ""
}

func unprintable(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }
