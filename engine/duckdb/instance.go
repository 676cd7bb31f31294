package duckdb

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"quern"
)

// homeSchema holds the views that a query names without a namespace. No
// namespace can have this name.
const homeSchema = "~"

// instance is one in-memory database, used by one job at a time through its
// session.
type instance struct {
	session
	db   bindings.Database
	home string // its own folder, removed with it
	swap string // the folder that the engine moves data to when memory is short
	// The rest is for instances that serve one job after the other; see reset.
	inspector    session
	stateQuery   *stream // of the inspector
	initialState string  // what it showed when the instance was new
	link         func(path, name string) error
	links        int // files shown so far
	uses         int
	spoiled      bool
}

// window is the folder that a shared instance sees: the files of its job.
func (in *instance) window() string { return filepath.Join(in.home, "files") }

// settings that hold for every instance, whatever it is used for. The engine
// cannot load, install or fetch anything.
var settings = map[string]string{
	"autoinstall_known_extensions":  "false",
	"autoload_known_extensions":     "false",
	"allow_community_extensions":    "false",
	"allow_unsigned_extensions":     "false",
	"enable_external_file_cache":    "false",
	"storage_compatibility_version": "latest",
}

// openInstance opens an instance that is not locked yet.
func openInstance(o Options) (*instance, error) {
	id := quern.NewID[string]()
	in := &instance{home: filepath.Join(o.TempDir, id), swap: filepath.Join(o.SpillDir, id, "spill"), link: o.link}
	for _, folder := range []string{in.window(), filepath.Dir(in.swap)} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
	}
	err := in.start(o)
	if err == nil {
		err = in.connect()
	}
	if err == nil {
		err = in.exec(context.Background(), prepareSQL)
	}
	if err == nil && o.keepFooters {
		err = in.exec(context.Background(), "SET GLOBAL parquet_metadata_cache = true")
	}
	if err != nil {
		in.close()
		return nil, fmt.Errorf("duckdb: open: %w", err)
	}
	return in, nil
}

func (in *instance) start(o Options) error {
	var config bindings.Config
	if bindings.CreateConfig(&config) == bindings.StateError {
		return errors.New("cannot make a configuration")
	}
	defer bindings.DestroyConfig(&config)
	own := map[string]string{
		"threads":                 strconv.Itoa(o.Threads),
		"memory_limit":            bytesText(o.MemoryLimit),
		"temp_directory":          in.swap,
		"max_temp_directory_size": bytesText(o.SpillLimit),
	}
	for _, all := range []map[string]string{settings, own} {
		for name, value := range all {
			if bindings.SetConfig(config, name, value) == bindings.StateError {
				return fmt.Errorf("cannot set %s", name)
			}
		}
	}
	var message string
	if bindings.OpenExt(":memory:", &in.db, config, &message) == bindings.StateError {
		return errors.New(message)
	}
	return nil
}

// connect opens a session of the instance in which nothing has happened yet.
func (in *instance) connect() error {
	bindings.Disconnect(&in.conn)
	if bindings.Connect(in.db, &in.conn) == bindings.StateError {
		return errors.New("cannot connect")
	}
	return nil
}

//go:embed bounds.sql
var boundsSQL string

//go:embed gaps.sql
var gapsSQL string

// enterSQL readies a session.
const enterSQL = `SET schema = '` + homeSchema + `'; `

// prepareSQL readies a fresh instance. The query at its end makes the engine
// load its time zone tables, so that the first caller does not wait for it.
var prepareSQL = `SET GLOBAL errors_as_json = true; SET GLOBAL TimeZone = 'UTC';
CREATE SCHEMA "` + homeSchema + `"; ` + enterSQL + boundsSQL + gapsSQL + `SELECT strftime(now(), '%Y');`

// lock shuts the instance in: it can read and write the paths and what is in
// the folders and nothing else, and no statement can change that.
func (in *instance) lock(ctx context.Context, paths, folders []string) error {
	return in.exec(ctx, "SET allowed_paths = "+quoteTexts(paths)+"; SET allowed_directories = "+quoteTexts(folders)+
		"; SET enable_external_access = false; SET lock_configuration = true;")
}

func (in *instance) close() {
	if in.stateQuery != nil {
		in.stateQuery.close()
	}
	bindings.Disconnect(&in.inspector.conn)
	bindings.Disconnect(&in.conn)
	bindings.Close(&in.db)
	_ = os.RemoveAll(in.home)
	_ = os.RemoveAll(filepath.Dir(in.swap))
}
