package ingest

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"

	"quern"
	"quern/catalog"
	"quern/engine"
)

// longBody is a request whose rows make a segment.
type longBody struct {
	*Service
	principal quern.Principal
	path      quern.DatasetPath
	request   RowsRequest
	digest    hash.Hash      // of what was read
	sent      *countedReader // likewise
}

// append appends the rows of a body, in one reading where that can be.
func (b *longBody) append(ctx context.Context, body io.Reader) (int64, error) {
	whole, first := b.guess(body)
	if first == nil {
		return b.appendScanned(ctx, whole)
	}
	stored, err := b.store(whole)
	if err != nil {
		return 0, err
	}
	defer stored.remove()
	if rows, done, err := (&bodyOnce{longBody: b, body: stored}).try(ctx, first); done {
		return rows, err
	}
	if whole, err = stored.whole(); err != nil {
		return 0, fmt.Errorf("ingest: %w", err)
	}
	return b.appendScanned(ctx, whole)
}

// appendScanned scans the rows of a body and then appends them.
func (b *longBody) appendScanned(ctx context.Context, body io.Reader) (int64, error) {
	rows, err := os.CreateTemp(b.temp, "rows-*.ndjson")
	if err != nil {
		return 0, fmt.Errorf("ingest: %w", err)
	}
	defer os.Remove(rows.Name())
	defer rows.Close()
	read, err := scan(body, rows, b.limits)
	if err != nil {
		return 0, err
	}
	a, err := b.addition(b.principal, b.request, read, b.digest.Sum(nil), b.sent.n)
	if err != nil {
		return 0, err
	}
	return b.Service.appendScanned(ctx, b.principal, b.path, scannedFile{read, rows.Name()}, a)
}

// guess has a scanner learn the beginning of a body, which it returns whole; nil when that tells
// nothing, or there is no more.
func (b *longBody) guess(body io.Reader) (whole io.Reader, first *scanner) {
	head := make([]byte, b.onceHead())
	n, err := io.ReadFull(body, head)
	if head = head[:n]; err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return io.MultiReader(bytes.NewReader(head), failingReader{err}), nil
	}
	whole = io.MultiReader(bytes.NewReader(head), body)
	if b.once.never {
		return whole, nil
	}
	first = newScanner(io.MultiReader(bytes.NewReader(head), failingReader{errEnough}), io.Discard, b.limits)
	first.parallelAfter = math.MaxInt64
	if _, err := first.scan(); !errors.Is(err, errEnough) || first.bad.count > 0 {
		return whole, nil
	}
	return whole, first
}

// onceHead is how much of a text of JSON is looked at to learn what its columns seem to be.
func (s *Service) onceHead() int {
	if s.once.block > 0 {
		return 4 * s.once.block
	}
	return onceBytes
}

// bodyOnce appends the rows of a stored body in one reading: they are written while they are
// learned.
type bodyOnce struct {
	*longBody
	body    *storedBody
	dataset quern.Dataset
	fresh   quern.DatasetID // of a dataset that is still to be made
	feed    *rowFeed
	form    chunkForm
	read    scanned
}

// try appends the rows in one reading; done is false when they have to be scanned first, and then
// nothing has happened.
func (o *bodyOnce) try(ctx context.Context, first *scanner) (rows int64, done bool, err error) {
	about := o.prepare(ctx, first)
	if about == 0 {
		return 0, false, nil
	}
	rows, err = o.write(ctx, about)
	done = !errors.Is(err, errGivenUp)
	o.once.ended(done)
	return rows, done, err
}

// prepare finds the dataset and what the rows become in it, and returns about how many there are;
// 0 when the body is to be scanned before anything is written.
func (o *bodyOnce) prepare(ctx context.Context, first *scanner) (rows int64) {
	head := int64(o.onceHead())
	if o.body.err != nil || o.body.size < 4*head {
		return 0
	}
	if o.request.Make {
		o.fresh = quern.NewID[quern.DatasetID]()
	}
	var err error
	if o.dataset, err = o.target(ctx, o.principal, o.path, o.fresh); err != nil {
		return 0
	}
	named := catalog.Once{Key: o.request.Key, Request: o.named()}
	if _, answered, err := o.catalog.Answered(ctx, o.principal, named); answered || err != nil {
		return 0
	}
	o.feed = newRowFeed(first.shapes, func(columns []catalog.Batch) []quern.Column {
		if o.checkWidth(o.dataset, columns) != nil {
			return nil
		}
		return catalog.Plan(o.dataset, columns)
	})
	if o.feed == nil {
		return 0
	}
	o.form = o.once.chunks(bodyForm, head/first.rows)
	return int64(float64(first.rows) * float64(o.body.size) / float64(head))
}

// named tells requests apart.
func (o *bodyOnce) named() string {
	return hex.EncodeToString(o.digest.Sum(nil)) + "/" + string(o.dataset.ID)
}

// write writes about so many rows and makes them part of the dataset; errGivenUp when they have
// to be scanned first, and then nothing has happened.
func (o *bodyOnce) write(ctx context.Context, rows int64) (int64, error) {
	var a catalog.Addition
	piece, err := o.put(ctx, o.dataset.ID, o.feed.planned, func(path string) (engine.Written, error) {
		written, err := o.engine.Write(ctx, engine.Source{Columns: o.feed.planned, Rows: rows, Feed: o.scan}, path)
		if err == nil {
			a, err = o.addition(o.principal, o.request, o.read, o.digest.Sum(nil), o.sent.n)
		}
		if err == nil && len(a.Guide.Steps) > 0 {
			err = errGivenUp
		}
		return written, err
	})
	if err != nil {
		return 0, err
	}
	a.Piece, a.New, a.For, a.Once.Request = shaped(piece, o.read.columns), o.fresh, o.dataset.ID, o.named()
	n, err := indexed(o.catalog.Append(ctx, o.principal, o.path, a))
	if errors.Is(err, catalog.ErrReplan) {
		err = errGivenUp
	}
	return n, err
}

// scan hands the rows to the engine. What is wrong with a body is found out by scanning it before
// anything is written.
func (o *bodyOnce) scan(ctx context.Context, to engine.Blocks) error {
	body, err := o.body.whole()
	if err != nil {
		return err
	}
	o.feed.begin(ctx, to)
	s := newScanner(body, io.Discard, o.limits)
	s.shapes, s.feed, s.next, s.parallelAfter, s.form = o.feed.shapes, o.feed, 1, 0, o.form
	if o.read, err = s.scan(); err == nil {
		err = o.feed.holds()
	}
	if err == nil {
		err = o.feed.flush()
	}
	if err != nil && ctx.Err() == nil {
		err = errGivenUp
	}
	return err
}
