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
	"time"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/engine"
	"quern/lease"
	"quern/store"
)

// Service ingests.
type Service struct {
	catalog *catalog.Service
	objects blob.Store
	files   blob.Files
	engine  engine.Engine
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

// Options says what ingests work with.
type Options struct {
	Catalog *catalog.Service
	Objects blob.Store
	Files   blob.Files
	Engine  engine.Engine
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
	}
	s.workers = lease.New(s.working(o.Alone))
	return s
}

// maxReplans bounds how often a write starts over because others keep changing
// the dataset's columns.
const maxReplans = 20

// JSON appends the rows of a JSON body to a dataset, all or none, and returns how
// many there were. The same body under the same non-empty key is appended once.
func (s *Service) JSON(ctx context.Context, p quern.Principal, path quern.DatasetPath, body io.Reader, key string) (int64, error) {
	rows, err := os.CreateTemp(s.temp, "rows-*.ndjson")
	if err != nil {
		return 0, fmt.Errorf("ingest: %w", err)
	}
	defer os.Remove(rows.Name())
	defer rows.Close()
	digest := sha256.New()
	read, err := scan(io.TeeReader(body, digest), rows, s.limits)
	if err != nil {
		return 0, err
	}
	once := catalog.Once{Key: key, Request: hex.EncodeToString(digest.Sum(nil)), Answer: strconv.FormatInt(read.rows, 10)}
	answer, err := s.appendRows(ctx, p, path, rows.Name(), read, once)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(answer, 10, 64)
}

// appendRows appends scanned rows. once.Request is what was sent; with the
// dataset it went to, it tells requests apart.
func (s *Service) appendRows(ctx context.Context, p quern.Principal, path quern.DatasetPath, rows string, read scanned, once catalog.Once) (string, error) {
	sent := once.Request
	for range maxReplans {
		d, err := s.catalog.Dataset(ctx, p, path, catalog.Write)
		if err != nil {
			return "", err
		}
		once.Request = sent + "/" + string(d.ID)
		if first, ok, err := s.catalog.Answered(ctx, p, once); err != nil || ok {
			return first, err
		}
		if err := s.checkWidth(d, read.columns); err != nil {
			return "", err
		}
		piece, err := s.write(ctx, d, rows, read)
		if err != nil {
			return "", err
		}
		answer, err := s.catalog.Append(ctx, p, path, piece, once)
		if !errors.Is(err, catalog.ErrReplan) {
			return answer, err
		}
	}
	return "", quern.E(quern.Unavailable, quern.CodeUnavailable, "the dataset's columns keep changing; try again")
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
		return s.engine.Write(ctx, engine.Source{Path: rows, Columns: columns}, path)
	})
	for i := range piece.Columns {
		piece.Columns[i].Shape = read.columns[i].Shape
	}
	return piece, err
}

// put has a segment written to a local file, stages an object for it, and stores
// the file under that key: whatever is stored has been staged before, so that what
// a crash leaves behind is found and swept.
func (s *Service) put(ctx context.Context, id quern.DatasetID, columns []quern.Column, write func(path string) (engine.Written, error)) (catalog.Piece, error) {
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
	file, err := os.Open(path)
	if err != nil {
		return catalog.Piece{}, fmt.Errorf("ingest: %w", err)
	}
	defer file.Close()
	if err := s.objects.Put(ctx, key, file, written.Bytes); err != nil {
		return catalog.Piece{}, err
	}
	piece := catalog.Piece{Key: key, Rows: written.Rows, Bytes: written.Bytes, Columns: make([]catalog.PieceColumn, len(columns))}
	for i, c := range columns {
		piece.Columns[i] = catalog.PieceColumn{Column: c, Stats: written.Columns[i]}
	}
	return piece, nil
}
