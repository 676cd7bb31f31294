package duckdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"quern"
	"quern/engine"
)

const (
	minObject = 4 << 20  // the engine reads this much at a time and thread
	maxObject = 64 << 20 // the longest line that Write reads
)

// Row groups let readers skip and share work, and writers too: one is written by one thread.
// Their sizes are multiples of vectorRows.
const (
	fullGroup  = 122_880
	smallGroup = fullGroup / 4
	vectorRows = 2048
)

// copyOptions make the Parquet files: small on disk, in row groups of so many rows.
func copyOptions(group int64) string {
	return fmt.Sprintf("(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1, ROW_GROUP_SIZE %d, USE_TMP_FILE false, RETURN_STATS)", group)
}

// groupRows is how large the row groups of so many rows are that all threads have some to
// write, as far as the groups do not become small; 0 rows: nobody knows how many.
func groupRows(rows int64, threads int) int64 {
	if rows <= 0 {
		return fullGroup
	}
	vectors := rows/int64(threads)/vectorRows + 1
	return min(max(vectors*vectorRows, smallGroup), fullGroup)
}

// Write reads NDJSON, CSV or what a feed brings and writes it as Parquet.
func (e *Engine) Write(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	if src.Feed != nil {
		return e.writeBlocks(ctx, src, path)
	}
	if wrapped := src.CSV != nil && src.CSV.Wrapped; !wrapped && len(src.Columns) > 0 {
		written, err := e.writeBlocks(ctx, src, path)
		if !errors.Is(err, errOdd) {
			return written, err
		}
	}
	if src.CSV != nil {
		return e.writeCSV(ctx, src, path)
	}
	return e.writeRewritten(ctx, src, path)
}

// writeCSV has the engine read CSV.
func (e *Engine) writeCSV(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	return e.writeFile(ctx, outputOf(src, path), func(*job) ([]string, readSQL, error) {
		return []string{src.Path}, func(name fileNames) (string, error) { return csvSQL(name(src.Path), src) }, nil
	})
}

// writeRewritten has the engine read NDJSON, rewritten so that it changes no value.
func (e *Engine) writeRewritten(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	return e.writeFile(ctx, outputOf(src, path), func(j *job) ([]string, readSQL, error) {
		paths, longest, err := j.prepare(src)
		return paths, func(name fileNames) (string, error) {
			names := make([]string, len(paths))
			for i, path := range paths {
				names[i] = name(path)
			}
			return sourceSQL(names, src.Columns, longest)
		}, err
	})
}

// writeBlocks hands the values of lines, or of a feed, to the engine as columns; errOdd when
// a line is written in an unusual form.
func (e *Engine) writeBlocks(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	var reader *arrowReader
	written, err := e.writeFile(ctx, outputOf(src, path), func(j *job) ([]string, readSQL, error) {
		all, err := readBlocks(j.ctx, src, e.options.Threads)
		if err != nil {
			return nil, nil, err
		}
		reader = &arrowReader{blocks: all}
		j.known = reader.known
		j.finally(reader.close)
		return nil, func(fileNames) (string, error) {
			if err := reader.show(&j.in.session); err != nil {
				return "", err
			}
			return blocksSQL(src.Columns)
		}, nil
	})
	if err != nil && reader != nil {
		if own := reader.Err(); errors.Is(own, errOdd) || src.Feed != nil && own != nil {
			return engine.Written{}, own
		}
	}
	return written, err
}

// Copy writes the rows of a table into one file.
func (e *Engine) Copy(ctx context.Context, t engine.Table, path string) (engine.Written, error) {
	return e.writeFile(ctx, output{path: path, columns: t.Columns}, func(j *job) ([]string, readSQL, error) {
		j.tables = tablePaths(t, 0)
		return j.tables, func(name fileNames) (string, error) { return tableSQL(t, 0, name) }, nil
	})
}

// readSQL writes the query that reads files by the names that the engine has
// for them.
type readSQL func(fileNames) (string, error)

// output is a file to write.
type output struct {
	path    string
	columns []quern.Column
	rows    int64 // 0: not known
	bare    bool  // nothing has to be known of its values
}

// outputOf is what a source is written to.
func outputOf(src engine.Source, path string) output {
	return output{path: path, columns: src.Columns, rows: src.Rows, bare: src.Bare}
}

