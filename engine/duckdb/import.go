package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quern"
	"quern/engine"
)

// Import streams a Parquet file that somebody else wrote.
func (e *Engine) Import(ctx context.Context, path string) (engine.Rows, error) {
	if strings.ContainsAny(path, "*?[") {
		return nil, fmt.Errorf("duckdb: path %q holds a wildcard", path)
	}
	j, err := e.newOwnJob(ctx, e.scans)
	if err != nil {
		return nil, err
	}
	rows, err := j.imported(path)
	if err != nil {
		j.close()
		return nil, j.explain(notParquet(err))
	}
	return &importedRows{rows}, nil
}

func (j *job) imported(path string) (*rows, error) {
	name, err := j.open([]string{path})
	if err != nil {
		return nil, err
	}
	s, err := j.in.stream(j.ctx, "SELECT * FROM read_parquet("+quoteText(name(path))+", hive_partitioning = false)")
	if err != nil {
		return nil, err
	}
	return newRows(j, s, -1), nil
}

// importedRows are rows whose reading can fail because of what the file holds.
type importedRows struct{ *rows }

// Err is the error that ended the stream early.
func (r *importedRows) Err() error { return notParquet(r.rows.Err()) }

// notParquet tells what is wrong with a file from what is wrong with the engine.
func notParquet(err error) error {
	f, ok := errors.AsType[*fault](err)
	if !ok {
		return markOwn(err)
	}
	switch f.Type {
	case faultInterrupt, faultOutOfMemory, "Permission", "INTERNAL", "FATAL":
		return markOwn(err)
	}
	return quern.E(quern.Invalid, quern.CodeInvalid, "the Parquet file is damaged or uses what cannot be read").Because(err)
}
