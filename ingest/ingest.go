// Package ingest turns what callers send into segments of a dataset's table.
//
// It owns the way from bytes to a typed Parquet object, the ingestions of
// uploaded files, and the upkeep of segments afterwards. It never decides who may
// write: it asks catalog, which also commits. It holds some rows in memory at a
// time, whatever the body or file.
//
//	body ─► scan (shapes, NDJSON) ─► plan ─► write Parquet ─► put ─► Append
//	file ─► learn (all rows) ────────▲ ▲                               │
//	                                   └──── columns changed ◄─────────┘
//
// Where the first rows tell what the columns become, rows are written while they are scanned or
// learned, and again in the way above if it turns out otherwise.
//
// An ingestion is a row that a worker holds by a lease it keeps renewing; a lease
// that ran out is anybody's:
//
//	           ┌─────── passing failure, server stopped ────────┐
//	           ▼                                                │
//	Start ─► pending ── taken ─► processing ─► completed │ failed
//	           └──────── Cancel ────┴────────► aborted
//
// The failure it is built around is the retry: a request whose answer got lost
// is sent again, work that a crash cut off is begun again, and neither must
// double its rows. An ingestion completes in the transaction that appends.
package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/engine"
	"quern/ingest/format"
	"quern/lease"
	"quern/store"
	"quern/structure"
)

// Service ingests.
type Service struct {
	catalog *catalog.Service
	objects blob.Store
	files   blob.Files
	engine  engine.Writer
	temp    string
	limits  Limits
	log     *slog.Logger
	store   *store.Store
	uploads Uploads
	still   Still
	now     func() time.Time
	nulls   *nullWords
	workers *lease.Workers[*job]
	places  userPlaces
	tables  Tables
	// previews has a place for every preview that is being made.
	previews chan struct{}
	steps    *structure.Service
	journal  bool
	small    *store.Batcher[*catalog.Small] // requests on their way to the journal
	full     chan quern.DatasetID           // datasets with enough in the journal to be folded
	folding  sync.Map                       // those of them that wait, by id
	once     onceOptions
}

// Uploads is what ingestions need of upload sessions.
type Uploads interface {
	// Files lists the completed files of a session of the principal's; NotFound
	// when there is no such session.
	Files(ctx context.Context, p quern.Principal, id quern.SessionID) ([]quern.UploadFile, error)
}

// Still returns the principal that a user is now, with the API token that it
// acted with, if any; Forbidden, with the reason, when it is none any more.
type Still func(ctx context.Context, user quern.UserID, token quern.TokenID) (quern.Principal, error)

// Tables finds the tables of a file whose kind is known, as format.Tables does.
type Tables func(ctx context.Context, path string, kind format.Kind, o format.Options) ([]format.Table, error)

// Options says what ingests work with.
type Options struct {
	Catalog *catalog.Service
	Objects blob.Store
	Files   blob.Files
	Engine  engine.Writer
	Temp    string // a folder for files in the making
	Limits  Limits
	Log     *slog.Logger // nil: slog.Default()
	// Store, Uploads, Still and Now are needed where files are ingested.
	Store   *store.Store
	Uploads Uploads
	Still   Still
	Now     func() time.Time
	// NullValues are the spellings of null in files, unless a request brings its own.
	NullValues []string
	// Tables reads files of records; nil: format.Tables, in this process.
	Tables Tables
	// Structure runs the steps that structure rows; nil: one without a model.
	Structure *structure.Service
	// Journal says that rows which come a few at a time are written to the journal, many
	// requests in one transaction.
	Journal bool
	// Alone says that no other server works on the same store, so that what a
	// crash left is taken up at once instead of when its lease has run out.
	Alone bool
}

// New makes a Service.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Service{
		catalog: o.Catalog, objects: o.Objects, files: o.Files, engine: o.Engine, temp: o.Temp, limits: o.Limits, log: o.Log,
		store: o.Store, uploads: o.Uploads, still: o.Still, now: o.Now, nulls: newNullWords(o.NullValues),
		previews: make(chan struct{}, previews), journal: o.Journal, full: make(chan quern.DatasetID, mostFull),
	}
	s.small = s.batchSmall()
	if s.tables = o.Tables; s.tables == nil {
		s.tables = format.Tables
	}
	if s.steps = o.Structure; s.steps == nil {
		s.steps = structure.New(structure.Options{Log: o.Log})
	}
	s.workers = lease.New(s.working(o.Alone))
	return s
}

// maxReplans bounds how often a write starts over because others keep changing
// the dataset's columns.
const maxReplans = 20

