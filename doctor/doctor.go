// Package doctor looks an installation over: whether the metadata and the objects belong
// together, whether the machine lets the server work, whether versions and clocks agree.
//
// It owns the checks and their words. It only looks, beside running servers if there are
// any, unless it is told to mend; what it mends is what cannot cost anybody anything:
// modes of files, and objects that nobody names, which are handed to the sweep and stay
// for its grace. It never guesses at lost data: those come from a backup.
//
// The failure it is built around is the finding that is none. An object that is on its
// way in looks like one that nobody names; so only those count that are older than
// anything is on its way.
package doctor

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"quern/blob"
	"quern/store"
)

// Level says how bad a finding is.
type Level string

// The levels of findings.
const (
	OK      Level = "ok"      // what was looked at is as it should be
	Note    Level = "note"    // worth knowing; nothing is wrong
	Problem Level = "problem" // something is wrong
)

// Finding is what a check found.
type Finding struct {
	Check string `json:"check"`
	Level Level  `json:"level"`
	Text  string `json:"text"`
	// Keys are the first of the objects or files that it is about, and Count is how many
	// there are.
	Keys  []string `json:"keys,omitempty"`
	Count int      `json:"count,omitempty"`
	// Fixable says that Fix mends it, Fixed that it was.
	Fixable bool `json:"fixable,omitempty"`
	Fixed   bool `json:"fixed,omitempty"`
}

// Objects reads objects beside a server.
type Objects interface {
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	Stat(ctx context.Context, key string) (blob.Info, error)
	List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error]
}

// Options says what is looked over.
type Options struct {
	Store   *store.Store // opened as it is
	Objects Objects
	// Dir is the data directory, and Files are those in it that only its owner may read;
	// those that are not there are passed over.
	Dir   string
	Files []string
	// Local says that metadata or objects are in the data directory.
	Local bool
	Free  func(dir string) (int64, error)
	Now   func() time.Time
	// Prefixes are those of keys that the installation's objects have.
	Prefixes []string
	// Checksums says that objects are read and held against what backups found in them.
	Checksums bool
	// Fix says that what can be mended safely is. No server may run then.
	Fix bool
	// Grace is how long objects that nobody names stay once they were handed to the sweep.
	Grace time.Duration
	// Progress is told of each check that begins; may be nil.
	Progress func(check string)
}

// firstSchema is the first version of the schema that the checks of objects know.
const firstSchema = 25

// mostKeys bounds the keys that one finding names.
const mostKeys = 20

type examination struct {
	Options
	damaged  bool // the metadata cannot be believed
	schema   int
	findings []Finding
}

// Examine looks an installation over and returns what it found, in the order of the
// checks; each has at least one finding. The error says that it could not go on.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	e := &examination{Options: o}
	for _, check := range []struct {
		name  string
		do    func(context.Context, string) error
		needs need
	}{
		{"metadata", e.metadata, nothing},
		{"versions", e.versions, metadata},
		{"clock", e.clock, metadata},
		{"permissions", e.permissions, nothing},
		{"free space", e.freeSpace, nothing},
		{"rows", e.rows, schema},
		{"objects", e.needed, schema},
		{"checksums", e.checksums, schema},
		{"orphans", e.orphans, schema},
	} {
		if why := e.lacks(check.needs); why != "" {
			e.add(Finding{Check: check.name, Level: Note, Text: "not looked at: " + why})
			continue
		}
		if o.Progress != nil {
			o.Progress(check.name)
		}
		before := len(e.findings)
		if err := check.do(ctx, check.name); err != nil {
			return e.findings, fmt.Errorf("the check of %s cannot go on: %w", check.name, err)
		}
		if len(e.findings) == before {
			e.add(Finding{Check: check.name, Level: OK, Text: "nothing found"})
		}
	}
	return e.findings, nil
}

// need is what a check cannot do without.
type need int

const (
	nothing  need = iota
	metadata      // that can be read
	schema        // that this program knows, and metadata
)

// lacks says what of a need there is not; empty when all is there.
func (e *examination) lacks(n need) string {
	switch {
	case n >= metadata && e.damaged:
		return "the metadata are damaged"
	case n >= schema && (e.schema < firstSchema || e.schema > store.SchemaVersion()):
		return "this program does not know this schema"
	}
	return ""
}

func (e *examination) add(f Finding) { e.findings = append(e.findings, f) }

// Problems counts the problems that were not mended.
func Problems(findings []Finding) (n int) {
	for _, f := range findings {
		if f.Level == Problem && !f.Fixed {
			n++
		}
	}
	return n
}

// list gathers keys of one finding.
type list struct {
	keys  []string
	count int
	bytes int64
}

func (l *list) add(key string, bytes int64) {
	l.count, l.bytes = l.count+1, l.bytes+bytes
	if len(l.keys) < mostKeys {
		l.keys = append(l.keys, key)
	}
}
