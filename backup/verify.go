package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"quern"
	"quern/store"
)

const (
	folder   = "backups/"
	idDigest = 32 // hexadecimal digits of the manifest's digest in an id
)

var validID = regexp.MustCompile(`^\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{32}$`)

// Listed is a backup in a place.
type Listed struct {
	ID     string
	MadeAt time.Time
	// Manifest is nil when the backup is sealed and no key that was given opens it.
	Manifest *Manifest
}

// List lists the backups of a place, oldest first.
func List(ctx context.Context, place Place, unlock Unlock) ([]Listed, error) {
	var ids []string
	for info, err := range place.List(ctx, folder) {
		if err != nil {
			return nil, err
		}
		if id := strings.TrimPrefix(info.Key, folder); validID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	keys, err := newOpener(ctx, place, unlock)
	if err != nil {
		return nil, err
	}
	all := make([]Listed, 0, len(ids))
	for _, id := range ids {
		at, err := time.Parse(idTime, id[:strings.IndexByte(id, '-')])
		if err != nil {
			return nil, damaged("the id %s begins with no time", id)
		}
		one := Listed{ID: id, MadeAt: at}
		r := &reader{place: place, keys: keys, id: id}
		if err := r.load(ctx); err == nil {
			one.Manifest = r.manifest
		} else if len(keys.identities) > 0 || errors.Is(err, ErrDamaged) {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// reader reads one backup.
type reader struct {
	place    Place
	keys     opener
	id       string
	manifest *Manifest
	progress *Progress
}

// find opens the backup with an id, or the last one where none is given.
func find(ctx context.Context, place Place, unlock Unlock, id string, progress *Progress) (*reader, error) {
	if progress == nil {
		progress = &Progress{}
	}
	keys, err := newOpener(ctx, place, unlock)
	if err != nil {
		return nil, err
	}
	if id == "" {
		for info, err := range place.List(ctx, folder) {
			if err != nil {
				return nil, err
			}
			if one := strings.TrimPrefix(info.Key, folder); validID.MatchString(one) {
				id = max(id, one)
			}
		}
		if id == "" {
			return nil, errors.New("there is no backup in this place")
		}
	}
	if !validID.MatchString(id) {
		return nil, fmt.Errorf("%q is no id of a backup; 'quern backup list' shows them", id)
	}
	r := &reader{place: place, keys: keys, id: id, progress: progress}
	return r, r.load(ctx)
}

// mostManifest bounds the bytes of a manifest: a chunk of 4 MiB takes 200 of them.
const mostManifest = 256 << 20

// load reads the manifest and holds it against the id.
func (r *reader) load(ctx context.Context) error {
	in, err := r.place.Open(ctx, folder+r.id, 0, -1)
	if quern.Is(err, quern.NotFound) {
		return fmt.Errorf("there is no backup %s in this place", r.id)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	stored, err := io.ReadAll(io.LimitReader(in, mostManifest))
	if err != nil {
		return err
	}
	if digestOf(stored)[:idDigest] != r.id[len(r.id)-idDigest:] {
		return damaged("its manifest was changed since, or cut off")
	}
	open, err := r.keys.open(bytes.NewReader(stored))
	if err != nil {
		return err
	}
	text, err := io.ReadAll(open)
	if err != nil {
		return damaged("its manifest cannot be read: %v", err)
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return damaged("its manifest cannot be read: %v", err)
	}
	if m.Form != form {
		return fmt.Errorf("the backup has form %d, this program reads form %d: use the release that made it (%s)", m.Form, form, m.Release)
	}
	r.manifest = m
	return nil
}

// open reads what a piece holds. What it reads is right once it has come to its end.
func (r *reader) open(ctx context.Context, p Piece) (io.Reader, io.Closer, error) {
	in, err := r.place.Open(ctx, p.Name, 0, -1)
	if quern.Is(err, quern.NotFound) {
		return nil, nil, damaged("%s is missing", p.Name)
	}
	if err != nil {
		return nil, nil, err
	}
	plain, err := r.keys.open(in)
	if err == nil && strings.Contains(p.Name, ".gz") {
		if plain, err = gzip.NewReader(plain); err != nil {
			err = damaged("%s cannot be read: %v", p.Name, err)
		}
	}
	if err != nil {
		in.Close()
		return nil, nil, err
	}
	return spoiled{check(plain, p.Bytes, p.Digest), p.Name}, in, nil
}

// spoiled says of errors that they are the backup's.
type spoiled struct {
	r    io.Reader
	name string
}

func (s spoiled) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF && !quern.Is(err, quern.Unreachable) && !errors.Is(err, context.Canceled) {
		err = damaged("%s: %v", s.name, err)
	}
	return n, err
}

// mostChunk bounds the bytes of a chunk: a row can be larger than chunks are meant to be.
const mostChunk = 1 << 30

// chunk reads a chunk whole: nothing of it is believed before its digest is known.
func (r *reader) chunk(ctx context.Context, p Piece) ([]byte, error) {
	if p.Bytes > mostChunk {
		return nil, damaged("%s is too large", p.Name)
	}
	in, file, err := r.open(ctx, p)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(in)
	r.progress.done.Add(int64(len(text)))
	return text, err
}

// lines gives the lines of chunks, in order. A line is fn's until it returns.
func (r *reader) lines(ctx context.Context, chunks []Piece, fn func(line []byte) error) error {
	for _, c := range chunks {
		text, err := r.chunk(ctx, c)
		if err != nil {
			return err
		}
		for len(text) > 0 {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			if err := fn(line); err != nil {
				return err
			}
			text = rest
		}
	}
	return nil
}

// eachObject gives the objects of the backup.
func (r *reader) eachObject(ctx context.Context, fn func(Object) error) error {
	return r.lines(ctx, r.manifest.Objects.Chunks, func(line []byte) error {
		var o Object
		if err := json.Unmarshal(line, &o); err != nil {
			return damaged("the list of objects cannot be read: %v", err)
		}
		return fn(o)
	})
}

// rows gives the rows of the metadata, many at a time.
func (r *reader) rows(ctx context.Context, put func(t store.Table, rows [][]any) error) error {
	const batch = 500
	for _, t := range r.manifest.Tables {
		table := store.Table{Name: t.Name, Columns: t.Columns}
		var rows [][]any
		n := int64(0)
		err := r.lines(ctx, t.Chunks, func(line []byte) error {
			row, err := decodeRow(line)
			if err != nil {
				return err
			}
			n++
			if rows = append(rows, row); len(rows) < batch {
				return nil
			}
			err = put(table, rows)
			rows = nil
			return err
		})
		if err == nil && len(rows) > 0 {
			err = put(table, rows)
		}
		if err == nil && n != t.Rows {
			err = damaged("%s has %d rows, want %d", t.Name, n, t.Rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// total is how many bytes a backup has to be read.
func (m *Manifest) total() (n int64) {
	for _, t := range m.Tables {
		for _, c := range t.Chunks {
			n += c.Bytes
		}
	}
	for _, c := range m.Objects.Chunks {
		n += c.Bytes
	}
	return n + m.Objects.Bytes
}

// Verify reads a backup from beginning to end, the last one where no id is given, and
// fails unless everything is as it was when it was made.
func Verify(ctx context.Context, place Place, unlock Unlock, id string, progress *Progress) (string, *Manifest, error) {
	r, err := find(ctx, place, unlock, id, progress)
	if err != nil {
		return id, nil, err
	}
	if err := r.verify(ctx); err != nil {
		return r.id, r.manifest, fmt.Errorf("backup %s: %w", r.id, err)
	}
	return r.id, r.manifest, nil
}

func (r *reader) verify(ctx context.Context) error {
	r.progress.begin("checking the backup", r.manifest.total())
	if err := r.rows(ctx, func(store.Table, [][]any) error { return nil }); err != nil {
		return err
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	var count, size int64
	err := r.eachObject(ctx, func(o Object) error {
		count, size = count+1, size+o.Bytes
		group.Go(func() error { return r.drain(inner, o) })
		return inner.Err()
	})
	if failed := group.Wait(); failed != nil {
		return failed
	}
	if err == nil && (count != r.manifest.Objects.Count || size != r.manifest.Objects.Bytes) {
		err = damaged("the list has %d objects, want %d", count, r.manifest.Objects.Count)
	}
	return err
}

// drain reads an object to its end.
func (r *reader) drain(ctx context.Context, o Object) error {
	in, file, err := r.open(ctx, o.Piece)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(counting{&r.progress.done}, bufio.NewReaderSize(in, 256<<10))
	return err
}

// counting counts what is written to it.
type counting struct{ to interface{ Add(int64) int64 } }

func (c counting) Write(p []byte) (int, error) {
	c.to.Add(int64(len(p)))
	return len(p), nil
}
