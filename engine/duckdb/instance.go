package duckdb

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"quern"
)

// homeSchema holds the views that a query names without a namespace. No
// namespace can have this name.
const homeSchema = "~"

// interruptEvery is how often a stop is repeated until the engine has heard it:
// an interrupt that comes before the statement starts is forgotten by DuckDB.
const interruptEvery = 10 * time.Millisecond

// instance is one in-memory database with one connection, used by one caller at
// a time.
type instance struct {
	db   bindings.Database
	conn bindings.Connection
	temp string
}

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

func openInstance(o Options) (*instance, error) {
	in := &instance{temp: filepath.Join(o.TempDir, quern.NewID[string]())}
	var config bindings.Config
	if bindings.CreateConfig(&config) == bindings.StateError {
		return nil, fmt.Errorf("duckdb: cannot make a configuration")
	}
	defer bindings.DestroyConfig(&config)
	set := func(name, value string) error {
		if bindings.SetConfig(config, name, value) == bindings.StateError {
			return fmt.Errorf("duckdb: cannot set %s", name)
		}
		return nil
	}
	own := map[string]string{
		"threads":                 strconv.Itoa(o.Threads),
		"memory_limit":            bytesText(o.MemoryLimit),
		"temp_directory":          in.temp,
		"max_temp_directory_size": bytesText(o.SpillLimit),
	}
	for _, all := range []map[string]string{settings, own} {
		for name, value := range all {
			if err := set(name, value); err != nil {
				return nil, err
			}
		}
	}
	var message string
	if bindings.OpenExt(":memory:", &in.db, config, &message) == bindings.StateError {
		return nil, fmt.Errorf("duckdb: open: %s", message)
	}
	if bindings.Connect(in.db, &in.conn) == bindings.StateError {
		bindings.Close(&in.db)
		return nil, fmt.Errorf("duckdb: connect failed")
	}
	if err := in.exec(context.Background(), prepareSQL); err != nil {
		in.close()
		return nil, fmt.Errorf("duckdb: prepare: %w", err)
	}
	return in, nil
}

//go:embed bounds.sql
var boundsSQL string

// prepareSQL readies a fresh instance. The query at its end makes the engine
// load its time zone tables, so that the first caller does not wait for it.
var prepareSQL = `SET errors_as_json = true; SET TimeZone = 'UTC';
CREATE SCHEMA "` + homeSchema + `"; SET schema = '` + homeSchema + `';
` + boundsSQL + `SELECT strftime(now(), '%Y');`

// lock shuts the instance in: it can read and write the paths and nothing else,
// and no statement can change that.
func (in *instance) lock(ctx context.Context, paths []string) error {
	var sql strings.Builder
	sql.WriteString("SET allowed_paths = [")
	for i, path := range paths {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString(quoteText(path))
	}
	sql.WriteString("]; SET enable_external_access = false; SET lock_configuration = true;")
	return in.exec(ctx, sql.String())
}

func (in *instance) close() {
	bindings.Disconnect(&in.conn)
	bindings.Close(&in.db)
	// DuckDB removes its folder itself unless it was cut off while spilling.
	_ = os.RemoveAll(in.temp)
}

// during runs call and interrupts the connection while ctx is over.
func (in *instance) during(ctx context.Context, call func()) {
	done, exited := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(exited)
		ticker := time.NewTicker(interruptEvery)
		defer ticker.Stop()
		for {
			bindings.Interrupt(in.conn)
			select {
			case <-done:
				return
			case <-ticker.C:
			}
		}
	})
	call()
	close(done)
	if !stop() {
		<-exited
	}
}

// exec runs statements whose rows nobody needs.
func (in *instance) exec(ctx context.Context, sql string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var result bindings.Result
	var state bindings.State
	in.during(ctx, func() { state = bindings.Query(in.conn, sql, &result) })
	defer bindings.DestroyResult(&result)
	if state == bindings.StateError {
		return parseFault(bindings.ResultError(&result))
	}
	return nil
}

func bytesText(n int64) string { return strconv.FormatInt(n, 10) + "B" }

// quoteText writes a string literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteName writes an identifier.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
