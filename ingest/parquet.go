package ingest

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
	"quern/engine"
	"quern/ingest/format"
)

// readParquet reads a Parquet file, whose columns have types of their own. What
// they hold is looked at all the same: a column of numbers is only as wide as
// its values need.
func (r *reading) readParquet(ctx context.Context, it format.Item, about quern.IngestedTable) error {
	rows, err := r.service.engine.Import(ctx, it.Path)
	if err != nil {
		return err
	}
	defer rows.Close()
	originals := make([]string, len(rows.Columns()))
	for i, c := range rows.Columns() {
		originals[i] = c.Name
	}
	r.look()
	w := &parquetWriter{reading: r, about: &about, columns: rows.Columns(), shapes: make([]catalog.Shape, len(originals))}
	w.parts.dir = r.dir
	defer w.parts.close()
	if err := w.all(ctx, rows); err != nil {
		return err
	}
	names, batch := cleanNames(originals), make([]catalog.Batch, len(originals))
	for i := range batch {
		batch[i] = catalog.Batch{Name: names[i], Shape: w.shapes[i]}
		if w.parts.rows == 0 {
			batch[i].Type = w.columns[i].Type // there are no values that could tell
		}
	}
	if r.found.which != "" {
		_, batch = r.addWhich(nil, batch)
		originals = slices.Concat(originals, []string{""})
	}
	if err := r.asWanted(originals, batch); err != nil {
		return err
	}
	if err := r.fit(batch); err != nil {
		return err
	}
	before := r.dataset
	if err := r.pieceAll(ctx, w.parts.done, batch); err != nil {
		return err
	}
	r.scale(it)(int(it.Size))
	about.Rows = w.parts.rows
	return r.describe(&about, originals, batch, before)
}

type parquetWriter struct {
	reading *reading
	about   *quern.IngestedTable
	columns []quern.Column
	shapes  []catalog.Shape
	parts   parts
	line    []byte
}

func (w *parquetWriter) all(ctx context.Context, rows engine.Rows) error {
	for !w.reading.enough(w.parts.rows) && rows.Next() {
		if w.parts.rows%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.line = append(w.line[:0], '{')
		for i, value := range rows.Row() {
			w.value(i, value)
		}
		if f := w.reading.found; f.which != "" {
			w.line = appendText(appendMember(w.line, len(w.columns)), []byte(f.label))
		}
		w.line = append(w.line, '}')
		w.reading.noteSource(w.about, w.parts.rows+1, 0)
		w.reading.counted.Add(1)
		if err := w.parts.row(w.line); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return w.parts.flush()
}

// value writes one value and joins its shape to the column's. Numbers that no
// number type holds become text.
func (w *parquetWriter) value(column int, value any) {
	shape := catalog.Shape{Type: w.columns[column].Type}
	var text []byte
	switch v := value.(type) {
	case nil:
		return
	case bool:
		text = strconv.AppendBool(nil, v)
	case int64:
		text = strconv.AppendInt(nil, v, 10)
		shape, _ = numberShape(jsontext.Value(text))
	case float64:
		encoded, err := json.Marshal(v)
		if err != nil { // not a number, or infinite
			return
		}
		shape, _ = numberShape(encoded)
		shape.Type, text = quern.Double, encoded
	case json.Number:
		text = []byte(v)
		if s, reason := numberShape(jsontext.Value(v)); reason == "" {
			shape.Digits = s.Digits
		}
	case json.RawMessage:
		text = v
	case string:
		text = appendText(nil, []byte(v))
	}
	w.line = append(appendMember(w.line, column), text...)
	if at := &w.shapes[column]; *at != shape {
		*at = at.Join(shape)
	}
}