// JSON is Rows for a body that stands alone, into a dataset that exists.
func (s *Service) JSON(ctx context.Context, p quern.Principal, path quern.DatasetPath, body io.Reader, key string) (int64, error) {
	return s.Rows(ctx, p, path, RowsRequest{Body: body, Key: key})
}

// RowsRequest is rows to append, as JSON.
type RowsRequest struct {
	Body io.Reader
	Key  string // names the request, so that it is carried out once; may be empty
	// Guide reads the body's members beside the rows, which it gets as an object.
	// Nil ignores them.
	Guide func(members []byte) (quern.IngestGuide, error)
	// Make says that a dataset that is missing is made in the principal's name.
	Make bool
}

// Rows appends the rows of a JSON body to a dataset, all or none, and returns how
// many there were. The same body under the same non-empty key is appended once.
func (s *Service) Rows(ctx context.Context, p quern.Principal, path quern.DatasetPath, r RowsRequest) (int64, error) {
	digest := sha256.New()
	sent := &countedReader{r: r.Body}
	if r.Key != "" { // only requests that have a name are told apart
		sent.r = io.TeeReader(r.Body, digest)
	}
	var begin []byte
	if s.journal {
		var err error
		if begin, err = io.ReadAll(io.LimitReader(sent, smallBytes+1)); err != nil {
			return 0, err
		}
		if len(begin) <= smallBytes {
			return s.few(ctx, p, path, r, begin)
		}
	}
	b := &longBody{Service: s, principal: p, path: path, request: r, digest: digest, sent: sent}
	return b.append(ctx, io.MultiReader(bytes.NewReader(begin), sent))
}

// addition is what goes with scanned rows, of which so many bytes were sent.
func (s *Service) addition(p quern.Principal, r RowsRequest, read scanned, digest []byte, sent int64) (a catalog.Addition, err error) {
	a.Once = catalog.Once{Key: r.Key, Request: hex.EncodeToString(digest), Answer: strconv.FormatInt(read.rows, 10)}
	if r.Guide != nil {
		if a.Guide, err = r.Guide(read.members); err != nil {
			return a, err
		}
	}
	if r.Make {
		a.New = quern.NewID[quern.DatasetID]()
	}
	a.Attempt = s.completed(p, a.Guide, sent)
	a.Attempt.ProcessedRows = read.rows
	return a, nil
}

// appendScanned appends the rows of a file, structured if that was asked for.
func (s *Service) appendScanned(ctx context.Context, p quern.Principal, path quern.DatasetPath, file scannedFile, a catalog.Addition) (int64, error) {
	if len(a.Guide.Steps) > 0 {
		var err error
		if file, err = s.structureRows(ctx, p, path, file, &a); err != nil {
			return 0, err
		}
		defer os.Remove(file.path)
	}
	a.Attempt.ProcessedRows, a.Once.Answer = file.rows, strconv.FormatInt(file.rows, 10)
	return indexed(s.appendRows(ctx, p, path, file, a))
}

// indexed reads an answer: how many rows were stored.
func indexed(answer string, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(answer, 10, 64)
}

// completed is the ingestion as which rows that are stored at once are noted.
func (s *Service) completed(p quern.Principal, g quern.IngestGuide, bytes int64) quern.Ingestion {
	now := time.Now().UTC()
	if s.now != nil {
		now = s.now().UTC()
	}
	return quern.Ingestion{
		ID: quern.NewID[quern.IngestionID](), Actor: p.User.ID, Token: p.Proof(), Scopes: p.Scopes, Name: g.Name,
		Options:       quern.IngestionOptions{Instructions: g.Instructions, BatchSize: g.BatchSize, Steps: g.Steps},
		ExpectedBytes: bytes, ProcessedBytes: bytes, CreatedAt: now, EndedAt: now,
	}
}

