package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quern"
	blobfs "quern/blob/fs"
	"quern/catalog"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/store"
)

// columns is the table of the benchmarks: every type but decimals and JSON.
var columns = []quern.Column{
	{Name: "id", Type: quern.Integer},
	{Name: "category", Type: quern.Text},
	{Name: "amount", Type: quern.Double},
	{Name: "quantity", Type: quern.Integer},
	{Name: "active", Type: quern.Boolean},
	{Name: "day", Type: quern.Date},
	{Name: "at", Type: quern.Timestamp},
	{Name: "name", Type: quern.Text},
	{Name: "note", Type: quern.Text},
	{Name: "score", Type: quern.Double},
}

// rawColumns are the same as DuckDB reads them from NDJSON.
const rawColumns = "{id: 'BIGINT', category: 'VARCHAR', amount: 'DOUBLE', quantity: 'BIGINT', active: 'BOOLEAN', " +
	"day: 'DATE', \"at\": 'TIMESTAMPTZ', name: 'VARCHAR', note: 'VARCHAR', score: 'DOUBLE'}"

// rawRows makes rows from an id on, in DuckDB.
func rawRows(first, count int) string {
	return fmt.Sprintf(`SELECT id, 'category ' || (id * 7919 %% 50) AS category, round((hash(id) %% 1000000) / 100, 2)::DOUBLE AS amount,
		(hash(id + 1) %% 1000)::BIGINT AS quantity, id %% 3 = 0 AS active, DATE '2020-01-01' + (id %% 2000)::INTEGER AS day,
		TIMESTAMPTZ '2020-01-01 00:00:00Z' + to_seconds(id) AS at, 'customer ' || (hash(id + 2) %% 100000) AS name,
		CASE WHEN id %% 10 = 0 THEN NULL ELSE 'a note of some length about order ' || id END AS note,
		(hash(id + 3) %% 10000) / 10000.0::DOUBLE AS score
		FROM range(%d, %d) AS ids(id)`, first, first+count)
}

// body makes rows as an ingest sends them, and as lines.
func body(random *rand.Rand, first, count int) (request, lines []byte) {
	var out bytes.Buffer
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range count {
		id := first + i
		fmt.Fprintf(&out, `{"id":%d,"category":"category %d","amount":%.2f,"quantity":%d,"active":%t,"day":"%s","at":"%s","name":"customer %d",`,
			id, random.IntN(50), random.Float64()*10000, random.IntN(1000), id%3 == 0,
			start.AddDate(0, 0, id%2000).Format(time.DateOnly), start.Add(time.Duration(id)*time.Second).Format(time.RFC3339), random.IntN(100000))
		if id%10 == 0 {
			out.WriteString(`"note":null,`)
		} else {
			fmt.Fprintf(&out, `"note":"a note of some length about order %d",`, id)
		}
		fmt.Fprintf(&out, "\"score\":%.4f}\n", random.Float64())
	}
	lines = bytes.Clone(out.Bytes())
	request = append([]byte(`{"data":[`), bytes.ReplaceAll(bytes.TrimSuffix(lines, []byte("\n")), []byte("\n"), []byte(","))...)
	return append(request, `]}`...), lines
}

// seed puts a table of many rows into an installation whose server is not
// running, the way an ingest would but without the JSON, and returns its files.
func seed(b *testing.B, h *home, dataset string, rows int) (files []string) {
	b.Helper()
	ctx := context.Background()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	s, err := store.Open(ctx, store.Options{File: filepath.Join(h.data, "quern.db")})
	must(err)
	defer s.Close()
	objects, err := blobfs.New(blobfs.Options{Dir: filepath.Join(h.data, "objects")})
	must(err)
	eng, err := duckdb.New(duckdb.Options{TempDir: b.TempDir()})
	must(err)
	defer eng.Close()
	var p quern.Principal
	must(s.View(ctx, func(tx *store.Tx) (err error) {
		p.User, err = tx.UserNamed(ctx, "ada")
		return err
	}))
	c := catalog.New(catalog.Options{Store: s, Now: time.Now})
	path := quern.DatasetPath{Owner: "ada", Namespace: "bench", Dataset: dataset}
	d, err := c.CreateDataset(ctx, p, path, quern.InferDefinition{})
	must(err)
	r, made := openRaw(b), filepath.Join(b.TempDir(), "made.parquet")
	const most = 1_000_000 // rows of a segment
	for first := 0; first < rows; first += most {
		count := min(most, rows-first)
		r.run("COPY (" + rawRows(first, count) + ") TO '" + made + "' " + copyOptions)
		key, err := c.Stage(ctx, d.ID)
		must(err)
		segment := filepath.Join(b.TempDir(), "segment.parquet")
		written, err := eng.Copy(ctx, engine.Table{Columns: columns, Segments: []engine.Segment{{Path: made, Columns: columns, Rows: int64(count)}}}, segment)
		must(err)
		file, err := os.Open(segment)
		must(err)
		must(objects.Put(ctx, key, file, written.Bytes))
		must(file.Close())
		piece := catalog.Piece{Key: key, Rows: written.Rows, Bytes: written.Bytes}
		for i, column := range columns {
			piece.Columns = append(piece.Columns, catalog.PieceColumn{Column: column, Shape: catalog.Shape{Type: column.Type}, Stats: written.Columns[i]})
		}
		_, err = c.Append(ctx, p, path, catalog.Addition{Piece: piece, Attempt: quern.Ingestion{
			ID: quern.NewID[quern.IngestionID](), Actor: p.User.ID, CreatedAt: time.Now(),
		}})
		must(err)
		file2, _, err := objects.File(ctx, key)
		must(err)
		files = append(files, file2)
	}
	return files
}