// writeFile writes the rows of a query to a file and describes them. It leaves no file
// behind when it fails.
func (e *Engine) writeFile(ctx context.Context, to output, prepare func(*job) ([]string, readSQL, error)) (engine.Written, error) {
	j, err := e.newOwnJob(ctx, e.writes)
	if err != nil {
		return engine.Written{}, err
	}
	defer j.close()
	written, err := j.writeFile(to, prepare)
	if err != nil {
		return engine.Written{}, errors.Join(j.explain(explainMisfit(err)), removeFile(to.path))
	}
	return written, nil
}

func removeFile(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func (j *job) writeFile(to output, prepare func(*job) ([]string, readSQL, error)) (engine.Written, error) {
	paths, read, err := prepare(j)
	if err != nil {
		return engine.Written{}, err
	}
	// The file must be there for the instance to see it.
	if err := os.WriteFile(to.path, nil, 0o600); err != nil {
		return engine.Written{}, err
	}
	name, err := j.open(append(paths, to.path))
	if err != nil {
		return engine.Written{}, err
	}
	sql, err := read(name)
	if err != nil {
		return engine.Written{}, err
	}
	var reported map[string]writerStats
	var rows int64
	err = j.run("COPY ("+sql+") TO "+quoteText(name(to.path))+" "+copyOptions(groupRows(to.rows, j.engine.options.Threads)), true, func(s *stream) {
		reported, rows = readWriterStats(s), writtenRows(s)
	})
	if err != nil {
		return engine.Written{}, err
	}
	info, err := os.Stat(to.path)
	if err != nil {
		return engine.Written{}, err
	}
	written := engine.Written{Rows: rows, Bytes: info.Size()}
	if to.bare {
		return written, nil
	}
	if written.Foot, err = readFoot(to.path); err != nil {
		return engine.Written{}, err
	}
	return written, j.describe(name(to.path), to.columns, reported, &written)
}

// blocksSQL writes the query that reads the blocks of a source as the columns' types.
func blocksSQL(columns []quern.Column) (string, error) {
	list := make([]string, len(columns))
	for i, c := range columns {
		_, expr, err := sourceColumn(positionName(i), c.Type)
		if err != nil {
			return "", err
		}
		list[i] = expr + " AS " + quoteName(c.Name)
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + blocksView, nil
}

// sourceSQL writes the query that reads NDJSON files, one after the other, as
// the columns' types.
func sourceSQL(paths []string, columns []quern.Column, longest int) (string, error) {
	for _, path := range paths {
		if strings.ContainsAny(path, "*?[") {
			return "", fmt.Errorf("duckdb: source path %q holds a wildcard", path)
		}
	}
	var read, list []string
	for i, c := range columns {
		member := positionName(i)
		kind, expr, err := sourceColumn(member, c.Type)
		if err != nil {
			return "", err
		}
		read = append(read, member+": "+quoteText(kind))
		list = append(list, expr+" AS "+quoteName(c.Name))
	}
	if len(list) == 0 {
		read, list = []string{emptyColumn + ": 'VARCHAR'"}, []string{emptyColumn}
	}
	return fmt.Sprintf("SELECT %s FROM read_ndjson(%s, columns = {%s}, records = true, maximum_object_size = %d)",
		strings.Join(list, ", "), quoteTexts(paths), strings.Join(read, ", "),
		max(longest+1, minObject)), nil
}

// comesAsText tells the types whose values are rewritten as strings first,
// because the engine's JSON reader takes numbers through binary fractions.
func comesAsText(t quern.Type) bool {
	_, _, decimal := t.DecimalSize()
	return decimal || t == quern.JSON || t == quern.Text
}

// sourceColumn returns the type to read a member as and the expression that makes
// its value.
func sourceColumn(member string, t quern.Type) (kind, expr string, err error) {
	kind, err = sqlType(t)
	if comesAsText(t) && t != quern.Text {
		return "VARCHAR", "CAST(" + member + " AS " + kind + ")", err
	}
	return kind, member, err
}

// explainMisfit explains a value that the engine could not read as its column's type.
func explainMisfit(err error) error {
	f, ok := errors.AsType[*fault](err)
	if ok && slices.Contains([]string{"Conversion", "Invalid Input", "Out of Range"}, f.Type) {
		return quern.E(quern.Invalid, quern.CodeInvalid, "a value does not fit the type of its column").Because(err)
	}
	return markOwn(err)
}
