package duckdb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// resetTime is how long making an instance good as new may take before it is
// thrown away instead.
const resetTime = 5 * time.Second

// stateSQL shows what a statement could have changed beyond its transaction and
// its session.
const stateSQL = `SELECT concat_ws(',',
	(SELECT sum(hash(name, value)) FROM duckdb_settings()),
	(SELECT count(*) FROM duckdb_schemas()), (SELECT count(*) FROM duckdb_tables()),
	(SELECT count(*) FROM duckdb_views()), (SELECT count(*) FROM duckdb_databases()),
	(SELECT count(*) FROM duckdb_sequences()))`

// openReusable opens an instance that serves one job after the other. It sees its
// window and nothing else, for good; what a job may read is linked there for
// the time of the job.
func openReusable(o Options) (*instance, error) {
	in, err := openInstance(o)
	if err != nil {
		return nil, err
	}
	if err := in.makeReusable(); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *instance) makeReusable() (err error) {
	ctx := context.Background()
	if err := in.lock(ctx, nil, []string{in.window() + string(filepath.Separator)}); err != nil {
		return err
	}
	if bindings.Connect(in.db, &in.inspector.conn) == bindings.StateError {
		return errors.New("duckdb: cannot connect")
	}
	if in.stateQuery, err = in.inspector.prepare(ctx, stateSQL); err != nil {
		return err
	}
	in.initialState, err = in.state(ctx)
	return err
}

func (in *instance) state(ctx context.Context) (string, error) {
	defer bindings.DestroyResult(&in.stateQuery.result)
	if err := in.stateQuery.start(ctx); err != nil {
		return "", err
	}
	ok, err := in.stateQuery.next(ctx)
	if err != nil || !ok {
		return "", errors.Join(err, errors.New("duckdb: no state"))
	}
	in.stateQuery.load()
	defer bindings.DestroyDataChunk(&in.stateQuery.chunk)
	return strings.Clone(string(in.stateQuery.vectors[0].bytes(0))), nil
}

// begin starts a job's transaction. Whatever the job makes, the views of its
// tables among it, is undone with it.
func (in *instance) begin(ctx context.Context) error {
	in.uses++
	return in.exec(ctx, "BEGIN TRANSACTION")
}

// linkFiles links files into the window, and returns their names there.
func (in *instance) linkFiles(paths []string) (names map[string]string, err error) {
	names = make(map[string]string, len(paths))
	for _, path := range paths {
		if names[path] != "" {
			continue
		}
		names[path] = in.newFile()
		if err := in.link(path, names[path]); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// newFile names a file in the window. No name is used twice in an instance's
// life, so that nothing remembered of one file is taken for another's.
func (in *instance) newFile() string {
	in.links++
	return filepath.Join(in.window(), strconv.Itoa(in.links)+".parquet")
}

// reset makes a used instance as it was when it was new, and reports whether it
// has become that: its transaction undone, its session replaced, its folders
// empty, its settings and catalogue the same. Nothing can have left a trace
// then that the next job could find.
func (in *instance) reset() bool {
	ctx, cancel := context.WithTimeout(context.Background(), resetTime)
	defer cancel()
	if in.spoiled || in.exec(ctx, "ROLLBACK") != nil || in.connect() != nil || in.exec(ctx, enterSQL) != nil {
		return false
	}
	if !emptyFolder(in.window()) || !isEmpty(in.swap) {
		return false
	}
	state, err := in.state(ctx)
	return err == nil && state == in.initialState
}

// emptyFolder removes the files of a folder.
func emptyFolder(folder string) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if os.Remove(filepath.Join(folder, entry.Name())) != nil {
			return false
		}
	}
	return true
}

func isEmpty(folder string) bool {
	entries, err := os.ReadDir(folder)
	return errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0
}
