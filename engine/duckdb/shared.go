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

// lookSQL shows what a statement could have changed beyond its transaction and
// its session.
const lookSQL = `SELECT concat_ws(',',
	(SELECT hash(list(concat(name, '=', value) ORDER BY name)) FROM duckdb_settings()),
	(SELECT count(*) FROM duckdb_schemas()), (SELECT count(*) FROM duckdb_tables()),
	(SELECT count(*) FROM duckdb_views()), (SELECT count(*) FROM duckdb_databases()),
	(SELECT count(*) FROM duckdb_sequences()))`

// openShared opens an instance that serves one job after the other. It sees its
// window and nothing else, for good; what a job may read is linked there for
// the time of the job.
func openShared(o Options) (*instance, error) {
	in, err := openInstance(o)
	if err != nil {
		return nil, err
	}
	if err := in.share(); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *instance) share() (err error) {
	ctx := context.Background()
	if err := in.lock(ctx, nil, []string{in.window() + string(filepath.Separator)}); err != nil {
		return err
	}
	if bindings.Connect(in.db, &in.keeper.conn) == bindings.StateError {
		return errors.New("duckdb: cannot connect")
	}
	if in.look, err = in.keeper.prepare(ctx, lookSQL); err != nil {
		return err
	}
	in.clean, err = in.state(ctx)
	return err
}

func (in *instance) state(ctx context.Context) (string, error) {
	defer bindings.DestroyResult(&in.look.result)
	if err := in.look.start(ctx); err != nil {
		return "", err
	}
	ok, err := in.look.next(ctx)
	if err != nil || !ok {
		return "", errors.Join(err, errors.New("duckdb: no state"))
	}
	in.look.load()
	defer bindings.DestroyDataChunk(&in.look.chunk)
	return strings.Clone(string(in.look.vectors[0].bytes(0))), nil
}

// begin starts a job's transaction. Whatever the job makes, the views of its
// tables among it, is undone with it.
func (in *instance) begin(ctx context.Context) error {
	in.uses++
	return in.exec(ctx, "BEGIN TRANSACTION")
}

// show links files into the window.
func (in *instance) show(paths []string) (names map[string]string, err error) {
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
	if !emptied(in.window()) || !isEmpty(in.swap) {
		return false
	}
	state, err := in.state(ctx)
	return err == nil && state == in.clean
}

// emptied removes the files of a folder.
func emptied(folder string) bool {
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
