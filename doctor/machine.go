package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// versions compares the schema with this program, and servers with each other.
func (e *examination) versions(ctx context.Context, check string) (err error) {
	if e.schema, err = e.Store.Schema(ctx); err != nil {
		return err
	}
	switch know := store.SchemaVersion(); {
	case e.schema == 0:
		return e.none(ctx, check)
	case e.schema < know:
		e.add(Finding{Check: check, Level: Note, Text: fmt.Sprintf("the metadata are at schema version %d, this program makes version %d: "+
			"its server would bring them up to date", e.schema, know)})
	case e.schema > know:
		e.add(Finding{Check: check, Level: Note, Text: fmt.Sprintf("the metadata are at schema version %d, this program knows %d: "+
			"a newer release has been here; use its own doctor", e.schema, know)})
	}
	if e.schema < firstSchema {
		return nil
	}
	releases := map[string]int{}
	err = e.Store.View(ctx, func(tx *store.Tx) error {
		servers, err := tx.Servers(ctx, e.Now().Add(-time.Minute))
		clear(releases)
		for _, s := range servers {
			releases[s.Release]++
		}
		return err
	})
	if len(releases) > 1 {
		e.add(Finding{Check: check, Level: Note, Text: "servers of several releases run: " + strings.Join(slices.Sorted(maps.Keys(releases)), ", ")})
	}
	return err
}

// none says that there are no metadata, which is bad where there are objects.
func (e *examination) none(ctx context.Context, check string) error {
	for _, prefix := range e.Prefixes {
		for info, err := range e.Objects.List(ctx, prefix) {
			if err != nil {
				return err
			}
			e.add(Finding{Check: check, Level: Problem, Keys: []string{info.Key}, Count: 1,
				Text: "there are objects and no metadata, which are lost or are in another database: name that, or restore a backup"})
			return nil
		}
	}
	e.add(Finding{Check: check, Level: Note, Text: "there are no metadata yet: no server has run here"})
	return nil
}

// metadata reads the whole database.
func (e *examination) metadata(ctx context.Context, check string) error {
	err := e.Store.Verify(ctx)
	if err == nil {
		err = e.Store.View(ctx, func(tx *store.Tx) error { return tx.CheckReferences(ctx) })
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if quern.Is(err, quern.Unavailable) && e.Store.Dialect() != "sqlite" {
		return err
	}
	if known, ok := errors.AsType[*quern.Error](err); ok && errors.Unwrap(known) != nil {
		err = errors.Unwrap(known)
	}
	e.damaged = true
	e.add(Finding{Check: check, Level: Problem, Text: "the metadata are damaged, restore a backup: " + strings.ReplaceAll(err.Error(), "\n", " ")})
	return nil
}

// clockSkew is by how much clocks may differ; servers reckon with a minute.
const clockSkew = 5 * time.Second

// clock compares this machine's clock with the database's, and with times that were stored.
func (e *examination) clock(ctx context.Context, check string) error {
	there, err := e.Store.Clock(ctx)
	if err != nil {
		return err
	}
	if skew := e.Now().Sub(there).Abs(); skew > clockSkew {
		e.add(Finding{Check: check, Level: Problem, Text: fmt.Sprintf("the clocks of this machine and of the database differ by %v", skew.Round(time.Second))})
	}
	if e.schema < firstSchema {
		return nil
	}
	var last time.Time
	err = e.Store.View(ctx, func(tx *store.Tx) error {
		last, err = tx.LastChange(ctx)
		return err
	})
	if ahead := last.Sub(e.Now()); err == nil && ahead > time.Minute {
		e.add(Finding{Check: check, Level: Problem, Text: fmt.Sprintf("something was stored %v in the future: a clock was or is wrong", ahead.Round(time.Second))})
	}
	return err
}

// permissions looks whether others may read what only the server should.
func (e *examination) permissions(_ context.Context, check string) error {
	if !e.hasDir() {
		return nil
	}
	if err := e.modes(check); err != nil {
		return err
	}
	if err := e.probe(); err != nil {
		e.add(Finding{Check: check, Level: Problem, Text: "this user cannot write in the data directory: " + err.Error()})
	}
	return nil
}

// hasDir reports whether there is a data directory: servers with all data elsewhere make
// it when they need it.
func (e *examination) hasDir() bool {
	_, err := os.Stat(e.Dir)
	return !errors.Is(err, fs.ErrNotExist)
}

// probe makes a file in the data directory and takes it away again.
func (e *examination) probe() error {
	file, err := os.CreateTemp(e.Dir, ".doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// modes looks for files that others than the owner may use, and takes their modes away.
func (e *examination) modes(check string) error {
	var open list
	var first string
	var failed error
	for _, name := range append([]string{"."}, e.Files...) {
		path := filepath.Join(e.Dir, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		mode := info.Mode().Perm()
		if mode&0o077 == 0 {
			continue
		}
		if open.add(path, 0); open.count == 1 {
			first = fmt.Sprintf("%s (mode %04o)", path, mode)
		}
		if e.Fix {
			failed = errors.Join(failed, os.Chmod(path, mode&^0o077))
		}
	}
	if open.count == 0 {
		return nil
	}
	text := "others than the owner may use " + first
	if more := open.count - 1; more > 0 {
		text += fmt.Sprintf(" and %d more files", more)
	}
	if failed != nil {
		text += ", which this user cannot change: " + failed.Error()
	}
	e.add(Finding{Check: check, Level: Problem, Fixable: true, Fixed: e.Fix && failed == nil, Keys: open.keys, Count: open.count, Text: text})
	return nil
}

const (
	leastSpace = 64 << 20 // below it a server is not ready
	someSpace  = 1 << 30
)

// freeSpace looks at the disk of the data directory.
func (e *examination) freeSpace(_ context.Context, check string) error {
	if !e.hasDir() {
		return nil
	}
	free, err := e.Free(e.Dir)
	if err != nil {
		return err
	}
	switch text := fmt.Sprintf("the disk of the data directory has %d MiB left", free>>20); {
	case free < leastSpace && e.Local:
		e.add(Finding{Check: check, Level: Problem, Text: text + ": a server there is not ready"})
	case free < someSpace:
		e.add(Finding{Check: check, Level: Note, Text: text})
	}
	return nil
}
