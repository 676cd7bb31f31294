// Package enginetest holds every engine to the promises of package engine.
//
// It owns the suite and its cases, most of which are data under testdata:
// tables, SQL, and the rows or the error expected of it. It never looks inside
// an engine. Run the tests with -update to rewrite the expectations, then read
// the difference.
package enginetest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/engine"
)

var update = flag.Bool("update", false, "rewrite the expected results under testdata")

// Limits are what a test needs of an engine. Zero values mean its defaults.
type Limits struct {
	Memory      int64
	Time        time.Duration
	Concurrency int
	Queue       int
}

// Maker makes a fresh engine that is closed with the test.
type Maker func(t *testing.T, l Limits) engine.Engine

// Run holds the engines that maker makes to the suite. Folder is the suite's
// testdata, as seen from the test.
func Run(t *testing.T, folder string, maker Maker) {
	t.Helper()
	RunAnswers(t, folder, maker)
	run(t, folder, maker, []suiteTest{
		{"ResolverErrorPasses", testResolverError},
		{"RowCap", testRowCap},
		{"Cancel", testCancel},
		{"TimeLimit", testTimeLimit},
		{"MemoryLimit", testMemoryLimit},
		{"ManyAtOnce", testManyAtOnce},
		{"QueueOverflow", testQueueOverflow},
		{"ScanPages", testScanPages},
		{"ScanNoColumns", testScanNoColumns},
		{"WriteKeepsValues", testWriteKeepsValues},
		{"WriteRandom", testWriteRandom},
		{"WriteRefuses", testWriteRefuses},
		{"WriteStats", testWriteStats},
		{"CopyKeepsOrder", testCopy},
		{"ImportReadsParquet", testImport},
		{"WriteReadsCSV", testWriteCSV},
		{"WriteReadsLongCSV", testWriteLongCSV},
		{"CloseWaits", testClose},
	})
}

// RunAnswers holds them to the part of the suite that is about what a query answers, which
// is the same however often it is asked.
func RunAnswers(t *testing.T, folder string, maker Maker) {
	t.Helper()
	run(t, folder, maker, []suiteTest{
		{"Cases", testCases},
		{"Refused", testRefused},
		{"SameAnswerForHiddenAndMissing", testHidden},
		{"RowIDs", testRowIDs},
		{"LostSegment", testLostSegment},
	})
}

type suiteTest struct {
	name string
	run  func(*testing.T, string, Maker)
}

func run(t *testing.T, folder string, maker Maker, tests []suiteTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, folder, maker)
		})
	}
}

// write makes a segment of rows, each a JSON object whose members are named as
// the columns.
func write(t *testing.T, e engine.Engine, columns []quern.Column, first int64, rows []string) engine.Segment {
	t.Helper()
	written, path, err := tryWrite(t, e, columns, rows)
	if err != nil {
		t.Fatalf("Write(%v) = %v, want no error", columns, err)
	}
	return engine.Segment{Path: path, Columns: columns, FirstRow: first, Rows: written.Rows}
}

func tryWrite(t *testing.T, e engine.Engine, columns []quern.Column, rows []string) (engine.Written, string, error) {
	t.Helper()
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(positional(t, columns, row) + "\n")
	}
	dir := t.TempDir()
	source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "segment.parquet")
	writeFile(t, source, text.String())
	written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns}, path)
	return written, path, err
}

// positional renames a row's members to c0, c1, and so on, leaving their values
// as they are.
func positional(t *testing.T, columns []quern.Column, row string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(row), &members); err != nil {
		t.Fatalf("row %s: %v", row, err)
	}
	var parts []string
	for i, c := range columns {
		if value, ok := members[c.Name]; ok {
			parts = append(parts, fmt.Sprintf(`"c%d":%s`, i, value))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// numbers makes a table with the integers from 0 to n-1 in a column n.
func numbers(t *testing.T, e engine.Engine, n int) engine.Table {
	t.Helper()
	columns := []quern.Column{{Name: "n", Type: quern.Integer}}
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"n":%d}`, i)
	}
	return engine.Table{Columns: columns, Segments: []engine.Segment{write(t, e, columns, 0, rows)}}
}

// only resolves one name to a table and nothing else.
func only(name string, table engine.Table) func(context.Context, engine.Ref) (engine.Table, error) {
	return func(_ context.Context, ref engine.Ref) (engine.Table, error) {
		if quern.NameKey(ref.Dataset) != name {
			return engine.Table{}, quern.E(quern.NotFound, quern.CodeNotFound, "no such dataset")
		}
		return table, nil
	}
}

// collect reads all rows as JSON arrays and closes them.
func collect(rows engine.Rows) ([]string, error) {
	defer rows.Close()
	var out []string
	for rows.Next() {
		if err := walksAsRow(rows); err != nil {
			return nil, err
		}
		text, err := json.Marshal(rows.Row())
		if err != nil {
			return nil, err
		}
		out = append(out, string(text))
	}
	return out, rows.Err()
}

// walksAsRow fails when the current row has other values for a walk than for Row.
func walksAsRow(rows engine.Rows) error {
	walker, ok := rows.(engine.Walker)
	if !ok {
		return nil
	}
	var walked walkedRow
	walker.Walk(&walked)
	if row := rows.Row(); !reflect.DeepEqual([]any(walked), append([]any(nil), row...)) {
		return fmt.Errorf("Walk() = %v, Row() = %v, want the same values", walked, row)
	}
	return nil
}

// walkedRow keeps the values of a row.
type walkedRow []any

func (w *walkedRow) Int(v int64)     { *w = append(*w, v) }
func (w *walkedRow) Float(v float64) { *w = append(*w, v) }
func (w *walkedRow) Text(v []byte)   { *w = append(*w, string(v)) }
func (w *walkedRow) Other(v any)     { *w = append(*w, v) }

func query(t *testing.T, e engine.Engine, q engine.Query) ([]string, error) {
	t.Helper()
	rows, err := e.Query(t.Context(), q)
	if err != nil {
		return nil, err
	}
	return collect(rows)
}

func columnsText(columns []quern.Column) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = c.Name + " " + string(c.Type)
	}
	return strings.Join(parts, ", ")
}

// parseColumns reads what columnsText writes.
func parseColumns(text string) []quern.Column {
	var columns []quern.Column
	for part := range strings.SplitSeq(text, ", ") {
		at := strings.LastIndexByte(part, ' ')
		if at < 0 {
			continue
		}
		columns = append(columns, quern.Column{Name: part[:at], Type: quern.Type(part[at+1:])})
	}
	return columns
}