// countedReader counts what is read.
type countedReader struct {
	r io.Reader
	n int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// scannedFile is scanned rows and the file that they are in.
type scannedFile struct {
	scanned
	path string
}

// appendRows appends scanned rows. The request that once names is what was sent;
// with the dataset it went to, it tells requests apart.
func (s *Service) appendRows(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, read scannedFile, a catalog.Addition,
) (string, error) {
	sent := a.Once.Request
	for range maxReplans {
		d, err := s.target(ctx, p, path, a.New)
		if err != nil {
			return "", err
		}
		a.For, a.Once.Request = d.ID, sent+"/"+string(d.ID)
		first, ok, err := s.catalog.Answered(ctx, p, a.Once)
		if quern.Is(err, quern.Conflict) && d.ID == a.New && s.isMade(ctx, p, path, a.New) {
			continue // the same request made the dataset since it was looked for
		}
		if err != nil || ok {
			return first, err
		}
		if err := s.checkWidth(d, read.columns); err != nil {
			return "", err
		}
		if a.Piece, err = s.write(ctx, d, read.path, read.scanned); err != nil {
			return "", err
		}
		answer, err := s.catalog.Append(ctx, p, path, a)
		if !errors.Is(err, catalog.ErrReplan) {
			return answer, err
		}
	}
	return "", quern.E(quern.Unavailable, quern.CodeUnavailable, "the dataset's columns keep changing; try again")
}

// Columns returns the columns that the rows of a JSON body would make. It fails
// as Rows does when they could not be stored.
func (s *Service) Columns(body io.Reader) ([]quern.Column, error) {
	read, err := scan(body, io.Discard, s.limits)
	return catalog.Plan(quern.Dataset{}, read.columns), err
}

// target returns the dataset that rows are for: the one at path, or one that is
// still to be made under the id fresh, where the principal may.
func (s *Service) target(ctx context.Context, p quern.Principal, path quern.DatasetPath, fresh quern.DatasetID) (quern.Dataset, error) {
	if fresh == "" {
		return s.catalog.Dataset(ctx, p, path, catalog.Write)
	}
	d, err := s.catalog.OrDraft(ctx, p, path, catalog.Write)
	if !quern.Is(err, quern.NotFound) {
		return d, err
	}
	return quern.Dataset{ID: fresh, Version: 1}, s.catalog.MayWrite(ctx, p, path)
}

// isMade reports whether there is a dataset at path for rows to go to, other than the one
// that would be made for them.
func (s *Service) isMade(ctx context.Context, p quern.Principal, path quern.DatasetPath, fresh quern.DatasetID) bool {
	d, err := s.target(ctx, p, path, fresh)
	return err == nil && d.ID != fresh
}

func (s *Service) checkWidth(d quern.Dataset, batch []catalog.Batch) error {
	if width := catalog.Width(d, batch); width > s.limits.Columns {
		return quern.E(quern.Invalid, quern.CodeInvalid, "a dataset may have at most %d columns; this would make %d", s.limits.Columns, width)
	}
	return nil
}

// write makes an object of the scanned rows. A piece of no rows has no object.
func (s *Service) write(ctx context.Context, d quern.Dataset, rows string, read scanned) (catalog.Piece, error) {
	if read.rows == 0 {
		return catalog.Piece{}, nil
	}
	columns := catalog.Plan(d, read.columns)
	piece, err := s.put(ctx, d.ID, columns, func(path string) (engine.Written, error) {
		return s.engine.Write(ctx, engine.Source{Path: rows, Columns: columns, Rows: read.rows}, path)
	})
	return shaped(piece, read.columns), err
}

// shaped is a piece with what is known of its columns.
func shaped(piece catalog.Piece, columns []catalog.Batch) catalog.Piece {
	for i := range piece.Columns {
		piece.Columns[i].Shape, piece.Columns[i].Unit = columns[i].Shape, columns[i].Unit
	}
	return piece
}

// put has a segment written to a local file, stages an object for it, and stores
// the file under that key: whatever is stored has been staged before, so that what
// a crash leaves behind is found and swept.
func (s *Service) put(
	ctx context.Context, id quern.DatasetID, columns []quern.Column, write func(path string) (engine.Written, error),
) (catalog.Piece, error) {
	path := filepath.Join(s.temp, "segment-"+quern.NewID[string]()+".parquet")
	defer os.Remove(path)
	written, err := write(path)
	if err != nil {
		return catalog.Piece{}, err
	}
	key, err := s.catalog.Stage(ctx, id)
	if err != nil {
		return catalog.Piece{}, err
	}
	if err := s.putFile(ctx, key, path, written.Bytes); err != nil {
		return catalog.Piece{}, err
	}
	piece := catalog.Piece{Key: key, Rows: written.Rows, Bytes: written.Bytes, Columns: make([]catalog.PieceColumn, len(columns))}
	if catalog.KeepsFeet(s.files) {
		piece.Foot = written.Foot
	}
	for i, c := range columns {
		piece.Columns[i] = catalog.PieceColumn{Column: c, Stats: written.Columns[i]}
	}
	return piece, nil
}

// putFile makes a file an object: in its place where the store can do that, by copying it otherwise.
func (s *Service) putFile(ctx context.Context, key, path string, size int64) error {
	if store, ok := s.objects.(blob.Adopter); ok {
		if err := store.Adopt(ctx, key, path, size); !errors.Is(err, blob.ErrElsewhere) {
			return err
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("ingest: %w", err)
	}
	defer file.Close()
	return s.objects.Put(ctx, key, file, size)
}
