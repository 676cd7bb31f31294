// Command icebergreader reads tables of a REST catalog with iceberg-go, the strictest of
// the readers that tests know: it refuses types that differ from the schema's, where
// others cast.
//
//	icebergreader URI WAREHOUSE NAMESPACE/TABLE[@SNAPSHOT]…
//
// It takes and prints what ../opentable/read.py does. It lives in a module of its own
// because its dependencies have no place in the server's.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/iceberg-go/catalog/rest"
	_ "github.com/apache/iceberg-go/io/gocloud/s3" // objects are read over S3
	"github.com/apache/iceberg-go/table"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "icebergreader:", err)
		os.Exit(1)
	}
}

// contents is what is printed of a table.
type contents struct {
	Table   string      `json:"table"`
	Columns []string    `json:"columns,omitempty"`
	Rows    [][]*string `json:"rows"`
	Error   string      `json:"error,omitempty"`
}

// run reads tables with the token of the variable QUERN_TOKEN.
func run(ctx context.Context, args []string) error {
	if len(args) < 3 {
		return errors.New("want URI WAREHOUSE NAMESPACE/TABLE[@SNAPSHOT]…")
	}
	catalog, err := rest.NewCatalog(ctx, "quern", args[0],
		rest.WithOAuthToken(os.Getenv("QUERN_TOKEN")), rest.WithWarehouseLocation(args[1]))
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, name := range args[2:] {
		read := contents{Table: name, Rows: [][]*string{}}
		if err := read.fill(ctx, catalog); err != nil {
			read = contents{Table: name, Error: err.Error()}
		}
		if err := out.Encode(read); err != nil {
			return err
		}
	}
	return nil
}

func (c *contents) fill(ctx context.Context, catalog *rest.Catalog) error {
	path, snapshot, pinned := strings.Cut(c.Table, "@")
	t, err := catalog.LoadTable(ctx, strings.Split(path, "/"))
	if err != nil {
		return err
	}
	var options []table.ScanOption
	if pinned {
		id, err := strconv.ParseInt(snapshot, 10, 64)
		if err != nil {
			return err
		}
		options = append(options, table.WithSnapshotID(id))
	}
	schema, batches, err := t.Scan(options...).ToArrowRecords(ctx)
	if err != nil {
		return err
	}
	for _, field := range schema.Fields() {
		c.Columns = append(c.Columns, field.Name)
	}
	for batch, err := range batches {
		if err != nil {
			return err
		}
		for i := range int(batch.NumRows()) {
			c.Rows = append(c.Rows, row(batch, i))
		}
		batch.Release()
	}
	return nil
}

func row(batch arrow.RecordBatch, i int) []*string {
	values := make([]*string, batch.NumCols())
	for j, column := range batch.Columns() {
		if column.IsValid(i) {
			text := value(column, i)
			values[j] = &text
		}
	}
	return values
}

// value returns a value in the form that readers have agreed on.
func value(column arrow.Array, i int) string {
	switch c := column.(type) {
	case *array.Float64:
		return strconv.FormatFloat(c.Value(i), 'g', -1, 64)
	case *array.Date32:
		return c.Value(i).ToTime().Format(time.DateOnly)
	case *array.Timestamp:
		unit := c.DataType().(*arrow.TimestampType).Unit
		return c.Value(i).ToTime(unit).UTC().Format(time.RFC3339Nano)
	case *array.Decimal128:
		return c.Value(i).ToString(c.DataType().(*arrow.Decimal128Type).Scale)
	}
	return column.ValueStr(i)
}
